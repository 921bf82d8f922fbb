"""Where provider keys come from, and where they must not go: they are read late and shown to nobody."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from tempfile import mkstemp

from agent.models.loose import as_dict, as_text
from agent.paths import make_private_folder

VARIABLES: dict[str, tuple[str, ...]] = {
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "azure": ("AZURE_API_KEY", "AZURE_OPENAI_API_KEY", "AZURE_AD_TOKEN"),
    "azure_ai": ("AZURE_AI_API_KEY",),
    "bedrock": ("AWS_BEARER_TOKEN_BEDROCK",),
    "cloudflare": ("CLOUDFLARE_API_KEY",),
    "cohere": ("COHERE_API_KEY", "CO_API_KEY"),
    "dashscope": ("DASHSCOPE_API_KEY",),
    "databricks": ("DATABRICKS_API_KEY", "DATABRICKS_TOKEN"),
    "fireworks_ai": ("FIREWORKS_API_KEY", "FIREWORKS_AI_API_KEY", "FIREWORKSAI_API_KEY"),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "huggingface": ("HF_TOKEN", "HUGGINGFACE_API_KEY", "HUGGING_FACE_HUB_TOKEN"),
    "lm_studio": ("LM_STUDIO_API_KEY",),
    "nvidia_nim": ("NVIDIA_NIM_API_KEY", "NVIDIA_API_KEY"),
    "ollama": ("OLLAMA_API_KEY",),
    "openai": ("OPENAI_API_KEY",),
    "openrouter": ("OPENROUTER_API_KEY", "OR_API_KEY"),
    "perplexity": ("PERPLEXITYAI_API_KEY", "PERPLEXITY_API_KEY"),
    "replicate": ("REPLICATE_API_KEY", "REPLICATE_API_TOKEN"),
    "together_ai": ("TOGETHERAI_API_KEY", "TOGETHER_API_KEY", "TOGETHER_AI_API_KEY"),
    "vllm": ("VLLM_API_KEY",),
    "volcengine": ("VOLCENGINE_API_KEY", "ARK_API_KEY"),
    "watsonx": ("WATSONX_API_KEY", "WATSONX_APIKEY", "WATSONX_TOKEN"),
    "zai": ("ZAI_API_KEY", "ZHIPUAI_API_KEY"),
}
"""The variables each provider's key is looked for in, best first; others use their name and `_API_KEY`."""

PLAIN = (
    *("ai21", "anyscale", "baseten", "cerebras", "codestral", "deepinfra", "deepseek", "featherless_ai"),
    *(
        "friendliai",
        "groq",
        "hyperbolic",
        "lambda_ai",
        "litellm",
        "llamafile",
        "meta_llama",
        "minimax",
        "mistral",
    ),
    *("moonshot", "morph", "nebius", "nlp_cloud", "novita", "nscale", "ovhcloud", "publicai", "sambanova"),
    *("scaleway", "snowflake", "v0", "voyage", "wandb", "xai"),
)

NEEDED = frozenset(
    [
        "anthropic",
        "cerebras",
        "cohere",
        "deepinfra",
        "deepseek",
        "fireworks_ai",
        "gemini",
        "groq",
        "mistral",
        "moonshot",
        "openai",
        "openrouter",
        "perplexity",
        "replicate",
        "sambanova",
        "together_ai",
        "xai",
    ]
)
"""Those that answer nobody without one; others have ways of their own to know who asks."""


class KeyFileError(Exception):
    """Names the file and what to do; never what is in it."""


def variables_of(provider: str) -> tuple[str, ...]:
    return VARIABLES.get(provider, (f"{_shouted(provider)}_API_KEY",))


def find(
    provider: str, environment: Mapping[str, str], stored: Mapping[str, str], variable: str | None = None
) -> str | None:
    """The environment comes first, then the key file. `variable` is the one the user configured."""
    names = (variable,) if variable else variables_of(provider)
    from_environment = (environment.get(name, "").strip() for name in names)
    return next((key for key in from_environment if key), None) or stored.get(provider)


def missing(provider: str, environment: Mapping[str, str], variable: str | None = None) -> str:
    """What is said where no key was found and one is needed; empty where there may be another way in."""
    shouted = f"{_shouted(provider)}_"
    if provider not in NEEDED or any(name.startswith(shouted) and environment[name] for name in environment):
        return ""
    named = variable or variables_of(provider)[0]
    return f"no key for {provider}; set {named} or run `wakeful config set-key {provider}`"


def secret_variables(configured: Mapping[str, str | None]) -> frozenset[str]:
    """What no tool may see. `configured` maps providers to the variable named for them, if any."""
    secret = {name for provider in (*VARIABLES, *PLAIN) for name in variables_of(provider)}
    for provider, variable in configured.items():
        secret.update(f"{_shouted(provider)}_{ending}" for ending in ("API_KEY", "KEY", "TOKEN", "API_TOKEN"))
        secret.update([variable] if variable else [])
    return frozenset(secret)


def read(path: Path) -> dict[str, str]:
    """All stored keys by provider; none when there is no file."""
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        # The cause is left out: a parser quotes the line it stumbles over, which holds a key.
        raise KeyFileError(f"{path} cannot be read ({type(error).__name__}); repair or delete it") from None
    return {provider: as_text(key) for provider, key in as_dict(values).items() if as_text(key)}


def store(path: Path, provider: str, key: str | None) -> None:
    """Sets the key of a provider, or removes it; only the owner can read the file at any moment."""
    if key is not None and not _sound(key.strip()):
        raise KeyFileError("that does not look like a key: it has blanks or characters that are not ASCII")
    keys = read(path)
    keys.pop(provider, None)
    if key is not None:
        keys[provider] = key.strip()
    lines = [f"{json.dumps(name)} = {json.dumps(value)}\n" for name, value in sorted(keys.items())]
    try:
        _write(path, "".join(lines))
    except OSError as error:
        raise KeyFileError(f"{path} cannot be written ({error.strerror})") from error


def _write(path: Path, text: str) -> None:
    make_private_folder(path.parent)
    # Made with mode 0600, and the old keys stay whole until the new ones are.
    handle, temporary = mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(temporary).replace(path)
    finally:
        Path(temporary).unlink(missing_ok=True)


def _sound(key: str) -> bool:
    return bool(key) and key.isascii() and key.isprintable() and " " not in key


def _shouted(provider: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in provider).upper()
