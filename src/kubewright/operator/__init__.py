"""The composition root: an operator, and what of it is started and stopped in which order.

| module       | what it does                                                                  |
|--------------|-------------------------------------------------------------------------------|
| `operator`   | `kw.Operator`: a name, controllers, settings                                   |
| `running`    | one run of an operator: the order of start and stop                            |
| `health`     | what of a run is shown as alive and ready                                     |
| `entry`      | running one as a program: signals, logs, the garbage collector                |
"""

from kubewright.operator.operator import LeaderElection, Operator
from kubewright.operator.running import Running

__all__ = ["LeaderElection", "Operator", "Running"]
