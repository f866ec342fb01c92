"""Values as people and files give them, and how they are refused."""
