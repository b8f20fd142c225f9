"""Models: embedders that turn texts into vectors, and what stands around them."""
