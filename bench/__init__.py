"""Figures of this machine: `make bench`."""
