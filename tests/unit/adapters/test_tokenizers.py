"""The tokenizer: exact counts of o200k_base, offline."""

from fundstelle.adapters.tokenizers import O200kTokenizer


def test_count_when_texts_are_known_then_that_of_o200k_base() -> None:
    """The counts are those that the published vocabulary gives."""
    tokenizer = O200kTokenizer()
    assert [tokenizer.count(text) for text in ("", "hello world", "<|endoftext|>")] == [0, 2, 7]


def test_count_when_more_than_a_million_characters_then_exact() -> None:
    """Long texts are counted like short ones."""
    assert O200kTokenizer().count(" Haus" * 300_000) == 300_000


def test_count_when_a_surrogate_is_alone_then_counted_as_a_replacement() -> None:
    """Text that cannot be encoded is counted, not refused."""
    tokenizer = O200kTokenizer()
    assert tokenizer.count("a\ud800b") == tokenizer.count("a\ufffdb")
