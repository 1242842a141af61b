"""Every generator keeps the contract."""

from fundstelle.adapters.generators.extractive import ExtractiveGenerator
from fundstelle.ports.generating import Generator
from fundstelle.testing.embedding import FakeEmbedder
from fundstelle.testing.generating import GeneratorContract, QuotingGenerator


class TestQuotingGenerator(GeneratorContract):
    """The fake keeps the contract."""

    def make_generator(self) -> Generator:
        """Make a fake."""
        return QuotingGenerator()


class TestExtractiveGenerator(GeneratorContract):
    """The embedded default keeps the contract."""

    def make_generator(self) -> Generator:
        """Make one that needs no model."""
        return ExtractiveGenerator(FakeEmbedder())
