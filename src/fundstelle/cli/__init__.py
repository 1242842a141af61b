"""The command line: one file per command group; words and exit codes, no rules of the domain."""
