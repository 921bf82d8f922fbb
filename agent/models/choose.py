"""Decides how a model is reached: straight over HTTP where that is known to work, else through litellm."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import field
from typing import Literal

from agent.models import catalog, keys
from agent.models.direct import Direct, Endpoint
from agent.models.hosted import Host, Hosted
from agent.models.names import EXPECTATION, is_name
from agent.models.protocol import AuthError, BadRequestError, Chunk, Model, ModelError, Request
from store.frozen import frozen

Transport = Literal["auto", "direct", "litellm"]

OPENAI = "https://api.openai.com/v1"
# A model on one's own machine may think about a long prompt for minutes before its first word.
LOCAL_IDLE = 600.0
IDLE = 120.0

SERVED = {
    "openai": OPENAI,
    "openrouter": "https://openrouter.ai/api/v1",
    "ollama": "http://127.0.0.1:11434/v1",
    "ollama_chat": "http://127.0.0.1:11434/v1",
    "lm_studio": "http://127.0.0.1:1234/v1",
    "vllm": "http://127.0.0.1:8000/v1",
    "hosted_vllm": "http://127.0.0.1:8000/v1",
    "llamacpp": "http://127.0.0.1:8080/v1",
    "llama.cpp": "http://127.0.0.1:8080/v1",
    "groq": "https://api.groq.com/openai/v1",
    "deepseek": "https://api.deepseek.com/v1",
    "mistral": "https://api.mistral.ai/v1",
    "xai": "https://api.x.ai/v1",
}
_ADDRESS_VARIABLES = {
    "openai": ("OPENAI_BASE_URL", "OPENAI_API_BASE"),
    "openrouter": ("OPENROUTER_BASE_URL", "OPENROUTER_API_BASE"),
    "lm_studio": ("LM_STUDIO_API_BASE",),
    "vllm": ("VLLM_API_BASE",),
    "hosted_vllm": ("HOSTED_VLLM_API_BASE",),
    "llamacpp": ("LLAMACPP_API_BASE",),
}


@frozen
class ProviderSettings:
    """What the user wrote under `[providers.NAME]`."""

    base_url: str | None = None
    key_env: str | None = None
    transport: Transport = "auto"


@frozen
class Settings:
    """All that decides; `stored` are the keys of the key file."""

    environment: Mapping[str, str] = field(repr=False)
    stored: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    providers: Mapping[str, ProviderSettings] = field(default_factory=dict[str, ProviderSettings])
    transport: Transport = "auto"


@frozen
class Route:
    """How one model is reached. `prefix` is the provider's part of its name, `missing` what it lacks."""

    provider: str
    prefix: str
    transport: Literal["direct", "litellm"]
    base_url: str | None
    key: str | None = field(repr=False)
    missing: str = ""

    @property
    def endpoint(self) -> Endpoint:
        assert self.base_url is not None
        plain = Endpoint(self.base_url, self.key, self.prefix)
        return Endpoint(
            self.base_url,
            self.key,
            self.prefix,
            # OpenAI's newer models refuse the name everybody else knows.
            output_field="max_completion_tokens" if self.base_url == OPENAI else "max_tokens",
            idle=LOCAL_IDLE if plain.local else IDLE,
        )


class Unusable:
    """A `Model` that cannot be reached as things are: it says why when it is asked."""

    def __init__(self, why: ModelError) -> None:
        self._why = why

    def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        del request
        raise self._why

    async def close(self) -> None:
        pass


def choose(name: str, settings: Settings, host: Callable[[], Host]) -> Model:
    """The model of that name, ready to stream. `host` gives the one model host, made when first needed."""
    route = find_route(name, settings)
    if route.transport == "direct":
        return Direct(route.endpoint)
    if route.missing:
        return Unusable(AuthError(route.missing))
    given = {"api_base": route.base_url, "api_key": route.key}
    options = {option: value for option, value in given.items() if value}
    # A name of the user's own, for an address of theirs; any other may be one that only litellm knows.
    alias = route.provider if route.base_url and not _is_known_to_litellm(route.provider) else None
    return Hosted(host(), options, idle=IDLE, alias=alias)


def find_route(name: str, settings: Settings) -> Route:
    """Raises BadRequestError for a malformed name, AuthError when the provider's key is missing."""
    if not is_name(name):
        raise BadRequestError(
            f"{name[:80]!r} is no name of a model; write {EXPECTATION}; "
            "an address belongs into `wakeful config set providers.NAME.base_url ADDRESS`"
        )
    provider, slash, _ = name.partition("/")
    provider = provider if slash else _provider_of(name)
    own = settings.providers.get(provider, ProviderSettings())
    configured = own.base_url or _address_in(settings.environment, provider)
    address = configured or SERVED.get(provider)
    key = keys.find(provider, settings.environment, settings.stored, own.key_env)
    transport = _transport(provider, address, own.transport, settings.transport)
    if transport == "direct" and address is None:
        raise BadRequestError(f"{name} has no address; set providers.{provider}.base_url")
    if transport == "direct" and key is None and address == SERVED.get(provider) and _is_remote(address):
        if not slash and catalog.is_unknown(name):
            raise BadRequestError(f"no model named {name!r}; write PROVIDER/NAME, such as openai/gpt-4.1")
        variable = own.key_env or keys.variables_of(provider)[0]
        raise AuthError(f"no key for {provider}; set {variable} or run `wakeful config set-key {provider}`")
    # litellm knows the usual addresses itself, and some of them better than this table.
    own_address = transport == "litellm" and _is_known_to_litellm(provider)
    base_url = configured if own_address else address
    lacking = transport == "litellm" and key is None and base_url is None
    missing = keys.missing(provider, settings.environment, own.key_env) if lacking else ""
    return Route(provider, f"{provider}/" if slash else "", transport, base_url, key, missing)


def own_endpoints(settings: Settings) -> dict[str, Endpoint]:
    """The endpoints that the user named an address for, by provider; only those can list their models."""
    found: dict[str, Endpoint] = {}
    for provider in usable(settings):
        own = settings.providers.get(provider, ProviderSettings())
        given = own.base_url or _address_in(settings.environment, provider)
        if not given or given.rstrip("/") == (SERVED.get(provider) or "").rstrip("/"):
            continue
        if _transport(provider, given, own.transport, settings.transport) == "direct":
            found[provider] = find_route(f"{provider}/models", settings).endpoint
    return found


def usable(settings: Settings) -> list[str]:
    """The providers a key or an address was given for, the user's own first."""
    own = [name for name, one in settings.providers.items() if one.base_url or _key(name, settings)]
    others = [name for name in (*SERVED, *keys.VARIABLES) if _key(name, settings)]
    addressed = [name for name in _ADDRESS_VARIABLES if _address_in(settings.environment, name)]
    return list(dict.fromkeys([*own, *addressed, *others]))


def _key(provider: str, settings: Settings) -> str | None:
    variable = settings.providers.get(provider, ProviderSettings()).key_env
    return keys.find(provider, settings.environment, settings.stored, variable)


def _transport(
    provider: str, address: str | None, own: Transport, general: Transport
) -> Literal["direct", "litellm"]:
    wanted = own if own != "auto" else general
    if wanted != "auto":
        return wanted
    # An address of one's own for a provider with its own protocol still speaks that protocol.
    foreign = provider in keys.VARIABLES and provider not in SERVED
    return "litellm" if address is None or foreign else "direct"


def _is_known_to_litellm(provider: str) -> bool:
    named = (*keys.VARIABLES, *keys.PLAIN, *SERVED)
    return provider in named and provider not in ("vllm", "llamacpp", "llama.cpp")


def _provider_of(name: str) -> str:
    return "anthropic" if name.startswith("claude") else "gemini" if name.startswith("gemini") else "openai"


def _address_in(environment: Mapping[str, str], provider: str) -> str | None:
    found = (environment.get(variable, "").strip() for variable in _ADDRESS_VARIABLES.get(provider, ()))
    given = next((address for address in found if address), None)
    if given is None and provider in ("ollama", "ollama_chat"):
        return _ollama(environment.get("OLLAMA_API_BASE", "") or environment.get("OLLAMA_HOST", ""))
    return given


def _ollama(host: str) -> str | None:
    """Ollama's own variable is an address without `/v1`, often without `http://` or the port."""
    host = host.strip().rstrip("/")
    if not host or host.startswith("0.0.0.0"):  # noqa: S104 - where it listens is not where to ask
        return None
    address = host if "://" in host else f"http://{host}"
    if ":" not in address.split("://", 1)[1]:
        address += ":11434"
    return address if address.endswith("/v1") else f"{address}/v1"


def _is_remote(address: str | None) -> bool:
    return address is not None and address.startswith("https:")
