"""What HTTP delivers becomes one internal request, and the answer goes back."""
