"""The vocabulary in which everything about a resource type is declared. No logic.

Paths in strings are dotted, with a number for a list position (`Vpcs.0`). A path starts in the type's main
answer unless its first segment names one of these:

    id        the physical id; `id.0`, `id.1` are its parts when it is composite (joined by a pipe)
    props     the template properties; `props.ApiId`
    region    the stack's region
    account   the account of the credentials
    NAME      the answer of the call declared with `into="NAME"`

In `params` such a path stands in braces: `"{id}"`, `"{props.ApiId}"`, `"{main.TableArn}"`. A text that is one
placeholder keeps the value's type; placeholders inside a longer text are filled in as text. A write finds the
answers of a read made just before it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from driftwarden.convert import tag_list
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import TypeFacts

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update


def as_is(value: Any) -> Any:
    """The value as AWS spells it."""
    return value


@dataclass(frozen=True, slots=True)
class Call:
    """One API operation that a read-back makes.

    operation   the API's own name, `GetQueueAttributes`: IAM actions and error messages use it too
    params      request members, see the module docstring; a function of the Reading is called. A sub-call
                with a member that cannot be filled in is left out.
    at          the part of the answer that is kept: a dotted path, or a function of (answer, Reading). In the
                main call an empty list at a list position, or ABSENT from the function, means: gone.
    one         in the main call, which element of the list at `at` is the resource; where none is, it is gone
    into        the name under which the part is kept; the main call has none
    lacking     in a sub-call, what the part is when the answer comes without it
    pages       follow all pages and join the list at `at`; without a path there, join every list. Where boto3
                knows no paginator: the members (of the request, of the answer) that hold the token
    absent      exact error codes that mean "not configured": the part is ABSENT then
    gone        whether the type's `gone` codes mean that here too; if not, they are a failed read
    when        whether to make the call at all
    service     where it differs from the type's
    action      the IAM action, where it is not `prefix:operation`
    """

    operation: str
    params: Mapping[str, Any] | Callable[[Reading], Any] = field(default_factory=dict)
    _: KW_ONLY
    at: str | Callable[[Any, Reading], Any] = ""
    one: Callable[[Any, Reading], bool] | None = None
    into: str = ""
    lacking: Any = ABSENT
    pages: bool | tuple[str, str] = False
    absent: tuple[str, ...] = ()
    gone: bool = True
    when: Callable[[Reading], bool] | None = None
    service: str = ""
    action: str = ""


@dataclass(frozen=True, slots=True)
class From:
    """Where a CloudFormation property comes from. A converter that answers ABSENT leaves the property out."""

    source: str
    convert: Callable[[Any], Any] = as_is
    _: KW_ONLY
    default: Any = ABSENT


Source: TypeAlias = "From | str | Callable[[Reading], Any]"
"""A property's origin: a full `From`, just its path, or a function of the Reading in the same module."""


@dataclass(frozen=True, slots=True)
class To:
    """Where a property goes in a request, and how: `convert` makes the request member of the property.

    A Converter writes with its write half.
    """

    member: str
    convert: Callable[[Any], Any] = as_is


Target: TypeAlias = "To | str"
"""A full `To`, or just the member: then the write half of the property's reader converts."""


@dataclass(frozen=True, slots=True)
class Write:
    """One API operation that pushes recorded values back. It is made only when something of its own drifted.

    Properties are top-level names, or dotted paths of structures (`VersioningConfiguration.Status`).

    operation   the API's own name
    params      request members that name the resource; the same grammar as a Call's. In style `each` also
                `{member}` and `{value}`
    sets        property -> dotted request member
    same        properties that the request holds under the same name
    camel       properties that the request holds with a small first letter
    unset       property -> the property's value that the service takes for "not configured". An empty
                recorded value is never sent as it is: without an entry here, and without a delete call, the
                revert of an unset property is refused (style `whole` leaves it out)
    removes     properties that this operation (a delete call) unsets; it has no `sets`
    style       patch: only what drifted is sent; for APIs that keep what is left out
                whole: all of `sets` is sent, undrifted properties as they are live; for APIs that reset what
                is left out, and for members that have to change together
                each: one request per drifted property; its value goes to its member, or to `{value}`
    when        whether to make the request at all
    ready       after the request, the main call is repeated until this is true of the Update
    done        exact error codes that mean "it is so already"
    service     where it differs from the type's
    action      the IAM action, where it is not `prefix:operation`
    """

    operation: str
    params: Mapping[str, Any] | Callable[[Reading], Any] = field(default_factory=dict)
    _: KW_ONLY
    sets: Mapping[str, Target] = field(default_factory=dict)
    same: tuple[str, ...] = ()
    camel: tuple[str, ...] = ()
    unset: Mapping[str, Any] = field(default_factory=dict)
    removes: tuple[str, ...] = ()
    style: Literal["patch", "whole", "each"] = "patch"
    when: Callable[[Update], bool] | None = None
    ready: Callable[[Update], bool] | None = None
    done: tuple[str, ...] = ()
    service: str = ""
    action: str = ""


@dataclass(frozen=True, slots=True)
class Tags:
    """The pair of operations that change tags. Only the difference is sent, removals first.

    Keys that AWS writes itself (`aws:...`, `AmazonECSManaged`) are neither added nor removed.

    tag, untag  the operations
    params      request members that name the resource, for both
    pairs_at    where the tag operation takes tags; dotted
    keys_at     where the untag operation takes keys; dotted
    pairs       makes that member of `[{Key, Value}]`: `tag_list`, `tag_map`, or a function
    keys        makes that member of a list of keys
    of          the property
    """

    tag: str
    untag: str
    params: Mapping[str, Any] | Callable[[Reading], Any]
    _: KW_ONLY
    pairs_at: str = "Tags"
    keys_at: str = "TagKeys"
    pairs: Callable[[Any], Any] = tag_list
    keys: Callable[[list[str]], Any] = as_is
    of: str = "Tags"
    service: str = ""
    actions: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class By:
    """A function of the same module that does what declarations cannot.

    It is called when one of `properties` drifted, and makes its requests with `Update.call`; `calls` declares
    them, with only operation, service and action. `unsets`: whether it can also unset them.
    """

    run: Callable[[Update], None]
    properties: tuple[str, ...]
    calls: tuple[Write, ...]
    _: KW_ONLY
    unsets: bool = True


AnyWrite: TypeAlias = "Write | Tags | By"


def always(desired: Any, live: Any) -> bool:
    """Whatever the values are."""
    return True


def lower(desired: Any, live: Any) -> bool:
    """The recorded number is below the live one, or one of them is none."""
    try:
        return float(desired) < float(live)
    except (TypeError, ValueError):
        return True


def emptied(desired: Any, live: Any) -> bool:
    """The recorded value says that nothing is configured."""
    return desired is ABSENT or desired in (None, "", [], {})


def older(desired: Any, live: Any) -> bool:
    """The recorded version comes before the live one, or one of them is no version."""
    try:
        ours, theirs = ([int(part) for part in str(side).split(".")] for side in (desired, live))
    except ValueError:
        return True
    return ours < theirs[: len(ours)]


def becomes(*values: Any) -> Callable[[Any, Any], bool]:
    """The recorded value is one of these."""
    return lambda desired, live: desired in values


@dataclass(frozen=True, slots=True)
class Caution:
    """What a person should know before a value is pushed back, as a clause: "messages are deleted".

    `when` is asked with the recorded and the live value; ABSENT where there is none.
    """

    text: str
    when: Callable[[Any, Any], bool] = always


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceType:
    """All facts about one resource type.

    name          the CloudFormation type
    service       boto3's name of the service that owns it
    id_parts      how many parts a composite physical id has; a record with another number names nothing
    calls         the first is the main call, the others are sub-calls, made in this order
    gone          exact error codes, of any call, by which AWS says that the resource does not exist. Where a
                  code says other things too, `Code: start of its message`
    same          properties that the main answer holds under the same name
    camel         properties that the main answer holds with a small first letter
    fields        all other properties
    placeholders  what a property holds when the answer lacks it
    more          calls that this type's readers make themselves, with only operation, service and action
    asks          reads that only its writes make, likewise: a scan needs no permission for them
    custom        reads the resource alone where declarations do not reach; gives the properties
    compared      how its values compare, where its registry schema does not say
    writes        what pushes recorded values back, in the order in which it is made. Without any, the type
                  cannot be updated in place
    refuses       properties (dotted paths) whose drift makes the whole revert of a resource refused, and why.
                  Create-only properties of the registry schema are refused without being named here
    warns         properties (dotted paths) whose revert destroys something or lowers security
    busy          exact error codes, beside the common ones, by which the service says: not now, try again
    """

    name: str
    service: str
    id_parts: int = 0
    calls: tuple[Call, ...] = ()
    gone: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    camel: tuple[str, ...] = ()
    fields: Mapping[str, Source] = field(default_factory=dict)
    placeholders: Mapping[str, Any] = field(default_factory=dict)
    more: tuple[Call, ...] = ()
    asks: tuple[Call, ...] = ()
    custom: Callable[[Reading], Mapping[str, Any]] | None = None
    compared: TypeFacts | None = None
    writes: tuple[AnyWrite, ...] = ()
    refuses: Mapping[str, str | Caution] = field(default_factory=dict)
    warns: Mapping[str, str | Caution] = field(default_factory=dict)
    busy: tuple[str, ...] = ()
