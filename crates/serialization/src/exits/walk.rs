//! The exits of one system and the path of a request through them: the calls, their order, and the outcome.

use super::account::{Account, Class};
use super::cache::{Cache, Key};
use super::call::{Call, Draft, Wish};
use super::installed::{Installed, Program};
use super::multi_image::Manager;
use super::names::{Given, NameId};
use super::point::Point;
use super::request::{Asked, Fate, Request, Settled, Verb, Way};
use super::routine::Routine;
use super::storage::Storage;
use crate::name::{QNAME_BYTES, ResourceName};
use crate::name_list::{Asked as ListAsked, NameLists};
use crate::request::{Linkage, Scope};
use units::Problem;

/// The exits, the name lists and the front end of one system.
#[derive(Debug)]
pub struct Exits {
    lists: NameLists,
    storage: Storage,
    program: Program,
    front_end: Option<Box<Manager>>,
    shares: bool,
    cache: Cache,
    given: Given,
    drafts: Vec<Draft>,
    kept: Vec<Draft>,
    generation: u64,
    removed: u32,
}

/// The call at a point.
#[derive(Clone, Copy)]
struct Question<'a> {
    point: Point,
    request: &'a Request<'a>,
    at: Option<usize>,
    results: &'a [Option<u8>],
}

impl Exits {
    /// No exits, these lists, and a system that shares no names with others but through a manager.
    pub fn new(lists: NameLists, storage: Storage) -> Self {
        Exits {
            lists,
            storage,
            program: Program::default(),
            front_end: None,
            shares: false,
            cache: Cache::default(),
            given: Given::default(),
            drafts: Vec::new(),
            kept: Vec::new(),
            generation: 0,
            removed: 0,
        }
    }

    /// Adds an exit behind those that are at the point already.
    ///
    /// # Errors
    /// When the name is no name of a module, or is there already.
    pub fn add(&mut self, point: Point, name: &str, routine: Routine) -> Result<(), Box<Problem>> {
        self.program.add(point, name, routine)?;
        self.changed();
        Ok(())
    }

    /// Takes an exit away.
    ///
    /// # Errors
    /// When there is none of this name.
    pub fn delete(&mut self, point: Point, name: &str) -> Result<(), Box<Problem>> {
        self.program.delete(point, name)?;
        self.changed();
        Ok(())
    }

    /// Puts a manager in front of the supervisor call, and inside DEQ (the DEQ latch); it sees no ENQ that comes by
    /// program call.
    ///
    /// Source: GRS/MIM Installation Exit Performance.
    pub fn set_front_end(&mut self, manager: Option<Manager>) {
        self.front_end = manager.map(Box::new);
        self.changed();
    }

    /// Says whether names of scope SYSTEMS are shared with other systems, in a ring or a star.
    pub fn set_sharing(&mut self, shares: bool) {
        self.shares = shares;
        self.changed();
    }

    /// Forgets for which names points need not be called (ISGGCECR, ClearCache).
    pub fn clear_cache(&mut self) {
        self.cache.clear();
        self.changed();
    }

    /// How many entries the cache has.
    pub fn cached(&self) -> usize {
        self.cache.len()
    }

    /// All exits, by point and in the order in which they are called; those that failed are there until they are deleted.
    pub fn installed(&self) -> impl Iterator<Item = &Installed> {
        self.program.all()
    }

    /// How many exits have failed so far and were removed.
    pub fn removed(&self) -> u32 {
        self.removed
    }

    /// The name lists.
    pub fn lists(&self) -> &NameLists {
        &self.lists
    }

    /// The name that an exit gave.
    pub fn name(&self, id: NameId) -> &ResourceName {
        self.given.name(id)
    }

    /// A number that changes with everything on which the way of a request depends.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Whether equal requests have equal ways until the generation changes: no exit is a program's own.
    pub fn is_repeatable(&self) -> bool {
        self.program.all().all(|one| !matches!(one.routine, Routine::Other(_)))
    }

    /// How far the name of a resource reaches among systems that share it or not.
    pub fn reach(&self, settled: &Settled) -> Scope {
        match settled.scope {
            Scope::Systems if !self.shares && !settled.managed => Scope::System,
            scope => scope,
        }
    }

    /// The way of a request until it is queued; `settled` has a place for each resource.
    ///
    /// # Panics
    /// When there are more or fewer places than resources.
    pub fn walk(&mut self, request: &Request<'_>, settled: &mut [Settled]) -> Way {
        assert_eq!(settled.len(), request.resources.len(), "a place for each resource");
        let mut way = Way::default();
        self.begin(request, &mut way.account);
        if self.drafts.iter().any(|draft| draft.shown) {
            self.each(Point::Fast, request, &mut way.account);
            self.each(Point::Nqxit, request, &mut way.account);
            self.search_lists(request, &mut way.account);
            let wanted = self.each(Point::Prebatch, request, &mut way.account).wanted;
            self.batch(Point::Batch, request, &mut way);
            if wanted {
                self.batch(Point::BatchConditional, request, &mut way);
            }
        }
        if request.verb == Verb::Deq {
            self.mark_managed(request);
        }
        for (place, draft) in settled.iter_mut().zip(&self.drafts) {
            *place = draft.settled;
        }
        way
    }

    /// The rest of the path of an ENQ that a batch exit saw, after it was queued as settled.  `results` has a return
    /// code for each resource, or none while it waits.
    pub fn queued(
        &mut self,
        request: &Request<'_>,
        way: &Way,
        (settled, results): (&[Settled], &[Option<u8>]),
    ) -> Account {
        let mut account = Account::default();
        if way.seen && request.verb == Verb::Enq {
            self.drafts.clear();
            let made = request.resources.iter().zip(settled);
            self.drafts.extend(made.map(|(asked, &settled)| Draft { settled, ..draft(asked) }));
            for point in [Point::Queued1, Point::Queued2] {
                self.ask(Question { point, request, at: None, results }, &mut account);
            }
        }
        account
    }

    /// The calls after the last requester of this system has released a resource.
    ///
    /// Source: MVS Installation Exits, ISGENDOFLQCB: called for local resources, and for SYSTEMS where systems share no
    /// names; not for STEP.
    pub fn ended(&mut self, asked: &Asked<'_>, settled: &Settled) -> Account {
        let mut account = Account::default();
        let is_local = match settled.scope {
            Scope::Step => false,
            Scope::System => true,
            Scope::Systems => !self.shares,
        };
        if is_local {
            account.messages += u32::from(self.front_end.is_some() && settled.managed);
            let resources = [*asked];
            let request = Request {
                verb: Verb::Deq,
                linkage: Linkage::Svc,
                conditional: false,
                changes: false,
                resources: &resources,
            };
            self.drafts.clear();
            self.drafts.push(Draft { settled: *settled, skip_lists: false, shown: true });
            self.each(Point::EndOfLocalQcb, &request, &mut account);
        }
        account
    }

    fn changed(&mut self) {
        self.generation += 1;
    }

    /// The front end, which sees what comes by supervisor call alone.
    fn begin(&mut self, request: &Request<'_>, account: &mut Account) {
        match request.verb {
            Verb::Enq if request.changes => account.changes += 1,
            Verb::Enq => account.enqs += 1,
            Verb::Deq => account.deqs += 1,
        }
        self.drafts.clear();
        self.drafts.extend(request.resources.iter().map(draft));
        let Some(manager) = &self.front_end else { return };
        account.front_end += u32::from(request.linkage == Linkage::Svc);
        for (asked, draft) in request.resources.iter().zip(&mut self.drafts) {
            if !manager.cares(asked.name, asked.scope) {
                continue;
            }
            match (request.linkage, request.verb) {
                (Linkage::Svc, Verb::Enq) => {
                    draft.settled.managed = true;
                    account.messages += 1;
                }
                (Linkage::Svc, Verb::Deq) => draft.settled.managed = true,
                (Linkage::Pc, Verb::Enq) => {
                    draft.settled.unseen = true;
                    account.unseen += 1;
                }
                (Linkage::Pc, Verb::Deq) => {}
            }
        }
    }

    fn search_lists(&mut self, request: &Request<'_>, account: &mut Account) {
        for (at, asked) in request.resources.iter().enumerate() {
            let Draft { settled, skip_lists, shown } = self.drafts[at];
            if skip_lists || !shown {
                continue;
            }
            let name = settled.name.map_or(asked.name, |id| self.given.name(id));
            let wanted = if settled.volume.is_some() { ListAsked::Reserve } else { ListAsked::Enq(settled.scope) };
            let outcome = self.lists.settle(wanted, name);
            account.searches += outcome.searches().count() as u32;
            let after = &mut self.drafts[at].settled;
            after.scope = outcome.scope;
            after.volume = settled.volume.filter(|_| outcome.hardware_reserve);
        }
    }

    /// Asks at a point for each resource that exits see, but for those of which the cache knows the answer.
    fn each(&mut self, point: Point, request: &Request<'_>, account: &mut Account) -> Wish {
        let mut sum = Wish::default();
        if !self.program.is_defined(point) {
            return sum;
        }
        for at in 0..request.resources.len() {
            if !self.drafts[at].shown {
                continue;
            }
            let key = self.key(point, &request.resources[at], at);
            if self.cache.has(&key) {
                account.spared += 1;
                continue;
            }
            let wish = self.ask(Question { point, request, at: Some(at), results: &[] }, account);
            if wish.stop && !wish.wanted && self.cache.add(key) {
                self.changed();
            }
            sum.wanted |= wish.wanted;
        }
        sum
    }

    fn batch(&mut self, point: Point, request: &Request<'_>, way: &mut Way) {
        if way.fate != Fate::GoesOn || !self.program.is_defined(point) {
            return;
        }
        let wish = self.ask(Question { point, request, at: None, results: &[] }, &mut way.account);
        way.seen = true;
        if let Some(code) = wish.abend {
            way.fate = Fate::Abend(code);
        }
    }

    /// Calls all exits of a point with one parameter list.
    fn ask(&mut self, question: Question<'_>, account: &mut Account) -> Wish {
        let Question { point, request, at, results } = question;
        let mut sum = Wish { stop: true, ..Wish::default() };
        if !self.program.is_defined(point) {
            return Wish::default();
        }
        let visits = &mut account[point];
        self.storage.take(point.is_locked(), visits);
        let mut failed = false;
        for one in self.program.at_mut(point).iter_mut().filter(|one| !one.failed) {
            self.kept.clone_from(&self.drafts);
            let (drafts, given) = (&mut self.drafts[..], &mut self.given);
            let mut call = Call { point, request, drafts, at, results, given, wish: Wish::default() };
            let outcome = one.routine.call(&mut call);
            let wish = call.wish;
            one.calls += 1;
            one.refused |= wish.refused;
            visits.calls += 1;
            if outcome.is_err() {
                one.failed = true;
                self.removed += 1;
                failed = true;
                self.drafts.clone_from(&self.kept);
                continue;
            }
            match wish.class {
                Class::Plain => {}
                Class::Light => visits.light += 1,
                Class::Heavy => visits.heavy += 1,
            }
            visits.own += wish.own;
            sum.wanted |= wish.wanted;
            sum.stop &= wish.stop;
            sum.abend = sum.abend.or(wish.abend);
            sum.messages += wish.messages;
        }
        account.messages += sum.messages;
        // The answer of an exit that failed is unknown.
        sum.stop &= !failed;
        if failed {
            self.changed();
        }
        sum
    }

    /// Returns for a release whether a manager has looked after it: a manager does not see DEQs, but learns of their end.
    fn mark_managed(&mut self, request: &Request<'_>) {
        for (at, asked) in request.resources.iter().enumerate() {
            let settled = self.drafts[at].settled;
            let name = settled.name.map_or(asked.name, |id| self.given.name(id));
            let batch = [Point::Batch, Point::BatchConditional].into_iter().flat_map(|point| self.program.at(point));
            let managed = batch.filter(|one| !one.failed).any(|one| match &one.routine {
                Routine::Manager(manager) => manager.cares_about(name, &settled),
                Routine::Table(_) | Routine::Other(_) => false,
            });
            self.drafts[at].settled.managed |= managed;
        }
    }

    fn key(&self, point: Point, asked: &Asked<'_>, at: usize) -> Key {
        let settled = self.drafts[at].settled;
        let mut qname = [0; QNAME_BYTES];
        let name = settled.name.map_or(asked.name, |id| self.given.name(id));
        qname.copy_from_slice(name.qname());
        let scopes = [asked.scope, settled.scope];
        let reserves = [asked.volume.is_some(), settled.volume.is_some()];
        Key { point, qname, scopes, reserves }
    }
}

/// A resource as it was asked for.
fn draft(asked: &Asked<'_>) -> Draft {
    Draft { settled: Settled::as_asked(asked), skip_lists: false, shown: asked.scope != Scope::Step }
}
