"""Work in other processes or on a cluster: many boards, in order, and questions whose answers are streamed."""
