//! The book of names: every resource of a plan and its members, made once, with the queues that each has.
//!
//! A name that reaches over one system has a queue in each.  One that reaches over an address space has one in each
//! group of guests.  The queues of a name are numbered for observers.

use super::task::{Member, Place, Standing};
use crate::call::Ask;
use crate::ids::Enqueue;
use crate::plan::{EnqueuePlan, Plan, Structure};
use ::serialization::{Requester, ResourceName, Scope};
use kernel::draw::{Draw, Streams};

/// All names.
#[derive(Clone, Debug)]
pub(super) struct Book {
    pages: Vec<Page>,
    /// How many queues a member may have.
    each: u32,
    /// Which of them is the first of a system, and which the one of all systems.
    first: [u32; 2],
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

/// Of which member of its resource a queue is that has this number.
pub fn member_of(plan: &Plan, queue: u32) -> u32 {
    queue / each(plan) as u32
}

/// How many queues a member may have.
fn each(plan: &Plan) -> usize {
    let (systems, spaces) = (plan.partitions.len(), plan.guests.len());
    if is_mixed(plan) { spaces + systems + 1 } else { systems.max(spaces) }
}

/// Whether a name may have several reaches, by the requests and by exits.  It then has queues in each group of guests,
/// in each system and one for all of them.  Otherwise it has those of one kind only.
fn is_mixed(plan: &Plan) -> bool {
    // A front end of the supervisor call leaves to one system what comes by the other door.
    plan.serialization.as_ref().is_some_and(|own| !own.exits.is_empty() || own.structure == Structure::SvcFrontEnd)
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
        let exits = plan.serialization.iter().flat_map(|own| &own.exits);
        exits.filter_map(|exit| exit.volume.as_ref()).for_each(|views| {
            device(views);
        });
        let (systems, spaces) = (plan.partitions.len() as u32, plan.guests.len() as u32);
        let first = if is_mixed(plan) { [spaces, spaces + systems] } else { [0, 0] };
        Book { pages, each: each(plan) as u32, first, devices }
    }

    /// How many resources there are.
    pub(super) fn len(&self) -> usize {
        self.pages.len()
    }

    /// The volumes that are reserved, by their numbers.
    pub(super) fn devices(&self) -> &[Vec<usize>] {
        &self.devices
    }

    /// The number of a volume that the systems see so; none of no views.
    pub(super) fn device(&self, views: &[usize]) -> Option<u32> {
        self.devices.iter().position(|known| known == views).map(|number| number as u32)
    }

    /// The member that a task requests; drawn only where there are several.
    pub(super) fn draw(&mut self, ask: &Ask) -> Place {
        let page = &mut self.pages[ask.enqueue.index()];
        let members = page.members.len() as u32;
        let member = if members > 1 { page.draw.below(members) } else { 0 };
        let asked = Member { enqueue: ask.enqueue, member };
        let (access, linkage) = (ask.access, ask.linkage);
        Place {
            asked,
            meant: asked,
            scope: page.scope,
            queue: 0,
            access,
            linkage,
            settled: None,
            standing: Standing::Apart,
        }
    }

    /// The queue of a task for a member of a name with this reach.
    pub(super) fn queue(&self, place: &Place, by: Requester) -> u32 {
        let own = match place.scope {
            Scope::Step => by.space.into(),
            Scope::System => self.first[0] + u32::from(by.system),
            Scope::Systems => self.first[1],
        };
        place.meant.member * self.each + own
    }

    /// The name of a member.
    pub(super) fn name(&self, one: Member) -> &ResourceName {
        &self.pages[one.enqueue.index()].members[one.member as usize]
    }

    /// The member that has this name.
    pub(super) fn find(&self, name: &ResourceName) -> Option<Member> {
        let members = |page: &Page| page.members.iter().position(|member| member == name);
        let found = self.pages.iter().enumerate().find_map(|(number, page)| Some((number, members(page)?)));
        found.map(|(number, member)| Member { enqueue: Enqueue(number as u32), member: member as u32 })
    }

    /// The number of a requested member among all members of all resources.
    pub(super) fn number(&self, place: &Place) -> usize {
        (self.pages[place.asked.enqueue.index()].first + place.asked.member) as usize
    }

    /// How many members all resources have.
    pub(super) fn members(&self) -> usize {
        self.pages.iter().map(|page| page.members.len()).sum()
    }

    /// The number of the volume that a RESERVE of it names, where it is one.
    pub(super) fn volume(&self, place: &Place) -> Option<u32> {
        self.pages[place.asked.enqueue.index()].device
    }

    /// The reach of its name as requested.
    pub(super) fn asked(&self, place: &Place) -> Scope {
        self.pages[place.asked.enqueue.index()].scope
    }
}

fn name(enqueue: &EnqueuePlan, member: u32) -> ResourceName {
    let rname = enqueue.rname_of(member);
    ResourceName::new(enqueue.qname.as_bytes(), rname.as_bytes()).expect("names have been checked")
}
