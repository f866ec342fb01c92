//! A resource: which of its members are free, and who holds or waits for one.

use crate::guest::program::MOST_HELD;
use crate::ids::{Requester, Resource};
use crate::plan::ResourcePlan;
use kernel::draw::{Draw, Streams};
use std::collections::VecDeque;
use units::Tod;

/// A resource.
#[derive(Clone, Debug)]
pub struct ResourceState {
    pub(in crate::guest) members: Vec<Member>,
    draw: Draw,
}

/// One of the things that are alike.
#[derive(Clone, Debug)]
pub(in crate::guest) struct Member {
    pub(in crate::guest) free: u32,
    pub(in crate::guest) waiting: VecDeque<Requester>,
}

/// What a requester holds, or waits for.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    /// Of which resource.
    pub resource: Resource,
    pub(in crate::guest) member: u32,
    /// When he asked for it.
    pub asked: Tod,
    /// Since when he has it; none while he waits for it.
    pub since: Option<Tod>,
}

/// The holds of a requester, the outermost first.
pub type Holds = [Option<Held>; MOST_HELD];

/// Where the member that a requester holds by the hold of a depth stands among all of them, from 0 to 1.
pub(in crate::guest) fn member(resources: &[ResourceState], holds: &Holds, depth: usize) -> f64 {
    let held = holds[depth].expect("the step stands inside the hold");
    (f64::from(held.member) + 0.5) / resources[held.resource.index()].members.len() as f64
}

impl ResourceState {
    pub(in crate::guest) fn new(plan: &ResourcePlan, streams: &Streams) -> Self {
        let member = Member { free: plan.count, waiting: VecDeque::new() };
        let draw = streams.stream(&format!("resource/{}", plan.name));
        ResourceState { members: vec![member; plan.members as usize], draw }
    }

    /// Which member somebody needs; drawn only where there are several.
    pub(in crate::guest) fn which(&mut self) -> u32 {
        let members = self.members.len() as u32;
        if members > 1 { self.draw.below(members) } else { 0 }
    }
}
