//! The counts of spin locks in virtual machines, in whole numbers: holders, spinning, times.
//!
//! Locks of one name in one machine are counted together.  Each take and release is checked: a lock that is taken is
//! free, and only its holder releases it.

use kernel::statistics::TimeAverage;
use machine::ids::{Requester, SpinLock};
use machine::plan::{Plan, SpinLockPlan};
use machine::signal::Use;
use units::{Span, Tod};

/// Of all spin locks; without any, it is empty.
#[derive(Clone, Debug, Default)]
pub struct SpinLockCounts {
    /// Those of one name in one machine each: the locks of the plan in their order, machine by machine.
    pub rows: Vec<RowCounts>,
    /// The row of each lock.
    row_of: Vec<u32>,
    /// The holder of each lock.
    holders: Vec<Option<(Requester, Tod)>>,
    /// Times that a held lock was taken, or released by another or after another time than it was held; a law requires
    /// zero.
    pub broken: u64,
}

/// Of the locks of one name in one machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowCounts {
    /// Takes, and those after spinning.
    pub taken: u64,
    pub contended: u64,
    /// From the first try to having it, in all, and the longest.
    pub wait: u128,
    pub longest: Span,
    /// Times given back, and for how long they were held then.
    pub given: u64,
    pub held: u128,
    /// Guests that spin for one.
    pub spinning: TimeAverage,
    /// The number held now and at the start of the interval, and since when it is that many.
    holding: u32,
    held_before: u32,
    since: Tod,
    area: u128,
    /// How long any was held.
    any: u64,
}

/// The locks of one name in one machine, as a plan has them.
pub struct Row<'a> {
    /// The lock in the plan.
    pub lock: &'a SpinLockPlan,
    /// Which of its kind the machine is.
    pub machine: u32,
}

/// The rows of a plan, in the order in which they are counted.
pub fn rows(plan: &Plan) -> impl Iterator<Item = Row<'_>> {
    plan.spin_locks.iter().flat_map(|lock| {
        let machines = plan.virtual_machines[lock.machines].count;
        (0..machines).map(move |machine| Row { lock, machine })
    })
}

/// The row of every lock of a plan.
pub fn row_of(plan: &Plan) -> Vec<u32> {
    (0..).zip(rows(plan)).flat_map(|(number, row)| std::iter::repeat_n(number, row.lock.count as usize)).collect()
}

/// Of every lock of a plan, the kind of the machines that have it.
pub fn machines(plan: &Plan) -> impl Iterator<Item = usize> {
    rows(plan).flat_map(|row| std::iter::repeat_n(row.lock.machines, row.lock.count as usize))
}

/// A lock in the plan.
pub fn lock(plan: &Plan, lock: SpinLock) -> &SpinLockPlan {
    let mut locks = rows(plan).flat_map(|row| std::iter::repeat_n(row.lock, row.lock.count as usize));
    locks.nth(lock.index()).expect("every lock is of some machine")
}

/// What a lock is called: "CLIENT 1 dcache", numbered from zero where there are several of that name: "CLIENT 1 inode 3".
pub fn name(plan: &Plan, lock: SpinLock) -> String {
    let mut member = lock.0;
    let of = rows(plan).find(|row| {
        let own = member < row.lock.count;
        member -= if own { 0 } else { row.lock.count };
        own
    });
    let row = of.expect("every lock is of some machine");
    let alone = format!("{} {} {}", plan.virtual_machines[row.lock.machines].name, row.machine, row.lock.name);
    if row.lock.count == 1 { alone } else { format!("{alone} {member}") }
}

impl SpinLockCounts {
    /// Counts for the spin locks of a plan.
    pub fn new(plan: &Plan) -> Self {
        let row_of = row_of(plan);
        SpinLockCounts {
            rows: vec![RowCounts::default(); rows(plan).count()],
            holders: vec![None; row_of.len()],
            row_of,
            broken: 0,
        }
    }

    /// Starts an interval.
    pub fn reset(&mut self, now: Tod) {
        self.rows.iter_mut().for_each(|row| row.reset(now));
        self.broken = 0;
    }

    /// Records a guest's transition with a lock.
    #[inline]
    pub fn signal(&mut self, now: Tod, lock: SpinLock, what: Use) {
        let row = &mut self.rows[self.row_of[lock.index()] as usize];
        let holder = &mut self.holders[lock.index()];
        match what {
            Use::Awaited(_) => row.spinning.change(now, 1),
            Use::Taken(_, requester, waited) => {
                self.broken += u64::from(holder.replace((requester, now)).is_some());
                row.taken(now, waited);
            }
            Use::Given(requester, held) => {
                let had = holder.take().is_some_and(|(holder, since)| holder == requester && now - since == held);
                self.broken += u64::from(!had);
                row.given(now, held);
            }
        }
    }
}

impl RowCounts {
    #[inline]
    fn taken(&mut self, now: Tod, waited: Option<Span>) {
        self.taken += 1;
        if let Some(waited) = waited {
            self.contended += 1;
            self.wait += u128::from(waited.units());
            self.longest = self.longest.max(waited);
            self.spinning.change(now, -1);
        }
        self.close(now);
        self.holding += 1;
    }

    #[inline]
    fn given(&mut self, now: Tod, held: Span) {
        self.given += 1;
        self.held += u128::from(held.units());
        self.close(now);
        // A release of a free lock breaks a law, which is reported at the end of the interval.
        self.holding = self.holding.saturating_sub(1);
    }

    #[inline]
    fn close(&mut self, now: Tod) {
        (self.area, self.any) = (self.area(now), self.any(now));
        self.since = now;
    }

    /// The area under how many are held, since the last reset.
    pub fn area(&self, now: Tod) -> u128 {
        self.area + u128::from((now - self.since).units()) * u128::from(self.holding)
    }

    /// How long any has been held since then.
    pub fn any(&self, now: Tod) -> u64 {
        self.any + if self.holding > 0 { (now - self.since).units() } else { 0 }
    }

    /// How many are held now, and how many were at the last reset.
    pub fn holding(&self) -> (u32, u32) {
        (self.holding, self.held_before)
    }

    fn reset(&mut self, now: Tod) {
        let mut spinning = self.spinning;
        spinning.reset(now);
        let holding = self.holding;
        *self = RowCounts { spinning, holding, held_before: holding, since: now, ..RowCounts::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::ids::Group;
    use machine::plan::{LockOrder, SpinPlan, VirtualMachinePlan, VmShare};

    /// Two machines with two locks A and one B each.
    fn plan() -> Plan {
        let lock =
            |name: &str, count| SpinLockPlan { name: name.into(), machines: 0, count, order: LockOrder::Unordered };
        Plan {
            virtual_machines: vec![VirtualMachinePlan {
                name: "VM".into(),
                partition: 0,
                count: 2,
                virtual_processors: 2,
                share: VmShare::Relative(100),
                limit: None,
                footprint: None,
                spin: SpinPlan::default(),
            }],
            spin_locks: vec![lock("A", 2), lock("B", 1)],
            ..Plan::default()
        }
    }

    fn at(us: u64) -> Tod {
        Tod::START + Span::from_us(us)
    }

    fn us(units: u128) -> u128 {
        units / u128::from(Span::from_us(1).units())
    }

    fn taken(by: u32, waited: Option<u64>) -> Use {
        Use::Taken(Group(0), Requester(by), waited.map(Span::from_us))
    }

    fn given(by: u32, held: u64) -> Use {
        Use::Given(Requester(by), Span::from_us(held))
    }

    #[test]
    fn locks_are_numbered_by_name_then_by_machine_then_one_by_one() {
        assert_eq!(row_of(&plan()), [0, 0, 1, 1, 2, 3]);
        let named: Vec<_> = rows(&plan()).map(|row| format!("{} {}", row.lock.name, row.machine)).collect();
        assert_eq!(named, ["A 0", "A 1", "B 0", "B 1"]);
        let names = [0, 3, 5].map(|lock| name(&plan(), SpinLock(lock)));
        assert_eq!(names, ["VM 0 A 0", "VM 1 A 1", "VM 1 B"]);
    }

    #[test]
    fn who_spins_waits_from_his_first_try_until_he_has_it() {
        let mut counts = SpinLockCounts::new(&plan());
        let lock = SpinLock(4);
        counts.signal(at(0), lock, taken(1, None));
        counts.signal(at(2), lock, Use::Awaited(Requester(2)));
        counts.signal(at(10), lock, given(1, 10));
        counts.signal(at(11), lock, taken(2, Some(9)));
        counts.signal(at(15), lock, given(2, 4));
        let row = &counts.rows[2];
        assert_eq!((row.taken, row.contended, row.given), (2, 1, 2));
        assert_eq!((us(row.wait), row.longest), (9, Span::from_us(9)));
        assert_eq!((us(row.held), us(row.area(at(20))), us(row.any(at(20)).into())), (14, 14, 14));
        assert_eq!(us(row.spinning.area(at(20))), 9);
        assert_eq!(counts.broken, 0);
    }

    #[test]
    fn two_of_a_name_may_be_held_at_a_time() {
        let mut counts = SpinLockCounts::new(&plan());
        counts.signal(at(0), SpinLock(2), taken(1, None));
        counts.signal(at(4), SpinLock(3), taken(2, None));
        counts.signal(at(6), SpinLock(2), given(1, 6));
        counts.signal(at(9), SpinLock(3), given(2, 5));
        let row = &counts.rows[1];
        assert_eq!((us(row.area(at(10))), us(row.any(at(10)).into()), counts.broken), (11, 9, 0));
    }

    #[test]
    fn two_who_have_one_lock_break_a_law() {
        let mut counts = SpinLockCounts::new(&plan());
        counts.signal(at(0), SpinLock(0), taken(1, None));
        counts.signal(at(1), SpinLock(0), taken(2, None));
        assert_eq!(counts.broken, 1);
    }

    #[test]
    fn who_gives_back_what_another_has_or_says_another_time_breaks_it_too() {
        let mut counts = SpinLockCounts::new(&plan());
        counts.signal(at(0), SpinLock(0), taken(1, None));
        counts.signal(at(1), SpinLock(0), given(2, 1));
        assert_eq!(counts.broken, 1);
        counts.signal(at(2), SpinLock(1), taken(1, None));
        counts.signal(at(4), SpinLock(1), given(1, 1));
        assert_eq!(counts.broken, 2);
    }

    #[test]
    fn who_has_a_lock_when_an_interval_begins_has_it_still() {
        let mut counts = SpinLockCounts::new(&plan());
        counts.signal(at(0), SpinLock(0), taken(1, None));
        counts.reset(at(5));
        counts.signal(at(8), SpinLock(0), given(1, 8));
        let row = &counts.rows[0];
        assert_eq!((row.holding(), us(row.held), us(row.area(at(9))), counts.broken), ((0, 1), 8, 3, 0));
    }
}
