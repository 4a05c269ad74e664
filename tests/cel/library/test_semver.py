from typing import Any

import pytest
from tests.cel.evaluation import error, evaluate


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("semver('1.2.3').major()", 1),
        ("semver('v1.02', true).minor()", 2),
        ("semver('1.2.3').patch()", 3),
        ("isSemver('1.2.3') && !isSemver('v1.2') && isSemver('v1.2', true)", True),
        ("semver('1.2.3-rc.2').isLessThan(semver('1.2.3-rc.10'))", True),
        ("semver('1.2.3').isGreaterThan(semver('1.2.3-rc.1'))", True),
        ("semver('1.2.3-1').isLessThan(semver('1.2.3-a'))", True),
        ("semver('1.2.3+a') == semver('1.2.3+b')", True),
        ("semver('1.2.3-a').compareTo(semver('1.2.3-a.1'))", -1),
    ],
)
def test_what_functions_of_versions_give(text: str, value: Any) -> None:
    assert evaluate(text) == value


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        ("", "Version string empty"),
        ("1.2", "No Major.Minor.Patch elements found"),
        ("a.b.c", 'Invalid character(s) found in major number "a"'),
        ("01.2.3", 'Major number must not contain leading zeroes "01"'),
        ("1..3", 'strconv.ParseUint: parsing "": invalid syntax'),
        ("1.2.3-01", 'Numeric PreRelease version must not contain leading zeroes "01"'),
        ("1.2.3-", "Prerelease is empty"),
        ("1.2.3+", "Build meta data is empty"),
        ("1.2.3-a_b", 'Invalid character(s) found in prerelease "a_b"'),
    ],
)
def test_why_a_text_is_no_version(version: str, reason: str) -> None:
    assert error(f"semver('{version}')") == reason
