from agent.models.offers import described


def test_a_price_is_said_by_the_million_and_no_price_in_a_word():
    paid, local = described(["anthropic/claude-sonnet-4-5", "ollama/llama3"])

    assert paid.detail == "200k · $3 / $15 a million"
    assert local.detail == "8k · free"
