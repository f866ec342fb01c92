//! The book of names: every resource of a plan and its members, made once, with the queues that each has.
//!
//! It leaves out who is queued. A name that reaches over one system has a queue in each, one that reaches over an address
//! space one in each group of guests; the queues of a name are numbered, so that observers can tell them apart.

use super::task::{Place, Standing};
use crate::call::Ask;
use crate::plan::{EnqueuePlan, Plan};
use ::serialization::{Requester, ResourceName, Scope};
use kernel::draw::{Draw, Streams};

/// All names.
#[derive(Clone, Debug)]
pub(super) struct Book {
    pages: Vec<Page>,
    /// How many queues a member may have.
    each: u32,
    /// The volumes that are reserved, each as the systems see it.
    devices: Vec<Vec<usize>>,
}

/// A resource with its members.
#[derive(Clone, Debug)]
struct Page {
    members: Vec<ResourceName>,
    /// The number of its first member among those of all pages.
    first: u32,
    scope: Scope,
    draw: Draw,
    device: Option<u32>,
}

/// How many queues a resource of a plan may have: those of each of its members.
pub fn queues(plan: &Plan, enqueue: &EnqueuePlan) -> usize {
    enqueue.members as usize * each(plan)
}

/// How many queues a member may have: one in each system, or in each group of guests.
fn each(plan: &Plan) -> usize {
    plan.partitions.len().max(plan.guests.len())
}

impl Book {
    pub(super) fn new(plan: &Plan, streams: &Streams) -> Self {
        let mut devices: Vec<Vec<usize>> = Vec::new();
        let mut device = |views: &Vec<usize>| {
            if views.is_empty() {
                return None;
            }
            let known = devices.iter().position(|other| other == views);
            Some(known.unwrap_or_else(|| {
                devices.push(views.clone());
                devices.len() - 1
            }) as u32)
        };
        let mut first = 0;
        let page = |enqueue: &EnqueuePlan| {
            let page = Page {
                members: (0..enqueue.members).map(|member| name(enqueue, member)).collect(),
                first,
                scope: enqueue.scope,
                draw: streams.stream(&format!("enqueue/{}", enqueue.name)),
                device: device(&enqueue.reserve),
            };
            first += enqueue.members;
            page
        };
        let pages = plan.enqueues.iter().map(page).collect();
        Book { pages, each: each(plan) as u32, devices }
    }

    /// How many resources there are.
    pub(super) fn len(&self) -> usize {
        self.pages.len()
    }

    /// The volumes that are reserved, by their numbers.
    pub(super) fn devices(&self) -> &[Vec<usize>] {
        &self.devices
    }

    /// A member for somebody who asks; drawn only where there are several.
    pub(super) fn draw(&mut self, ask: &Ask) -> Place {
        let page = &mut self.pages[ask.enqueue.index()];
        let members = page.members.len() as u32;
        let member = if members > 1 { page.draw.below(members) } else { 0 };
        let (enqueue, access, linkage) = (ask.enqueue, ask.access, ask.linkage);
        Place {
            enqueue,
            member,
            scope: page.scope,
            queue: 0,
            access,
            linkage,
            settled: None,
            standing: Standing::Apart,
        }
    }

    /// The queue in which somebody stands who means a member by a name that reaches so far.
    pub(super) fn queue(&self, place: &Place, by: Requester) -> u32 {
        let own = match place.scope {
            Scope::Step => by.space.into(),
            Scope::System => by.system.into(),
            Scope::Systems => 0,
        };
        place.member * self.each + own
    }

    /// The name of what somebody asked for.
    pub(super) fn name(&self, place: &Place) -> &ResourceName {
        &self.pages[place.enqueue.index()].members[place.member as usize]
    }

    /// The resource of which a member has this name.
    pub(super) fn find(&self, name: &ResourceName) -> Option<usize> {
        self.pages.iter().position(|page| page.members.contains(name))
    }

    /// Its number among all members of all resources.
    pub(super) fn number(&self, place: &Place) -> usize {
        (self.pages[place.enqueue.index()].first + place.member) as usize
    }

    /// How many members all resources have.
    pub(super) fn members(&self) -> usize {
        self.pages.iter().map(|page| page.members.len()).sum()
    }

    /// The number of the volume that a RESERVE of it names, where it is one.
    pub(super) fn volume(&self, place: &Place) -> Option<u32> {
        self.pages[place.enqueue.index()].device
    }

    /// How far its name is meant to reach by who asks.
    pub(super) fn asked(&self, place: &Place) -> Scope {
        self.pages[place.enqueue.index()].scope
    }
}

fn name(enqueue: &EnqueuePlan, member: u32) -> ResourceName {
    let rname = enqueue.rname_of(member);
    ResourceName::new(enqueue.qname.as_bytes(), rname.as_bytes()).expect("names have been checked")
}
