"""Solving many boards in order, in other processes or on a cluster."""
