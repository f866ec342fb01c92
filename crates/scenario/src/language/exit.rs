//! An exit of an installation's own before ENQ and DEQ: where it is called, for which names, what it answers.

use super::{Choice, ENQUEUE, Key, Kind, NAME, NO, Need, SYSTEM_SCOPE, SYSTEMS_SCOPE, TEXT_FILE, Table, VOLUME, YES};
use serialization::exits::Point;

/// The longest name of a module.
pub const LONGEST_MODULE: usize = 8;

const NOT_WANTED: Need = Need::Optional("it does not want that");
const DO: Kind = Kind::Word(&[NO, YES]);

/// Where it is called.
pub static EXIT_POINT: Key = Key::new(
    "point",
    Kind::Word(&Point::WORDS),
    Need::Required("an exit is called somewhere, and what it may want depends on where"),
    "the exit point; at one point it is called behind the exits of the manager, in the order of the file",
);
/// For which names.
pub static EXIT_NAMES: Key = Key::new(
    "names",
    Kind::TextOr(&TEXT_FILE),
    Need::Optional("every name"),
    "the names that it is for, as RNLDEF statements; in which of the lists they stand does not matter",
);
/// Another name.
pub static EXIT_RENAME: Key = Key::new(
    "rename",
    Kind::Refer(&ENQUEUE),
    NOT_WANTED,
    "ISGNQXITFAST, ISGNQXIT: they mean this resource instead, which has no members",
);
/// Another scope.
pub static EXIT_SCOPE: Key = Key::new(
    "scope",
    Kind::Word(&[SYSTEM_SCOPE, SYSTEMS_SCOPE]),
    NOT_WANTED,
    "ISGNQXITFAST, ISGNQXIT: they reach so far, unless the name lists, which are searched then, say otherwise",
);
/// Another volume.
pub static EXIT_VOLUME: Key = Key::new(
    "volume",
    Kind::Refers(&[&VOLUME]),
    NOT_WANTED,
    "ISGNQXITFAST, ISGNQXIT: the request is a RESERVE of this volume: a volume of each partition that sees it",
);
/// No volume.
pub static EXIT_NO_VOLUME: Key =
    Key::new("no_volume", DO, NOT_WANTED, "ISGNQXITFAST, ISGNQXIT: the request is no RESERVE any more");
/// No lists.
pub static EXIT_SKIP_LISTS: Key =
    Key::new("skip_lists", DO, NOT_WANTED, "ISGNQXITFAST, ISGNQXIT: the name lists are not searched");
/// The conditional exit.
pub static EXIT_WANT: Key =
    Key::new("want", DO, NOT_WANTED, "ISGNQXITPREBATCH: ISGNQXITBATCHCND is called for the request");
/// A return code.
pub static EXIT_CODE: Key = Key::new(
    "code",
    Kind::Count(1, 255),
    NOT_WANTED,
    "ISGNQXITBATCH, ISGNQXITBATCHCND: a return code in place of the request, which is not queued for; only of an ENQ that \
     minds return codes (ret = \"use\" or \"have\")",
);
/// An ENQ in place of a RESERVE.
pub static EXIT_DROP_RESERVE: Key =
    Key::new("drop_reserve", DO, NOT_WANTED, "ISGNQXITBATCH, ISGNQXITBATCHCND: a RESERVE is an ENQ without its volume");
/// An abnormal end.
pub static EXIT_ABEND: Key = Key::new(
    "abend",
    Kind::Count(1, 4095),
    NOT_WANTED,
    "ISGNQXITBATCH, ISGNQXITBATCHCND: an abnormal end in place of an ENQ; the recovery of the program goes past its steps",
);
/// Failure.
pub static EXIT_FAIL: Key = Key::new(
    "fail",
    DO,
    Need::Optional("it does not fail"),
    "it fails when it is called for one of its names: it is removed from that system, and the request goes on",
);
/// Not asked again.
pub static EXIT_STOPS: Key = Key::new(
    "stops",
    DO,
    Need::Optional("it is asked again"),
    "ISGNQXITPREBATCH, ISGENDOFLQCB: for qnames without names of its own, it asks for no further calls",
);
/// The time of its own processing.
pub static EXIT_OWN: Key = Key::new(
    "own",
    Kind::Span("0 us", "1 s"),
    Need::Default("0 us", "it only decides; the call itself is in the prices"),
    "its own processor time per call for one of its names, at fast points under the ENQ/DEQ lock",
);
/// Whether it is there.
pub static EXIT_INSTALLED: Key = Key::new(
    "installed",
    Kind::Word(&[YES, NO]),
    Need::Optional("it is there from the start"),
    "no: it is not there until a change adds it",
);

/// An exit.
pub static OWN_EXIT: Table = Table {
    name: "exit",
    doc: "an exit of the installation's own before ENQ and DEQ, the same in all partitions: [[serialization.exit]]",
    keys: &[
        &NAME,
        &EXIT_POINT,
        &EXIT_NAMES,
        &EXIT_RENAME,
        &EXIT_SCOPE,
        &EXIT_VOLUME,
        &EXIT_NO_VOLUME,
        &EXIT_SKIP_LISTS,
        &EXIT_WANT,
        &EXIT_CODE,
        &EXIT_DROP_RESERVE,
        &EXIT_ABEND,
        &EXIT_FAIL,
        &EXIT_STOPS,
        &EXIT_OWN,
        &EXIT_INSTALLED,
    ],
    choices: &[Choice {
        keys: &[&EXIT_VOLUME, &EXIT_NO_VOLUME],
        needed: false,
        why: "a request reserves a volume or none",
    }],
    notes: true,
};
