//! A resource: a number of units, held by requesters for a while, with a queue of requesters that find none free.
//!
//! A resource may have equal members, such as a hundred application programs each of which is scheduled serially.  A
//! requester needs a certain one, each equally likely, and waits for that.

use super::Guests;
use super::requester::Activity;
use super::state::resource::{Held, Holds, Member};
use crate::effect::Outbox;
use crate::ids::{Requester, Resource};
use crate::signal::{Probe, Signal, Use};
use units::Tod;

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
