"""Strata: laying orders, its three meanings of "different", and the number of its plays."""
