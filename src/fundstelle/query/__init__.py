"""The query, phases A0 to A8: from a question to an answer whose every sentence has its source."""
