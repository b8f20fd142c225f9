"""From linked nodes outwards: relations chosen step by step, metapaths and shortest paths, triples by their score."""
