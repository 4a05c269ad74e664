"""Protobuf: the same objects as JSON has, in the bytes that Kubernetes' Go clients send and take."""
