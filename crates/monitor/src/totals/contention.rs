//! Holders and waiters of contended resources at an instant: the queues of the service, with names in place of numbers.

use kernel::calendar::Calendar;
use machine::ids::Requester;
use machine::plan::Plan;
use machine::signal::Probe;
use machine::world::World;
use measures::{Contended, Contender, ContentionRow, Figure};
use std::collections::BTreeMap;
use units::{Span, Tod};

/// How many blockers of a request are listed by name; the rest are counted, because each of n waiters may have n.
const MOST_LISTED: usize = 32;

/// The rows of an instant, by name and then in the order of each queue; `origin` is when the first interval began.
pub fn rows<C: Calendar, P: Probe>(world: &World<C, P>, plan: &Plan, origin: Tod) -> Vec<ContentionRow> {
    if plan.enqueues.is_empty() {
        return Vec::new();
    }
    let own = &world.serialization;
    let waits = own.service().waits();
    let waits: BTreeMap<_, _> = waits.iter().map(|wait| ((&wait.name, wait.reach, wait.by), wait)).collect();
    let deadlocks = own.service().deadlocks();
    let numbers = (1..).zip(&deadlocks);
    let deadlock_of: BTreeMap<_, usize> =
        numbers.flat_map(|(number, deadlock)| deadlock.tasks.iter().map(move |by| (*by, number))).collect();
    let mut rows = Vec::new();
    for queue in own.service().query(&Default::default()).iter().filter(|queue| queue.waiters() > 0) {
        for standee in &queue.requests {
            let by = standee.by;
            let wait = waits.get(&(&queue.name, queue.reach, by));
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
                blockers: wait.map_or(String::new(), |wait| listed(&wait.blockers, |by| task(world, plan, by.task))),
            };
            let deadlock = deadlock_of.get(&by).copied().unwrap_or(0);
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

/// The blockers of a request, by name as far as a line goes.
fn listed<T>(blockers: &[T], name: impl Fn(&T) -> String) -> String {
    let mut words: Vec<String> = blockers.iter().take(MOST_LISTED).map(name).collect();
    if blockers.len() > MOST_LISTED {
        words.push(format!("and {} more", blockers.len() - MOST_LISTED));
    }
    words.join(" ")
}

/// The name of a task: its group, and its number among all.
fn task<C: Calendar, P: Probe>(world: &World<C, P>, plan: &Plan, number: u32) -> String {
    format!("{}#{number}", plan.group_name(world.guests.group_of(Requester(number)).index()))
}
