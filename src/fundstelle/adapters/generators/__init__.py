"""Answer generators behind the `Generator` port."""
