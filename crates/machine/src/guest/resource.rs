//! A resource: a number of units, held by requesters for a while, with a queue of requesters that find none free.
//!
//! A resource may have equal members, such as a hundred application programs each of which is scheduled serially.  A
//! requester needs a certain one, each equally likely, and waits for that.

use super::Guests;
use super::program::MOST_HELD;
use super::requester::Activity;
use crate::effect::Outbox;
use crate::ids::{Requester, Resource};
use crate::plan::ResourcePlan;
use crate::signal::{Probe, Signal, Use};
use kernel::draw::{Draw, Streams};
use std::collections::VecDeque;
use units::Tod;

/// A resource.
#[derive(Clone, Debug)]
pub struct ResourceState {
    members: Vec<Member>,
    draw: Draw,
}

/// One of the things that are alike.
#[derive(Clone, Debug)]
struct Member {
    free: u32,
    waiting: VecDeque<Requester>,
}

/// A hold of a requester, or its wait for one.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    /// Of which resource.
    pub resource: Resource,
    member: u32,
    /// When it was requested.
    pub asked: Tod,
    /// When it was granted; none while the requester waits.
    pub since: Option<Tod>,
}

/// The holds of a requester, the outermost first.
pub type Holds = [Option<Held>; MOST_HELD];

/// The place of the member that a requester holds by the hold of a depth among all of them, from 0 to 1.
pub(super) fn member(resources: &[ResourceState], holds: &Holds, depth: usize) -> f64 {
    let held = holds[depth].expect("the step is inside the hold");
    (f64::from(held.member) + 0.5) / resources[held.resource.index()].members.len() as f64
}

impl ResourceState {
    pub(super) fn new(plan: &ResourcePlan, streams: &Streams) -> Self {
        let member = Member { free: plan.count, waiting: VecDeque::new() };
        let draw = streams.stream(&format!("resource/{}", plan.name));
        ResourceState { members: vec![member; plan.members as usize], draw }
    }

    /// The member that a requester needs; drawn only where there are several.
    fn which(&mut self) -> u32 {
        let members = self.members.len() as u32;
        if members > 1 { self.draw.below(members) } else { 0 }
    }
}

impl Guests {
    /// A requester needs a resource: it has it from now on, or waits for it; returns whether it has it.
    pub(super) fn take(
        &mut self,
        requester: Requester,
        (resource, depth): (Resource, usize),
        now: Tod,
        probe: &mut impl Probe,
    ) -> bool {
        if self.holds.len() <= requester.index() {
            self.holds.resize(requester.index() + 1, Holds::default());
        }
        let state = &mut self.resources[resource.index()];
        let member = state.which();
        let Member { free, waiting } = &mut state.members[member as usize];
        let has_it = *free > 0;
        if has_it {
            *free -= 1;
        } else {
            waiting.push_back(requester);
        }
        self.holds[requester.index()][depth] =
            Some(Held { resource, member, asked: now, since: has_it.then_some(now) });
        let user = &mut self.requesters[requester.index()];
        if has_it {
            probe.signal(now, Signal::Resource(resource, Use::Taken(user.group, requester, None)));
        } else {
            (user.activity, user.since) = (Activity::Queueing(depth), now);
            probe.signal(now, Signal::Resource(resource, Use::Awaited(requester)));
        }
        has_it
    }

    /// A requester releases a resource: the one that has waited longest for it has it from now on.
    pub(super) fn give(
        &mut self,
        requester: Requester,
        (resource, depth): (Resource, usize),
        now: Tod,
        (effects, probe): (&mut impl Outbox, &mut impl Probe),
    ) {
        let held = self.holds[requester.index()][depth].take().expect("a released unit was taken");
        let since = held.since.expect("a released unit was granted");
        probe.signal(now, Signal::Resource(resource, Use::Given(requester, now - since)));
        let member = &mut self.resources[resource.index()].members[held.member as usize];
        match member.waiting.pop_front() {
            Some(next) => effects.granted(next),
            None => member.free += 1,
        }
    }

    /// A requester is granted a unit, and goes on.
    pub fn granted(&mut self, requester: Requester, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let user = &self.requesters[requester.index()];
        let Activity::Queueing(depth) = user.activity else {
            unreachable!("only a waiting requester is granted a unit")
        };
        let held = self.holds[requester.index()][depth].as_mut().expect("it waits for the unit");
        held.since = Some(now);
        probe.signal(now, Signal::Resource(held.resource, Use::Taken(user.group, requester, Some(now - user.since))));
        self.go_on(requester, now, effects, probe);
    }
}
