//! The conservation laws that every interval of every run is checked against, exactly: sums are whole numbers.
//!
//! Each law compares two separate accounts: the area under a level, and the spans of passages.

mod control_program;
mod processor;
mod serialization;
mod so_far;
mod spin_lock;
mod thread_lock;
mod under_way;
mod violation;

pub use under_way::{UnderWay, within};
pub use violation::Violation;

use crate::counts::monitor::Monitor;
use machine::plan::{Plan, Way};
use units::Tod;

/// Checks the interval that ends at an instant.
///
/// # Errors
/// The first law that does not hold.
pub fn check(plan: &Plan, counts: &Monitor, now: Tod, (start, end): (&UnderWay, &UnderWay)) -> Result<(), Violation> {
    let mut in_service = 0;
    for (number, (volume, counts)) in plan.volumes.iter().zip(&counts.volumes).enumerate() {
        let uncleared = counts.uncleared.area(now);
        let area = counts.queue.area(now) + counts.in_service.area(now) + uncleared;
        let spans = within(counts.response.sum(), start.requests[number], end.requests[number]);
        agree("Little's law", &format!("volume {}", volume.name), area, spans)?;
        let held = within(counts.hold.sum(), start.uncleared[number], end.uncleared[number]);
        agree("Little's law", &format!("interrupts of volume {}", volume.name), uncleared, held)?;
        in_service += counts.in_service.area(now);
    }
    let exposures = counts.exposures.iter().enumerate();
    let service: u128 =
        exposures.map(|(number, sums)| within(sums.total(), start.service[number], end.service[number])).sum();
    agree("the utilisation law", "all exposures", in_service, service)?;
    for (number, (minidisk, counts)) in plan.minidisks.iter().zip(&counts.minidisks).enumerate() {
        let spans = within(counts.turns.sum(), start.turns[number], end.turns[number]);
        agree("Little's law", &format!("minidisk {}", minidisk.name), counts.queue.area(now), spans)?;
    }
    queues(plan, counts, now, (start, end))?;
    processor::check(plan, counts, end.at - start.at, now)?;
    control_program::check(plan, counts, (start, end), (end.at - start.at, now))?;
    serialization::check(plan, counts, now, (start, end))?;
    spin_lock::check(plan, &counts.spin_locks, (start, end), now)?;
    thread_lock::check(plan, &counts.thread_locks, (start, end), now)?;
    for (number, counts) in counts.groups.iter().enumerate() {
        let activities = counts.spans().into_iter().zip(start.groups[number]).zip(end.groups[number]);
        let spans = activities.map(|((ended, start), end)| within(ended, start, end)).sum();
        let area = counts.present.area(now);
        agree("the interactive response-time law", &plan.group_name(number), area, spans)?;
    }
    Ok(())
}

/// Little's law of what guests queue for besides I/O, and of channels: resources, channels and front ends.
fn queues(plan: &Plan, counts: &Monitor, now: Tod, (start, end): (&UnderWay, &UnderWay)) -> Result<(), Violation> {
    for (number, (resource, counts)) in plan.resources.iter().zip(&counts.resources).enumerate() {
        let ended = [counts.waits.sum(), counts.holds.sum()];
        let areas = [counts.queue.area(now), counts.in_use.area(now)];
        for (place, (ended, area)) in ended.into_iter().zip(areas).enumerate() {
            let spans = within(ended, start.resources[number][place], end.resources[number][place]);
            agree("Little's law", &format!("resource {}", resource.name), area, spans)?;
        }
    }
    for (number, (channel, counts)) in plan.channels.iter().zip(&counts.channels).enumerate() {
        for (direction, carries) in counts.carries.iter().enumerate() {
            let ended = counts.times[direction].sum();
            let spans = within(ended, start.channels[number][direction], end.channels[number][direction]);
            agree("the utilisation law", &format!("channel {}", channel.name), carries.area(now), spans)?;
        }
    }
    for (number, (front_end, counts)) in plan.front_ends.iter().zip(&counts.front_ends).enumerate() {
        for way in [Way::In, Way::Out].map(Way::index) {
            let (area, ended) = (counts.queues[way].area(now), counts.waits[way].sum());
            let spans = within(ended, start.front_ends[number][way], end.front_ends[number][way]);
            agree("Little's law", &format!("messages of front end {}", front_end.name), area, spans)?;
        }
    }
    Ok(())
}

fn agree(law: &'static str, of: &str, area: u128, spans: u128) -> Result<(), Violation> {
    if area == spans { Ok(()) } else { Err(Violation { law, of: of.to_string(), area, spans }) }
}
