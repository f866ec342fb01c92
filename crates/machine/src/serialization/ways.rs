//! What is known of the ways of requests: made once per resource, kind of request and door, until exits change.
//!
//! It leaves out which exits are called when, and what each call costs: the crate that serializes says both.

use super::book::Book;
use super::signal::Request;
use super::task::Place;
use super::way::{Calls, Way};
use crate::ids::Partition;
use crate::plan::{Linkage, Plan, SerializationPlan};
use ::serialization::Scope;
use ::serialization::exits::{
    self, Account, Asked, Costs, EndMemo, Exits, Fate, Manager, Memo, Names, Point, Settled, Verb,
};
use ::serialization::name_list::NameLists;

/// Kinds of requests that are told apart: ENQ by each door, with return codes or not, DEQ by each door.
const KINDS: usize = 6;

/// What is known of a request before it goes its way.
pub(super) struct Known {
    pub(super) way: Way,
    pub(super) calls: Calls,
    /// How far the name turns out to reach.
    pub(super) scope: Scope,
    pub(super) settled: Settled,
    /// Whether a manager of several images is sent a message, and its answer waited for.
    pub(super) message: bool,
    pub(super) refused: bool,
}

/// The ways of all requests.
#[derive(Debug)]
pub(super) struct Ways {
    /// The exits of each system.
    exits: Vec<Exits>,
    costs: Costs,
    /// How many members all resources have.
    members: usize,
    /// Per system, member and kind of request; made when it is first asked for.
    memos: Vec<Option<Box<Memo>>>,
    /// Per system and member.
    ends: Vec<Option<Box<EndMemo>>>,
}

impl Ways {
    pub(super) fn new(plan: &Plan, book: &Book) -> Self {
        let Some(own) = &plan.serialization else {
            return Ways { exits: vec![], costs: Costs::default(), members: 0, memos: vec![], ends: vec![] };
        };
        let (systems, members) = (plan.partitions.len(), book.members());
        Ways {
            exits: (0..systems).map(|_| of_system(own)).collect(),
            costs: own.costs,
            members,
            memos: (0..systems * members * KINDS).map(|_| None).collect(),
            ends: (0..systems * members).map(|_| None).collect(),
        }
    }

    /// The way of a request for what somebody has, or asks for, at a place; `conditional` where he minds return codes.
    pub(super) fn of(
        &mut self,
        system: Partition,
        (request, conditional): (Request, bool),
        place: &Place,
        book: &Book,
    ) -> Known {
        let door = match place.linkage {
            Linkage::Svc => 0,
            Linkage::Pc => 1,
        };
        let (verb, kind) = match request {
            Request::Enq => (Verb::Enq, 2 * usize::from(conditional) + door),
            Request::Deq => (Verb::Deq, 4 + door),
        };
        let resources = [asked(place, book)];
        let request = exits::Request { verb, linkage: place.linkage, conditional, resources: &resources };
        let exits = &mut self.exits[system.index()];
        let memo = &mut self.memos[(system.index() * self.members + book.number(place)) * KINDS + kind];
        let memo = exits.known(memo.get_or_insert_default(), &request, &self.costs);
        let (settled, account) = (memo.settled, memo.way.account);
        Known {
            way: Way::new(&memo.before, &memo.after),
            calls: calls([&account, &memo.queued]),
            settled,
            message: account.messages > 0,
            refused: settled.code.is_some() || memo.way.fate != Fate::GoesOn,
            scope: exits.reach(&settled),
        }
    }

    /// What follows where the last requester of a system releases something: it is added to the way of his request.
    pub(super) fn end(&mut self, system: Partition, place: &Place, book: &Book, way: &mut Way) -> Calls {
        let number = system.index() * self.members + book.number(place);
        let settled = place.settled.expect("what is released was settled when it was asked for");
        let end = self.ends[number].get_or_insert_default();
        let end = self.exits[system.index()].known_end(end, (&asked(place, book), &settled), &self.costs);
        way.add(&end.stretches);
        calls([&end.account, &Account::default()])
    }
}

/// The exits of one system; all have the same.
fn of_system(own: &SerializationPlan) -> Exits {
    let managed = own.managed.clone().map_or_else(Names::all, Names::new);
    let manager = Manager::new(managed);
    let mut exits = Exits::structure(own.structure, NameLists::new(own.name_lists.clone()), &manager);
    exits.set_sharing(own.complex != crate::plan::ComplexPlan::None);
    exits
}

fn asked<'b>(place: &Place, book: &'b Book) -> Asked<'b> {
    Asked { name: book.name(place), scope: book.asked(place), volume: book.volume(place) }
}

fn calls(accounts: [&Account; 2]) -> Calls {
    Point::ALL.map(|point| accounts.map(|account| account[point].calls).iter().sum())
}
