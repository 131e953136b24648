"""What `benches/run` is made of."""
