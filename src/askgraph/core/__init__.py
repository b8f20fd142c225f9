"""Floor 0: plain data and the rules that every other floor relies on. Nothing here imports a heavy library."""
