//! Pairs of an ENQ and a DEQ carried out for real: a lock that is taken and dropped, parameter lists that are built,
//! storage that is obtained, pooled or single, status that is copied.
//!
//! An exit decides while the lock is held; the work around a call without the lock is done without it.

use crate::exits::{
    Account, Area, Asked, Exits, Manager, Names, Point, Request, Settled, Storage, Structure, Verb, Visits,
};
use crate::name::ResourceName;
use crate::name_list::{Entry, Kind, List, NameLists};
use crate::request::{Access, DeqRet, Linkage, Requester, Ret, Scope};
use crate::service::{Caller, Deq, DeqOutcome, Enq, EnqOutcome, Outbox, Service};
use std::hint::black_box;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// More concurrent threads than any measurement needs.
pub const MOST_THREADS: u32 = 1_024;

/// Bytes of a parameter list.
const LIST: usize = 256;

/// A system with exits of a structure, behind a lock.
#[derive(Debug)]
pub struct Rig {
    lock: Mutex<Locked>,
    status: Vec<u8>,
    storage: Storage,
}

/// The data that the lock protects.
#[derive(Debug)]
struct Locked {
    exits: Exits,
    service: Service,
    outbox: Outbox,
    /// Parameter lists that are free, and places for status with a list before it.
    pools: [Vec<Box<[u8]>>; 2],
    single: Box<[u8]>,
}

impl Rig {
    /// A system whose manager cares about names of the qname GLOBAL.
    pub fn new(structure: Structure) -> Self {
        let global = Entry::new(List::Inclusion, Kind::Generic, b"GLOBAL", None).expect("an entry");
        let manager = Manager::new(Names::new(vec![global]));
        let exits = Exits::structure(structure, NameLists::new(Vec::new()), &manager);
        let (service, outbox) = (Service::default(), Outbox::new());
        let single = vec![0; LIST].into_boxed_slice();
        let storage = structure.storage();
        let status = (0..storage.status_bytes).map(|at| at as u8).collect();
        let pools = [Vec::new(), Vec::new()];
        Rig { lock: Mutex::new(Locked { exits, service, outbox, pools, single }), status, storage }
    }

    /// An ENQ and a DEQ of a resource that no other asks for; returns the calls on the way.
    ///
    /// # Panics
    /// When another asks for it.
    pub fn pair(&self, name: &ResourceName, scope: Scope, by: Requester) -> Account {
        let resources = [Asked { name, scope, volume: None }];
        let mut sum = Account::default();
        for verb in Verb::ALL {
            let request =
                Request { verb, linkage: Linkage::Svc, conditional: false, changes: false, resources: &resources };
            sum += self.carry_out(&request, by);
        }
        sum
    }

    /// This many pairs of a local resource of this name, one after the other.
    fn serial(&self, rname: &str, pairs: u64, task: u32) -> Account {
        let name = ResourceName::new(b"LOCAL", rname.as_bytes()).expect("a name");
        let by = Requester { system: 1, space: 1, task };
        let mut sum = Account::default();
        for _ in 0..pairs {
            sum += self.pair(&name, Scope::System, by);
        }
        sum
    }

    fn carry_out(&self, request: &Request<'_>, by: Requester) -> Account {
        let mut held = self.held();
        let mut settled = [Settled::as_asked(&request.resources[0])];
        let way = held.exits.walk(request, &mut settled);
        let mut account = way.account;
        for point in [Point::Fast, Point::Nqxit, Point::Prebatch, Point::Batch, Point::BatchConditional] {
            held = self.visit(held, point, &way.account[point]);
        }
        let (name, settled) = (request.resources[0].name, settled[0]);
        let Locked { exits, service, outbox, .. } = &mut *held;
        let (scope, caller) = (exits.reach(&settled), Caller::PROBLEM_PROGRAM);
        outbox.clear();
        let rest = match request.verb {
            Verb::Enq => {
                let (access, ret) = (Access::Exclusive, Ret::None);
                let ask = Enq { name, scope, access, ret, reserve: None, by, caller };
                assert_eq!(service.enq(&ask, outbox), EnqOutcome::Granted, "nobody else asks");
                exits.queued(request, &way, (&[settled], &[Some(0)]))
            }
            Verb::Deq => {
                let last = service.is_last_of_system(name, scope, by);
                let ask = Deq { name, scope, ret: DeqRet::None, by, caller };
                assert_eq!(service.deq(&ask, outbox), DeqOutcome::Released, "it was granted");
                if last { exits.ended(&request.resources[0], &settled) } else { Account::default() }
            }
        };
        for point in [Point::Queued1, Point::Queued2, Point::EndOfLocalQcb] {
            held = self.visit(held, point, &rest[point]);
        }
        drop(held);
        account += rest;
        account
    }

    /// Does what visits of a point take; comes back with the lock held.
    fn visit<'a>(&'a self, mut held: MutexGuard<'a, Locked>, point: Point, visits: &Visits) -> MutexGuard<'a, Locked> {
        for _ in 0..visits.lists {
            if point.is_locked() {
                held.fast(self.storage.fast, point);
                continue;
            }
            let area = self.storage.slow;
            let mut saved = held.take(area, Pool::Status, LIST + self.status.len());
            saved[LIST..].copy_from_slice(&self.status);
            drop(held);
            build(&mut saved[..LIST], point);
            black_box(&saved);
            held = self.held();
            held.give(area, Pool::Status, saved);
        }
        held
    }

    fn held(&self) -> MutexGuard<'_, Locked> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Locked {
    /// Builds the parameter list of a fast exit.
    fn fast(&mut self, area: Area, point: Point) {
        if area == Area::Single {
            build(&mut self.single, point);
            black_box(&self.single);
            return;
        }
        let mut list = self.take(area, Pool::List, LIST);
        build(&mut list, point);
        black_box(&list);
        self.give(area, Pool::List, list);
    }

    fn take(&mut self, area: Area, pool: Pool, bytes: usize) -> Box<[u8]> {
        let obtained = || vec![0; bytes].into_boxed_slice();
        match area {
            Area::Obtained => obtained(),
            Area::Pooled | Area::Single => self.pools[pool as usize].pop().unwrap_or_else(obtained),
        }
    }

    fn give(&mut self, area: Area, pool: Pool, storage: Box<[u8]>) {
        match area {
            Area::Obtained => drop(storage),
            Area::Pooled | Area::Single => self.pools[pool as usize].push(storage),
        }
    }
}

/// This many pairs of a resource, serially: one of scope SYSTEM, or one of scope SYSTEMS that concerns the manager.
/// Returns the calls in all of them.
pub fn run_pairs(structure: Structure, pairs: u64, global: bool) -> Account {
    let (qname, scope) = if global { (&b"GLOBAL"[..], Scope::Systems) } else { (&b"LOCAL"[..], Scope::System) };
    let name = ResourceName::new(qname, b"RESOURCE").expect("a name");
    let (rig, by) = (Rig::new(structure), Requester { system: 1, space: 1, task: 1 });
    let mut sum = Account::default();
    for _ in 0..pairs {
        sum += rig.pair(&name, scope, by);
    }
    sum
}

/// This many pairs by this many concurrent threads, each with a resource of its own; they share the system with its
/// lock. Returns the calls in all of them.
///
/// # Panics
/// When there are no threads, or more than names.
pub fn run_pairs_by_threads(structure: Structure, pairs: u64, threads: u32) -> Account {
    assert!((1..=MOST_THREADS).contains(&threads), "up to {MOST_THREADS} threads");
    let rig = Rig::new(structure);
    let each = |task: u64| pairs / u64::from(threads) + u64::from(task < pairs % u64::from(threads));
    std::thread::scope(|scope| {
        let run = |task: u32| {
            let rig = &rig;
            scope.spawn(move || rig.serial(&format!("RESOURCE{task}"), each(task.into()), task))
        };
        let running: Vec<_> = (0..threads).map(run).collect();
        running.into_iter().fold(Account::default(), |mut sum, one| {
            sum += one.join().expect("a thread ends");
            sum
        })
    })
}

/// Which pool storage belongs to.
#[derive(Clone, Copy)]
enum Pool {
    List,
    Status,
}

/// Writes a parameter list: every byte of it, as different at every point.
fn build(list: &mut [u8], point: Point) {
    for (at, byte) in list.iter_mut().enumerate() {
        *byte = (at as u8) ^ (point as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_call_the_exits_of_their_structure() {
        let calls = |structure, global| run_pairs(structure, 10, global).calls();
        assert_eq!([calls(Structure::None, false), calls(Structure::SvcFrontEnd, true)], [0, 0]);
        assert_eq!([calls(Structure::Batch, false), calls(Structure::Batch, true)], [40, 40]);
        let filtered = Structure::PrebatchSingleArea;
        assert_eq!([calls(filtered, false), calls(filtered, true)], [50, 70]);
    }

    #[test]
    fn several_threads_use_one_system() {
        let rig = Rig::new(Structure::Batch);
        std::thread::scope(|scope| {
            for task in 1..=3 {
                let rig = &rig;
                scope.spawn(move || {
                    let name = ResourceName::new(b"LOCAL", &[b'0' + task as u8]).expect("a name");
                    for _ in 0..50 {
                        rig.pair(&name, Scope::System, Requester { system: 1, space: 1, task });
                    }
                });
            }
        });
        assert_eq!(rig.held().service.broken_laws(), Vec::<String>::new());
    }

    #[test]
    fn threads_do_all_pairs_between_them() {
        for threads in [1, 2, 7] {
            for structure in Structure::ALL {
                let account = run_pairs_by_threads(structure, 100, threads);
                assert_eq!([account.enqs, account.deqs], [100, 100], "{structure:?} {threads}");
                assert_eq!(account.calls(), run_pairs(structure, 100, false).calls(), "{structure:?} {threads}");
            }
        }
    }

    /// 16 KiB of status for each of four calls without the lock: more than 32 bits after 65,536 pairs.
    #[test]
    fn what_a_million_pairs_copy_is_counted() {
        let account = run_pairs(Structure::Batch, 100_000, false);
        let bytes: u64 = Point::ALL.into_iter().map(|point| account[point].bytes).sum();
        assert_eq!(bytes, 100_000 * 3 * 16_384);
    }

    #[test]
    fn there_may_be_more_threads_than_pairs() {
        assert_eq!(run_pairs_by_threads(Structure::Batch, 3, 8).enqs, 3);
    }
}
