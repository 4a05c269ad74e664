"""The resources that are served, looked up by where they are asked for."""

from collections.abc import Iterable

from kubewright.cluster.registry.resource import Resource

__all__ = ["Registry"]


class Registry:
    """Resources by group, version and plural; CRDs come and go."""

    def __init__(self) -> None:
        self._resources: dict[tuple[str, str], dict[str, Resource]] = {}
        #: Rises with every change: what was made of an older one is to be made anew.
        self.generation = 0

    def find(self, group: str, version: str, plural: str) -> Resource | None:
        """The resource at `/apis/<group>/<version>/<plural>`."""
        return self._resources.get((group, version), {}).get(plural)

    def is_builtin(self, group: str) -> bool:
        """Whether a group has resources that no CRD defines."""
        return any(
            not resource.custom
            for (other, _), members in self._resources.items()
            if other == group
            for resource in members.values()
        )

    def versions(self) -> list[tuple[str, str]]:
        """Every group and version there is, in the order in which they came."""
        return list(self._resources)

    def resources(self, group: str, version: str) -> list[Resource]:
        """The resources of a group and version, in the order in which they came."""
        return list(self._resources.get((group, version), {}).values())

    def replace(self, gone: Iterable[Resource], come: Iterable[Resource]) -> None:
        """Serve some resources no more, and others from now on, in one step."""
        for resource in gone:
            members = self._resources.get((resource.group, resource.version), {})
            if members.get(resource.names.plural) is resource:
                del members[resource.names.plural]
            if not members:
                self._resources.pop((resource.group, resource.version), None)
        for resource in come:
            self._resources.setdefault((resource.group, resource.version), {})[resource.names.plural] = resource
        self.generation += 1
