"""OpenAPI: which paths there are and how objects look, for clients that check, explain and merge by it."""
