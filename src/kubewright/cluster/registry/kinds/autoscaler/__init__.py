"""HorizontalPodAutoscalers: how many replicas something may have, and by what that is judged."""
