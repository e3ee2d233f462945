"""What only Strata needs: laying orders, and its three meanings of "different"."""
