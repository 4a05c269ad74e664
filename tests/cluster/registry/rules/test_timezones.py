import zoneinfo

import pytest

from kubewright.cluster.registry.rules.timezones import is_timezone


@pytest.mark.parametrize("name", ["UTC", "Europe/Berlin", "America/Argentina/Ushuaia", "Etc/GMT+5", "EST5EDT"])
def test_zones_are_known_by_their_names(name: str) -> None:
    assert is_timezone(name)


@pytest.mark.parametrize("name", ["", "utc", "europe/berlin", "Europe", "Europe/Berlin/", "Local"])
def test_other_names_are_none(name: str) -> None:
    assert not is_timezone(name)


def test_python_knows_the_same() -> None:
    known = {name for name in zoneinfo.available_timezones() if not name.startswith(("posix/", "right/"))}
    assert {name for name in known - {"localtime", "posixrules", "leapseconds"} if not is_timezone(name)} == set()
