//! A partition, or domain, as it is to be built.

use super::cec::Processors;
use super::control_program::ControlProgramPlan;
use kernel::distribution::Distribution;
use units::{Percent, Span};

/// A partition, or domain: an operating system with processors of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionPlan {
    /// Its name in the scenario.
    pub name: String,
    /// How many logical processors it has.
    pub logical: u32,
    /// Whether it is there from the start; otherwise a change adds it.
    pub active: bool,
    /// Which physical processors carry them.
    pub processors: Processors,
    /// How long its second-level interrupt handler takes for one interrupt.
    pub slih: Distribution,
    /// How many of its logical processors are enabled for I/O interrupts while they have work; those in wait always are.
    pub enabled: u32,
    /// How that number follows the interrupts; without it, it stays.
    pub cpenable: Option<CpEnablePlan>,
    /// The cost of a start to the program that requests an I/O, before the channel subsystem has it (SSCH).
    pub ssch: Option<Distribution>,
    /// What a logical processor loses at the beginning of a slice: storage that others have pushed out of the caches.
    pub reload: Span,
    /// The measurement program inside it.
    pub sampler: Option<SamplerPlan>,
    /// The control program inside it; without one an operating system runs guests itself.
    pub control_program: Option<ControlProgramPlan>,
}

impl PartitionPlan {
    /// A partition with these processors whose handler needs no time, and nothing else.
    pub fn new(name: &str, logical: u32, processors: Processors) -> PartitionPlan {
        PartitionPlan {
            name: name.into(),
            logical,
            active: true,
            processors,
            slih: Distribution::Constant(Span::ZERO),
            enabled: 1,
            cpenable: None,
            ssch: None,
            reload: Span::ZERO,
            sampler: None,
            control_program: None,
        }
    }

    /// How many of its logical processors are online at the start, the first ones.
    pub fn online_first(&self) -> u32 {
        match self.processors {
            Processors::Weighted(weight) => weight.online.unwrap_or(self.logical),
            Processors::Shared { .. } | Processors::Cgroup(_) | Processors::Dedicated => self.logical,
        }
    }

    /// How many of its logical processors are enabled for I/O interrupts at the beginning: all with `CPENABLE(0,0)`.
    ///
    /// "A CPENABLE=(0,0) setting, enabling all CPs to handle I/O interrupts" (IBM z17, z/OS CPENABLE).  Otherwise as
    /// many as there are TPIs for would be enabled, because no share of TPI is below 0.
    pub fn enabled_first(&self) -> u32 {
        let all = self.cpenable.is_some_and(|cpenable| cpenable.high.fraction() <= 0.0);
        if all { self.logical } else { self.enabled }
    }
}

/// A measurement program that runs inside the partition that it measures (RMF).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplerPlan {
    /// How far apart its timer pops.
    pub cycle: Span,
    /// How far at most a pop strays from that: its clock and the slices are not in step.
    pub jitter: Span,
    /// How a sample is taken once the timer has popped.
    pub taken: SampleTaken,
}

/// How a sample is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SampleTaken {
    /// Where the interrupt of the timer is handled, before any I/O interrupt, as soon as the partition is dispatched.
    AtTheTimer,
    /// By a task that competes for the processors of the partition.
    ByTask {
        /// Its dispatching priority: the higher number goes first.
        priority: u8,
        /// Its processor time.
        takes: Distribution,
    },
}

/// The thresholds between which a partition keeps the share of interrupts that handlers find by testing: `CPENABLE`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CpEnablePlan {
    /// Below this share of TPI one processor fewer is enabled.
    pub low: Percent,
    /// Above this share of TPI one more is enabled.
    pub high: Percent,
    /// How often it is looked at.
    pub every: Span,
}
