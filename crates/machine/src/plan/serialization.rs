//! What the service of ENQ and DEQ is built from: resources by name, exits, prices, name lists, and how systems are connected.

pub use ::serialization::exits::{Answer, Costs, Point, Structure};
pub use ::serialization::name_list::Entry;
pub use ::serialization::systems::Ring;
pub use ::serialization::{Access as EnqueueAccess, Linkage, Ret, Scope};
use units::Span;

/// The service, the same in all partitions.
#[derive(Clone, Debug, PartialEq)]
pub struct SerializationPlan {
    /// How a manager of several images sees requests.
    pub structure: Structure,
    /// The names that it shares with other systems, all of them where none are given; of scope `SYSTEMS` only.
    pub managed: Option<Vec<Entry>>,
    /// The costs of the pieces of a request.
    pub costs: Costs,
    /// How global requests reach the other systems.
    pub complex: ComplexPlan,
    /// How long a manager of several images takes to answer a message.
    pub answer: Span,
    /// The entries of the resource name lists, the same in all systems.
    pub name_lists: Vec<Entry>,
    /// Exits beside those of the structure, which are called behind them in this order.
    pub exits: Vec<ExitPlan>,
}

/// An exit that is a table: which names it is for, and what it answers for them.
#[derive(Clone, Debug, PartialEq)]
pub struct ExitPlan {
    /// The name of its module.
    pub name: String,
    /// Where it is called.
    pub point: Point,
    /// The names that it is for, all of them where none are given.
    pub names: Option<Vec<Entry>>,
    /// Its answer for them, except another name and another volume, which are given below.
    pub answer: Answer,
    /// The resource that they are to mean: an index into [`crate::plan::Plan::enqueues`], of one without members.
    pub rename: Option<usize>,
    /// The volume that is to be reserved with them, as the systems see it; none of no views.
    pub volume: Option<Vec<usize>>,
    /// How long a call takes that is for one of them, beside calling it.
    pub own: Span,
    /// Whether it asks for no further calls for other names.
    pub stops: bool,
    /// Whether it is there from the beginning.
    pub installed: bool,
}

/// What becomes of an exit while the machine runs: indices into [`SerializationPlan::exits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitChange {
    /// It is added behind those that are at its point.
    Add(usize),
    /// It is deleted, whether it is called or has failed.
    Delete(usize),
}

/// How the systems of a complex tell each other of global requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ComplexPlan {
    /// Not at all: what is global is known everywhere at once.
    #[default]
    None,
    /// A message goes round.
    Ring(Ring),
    /// A lock structure answers in so long.
    Star {
        /// How long.
        service: Span,
    },
}

/// A resource that guests enqueue on by name, or several that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnqueuePlan {
    /// Its name in the scenario.
    pub name: String,
    /// Its major name.
    pub qname: String,
    /// Its minor name; that of members is followed by a period and their number from 1.
    pub rname: String,
    /// How far the name reaches, as it is asked for.
    pub scope: Scope,
    /// The number of members; a request is for a certain one, each equally likely.
    pub members: u32,
    /// The volume that is reserved with it, as the systems see it: indices into [`crate::plan::Plan::volumes`].
    pub reserve: Vec<usize>,
}

impl EnqueuePlan {
    /// The minor name of a member.
    pub fn rname_of(&self, member: u32) -> String {
        if self.members == 1 { self.rname.clone() } else { format!("{}.{}", self.rname, member + 1) }
    }
}
