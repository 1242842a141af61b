"""The words of the system as pure types and rules; imports the standard library and nothing else."""
