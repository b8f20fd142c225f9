"""Floor 1, graphs: where they live and how we reach them."""
