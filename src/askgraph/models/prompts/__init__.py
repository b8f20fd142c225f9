"""What language models are asked: one Markdown file a task beside this one, and how they become messages."""
