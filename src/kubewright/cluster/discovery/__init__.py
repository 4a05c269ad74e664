"""What the server tells about itself: which resources it has and how they look, its version, its health."""
