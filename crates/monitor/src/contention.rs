//! Who has, and who waits for, what is in contention at an instant: the queues of the service, with names in place of numbers.
//!
//! It leaves out resources that nobody waits for.

use kernel::calendar::Calendar;
use machine::ids::Requester;
use machine::plan::Plan;
use machine::signal::Probe;
use machine::world::World;
use measures::{Contended, Contender, ContentionRow, Figure};
use units::{Span, Tod};

/// The rows of an instant, by name and then in the order of each queue; `origin` is when the first interval began.
pub fn rows<C: Calendar, P: Probe>(world: &World<C, P>, plan: &Plan, origin: Tod) -> Vec<ContentionRow> {
    if plan.enqueues.is_empty() {
        return Vec::new();
    }
    let own = &world.serialization;
    let waits = own.service().waits();
    let deadlocks = own.service().deadlocks();
    let mut rows = Vec::new();
    for queue in own.service().query(&Default::default()).iter().filter(|queue| queue.waiters() > 0) {
        for standee in &queue.requests {
            let by = standee.by;
            let wait = waits.iter().find(|wait| wait.by == by && wait.name == queue.name && wait.reach == queue.reach);
            let blockers =
                wait.map(|wait| wait.blockers.iter().map(|by| task(world, plan, by.task)).collect::<Vec<_>>());
            let since = own.since(by, &queue.name).unwrap_or(world.now());
            let enqueue =
                own.enqueue_of(&queue.name).map_or(String::new(), |number| plan.enqueues[number].name.clone());
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_string();
            let what = Contended {
                enqueue,
                qname: text(queue.name.qname()),
                rname: text(queue.name.rname()),
                scope: queue.reach.scope().word().to_string(),
            };
            let who = Contender {
                partition: plan.partitions[usize::from(by.system)].name.clone(),
                task: task(world, plan, by.task),
                access: standee.access.word().to_string(),
                status: if wait.is_some() { "WAIT" } else { "OWN" }.to_string(),
                blockers: blockers.unwrap_or_default().join(" "),
            };
            let deadlock = deadlocks.iter().position(|one| one.tasks.contains(&by)).map_or(0, |number| number + 1);
            let at = Span::from_units(world.now().units().saturating_sub(origin.units()));
            rows.push(ContentionRow {
                at_s: Figure::exact(at.seconds()),
                since_ms: Figure::exact((world.now() - since).ms()),
                deadlock: Figure::exact(deadlock as f64),
                ..ContentionRow::unknown(what, who)
            });
        }
    }
    rows
}

/// Who a task is: its group, and its number among all.
fn task<C: Calendar, P: Probe>(world: &World<C, P>, plan: &Plan, number: u32) -> String {
    format!("{}#{number}", plan.group_name(world.guests.group_of(Requester(number)).index()))
}
