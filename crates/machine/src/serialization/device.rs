//! A volume that systems reserve: which of them has it, which want it, and which of its views that holds up.
//!
//! A RESERVE takes effect on the device with the next I/O of its system.  A system that reserves a volume that another
//! has finds out by that I/O, which stays pending until the release.
//!
//! Source: MVS Programming: Authorized Assembler Services Reference, RESERVE; channel/reserve.rs.

use crate::ids::{Partition, Volume};
use crate::plan::Plan;
use std::collections::VecDeque;

/// A volume that is shared by systems.
#[derive(Clone, Debug)]
pub(super) struct Device {
    /// The volume as each system sees it.
    views: Vec<(Volume, Option<Partition>)>,
    holder: Option<Partition>,
    waiting: VecDeque<Partition>,
}

/// A change of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reservation {
    /// Another system has the volume.
    Reserve(Volume),
    /// No other system has it any more.
    Release(Volume),
}

impl Device {
    pub(super) fn new(plan: &Plan, views: &[usize]) -> Self {
        let partition = |view: usize| plan.volumes[view].partition.map(|own| Partition(own as u32));
        let views = views.iter().map(|&view| (Volume(view as u32), partition(view))).collect();
        Device { views, holder: None, waiting: VecDeque::with_capacity(plan.partitions.len()) }
    }

    /// A system wants the volume for itself.
    pub(super) fn reserve(&mut self, system: Partition, out: &mut VecDeque<Reservation>) {
        if self.holder.is_some() {
            return self.waiting.push_back(system);
        }
        self.holder = Some(system);
        let others = self.views.iter().filter(|(_, owner)| *owner != Some(system));
        out.extend(others.map(|(view, _)| Reservation::Reserve(*view)));
    }

    /// A system needs it no longer.
    pub(super) fn release(&mut self, system: Partition, out: &mut VecDeque<Reservation>) {
        if self.holder != Some(system) {
            return self.waiting.retain(|waits| *waits != system);
        }
        self.holder = None;
        let others = self.views.iter().filter(|(_, owner)| *owner != Some(system));
        out.extend(others.map(|(view, _)| Reservation::Release(*view)));
        if let Some(next) = self.waiting.pop_front() {
            self.reserve(next, out);
        }
    }
}
