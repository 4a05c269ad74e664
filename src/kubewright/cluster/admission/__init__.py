"""What may be done though the object itself is in order: the chain that every write goes through."""
