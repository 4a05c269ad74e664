"""Rules that several built-in kinds share: one noun a file, each saying what is wrong in the server's words."""
