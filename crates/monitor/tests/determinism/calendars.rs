//! The tournament tree and its oracle, the plain heap, run the same machine the same way.

use super::all_machines;
use kernel::calendar::{Calendar, HeapCalendar, TreeCalendar};
use kernel::draw::Streams;
use machine::plan::Plan;
use machine::signal::NoProbe;
use machine::world::World;
use units::{Span, Tod};

/// Everything that a machine is at an instant, as text.
fn state<C: Calendar>(world: &World<C, NoProbe>) -> String {
    let (channel, guests, control) = (&world.channel, &world.guests, &world.control);
    let (events, checksum, now) = (world.events(), world.checksum(), world.now());
    format!("{events} events, {checksum:016x} at {now}, next at {}\n{channel:?}\n{guests:?}\n{control:?}", world.next())
}

fn history<C: Calendar>(plan: &Plan) -> Vec<String> {
    let mut world: World<C, NoProbe> = World::new(plan, &Streams::new(3, 0), NoProbe);
    world.count_from(Tod::START + Span::from_ms(1));
    let look = |hundredths: u64| {
        world.run_until(Tod::START + Span::from_ms(10 * hundredths)).expect("the load is small");
        state(&world)
    };
    (0..100).map(look).collect()
}

#[test]
fn tree_and_heap_run_every_machine_alike() {
    for (name, plan) in all_machines() {
        let (tree, heap) = (history::<TreeCalendar>(&plan), history::<HeapCalendar>(&plan));
        for (hundredth, (tree, heap)) in tree.iter().zip(&heap).enumerate() {
            assert_eq!(tree, heap, "{name}, after {} ms", 10 * hundredth);
        }
        assert_ne!(tree[0], tree[99], "{name}: something happened");
    }
}

#[test]
fn another_seed_is_another_run() {
    let (_, plan) = all_machines().remove(0);
    let checksum = |seed| {
        let mut world: World<TreeCalendar, NoProbe> = World::new(&plan, &Streams::new(seed, 0), NoProbe);
        world.run_until(Tod::START + Span::SECOND).expect("the load is small");
        world.checksum()
    };
    assert_ne!(checksum(1), checksum(2));
}
