"""Services: what is particular to them, and the addresses and node ports they get.

| file       | what it knows                                                                   |
|------------|---------------------------------------------------------------------------------|
| strategy   | in which order all of it happens                                                |
| form       | what a service is, read off its type and its fields                             |
| defaults   | what is filled in when one is read                                              |
| carry      | what an update keeps though the client left it out, and drops with the type     |
| families   | which families of addresses it is in                                            |
| pools      | addresses and node ports, each free or taken                                    |
| allocate   | which of them one write takes and gives back                                    |
| judge      | what is wrong with one                                                          |
| change     | what is wrong with one that is to replace another                               |
"""

from kubewright.cluster.registry.kinds.service.strategy import ServiceStatus, ServiceStrategy

__all__ = ["ServiceStatus", "ServiceStrategy"]
