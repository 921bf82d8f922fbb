"""Which way to which model."""

import os

import pytest

from agent.models.catalog import names
from agent.models.choose import OPENAI, ProviderSettings, Settings, choose, find_route, usable
from agent.models.hosted import Host
from agent.models.names import is_name
from agent.models.protocol import AuthError, BadRequestError
from tests.agent.models.conversation import ask, request, text_of
from tests.provider.reply import Reply
from tests.provider.server import Provider

KEYS = {"OPENAI_API_KEY": "sk-o", "OPENROUTER_API_KEY": "sk-r", "ANTHROPIC_API_KEY": "sk-a"}


@pytest.mark.parametrize(
    ("name", "transport", "address"),
    [
        ("openai/gpt-x", "direct", OPENAI),
        ("gpt-x", "direct", OPENAI),
        ("openrouter/anthropic/claude", "direct", "https://openrouter.ai/api/v1"),
        ("ollama/llama3", "direct", "http://127.0.0.1:11434/v1"),
        ("lm_studio/qwen", "direct", "http://127.0.0.1:1234/v1"),
        ("vllm/x", "direct", "http://127.0.0.1:8000/v1"),
        ("llamacpp/x", "direct", "http://127.0.0.1:8080/v1"),
        ("anthropic/claude", "litellm", None),
        ("claude-x", "litellm", None),
        ("bedrock/x", "litellm", None),
        ("unheard/of", "litellm", None),
    ],
)
def test_each_provider_is_reached_the_cheapest_way_known_to_work(
    name: str, transport: str, address: str | None
):
    route = find_route(name, Settings(KEYS))

    assert (route.transport, route.base_url) == (transport, address)


@pytest.mark.parametrize("variable", ["OPENAI_BASE_URL", "OPENAI_API_BASE"])
def test_the_usual_variables_move_openai_elsewhere_where_no_key_is_needed(variable: str):
    route = find_route("openai/x", Settings({variable: "http://10.0.0.1/v1"}))

    assert (route.transport, route.base_url, route.key) == ("direct", "http://10.0.0.1/v1", None)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("10.0.0.1", "http://10.0.0.1:11434/v1"),
        ("http://box:99/", "http://box:99/v1"),
        ("0.0.0.0", "http://127.0.0.1:11434/v1"),
    ],
)
def test_the_address_of_ollama_is_understood_as_ollama_writes_it(host: str, address: str):
    assert find_route("ollama/x", Settings({"OLLAMA_HOST": host})).base_url == address


def test_a_configured_provider_is_spoken_to_directly_with_its_own_key():
    own = {"corp": ProviderSettings("https://llm.corp/v1", "CORP_KEY")}

    route = find_route("corp/big/model", Settings({"CORP_KEY": "k"}, providers=own))

    assert (route.transport, route.base_url, route.key, route.prefix) == (
        "direct",
        "https://llm.corp/v1",
        "k",
        "corp/",
    )


def test_an_address_for_a_provider_with_its_own_protocol_stays_with_litellm():
    own = {"anthropic": ProviderSettings("https://proxy/v1")}

    route = find_route("anthropic/claude", Settings(KEYS, providers=own))

    assert (route.transport, route.base_url) == ("litellm", "https://proxy/v1")


def test_a_transport_can_be_forced_and_the_providers_own_wins():
    own = {"openai": ProviderSettings(transport="direct")}

    assert find_route("openai/x", Settings(KEYS, transport="litellm")).transport == "litellm"
    assert find_route("openai/x", Settings(KEYS, providers=own, transport="litellm")).transport == "direct"
    with pytest.raises(BadRequestError, match="base_url"):
        find_route("unheard/of", Settings(KEYS, transport="direct"))


def test_a_missing_key_is_told_at_once_with_what_to_do():
    with pytest.raises(AuthError, match=r"OPENAI_API_KEY.*set-key openai"):
        find_route("openai/x", Settings({}))


async def test_a_key_that_only_litellm_would_miss_is_told_before_it_is_asked():
    def unneeded() -> Host:
        raise AssertionError("nothing is to be loaded")

    model = choose("anthropic/claude", Settings({}), unneeded)

    with pytest.raises(AuthError) as told:
        await ask(model)
    assert str(told.value) == (
        "no key for anthropic; set ANTHROPIC_API_KEY or run `wakeful config set-key anthropic`"
    )


@pytest.mark.parametrize(
    ("name", "environment"),
    [
        ("anthropic/claude", {"ANTHROPIC_AUTH_TOKEN": "t"}),
        ("anthropic/claude", {"ANTHROPIC_PROFILE": "work"}),
        ("bedrock/claude", {}),
        ("unheard/of", {}),
    ],
)
def test_litellm_is_asked_where_there_may_be_another_way_in(name: str, environment: dict[str, str]):
    assert find_route(name, Settings(environment)).missing == ""


def test_no_key_shows_in_anything_printed():
    settings = Settings(KEYS, stored={"groq": "sk-g"})
    route = find_route("openai/x", settings)

    assert "sk-" not in f"{settings} {route} {route.endpoint}"


def test_usable_providers_are_those_with_a_key_or_an_address():
    own = {"corp": ProviderSettings("https://llm.corp/v1"), "idle": ProviderSettings()}
    settings = Settings({"OPENAI_BASE_URL": "http://x"}, stored={"groq": "k"}, providers=own)

    assert usable(settings) == ["corp", "openai", "groq"]
    assert usable(Settings({})) == []


def test_the_output_limit_and_patience_fit_the_endpoint():
    openai = find_route("openai/x", Settings(KEYS)).endpoint
    local = find_route("ollama/x", Settings({})).endpoint

    assert (openai.output_field, local.output_field) == ("max_completion_tokens", "max_tokens")
    assert local.idle > openai.idle


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("transport", ["direct", "litellm"])
async def test_a_chosen_model_of_a_configured_provider_answers(host: Host, transport: str):
    async with Provider([Reply(text="yes")]) as provider:
        own = {"corp": ProviderSettings(provider.url, "CORP_KEY", transport)}  # pyright: ignore[reportArgumentType] - table
        model = choose(
            "corp/big/model", Settings(os.environ | {"CORP_KEY": "k"}, providers=own), lambda: host
        )
        chunks = await ask(model, request(model="corp/big/model"))
        await model.close()

    assert text_of(chunks) == "yes"
    assert provider.requests[0].json["model"] == "big/model"
    assert provider.requests[0].headers["authorization"] == "Bearer k"


def test_a_name_that_nobody_knows_is_not_taken_for_a_missing_key():
    with pytest.raises(BadRequestError, match="no model named 'nope'; write PROVIDER/NAME"):
        find_route("nope", Settings({}))


@pytest.mark.parametrize(
    "name",
    [
        "oobabooga/http://evil.example", "huggingface/https://evil.example/v1", "http://evil.example",
        "openai/http://evil.example/v1", "custom_openai/HTTPS://evil.example", "sagemaker//evil.example//x",
        "//evil.example/x", "/x", "litellm_proxy/http:/evil.example", "openai/http:", "azure/../../x",
        "openai/x?api-version=1", "openai/x#y", "openai/x%2f", "openai\\x", "openai/x y", "openai/x\n", "",
        "openai/", "openai/.x", "openai/x/", "petals/\u0440", "openai/" + "x" * 300,
    ],
)  # fmt: skip
def test_a_name_that_could_hold_an_address_is_refused(name: str):
    with pytest.raises(BadRequestError, match=r"is no name of a model"):
        find_route(name, Settings(KEYS))


@pytest.mark.parametrize(
    "name",
    [
        "openai/gpt-4.1", "gpt-4o", "ollama/llama3:8b", "openrouter/qwen/qwen3:free", "cloudflare/@cf/meta/x",
        "bedrock/arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-v2:1",
        "vllm//models/llama.gguf", "anthropic.claude-haiku-4-5@20251001", "ft:gpt-3.5-turbo:me::id",
        "lm_studio/qwen2.5@q4_k_m",
    ],
)  # fmt: skip
def test_the_usual_shapes_of_names_are_taken(name: str):
    assert find_route(name, Settings(KEYS)).provider


def test_every_name_of_the_price_table_is_taken():
    assert [name for provider in KNOWN for name in names(provider) if not is_name(name)] == []


KNOWN = ("anthropic", "azure", "bedrock", "cloudflare", "gemini", "groq", "openai", "openrouter", "vertex_ai")
