"""Words for one user or one place: answers, languages, completions, and what users typed made safe."""
