//! The reach of each name that guests enqueue on: the guests that mean the same resource by it.

use machine::plan::{EnqueuePlan, ExitPlan, GuestPlan, Plan, RunsInPlan, Scope};
use serialization::ResourceName;
use serialization::name_list::{Asked, NameLists};

/// The scope of each enqueue after name lists; none where an exit of the installation's own may change it.
pub struct Reach(Vec<Option<Scope>>);

impl Reach {
    /// That of every enqueue of a plan.
    pub fn new(plan: &Plan) -> Reach {
        let Some(own) = &plan.serialization else { return Reach(vec![None; plan.enqueues.len()]) };
        let lists = NameLists::new(own.name_lists.clone());
        let scope = |enqueue: &EnqueuePlan| {
            let names: Vec<ResourceName> = (0..enqueue.members).filter_map(|member| name(enqueue, member)).collect();
            let changed = |exit: &ExitPlan| changes(exit) && names.iter().any(|name| is_for(exit, name));
            let asked = if enqueue.reserve.is_empty() { Asked::Enq(enqueue.scope) } else { Asked::Reserve };
            let scopes = names.iter().map(|name| lists.settle(asked, name).scope);
            scopes.min().filter(|_| !own.exits.iter().any(changed))
        };
        Reach(plan.enqueues.iter().map(scope).collect())
    }

    /// The number of the resource that a guest means by an enqueue: that of its group, of its partition, or of all.
    pub fn resource(&self, enqueue: usize, (number, guest): (usize, &GuestPlan)) -> Option<usize> {
        match self.0[enqueue]? {
            Scope::Step => Some(number),
            Scope::System => guest.runs_in.and_then(RunsInPlan::partition),
            Scope::Systems => Some(0),
        }
    }
}

fn name(enqueue: &EnqueuePlan, member: u32) -> Option<ResourceName> {
    ResourceName::new(enqueue.qname.as_bytes(), enqueue.rname_of(member).as_bytes()).ok()
}

/// Whether a request that an exit is for may become one for another resource, or none.
fn changes(exit: &ExitPlan) -> bool {
    let answer = &exit.answer;
    let refuses = answer.code.is_some() || answer.abend.is_some();
    exit.rename.is_some() || answer.scope.is_some() || answer.skip_lists || refuses
}

fn is_for(exit: &ExitPlan, name: &ResourceName) -> bool {
    exit.names.as_ref().is_none_or(|entries| entries.iter().any(|entry| entry.matches(name)))
}
