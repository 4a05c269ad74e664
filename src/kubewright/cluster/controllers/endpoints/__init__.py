"""Services: where their pods are, as EndpointSlices and as Endpoints.

| module       | what it has                                                          |
|--------------|----------------------------------------------------------------------|
| `addresses`  | where a pod answers for a Service: pure                               |
| `slices`     | the slices that a Service should have, with the fewest writes: pure   |
| `hints`      | for whom an endpoint is meant: pure                                   |
| `subsets`    | the same as Endpoints: pure                                           |
| `order`      | the order of ports and subsets: pure                                  |
| `trigger`    | when the change happened that is written                              |
| `selectors`  | which Services select a pod                                           |
| `controller` | the two controllers                                                   |
"""
