"""Many boards: an ordered queue, workers, records, a cluster."""
