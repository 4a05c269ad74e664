"""Who is asked before a write: webhooks and policies.

| module     | what it has                                                        |
|------------|--------------------------------------------------------------------|
| `matching` | which requests are meant, said alike by webhooks and policies       |
| `webhooks` | the two configurations of webhooks                                  |
| `policies` | the two policies and their bindings                                 |
"""
