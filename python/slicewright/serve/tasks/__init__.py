"""What worker processes do: a module for each task."""
