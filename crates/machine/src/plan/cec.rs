//! The physical processors of a machine, by which rules partitions share them, and what each partition is promised.

use super::cfs::{CfsPlan, CgroupPlan};
use units::{Percent, Span};

/// The processors of a machine and how domains share them.
#[derive(Clone, Debug, PartialEq)]
pub struct CecPlan {
    /// How many physical processors there are.
    pub processors: u32,
    /// By which rules the shared ones go round.
    pub dispatcher: DispatcherPlan,
    /// The time of switching a processor to another domain.
    pub switch: Span,
}

/// By which rules shared processors go round.
#[derive(Clone, Debug, PartialEq)]
pub enum DispatcherPlan {
    /// Fixed slices in turn (580/MDF).
    Slices(SlicesPlan),
    /// Each logical processor by itself, by weight (PR/SM).
    Prsm(PrsmPlan),
    /// Threads in groups, each fairly and up to its limit (Linux).
    Cfs(CfsPlan),
}

/// Fixed slices in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlicesPlan {
    /// The slice of a domain whose share is an equal one.
    pub slice: Span,
    /// Whether all shared processors go to one domain at a time.
    pub dispatching: Dispatching,
}

/// Logical processors by weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrsmPlan {
    /// How long a logical processor runs at most; without it, by the formula.
    pub run_time: Option<Span>,
    /// Whether a logical processor in wait keeps the physical one until its run is over.
    pub wait_completion: bool,
    /// Whether an I/O interrupt preempts.
    pub preemption: Preemption,
}

/// Whether an I/O interrupt for a logical processor that is not carried takes a physical one from another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preemption {
    /// It waits for its turn.
    Never,
    /// From one that has had more of its share.
    #[default]
    Share,
    /// Always.
    Always,
}

impl CecPlan {
    /// Processors that go round in fixed slices.
    pub fn slices(processors: u32, slice: Span, dispatching: Dispatching, switch: Span) -> CecPlan {
        CecPlan { processors, dispatcher: DispatcherPlan::Slices(SlicesPlan { slice, dispatching }), switch }
    }
}

/// How the shared processors go from domain to domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dispatching {
    /// All to one domain at a time.
    #[default]
    Together,
    /// Each a turn ahead of the one before it.
    Apart,
}

/// Which physical processors carry a partition's logical ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Processors {
    /// They are shared with other partitions (MP mode).
    Shared {
        /// The share that is aimed at.
        target: Percent,
        /// The most it gets.
        maximum: Percent,
    },
    /// They are shared with other partitions by weight (PR/SM).
    Weighted(WeightPlan),
    /// It is a group of threads with a run queue on each of them (Linux).
    Cgroup(CgroupPlan),
    /// One each, exclusively (UP mode).
    Dedicated,
}

/// The weight of a partition, and its limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightPlan {
    /// Its weight, 1 to 999.
    pub weight: u32,
    /// Whether each logical processor gets no more than its share, though no other wants the rest.
    pub capped: bool,
    /// The most that the partition gets, in processors' worth.
    pub cap: Option<f64>,
    /// How its share lies on its logical processors.
    pub polarization: Polarization,
    /// The group whose cap holds for it too, index into [`super::Plan::lpar_groups`].
    pub group: Option<usize>,
    /// How many of its logical processors are online at the start, the first ones; all without it.
    pub online: Option<u32>,
}

/// Partitions that together get no more than a cap (PR/SM, absolute group capping).
#[derive(Clone, Debug, PartialEq)]
pub struct GroupPlan {
    /// Its name in the scenario.
    pub name: String,
    /// The most that its members get together, in processors' worth.
    pub cap: f64,
}

impl WeightPlan {
    /// This weight, without caps, horizontal.
    pub fn new(weight: u32) -> WeightPlan {
        WeightPlan {
            weight,
            capped: false,
            cap: None,
            polarization: Polarization::Horizontal,
            group: None,
            online: None,
        }
    }
}

/// How the share of a partition lies on its logical processors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Polarization {
    /// Evenly.
    #[default]
    Horizontal,
    /// On as few as possible: high, medium, low.
    Vertical,
}

/// The share of a partition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Share {
    /// Of the frame of slices; what is not given stays as it was.
    Slices {
        /// The share that is aimed at.
        target: Option<Percent>,
        /// The most it gets.
        maximum: Option<Percent>,
    },
    /// Beside the weights of the others.
    Weight(u32),
}
