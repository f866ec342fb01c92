//! What a timeline knows of control programs: how virtual processors stand, and where they ran.

use super::who::Who;
use super::why::Waiting;
use crate::counts::vector::Lists;
use crate::counts::virtual_processor as virtuals;
use machine::ids::{Logical, Partition, Virtual};
use machine::plan::Plan;
use machine::signal::{Diagnosed, VirtualStanding};

/// A virtual processor as far as the timeline knows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct VirtualOne {
    pub who: Who,
    pub waits: Option<Waiting>,
    pub standing: VirtualStanding,
    /// Where it ran last.
    pub on: Logical,
    /// How it has just ended its slice, if it did.
    pub yielded: Option<Diagnosed>,
}

/// All virtual processors, and what control programs have otherwise.
#[derive(Clone, Debug)]
pub(super) struct Control {
    /// The first virtual processor among the places; the locks of all partitions come after the last.
    first: usize,
    pub virtuals: Vec<VirtualOne>,
    /// Who is about to join a vector: that is told next.
    pub joins: Option<Virtual>,
    /// Who ran last on each logical processor.
    pub ran: Vec<Option<Virtual>>,
    /// Whether each logical processor is parked.
    pub parked: Vec<bool>,
    /// Whether each partition has one list for all its virtual processors, and whether it may have.
    pub global: Vec<bool>,
    pub lists: Vec<Lists>,
    /// The partitions with a control program.
    holders: Vec<usize>,
}

impl Control {
    /// Nobody has anything to do; the first of its places is this one.
    pub fn new(plan: &Plan, first: usize) -> Self {
        let groups = plan.groups() as u32;
        let kinds = (groups..).zip(virtuals::kinds(plan));
        let ones = kinds.flat_map(|(group, (_, own))| {
            (0..own.len() as u64).map(move |number| VirtualOne {
                who: Who { group, number },
                waits: None,
                standing: VirtualStanding::Idle,
                on: Logical(0),
                yielded: None,
            })
        });
        let logical: u32 = plan.partitions.iter().map(|partition| partition.logical).sum();
        let program = |partition: usize| plan.partitions[partition].control_program.as_ref();
        let lists = Lists::of(plan);
        let is_global =
            |partition: usize| program(partition).is_some_and(|own| lists[partition].one_for_all(own.srm.polarization));
        Control {
            first,
            virtuals: ones.collect(),
            joins: None,
            ran: vec![None; logical as usize],
            parked: vec![false; logical as usize],
            global: (0..plan.partitions.len()).map(is_global).collect(),
            lists,
            holders: (0..plan.partitions.len()).filter(|partition| program(*partition).is_some()).collect(),
        }
    }

    /// How many places there are.
    pub fn places(&self) -> usize {
        self.virtuals.len() + self.holders.len()
    }

    /// The place of a virtual processor.
    pub fn place(&self, number: Virtual) -> usize {
        self.first + number.index()
    }

    /// Who has a logical processor, though it may be handling an interrupt.
    pub fn has(&self, logical: Logical) -> Option<Virtual> {
        self.ran[logical.index()].filter(|number| {
            let own = &self.virtuals[number.index()];
            let has = own.standing == VirtualStanding::Running || own.standing == VirtualStanding::Interrupted;
            has && own.on == logical
        })
    }

    /// The place of the lock of a partition.
    pub fn lock(&self, partition: Partition) -> usize {
        let holder = self.holders.iter().position(|holder| *holder == partition.index());
        self.first + self.virtuals.len() + holder.expect("it has a control program")
    }
}
