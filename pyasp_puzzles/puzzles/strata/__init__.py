"""Strata: laying orders, its meanings of "different", and the number of its plays and orders."""
