//! A system that leaves the others, or joins them: its resources are released, and it repeats its requests when it is
//! back.
//!
//! Source: MVS Planning: Global Resource Serialization, a system that is removed from the complex: its resources are
//! freed.  ASSUME: a ring changes its length at once, and requests of others that are on their way arrive at their
//! time. A system that comes back continues where it was, without its resources, and repeats its requests.

use super::lock::Lock;
use super::task::{Again, At, Place, Standing};
use super::{Next, Serialization};
use crate::call::Call;
use crate::ids::{Partition, Requester};
use crate::signal::serialization::{LockUse, Queueing, Serializing};
use crate::signal::{Probe, Signal};
use units::Tod;

impl Serialization {
    /// A system leaves: none of its tasks holds or waits for anything any more, and tasks elsewhere may be granted it.
    pub fn leave(&mut self, system: Partition, now: Tod, probe: &mut impl Probe) {
        self.there[system.index()] = false;
        self.clear_lock(system, now, probe);
        for number in self.tasks_of(system) {
            self.withdraw(number, Standing::is_waiting, now, probe);
            self.cut_short((number, system), now, probe);
        }
        for number in self.tasks_of(system) {
            self.withdraw(number, Standing::is_owning, now, probe);
            self.task(Requester(number)).places = Default::default();
        }
        self.outbox.clear();
        let number = u16::try_from(system.0).expect("there are fewer systems");
        self.service.end_system(number, &mut self.outbox);
        self.follow(now, probe);
    }

    /// A system is there, again or for the first time: what its tasks wanted meanwhile they ask for now.
    pub fn join(&mut self, system: Partition) {
        self.there[system.index()] = true;
        for number in self.tasks_of(system) {
            if let Some(Again::Untold(call)) = self.task(Requester(number)).again {
                self.task(Requester(number)).again = Some(Again::Told(call));
                self.woken.push_back(Requester(number));
            }
        }
    }

    /// A request while its system is not there: it is made when the system is back.
    pub(super) fn postpone(&mut self, requester: Requester, call: Call) -> Next {
        self.task(requester).again = Some(Again::Untold(call));
        Next::Wait
    }

    fn tasks_of(&self, system: Partition) -> Vec<u32> {
        let own = |number: &u32| self.tasks[*number as usize].is_some_and(|task| task.system() == system);
        (0..self.tasks.len() as u32).filter(own).collect()
    }

    fn clear_lock(&mut self, system: Partition, now: Tod, probe: &mut impl Probe) {
        let lock: Lock = std::mem::take(&mut self.locks[system.index()]);
        let mut tell = |what| probe.signal(now, Signal::Serialization(Serializing::Lock(system, what)));
        lock.waiting().for_each(|(who, asked)| tell(LockUse::Withdrawn(who, now - asked)));
        if let Some((holder, taken)) = lock.holder() {
            tell(LockUse::Given(holder, now - taken));
        }
    }

    /// Says what becomes of the places of a task that stand so.
    fn withdraw(&self, number: u32, stands: impl Fn(Standing) -> bool, now: Tod, probe: &mut impl Probe) {
        let places = self.tasks[number as usize].iter().flat_map(|task| task.places).flatten();
        for Place { meant, queue, access, standing, .. } in places.filter(|kept| stands(kept.standing)) {
            let requester = Requester(number);
            let what = match standing {
                Standing::Apart => continue,
                Standing::Waits(since) => Queueing::Withdrawn(requester, access, now - since),
                Standing::Owns(since) => Queueing::Released(requester, access, now - since),
            };
            probe.signal(now, Signal::Serialization(Serializing::Queue(meant.enqueue, queue, what)));
        }
    }

    /// Ends the request that a task is inside of, if any: a waiting task is asked to repeat it, the others do so.
    fn cut_short(&mut self, (number, system): (u32, Partition), now: Tod, probe: &mut impl Probe) {
        let Some(place) = self.task(Requester(number)).under_way.take() else { return };
        self.vacant.push(place);
        let own = &self.under_way[place as usize];
        self.tasks[number as usize].as_mut().expect("it was found").again = Some(match own.at {
            At::In(_) | At::ForOthers(_) | At::Between => Again::Told(own.call),
            At::ForLock | At::ForResource => Again::Untold(own.call),
        });
        let lost = Serializing::Lost(system, own.way.left(own.next), now - own.began);
        probe.signal(now, Signal::Serialization(lost));
    }
}
