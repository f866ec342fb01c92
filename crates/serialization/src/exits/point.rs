//! The exit points in the order in which a request reaches them, and the actions that an exit at each may request.

use crate::name_list::word;
use units::Problem;

/// How many points there are.
pub const POINTS: usize = 8;

/// Where exits are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Point {
    /// ISGNQXITFAST: each resource before the name lists are searched.
    Fast,
    /// ISGNQXIT: the same without the lock, for exits that need more than they may do under it.
    Nqxit,
    /// ISGNQXITPREBATCH: each resource after the lists: is the conditional batch exit wanted?
    Prebatch,
    /// ISGNQXITBATCH: the whole request, always.
    Batch,
    /// ISGNQXITBATCHCND: the whole request, when it is wanted.
    BatchConditional,
    /// ISGNQXITQUEUED1: after local resources were queued for.
    Queued1,
    /// ISGNQXITQUEUED2: after global ones were too.
    Queued2,
    /// ISGENDOFLQCB: no task on this system asks for a local resource any more.
    EndOfLocalQcb,
}

/// Something that an exit may want done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// Another name.
    Name,
    /// Another scope.
    Scope,
    /// Another volume, one where there was none, or none.
    Volume,
    /// That the name lists are not searched.
    Lists,
    /// That the conditional batch exit is called.
    Want,
    /// That this point is not called again for such a name.
    Stop,
    /// A return code in place of the request.
    Code,
    /// An ENQ in place of a RESERVE.
    Reserve,
    /// An abnormal end in place of the request.
    Abend,
    /// That the resource is looked after by a manager of several systems.
    Manage,
}

impl Point {
    /// All of them, in their order.
    pub const ALL: [Point; POINTS] = [
        Point::Fast,
        Point::Nqxit,
        Point::Prebatch,
        Point::Batch,
        Point::BatchConditional,
        Point::Queued1,
        Point::Queued2,
        Point::EndOfLocalQcb,
    ];

    /// Their names.
    pub const WORDS: [&str; POINTS] = {
        let mut words = [""; POINTS];
        let mut at = 0;
        while at < POINTS {
            words[at] = Point::ALL[at].word();
            at += 1;
        }
        words
    };

    /// The name of the exit point.
    pub const fn word(self) -> &'static str {
        match self {
            Point::Fast => "ISGNQXITFAST",
            Point::Nqxit => "ISGNQXIT",
            Point::Prebatch => "ISGNQXITPREBATCH",
            Point::Batch => "ISGNQXITBATCH",
            Point::BatchConditional => "ISGNQXITBATCHCND",
            Point::Queued1 => "ISGNQXITQUEUED1",
            Point::Queued2 => "ISGNQXITQUEUED2",
            Point::EndOfLocalQcb => "ISGENDOFLQCB",
        }
    }

    /// The point that a word means, in capitals or not.
    ///
    /// # Errors
    /// A problem keyed `point` when there is no such point.
    pub fn read(written: &str) -> Result<Self, Box<Problem>> {
        word::read("point", written, &Point::ALL, Point::word)
    }

    /// Whether exits are called with the ENQ/DEQ lock held, in cross-memory mode.
    ///
    /// Source: GRS/MIM Installation Exit Performance. ASSUME: ISGENDOFLQCB too, which took the place of a branch in the
    /// midst of DEQ.
    pub const fn is_locked(self) -> bool {
        match self {
            Point::Fast | Point::Prebatch | Point::EndOfLocalQcb => true,
            Point::Nqxit | Point::Batch | Point::BatchConditional | Point::Queued1 | Point::Queued2 => false,
        }
    }

    /// Whether it is called for each resource of a request, or for the request as a whole.
    pub const fn is_per_resource(self) -> bool {
        match self {
            Point::Fast | Point::Nqxit | Point::Prebatch | Point::EndOfLocalQcb => true,
            Point::Batch | Point::BatchConditional | Point::Queued1 | Point::Queued2 => false,
        }
    }

    /// Whether an exit may want this here.
    ///
    /// Source: MVS Installation Exits: what each exit "can" do; the queued exits read only.
    pub const fn may(self, change: Change) -> bool {
        match self {
            Point::Fast | Point::Nqxit => {
                matches!(change, Change::Name | Change::Scope | Change::Volume | Change::Lists)
            }
            Point::Prebatch => matches!(change, Change::Want | Change::Stop),
            Point::Batch | Point::BatchConditional => {
                matches!(change, Change::Code | Change::Reserve | Change::Abend | Change::Manage)
            }
            Point::Queued1 | Point::Queued2 => false,
            Point::EndOfLocalQcb => matches!(change, Change::Stop),
        }
    }
}

impl Change {
    /// Its name, as a noun.
    pub const fn word(self) -> &'static str {
        match self {
            Change::Name => "name",
            Change::Scope => "scope",
            Change::Volume => "volume",
            Change::Lists => "lists",
            Change::Want => "want",
            Change::Stop => "stop",
            Change::Code => "return code",
            Change::Reserve => "reserve",
            Change::Abend => "abend",
            Change::Manage => "manage",
        }
    }

    /// Its place in a set.
    pub(super) const fn bit(self) -> u16 {
        1 << self as u16
    }

    /// All of them.
    pub const ALL: [Change; 10] = [
        Change::Name,
        Change::Scope,
        Change::Volume,
        Change::Lists,
        Change::Want,
        Change::Stop,
        Change::Code,
        Change::Reserve,
        Change::Abend,
        Change::Manage,
    ];
}
