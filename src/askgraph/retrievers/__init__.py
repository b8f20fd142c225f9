"""Floor 3: one module for each way of finding evidence."""
