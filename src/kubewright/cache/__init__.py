"""What is on the server, kept here: the read path of controllers.

Filled by watches, read from memory. Not for a look at one object in a script: ask the `Api`.

| module      | what it does                                                                 |
|-------------|------------------------------------------------------------------------------|
| `selection` | which objects of a kind are kept                                             |
| `cached`    | an object as it is kept: its bytes and a header                              |
| `misfits`   | which of them do not fit their type                                          |
| `header`    | from the bytes that came to that                                             |
| `store`     | the objects, and the indexes over them (`index`), changed in one step        |
| `machine`   | the states of a reflector and what follows which (`trouble`: what went wrong) |
| `reflector` | lists, streams and watches one collection as the machine says                |
| `overlay`   | own writes, until the watch has told them                                    |
| `change`    | what subscribers are told                                                    |
| `informer`  | one selection, all of this together: reading, subscribing, how it fares      |
| `caches`    | all informers of an operator, shared; where own writes are told              |
"""

from kubewright.cache.cached import Cached, Key, Managed, Metadata, hide_owners
from kubewright.cache.caches import Caches
from kubewright.cache.change import Change, Listener
from kubewright.cache.informer import Informer, Subscription
from kubewright.cache.overlay import Unsettled
from kubewright.cache.selection import Selection

__all__ = [
    "Cached",
    "Caches",
    "Change",
    "Informer",
    "Key",
    "Listener",
    "Managed",
    "Metadata",
    "Selection",
    "Subscription",
    "Unsettled",
    "hide_owners",
]
