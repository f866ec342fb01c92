//! What is known of the ways of requests: made once per resource, kind of request and door, until exits change.

use super::book::Book;
use super::own_exits::OwnExits;
use super::task::{Member, Place};
use super::way::Way;
use crate::ids::Partition;
use crate::plan::{ExitChange, Linkage, Plan, Ret, SerializationPlan};
use crate::signal::serialization::{Request, Serializing};
use crate::signal::{Probe, Signal};
use crate::vocabulary::piece::Calls;
use ::serialization::Scope;
use ::serialization::exits::{
    self, Account, Asked, Costs, EndMemo, Exits, Fate, Manager, Memo, NameId, Names, Point, Settled, Verb,
};
use ::serialization::name_list::NameLists;
use units::Tod;

/// The kinds of requests, each by either door: ENQ with return codes or not, DEQ, ENQ that changes a hold.
const KINDS: usize = 8;

/// A request before it is made.
pub(super) struct Known {
    pub(super) way: Way,
    pub(super) calls: Calls,
    /// How far the name turns out to reach.
    pub(super) scope: Scope,
    pub(super) settled: Settled,
    /// The final name, if an exit gave another one.
    pub(super) renamed: Option<Member>,
    /// Whether a manager of several images is sent a message, and its answer waited for.
    pub(super) message: bool,
    pub(super) refused: bool,
}

/// The way of a request, and what the name that exits gave it means.
#[derive(Debug, Default)]
struct Remembered {
    memo: Memo,
    renamed: Option<(NameId, Member)>,
}

/// The ways of all requests.
#[derive(Debug)]
pub(super) struct Ways {
    /// The exits of each system.
    exits: Vec<Exits>,
    /// Those of them that may be added and deleted; none without a service.
    own: Option<OwnExits>,
    /// The number of failed exits signalled, by system.
    told: Vec<u32>,
    costs: Costs,
    /// How many members all resources have.
    members: usize,
    /// Per system, member and kind of request; made when it is first asked for.
    memos: Vec<Option<Box<Remembered>>>,
    /// Per system and member.
    ends: Vec<Option<Box<EndMemo>>>,
}

impl Ways {
    pub(super) fn new(plan: &Plan, book: &Book) -> Self {
        let Some(own) = &plan.serialization else {
            return Ways {
                exits: vec![],
                own: None,
                told: vec![],
                costs: Costs::default(),
                members: 0,
                memos: vec![],
                ends: vec![],
            };
        };
        let (systems, members) = (plan.partitions.len(), book.members());
        let exits = OwnExits::new(own, &plan.enqueues, book);
        Ways {
            exits: (0..systems).map(|_| of_system(own, &exits)).collect(),
            own: Some(exits),
            told: vec![0; systems],
            costs: own.costs,
            members,
            memos: (0..systems * members * KINDS).map(|_| None).collect(),
            ends: (0..systems * members).map(|_| None).collect(),
        }
    }

    /// The path of a request for a resource at a place.
    pub(super) fn of(
        &mut self,
        system: Partition,
        (request, ret): (Request, Ret),
        place: &Place,
        book: &Book,
    ) -> Known {
        let door = match place.linkage {
            Linkage::Svc => 0,
            Linkage::Pc => 1,
        };
        let (conditional, changes) = (ret != Ret::None, ret == Ret::Change);
        let (verb, kind) = match request {
            Request::Enq if changes => (Verb::Enq, 6 + door),
            Request::Enq => (Verb::Enq, 2 * usize::from(conditional) + door),
            Request::Deq => (Verb::Deq, 4 + door),
        };
        let resources = [asked(place, book)];
        let request = exits::Request { verb, linkage: place.linkage, conditional, changes, resources: &resources };
        let exits = &mut self.exits[system.index()];
        let memo = &mut self.memos[(system.index() * self.members + book.number(place)) * KINDS + kind];
        let Remembered { memo, renamed } = &mut **memo.get_or_insert_default();
        let memo = exits.known(memo, &request, &self.costs);
        let (settled, account) = (memo.settled, memo.way.account);
        if settled.name != renamed.map(|(id, _)| id) {
            let meant = |id| book.find(exits.name(id)).expect("exits give names that the scenario knows");
            *renamed = settled.name.map(|id| (id, meant(id)));
        }
        Known {
            way: Way::new(&memo.before, &memo.after),
            calls: calls([&account, &memo.queued]),
            settled,
            renamed: renamed.map(|(_, member)| member),
            message: account.messages > 0,
            refused: verb == Verb::Enq && (settled.code.is_some() || memo.way.fate != Fate::GoesOn),
            scope: exits.reach(&settled),
        }
    }

    /// The work after the last requester of a system releases something: it is added to the path of its request.
    pub(super) fn end(&mut self, system: Partition, place: &Place, book: &Book, way: &mut Way) -> Calls {
        let number = system.index() * self.members + book.number(place);
        let settled = place.settled.expect("what is released was settled when it was asked for");
        let end = self.ends[number].get_or_insert_default();
        let end = self.exits[system.index()].known_end(end, (&asked(place, book), &settled), &self.costs);
        way.add(&end.stretches);
        calls([&end.account, &Account::default()])
    }

    /// Adds an exit to all systems, or deletes it from all.
    pub(super) fn change(&mut self, change: ExitChange) {
        let own = self.own.as_ref().expect("exits are those of a service");
        self.exits.iter_mut().for_each(|exits| own.change(change, exits));
    }

    /// Says how many exits of a system have failed since this was said last.
    pub(super) fn tell_removed(&mut self, system: Partition, now: Tod, probe: &mut impl Probe) {
        let (removed, told) = (self.exits[system.index()].removed(), &mut self.told[system.index()]);
        if removed != *told {
            probe.signal(now, Signal::Serialization(Serializing::Removed(system, removed - *told)));
            *told = removed;
        }
    }
}

/// The exits of one system; all have the same.
fn of_system(own: &SerializationPlan, exits_of_own: &OwnExits) -> Exits {
    let managed = own.managed.clone().map_or_else(Names::all, Names::new);
    let manager = Manager::new(managed);
    let mut exits = Exits::structure(own.structure, NameLists::new(own.name_lists.clone()), &manager);
    exits.set_sharing(own.complex != crate::plan::ComplexPlan::None);
    exits_of_own.install(&mut exits);
    exits
}

fn asked<'b>(place: &Place, book: &'b Book) -> Asked<'b> {
    Asked { name: book.name(place.asked), scope: book.asked(place), volume: book.volume(place) }
}

fn calls(accounts: [&Account; 2]) -> Calls {
    Point::ALL.map(|point| accounts.map(|account| account[point].calls).iter().sum())
}
