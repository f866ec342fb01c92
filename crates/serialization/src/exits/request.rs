//! What exits are asked about and what became of it: resources as they were asked for, and as they are to be queued for.

use super::account::Account;
use super::names::NameId;
use crate::name::ResourceName;
use crate::request::{Linkage, Scope};

/// The requested operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// ENQ or RESERVE.
    Enq,
    /// DEQ.
    Deq,
}

/// A resource as the caller names it.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Its name.
    pub name: &'a ResourceName,
    /// How far the name reaches.
    pub scope: Scope,
    /// The volume of a RESERVE.
    pub volume: Option<u32>,
}

/// A request, which may be for several resources.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The operation.
    pub verb: Verb,
    /// Through which door it came.
    pub linkage: Linkage,
    /// Whether the caller takes return codes: any `RET=` but `NONE`.
    pub conditional: bool,
    /// Whether it changes a hold to exclusive (`RET=CHNG`), which has a price of its own.
    pub changes: bool,
    /// The resource.
    pub resources: &'a [Asked<'a>],
}

/// A resource as it is to be queued for, after exits and lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// Another name, when an exit gave it one.
    pub name: Option<NameId>,
    /// How far the name reaches.
    pub scope: Scope,
    /// The volume that is reserved in hardware.
    pub volume: Option<u32>,
    /// Whether a manager of several systems looks after it.
    pub managed: bool,
    /// Whether a manager in front of the supervisor call cares about it and did not see the request.
    pub unseen: bool,
    /// The return code that an exit gave in place of the request.
    pub code: Option<u8>,
}

/// The request after the exits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fate {
    /// It is carried out, but for the resources that have a return code.
    #[default]
    GoesOn,
    /// An exit ended the caller with this completion code.
    Abend(u16),
}

/// The way of a request until it is queued.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// The calls.
    pub account: Account,
    /// The outcome.
    pub fate: Fate,
    /// Whether a batch exit saw it, as the queued exits then will.
    pub seen: bool,
}

impl Verb {
    /// Both of them.
    pub const ALL: [Verb; 2] = [Verb::Enq, Verb::Deq];
}

impl Settled {
    /// A resource as it was asked for.
    pub fn as_asked(asked: &Asked<'_>) -> Self {
        Settled { name: None, scope: asked.scope, volume: asked.volume, managed: false, unseen: false, code: None }
    }
}
