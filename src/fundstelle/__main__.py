"""Lets `python -m fundstelle` be the command `fundstelle`."""

from fundstelle.cli.start import main

if __name__ == "__main__":
    main()
