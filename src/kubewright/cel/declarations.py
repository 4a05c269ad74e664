"""The functions an expression may call in a CustomResourceDefinition's rule, with every overload's id and signature;
and, last, those of admission policies alone.

The ids are names other parts go by: costs are looked up by them, and the checker hands them to the compiler. The order
of a function's overloads matters when an argument is dyn: several match then, and all are kept in this order.

A line is a function, an overload's id and its signature; `list(T).(int) -> T` is a member of `list(T)`. One capital
letter is a type parameter. Most expressions call a handful of functions, so a line is read when its function is first
called for.
"""

import re
from functools import cache

import msgspec

from kubewright.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NULL,
    STRING,
    TIMESTAMP,
    TYPE,
    UINT,
    Type,
    list_of,
    map_of,
    opaque,
    parameter,
    type_of,
)

__all__ = ["NAMESPACES", "PATCHING", "TYPE_NAMES", "Overload", "overloads"]


class Overload(msgspec.Struct, frozen=True):
    """One way to call a function; of a member the first argument is the target."""

    id: str
    member: bool
    args: tuple[Type, ...]
    result: Type
    params: tuple[str, ...]


_STANDARD = """
!_ logical_not (bool) -> bool
-_ negate_double (double) -> double
-_ negate_int64 (int) -> int
@in in_list (A, list(A)) -> bool
@in in_map (A, map(A, B)) -> bool
_in_ in_list (A, list(A)) -> bool
_in_ in_map (A, map(A, B)) -> bool
@not_strictly_false not_strictly_false (bool) -> bool
__not_strictly_false__ __not_strictly_false__ (bool) -> bool
_==_ equals (A, A) -> bool
_!=_ not_equals (A, A) -> bool
_&&_ logical_and (bool, bool) -> bool
_||_ logical_or (bool, bool) -> bool
_?_:_ conditional (bool, A, A) -> A
_*_ multiply_double (double, double) -> double
_*_ multiply_int64 (int, int) -> int
_*_ multiply_uint64 (uint, uint) -> uint
_/_ divide_double (double, double) -> double
_/_ divide_int64 (int, int) -> int
_/_ divide_uint64 (uint, uint) -> uint
_%_ modulo_int64 (int, int) -> int
_%_ modulo_uint64 (uint, uint) -> uint
_+_ add_bytes (bytes, bytes) -> bytes
_+_ add_double (double, double) -> double
_+_ add_duration_duration (duration, duration) -> duration
_+_ add_duration_timestamp (duration, timestamp) -> timestamp
_+_ add_timestamp_duration (timestamp, duration) -> timestamp
_+_ add_int64 (int, int) -> int
_+_ add_list (list(A), list(A)) -> list(A)
_+_ add_string (string, string) -> string
_+_ add_uint64 (uint, uint) -> uint
_-_ subtract_double (double, double) -> double
_-_ subtract_duration_duration (duration, duration) -> duration
_-_ subtract_int64 (int, int) -> int
_-_ subtract_timestamp_duration (timestamp, duration) -> timestamp
_-_ subtract_timestamp_timestamp (timestamp, timestamp) -> duration
_-_ subtract_uint64 (uint, uint) -> uint
_[_] index_list (list(A), int) -> A
_[_] index_map (map(A, B), A) -> B
_[_] optional_list_index_int (optional_type(list(V)), int) -> optional_type(V)
_[_] optional_map_index_value (optional_type(map(K, V)), K) -> optional_type(V)
bool bool_to_bool (bool) -> bool
bool string_to_bool (string) -> bool
bytes bytes_to_bytes (bytes) -> bytes
bytes string_to_bytes (string) -> bytes
double double_to_double (double) -> double
double int64_to_double (int) -> double
double string_to_double (string) -> double
double uint64_to_double (uint) -> double
duration duration_to_duration (duration) -> duration
duration int64_to_duration (int) -> duration
duration string_to_duration (string) -> duration
dyn to_dyn (A) -> dyn
int int64_to_int64 (int) -> int
int double_to_int64 (double) -> int
int duration_to_int64 (duration) -> int
int string_to_int64 (string) -> int
int timestamp_to_int64 (timestamp) -> int
int uint64_to_int64 (uint) -> int
string string_to_string (string) -> string
string bool_to_string (bool) -> string
string bytes_to_string (bytes) -> string
string double_to_string (double) -> string
string duration_to_string (duration) -> string
string int64_to_string (int) -> string
string timestamp_to_string (timestamp) -> string
string uint64_to_string (uint) -> string
string ip_to_string (net.IP) -> string
string cidr_to_string (net.CIDR) -> string
timestamp timestamp_to_timestamp (timestamp) -> timestamp
timestamp int64_to_timestamp (int) -> timestamp
timestamp string_to_timestamp (string) -> timestamp
type type (A) -> type(A)
uint uint64_to_uint64 (uint) -> uint
uint double_to_uint64 (double) -> uint
uint int64_to_uint64 (int) -> uint
uint string_to_uint64 (string) -> uint
size size_bytes (bytes) -> int
size bytes_size bytes.() -> int
size size_list (list(A)) -> int
size list_size list(A).() -> int
size size_map (map(A, B)) -> int
size map_size map(A, B).() -> int
size size_string (string) -> int
size string_size string.() -> int
contains contains_string string.(string) -> bool
endsWith ends_with_string string.(string) -> bool
matches matches (string, string) -> bool
matches matches_string string.(string) -> bool
startsWith starts_with_string string.(string) -> bool
getDate timestamp_to_day_of_month_1_based timestamp.() -> int
getDate timestamp_to_day_of_month_1_based_with_tz timestamp.(string) -> int
getDayOfMonth timestamp_to_day_of_month timestamp.() -> int
getDayOfMonth timestamp_to_day_of_month_with_tz timestamp.(string) -> int
getDayOfWeek timestamp_to_day_of_week timestamp.() -> int
getDayOfWeek timestamp_to_day_of_week_with_tz timestamp.(string) -> int
getDayOfYear timestamp_to_day_of_year timestamp.() -> int
getDayOfYear timestamp_to_day_of_year_with_tz timestamp.(string) -> int
getFullYear timestamp_to_year timestamp.() -> int
getFullYear timestamp_to_year_with_tz timestamp.(string) -> int
getMonth timestamp_to_month timestamp.() -> int
getMonth timestamp_to_month_with_tz timestamp.(string) -> int
getHours timestamp_to_hours timestamp.() -> int
getHours timestamp_to_hours_with_tz timestamp.(string) -> int
getHours duration_to_hours duration.() -> int
getMinutes timestamp_to_minutes timestamp.() -> int
getMinutes timestamp_to_minutes_with_tz timestamp.(string) -> int
getMinutes duration_to_minutes duration.() -> int
getSeconds timestamp_to_seconds timestamp.() -> int
getSeconds timestamp_to_seconds_tz timestamp.(string) -> int
getSeconds duration_to_seconds duration.() -> int
getMilliseconds timestamp_to_milliseconds timestamp.() -> int
getMilliseconds timestamp_to_milliseconds_with_tz timestamp.(string) -> int
getMilliseconds duration_to_milliseconds duration.() -> int
"""

# Numbers of different types compare by value; everything else only with its own.
_COMPARISON = (
    ("bool", "bool", "bool"),
    ("int64", "int", "int"),
    ("int64_double", "int", "double"),
    ("int64_uint64", "int", "uint"),
    ("uint64", "uint", "uint"),
    ("uint64_double", "uint", "double"),
    ("uint64_int64", "uint", "int"),
    ("double", "double", "double"),
    ("double_int64", "double", "int"),
    ("double_uint64", "double", "uint"),
    ("string", "string", "string"),
    ("bytes", "bytes", "bytes"),
    ("timestamp", "timestamp", "timestamp"),
    ("duration", "duration", "duration"),
)
_COMPARISONS = "\n".join(
    f"{operator} {prefix}_{suffix} ({left}, {right}) -> bool"
    for operator, prefix in (("_<_", "less"), ("_<=_", "less_equals"), ("_>_", "greater"), ("_>=_", "greater_equals"))
    for suffix, left, right in _COMPARISON
)

_OPTIONALS = """
_?._ select_optional_field (dyn, string) -> optional_type(V)
_[?_] list_optindex_optional_int (list(V), int) -> optional_type(V)
_[?_] optional_list_optindex_optional_int (optional_type(list(V)), int) -> optional_type(V)
_[?_] map_optindex_optional_value (map(K, V), K) -> optional_type(V)
_[?_] optional_map_optindex_optional_value (optional_type(map(K, V)), K) -> optional_type(V)
optional.none optional_none () -> optional_type(V)
optional.of optional_of (V) -> optional_type(V)
optional.ofNonZeroValue optional_ofNonZeroValue (V) -> optional_type(V)
optional.unwrap optional_unwrap (list(optional_type(V))) -> list(V)
unwrapOpt optional_unwrapOpt list(optional_type(V)).() -> list(V)
hasValue optional_hasValue optional_type(V).() -> bool
value optional_value optional_type(V).() -> V
or optional_or_optional optional_type(V).(optional_type(V)) -> optional_type(V)
orValue optional_orValue_value optional_type(V).(V) -> V
first list_first list(V).() -> optional_type(V)
last list_last list(V).() -> optional_type(V)
cel.@mapInsert @mapInsert_map_key_value (map(K, V), K, V) -> map(K, V)
cel.@mapInsert @mapInsert_map_map (map(K, V), map(K, V)) -> map(K, V)
"""

_STRINGS = """
charAt string_char_at_int string.(int) -> string
format string_format string.(list(dyn)) -> string
join list_join list(string).() -> string
join list_join_string list(string).(string) -> string
lowerAscii string_lower_ascii string.() -> string
upperAscii string_upper_ascii string.() -> string
replace string_replace_string_string string.(string, string) -> string
replace string_replace_string_string_int string.(string, string, int) -> string
split string_split_string string.(string) -> list(string)
split string_split_string_int string.(string, int) -> list(string)
strings.quote strings_quote (string) -> string
substring string_substring_int string.(int) -> string
substring string_substring_int_int string.(int, int) -> string
trim string_trim string.() -> string
find string_find_string string.(string) -> string
findAll string_find_all_string string.(string) -> list(string)
findAll string_find_all_string_int string.(string, int) -> list(string)
"""

_LISTS = """
indexOf list_a_index_of_int list(A).(A) -> int
indexOf string_index_of_string string.(string) -> int
indexOf string_index_of_string_int string.(string, int) -> int
lastIndexOf list_a_last_index_of_int list(A).(A) -> int
lastIndexOf string_last_index_of_string string.(string) -> int
lastIndexOf string_last_index_of_string_int string.(string, int) -> int
distinct list_distinct list(T).() -> list(T)
flatten list_flatten list(list(T)).() -> list(T)
flatten list_flatten_int list(dyn).(int) -> list(dyn)
lists.range lists_range (int) -> list(int)
reverse list_reverse list(T).() -> list(T)
slice list_slice list(T).(int, int) -> list(T)
sets.contains list_sets_contains_list (list(T), list(T)) -> bool
sets.equivalent list_sets_equivalent_list (list(T), list(T)) -> bool
sets.intersects list_sets_intersects_list (list(T), list(T)) -> bool
"""
_SUMMABLE = ("int", "uint", "double", "duration")
_COMPARABLE = ("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes")
# Sorting is named by the full names of types, the older functions by the short ones.
_FULL = {"duration": "google.protobuf.Duration", "timestamp": "google.protobuf.Timestamp"}
_ORDERED_LISTS = "\n".join(
    [
        *(f"isSorted list_{one}_is_sorted_bool list({one}).() -> bool" for one in _COMPARABLE),
        *(f"min list_{one}_min_{one} list({one}).() -> {one}" for one in _COMPARABLE),
        *(f"max list_{one}_max_{one} list({one}).() -> {one}" for one in _COMPARABLE),
        *(f"sum list_{one}_sum_{one} list({one}).() -> {one}" for one in _SUMMABLE),
        *(f"sort list_{_FULL.get(one, one)}_sort list({one}).() -> list({one})" for one in _COMPARABLE),
        *(
            f"@sortByAssociatedKeys list_{_FULL.get(one, one)}_sortByAssociatedKeys list(T).(list({one})) -> list(T)"
            for one in _COMPARABLE
        ),
    ]
)

_KUBERNETES = """
url string_to_url (string) -> kubernetes.URL
isURL is_url_string (string) -> bool
getEscapedPath url_get_escaped_path kubernetes.URL.() -> string
getHost url_get_host kubernetes.URL.() -> string
getHostname url_get_hostname kubernetes.URL.() -> string
getPort url_get_port kubernetes.URL.() -> string
getQuery url_get_query kubernetes.URL.() -> map(string, list(string))
getScheme url_get_scheme kubernetes.URL.() -> string
quantity string_to_quantity (string) -> kubernetes.Quantity
isQuantity is_quantity_string (string) -> bool
sign quantity_sign (kubernetes.Quantity) -> int
isInteger quantity_is_integer kubernetes.Quantity.() -> bool
asInteger quantity_get_int kubernetes.Quantity.() -> int
asApproximateFloat quantity_get_float kubernetes.Quantity.() -> double
add quantity_add kubernetes.Quantity.(kubernetes.Quantity) -> kubernetes.Quantity
add quantity_add_int kubernetes.Quantity.(int) -> kubernetes.Quantity
sub quantity_sub kubernetes.Quantity.(kubernetes.Quantity) -> kubernetes.Quantity
sub quantity_sub_int kubernetes.Quantity.(int) -> kubernetes.Quantity
compareTo quantity_compare_to kubernetes.Quantity.(kubernetes.Quantity) -> int
compareTo semver_compare_to kubernetes.Semver.(kubernetes.Semver) -> int
isGreaterThan quantity_is_greater_than kubernetes.Quantity.(kubernetes.Quantity) -> bool
isGreaterThan semver_is_greater_than kubernetes.Semver.(kubernetes.Semver) -> bool
isLessThan quantity_is_less_than kubernetes.Quantity.(kubernetes.Quantity) -> bool
isLessThan semver_is_less_than kubernetes.Semver.(kubernetes.Semver) -> bool
semver string_to_semver (string) -> kubernetes.Semver
semver string_bool_to_semver (string, bool) -> kubernetes.Semver
isSemver is_semver_string (string) -> bool
isSemver is_semver_string_bool (string, bool) -> bool
major semver_major kubernetes.Semver.() -> int
minor semver_minor kubernetes.Semver.() -> int
patch semver_patch kubernetes.Semver.() -> int
ip string_to_ip (string) -> net.IP
ip cidr_ip net.CIDR.() -> net.IP
isIP is_ip (string) -> bool
ip.isCanonical ip_is_canonical (string) -> bool
family ip_family net.IP.() -> int
isGlobalUnicast ip_is_global_unicast net.IP.() -> bool
isLinkLocalMulticast ip_is_link_local_multicast net.IP.() -> bool
isLinkLocalUnicast ip_is_link_local_unicast net.IP.() -> bool
isLoopback ip_is_loopback net.IP.() -> bool
isUnspecified ip_is_unspecified net.IP.() -> bool
cidr string_to_cidr (string) -> net.CIDR
isCIDR is_cidr (string) -> bool
containsCIDR cidr_contains_cidr_string net.CIDR.(string) -> bool
containsCIDR cidr_contains_cidr net.CIDR.(net.CIDR) -> bool
containsIP cidr_contains_ip_string net.CIDR.(string) -> bool
containsIP cidr_contains_ip_ip net.CIDR.(net.IP) -> bool
masked cidr_masked net.CIDR.() -> net.CIDR
prefixLength cidr_prefix_length net.CIDR.() -> int
format.named format-named (string) -> optional_type(kubernetes.NamedFormat)
validate format-validate kubernetes.NamedFormat.(string) -> optional_type(list(string))
path authorizer_path kubernetes.authorization.Authorizer.(string) -> kubernetes.authorization.PathCheck
group authorizer_group kubernetes.authorization.Authorizer.(string) -> kubernetes.authorization.GroupCheck
serviceAccount authorizer_serviceaccount \
kubernetes.authorization.Authorizer.(string, string) -> kubernetes.authorization.Authorizer
resource groupcheck_resource kubernetes.authorization.GroupCheck.(string) -> kubernetes.authorization.ResourceCheck
subresource resourcecheck_subresource \
kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.ResourceCheck
namespace resourcecheck_namespace \
kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.ResourceCheck
name resourcecheck_name kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.ResourceCheck
fieldSelector authorizer_fieldselector \
kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.ResourceCheck
labelSelector authorizer_labelselector \
kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.ResourceCheck
check pathcheck_check kubernetes.authorization.PathCheck.(string) -> kubernetes.authorization.Decision
check resourcecheck_check kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.Decision
allowed decision_allowed kubernetes.authorization.Decision.() -> bool
reason decision_reason kubernetes.authorization.Decision.() -> string
errored decision_errored kubernetes.authorization.Decision.() -> bool
error decision_error kubernetes.authorization.Decision.() -> string
"""
# Only whoever makes patches has these.
_PATCHES = "jsonpatch.escapeKey string_jsonpatch_escapeKey_string (string) -> string"
_FORMAT_NAMES = (
    "byte", "date", "datetime", "dns1035Label", "dns1035LabelPrefix", "dns1123Label", "dns1123LabelPrefix",
    "dns1123Subdomain", "dns1123SubdomainPrefix", "labelValue", "qualifiedName", "uri", "uuid",
)  # fmt: skip
_FORMATS = "\n".join(f"format.{name} format.{name} () -> kubernetes.NamedFormat" for name in _FORMAT_NAMES)

_TYPES = {
    "bool": BOOL,
    "bytes": BYTES,
    "double": DOUBLE,
    "duration": DURATION,
    "dyn": DYN,
    "int": INT,
    "string": STRING,
    "timestamp": TIMESTAMP,
    "uint": UINT,
    "net.IP": opaque("net.IP"),
    "net.CIDR": opaque("net.CIDR"),
}

# Names that stand for a type: what `type(x)` is compared with.
TYPE_NAMES: dict[str, Type] = {
    "bool": type_of(BOOL),
    "bytes": type_of(BYTES),
    "double": type_of(DOUBLE),
    "google.protobuf.Duration": type_of(DURATION),
    "google.protobuf.Timestamp": type_of(TIMESTAMP),
    "int": type_of(INT),
    "list": type_of(list_of(parameter("A"))),
    "map": type_of(map_of(parameter("A"), parameter("B"))),
    "null_type": type_of(NULL),
    "string": type_of(STRING),
    "type": type_of(TYPE),
    "uint": type_of(UINT),
    "optional_type": type_of(opaque("optional_type")),
    "net.IP": type_of(_TYPES["net.IP"]),
    "net.CIDR": type_of(_TYPES["net.CIDR"]),
}


@cache
def _lines() -> dict[str, list[str]]:
    """The declarations of each function, unread."""
    lines: dict[str, list[str]] = {}
    every = (_STANDARD, _COMPARISONS, _OPTIONALS, _STRINGS, _LISTS, _ORDERED_LISTS, _KUBERNETES, _FORMATS, _PATCHES)
    for part in every:
        for line in part.strip().split("\n"):
            function, rest = line.split(" ", 1)
            lines.setdefault(function, []).append(rest)
    return lines


# The first parts of dotted names: only a chain of selections that begins with one of them can be a name.
NAMESPACES = frozenset(
    ("optional", "strings", "lists", "sets", "ip", "format", "google", "net", "authorizer", "jsonpatch", "Object")
)
#: Functions that are there only where an expression may make patches.
PATCHING = frozenset(("jsonpatch.escapeKey",))


@cache
def _function(name: str) -> tuple[Overload, ...]:
    return tuple([_read(line) for line in _lines()[name]])


def overloads(name: str) -> tuple[Overload, ...] | None:
    """The overloads of a function in their order, or None when there is no such function."""
    return _function(name) if name in _lines() else None


_SIGNATURE = re.compile(r"(\S+) (?:(.*)\.)?\((.*)\) -> (.*)")


def _read(line: str) -> Overload:
    match = _SIGNATURE.fullmatch(line)
    assert match is not None, line
    number, target, rest, result = match.groups()
    args = _parts(rest)
    if target is not None:
        args.insert(0, target)
    params = tuple(sorted(set(re.findall(r"\b[A-Z]\b", line.split(" ", 1)[1]))))
    return Overload(number, target is not None, tuple([_type(one) for one in args]), _type(result), params)


def _parts(text: str) -> list[str]:
    """`a, b(c, d)` at its outer commas."""
    parts: list[str] = []
    depth = 0
    for piece in text.split(", ") if text else ():
        if depth:
            parts[-1] += ", " + piece
        else:
            parts.append(piece)
        depth += piece.count("(") - piece.count(")")
    return parts


@cache
def _type(text: str) -> Type:
    if (known := _TYPES.get(text)) is not None:
        return known
    if len(text) == 1:
        return parameter(text)
    if text.endswith(")"):
        name, inner = text[:-1].split("(", 1)
        params = tuple([_type(part) for part in _parts(inner)])
        match name:
            case "list":
                return list_of(*params)
            case "map":
                return map_of(*params)
            case "type":
                return type_of(*params)
        return opaque(name, *params)
    # The types of Kubernetes' own libraries are objects without fields.
    return Type("struct", text)
