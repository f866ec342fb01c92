//! A program: its steps in their order, repeats in repeats, choices as weighted.

use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::call::Call;
use machine::guest::program::{Asked, Draws, Operation, Position, Program, Shared, Target};
use machine::io::Access;
use machine::plan::{self, Choice, IoPlan, Step, Way};
use units::{Percent, Span};

fn think(us: u64) -> Step {
    Step::Think(Distribution::Constant(Span::from_us(us)))
}

fn compute(us: u64) -> Step {
    Step::Compute(Distribution::Constant(Span::from_us(us)))
}

fn io(volume: usize) -> Step {
    Step::Io(IoPlan::of_volume(volume))
}

fn repeat(times: u32, steps: Vec<Step>) -> Step {
    Step::Repeat { times, steps }
}

fn number(asked: Asked) -> usize {
    match asked.target {
        Target::Volume(volume) => volume.index(),
        Target::Minidisk(_) => unreachable!("no program here has minidisks"),
    }
}

/// An operation that concerns other requesters, as text.
fn shared_text(shared: Shared) -> String {
    match shared {
        Shared::Take(resource, depth) => format!("+{}/{depth}", resource.0),
        Shared::Give(resource, depth) => format!("-{}/{depth}", resource.0),
        Shared::Lock(lock, depth) => format!("L{lock}/{depth}"),
        Shared::Unlock(depth) => format!("U{depth}"),
        Shared::Exchange(group, request, reply) => {
            format!("X{} {}/{}", group.0, request.units() >> 12, reply.units() >> 12)
        }
        Shared::Serialize(Call::Enq { place, ask }) => format!("E{}/{place}>{}", ask.enqueue.0, ask.past),
        Shared::Serialize(Call::Deq { place }) => format!("D/{place}"),
        Shared::Serialize(Call::EndTask) => "Z".into(),
        Shared::Message(front_end, way) => format!("{way:?}{}", front_end.0),
        Shared::Spawn(group) => format!("S{}", group.0),
        Shared::Acquire(lock) => format!("acquire {}", lock.0),
        Shared::Release(lock) => format!("release {}", lock.0),
    }
}

/// The first operations as text: T and C with their us, the volume's number, and a full stop at the end.
fn trace(steps: &[Step], operations: usize) -> String {
    let program = Program::compile(steps);
    let (mut position, mut draw) = (Position::default(), Draws::new(&program, "A", &Streams::new(1, 0)));
    let words = (0..operations).map(|_| match program.next(&mut position, &mut draw, |_| 0.6) {
        Operation::Think(span) => format!("T{}", span.units() >> 12),
        Operation::Compute(span) => format!("C{}", span.units() >> 12),
        Operation::Pace(share) => format!("P{share}"),
        Operation::Intercept(span) => format!("I{}", span.units() >> 12),
        Operation::Io(asked) => number(asked).to_string(),
        Operation::Shared(shared) => shared_text(shared),
        Operation::End => ".".into(),
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn steps_come_in_their_order_and_start_over() {
    assert_eq!(trace(&[think(5), io(0), compute(7), io(1)], 10), "T5 0 C7 1 . T5 0 C7 1 .");
}

#[test]
fn a_repeat_does_its_steps_this_many_times() {
    assert_eq!(trace(&[repeat(3, vec![io(0), think(1)]), io(1)], 9), "0 T1 0 T1 0 T1 1 . 0");
}

#[test]
fn a_repeat_of_one_is_its_steps() {
    assert_eq!(trace(&[repeat(1, vec![io(0)]), io(1)], 4), "0 1 . 0");
}

#[test]
fn repeats_follow_each_other() {
    assert_eq!(trace(&[repeat(2, vec![io(0)]), repeat(2, vec![io(1)])], 6), "0 0 1 1 . 0");
}

#[test]
fn repeats_stand_in_each_other_three_deep() {
    let innermost = repeat(2, vec![io(2)]);
    let inner = repeat(2, vec![io(1), innermost]);
    assert_eq!(trace(&[repeat(2, vec![io(0), inner])], 15), "0 1 2 2 1 2 2 0 1 2 2 1 2 2 .");
}

#[test]
fn a_repeat_may_open_and_close_the_program() {
    let both = repeat(2, vec![repeat(2, vec![io(0)]), repeat(2, vec![io(1)])]);
    assert_eq!(trace(&[both], 9), "0 0 1 1 0 0 1 1 .");
}

#[test]
#[should_panic(expected = "repeats stand at most 3 deep")]
fn a_fourth_repeat_in_repeats_is_refused() {
    let steps = (0..4).fold(vec![io(0)], |steps, _| vec![repeat(2, steps)]);
    Program::compile(&steps);
}

#[test]
#[should_panic(expected = "at least once")]
fn a_repeat_of_nothing_is_refused() {
    Program::compile(&[repeat(0, vec![io(0)])]);
}

/// Each choice comes up within 5 standard errors of its share.
fn shares(choice: Choice, expected: &[f64]) {
    let program = Program::compile(&[Step::Io(IoPlan::reading(choice))]);
    let (mut position, mut draw) = (Position::default(), Draws::new(&program, "A", &Streams::new(1, 0)));
    let (draws, mut seen) = (100_000, vec![0.0; expected.len()]);
    for _ in 0..2 * draws {
        if let Operation::Io(asked) = program.next(&mut position, &mut draw, |_| 0.6) {
            seen[number(asked)] += 1.0 / f64::from(draws);
        }
    }
    for (seen, share) in seen.iter().zip(expected) {
        let error = (share * (1.0 - share) / f64::from(draws)).sqrt();
        assert!((seen - share).abs() <= 5.0 * error, "{seen} of {share}");
    }
}

#[test]
fn a_uniform_choice_takes_each_alike() {
    shares(Choice::Uniform([0, 2, 3].map(plan::Target::Volume).to_vec()), &[1.0 / 3.0, 0.0, 1.0 / 3.0, 1.0 / 3.0]);
}

#[test]
fn a_weighted_choice_takes_each_by_its_weight() {
    shares(
        Choice::Weighted([(1, 5.0), (0, 3.0), (2, 2.0)].map(|(v, weight)| (plan::Target::Volume(v), weight)).to_vec()),
        &[0.3, 0.5, 0.2],
    );
}

/// Reads and writes are drawn for each I/O by itself, from a stream that nothing else draws from.
#[test]
fn the_share_of_reads_is_that_of_the_mix() {
    let io = IoPlan { reads: Percent::new(70.0), ..IoPlan::of_volume(0) };
    let program = Program::compile(&[Step::Io(io)]);
    let (mut position, mut draw) = (Position::default(), Draws::new(&program, "A", &Streams::new(1, 0)));
    let (draws, mut reads) = (100_000, 0.0);
    for _ in 0..2 * draws {
        if let Operation::Io(asked) = program.next(&mut position, &mut draw, |_| 0.6) {
            reads += f64::from(u8::from(asked.transfer.access() == Access::Read)) / f64::from(draws);
        }
    }
    let error = (0.7f64 * 0.3 / f64::from(draws)).sqrt();
    assert!((reads - 0.7).abs() <= 5.0 * error, "{reads} of .7");
}

#[test]
fn holds_stand_around_their_steps_and_know_how_deep() {
    let inner = Step::Hold { resource: 1, steps: vec![io(0)] };
    let outer = Step::Hold { resource: 0, steps: vec![inner, io(1)] };
    assert_eq!(trace(&[outer], 8), "+0/0 +1/1 0 -1/1 1 -0/0 . +0/0");
}

#[test]
fn messages_and_spawns_come_in_their_order() {
    let message = |way| Step::Message { front_end: 2, way };
    assert_eq!(trace(&[message(Way::In), Step::Spawn { guest: 3 }, message(Way::Out)], 4), "In2 S3 Out2 .");
}

#[test]
fn a_repeat_with_a_mean_does_its_steps_one_of_the_two_whole_times_beside_it() {
    let program = [Step::RepeatMean { mean: 2.25, steps: vec![io(0)] }];
    let text = trace(&program, 40_000);
    let rounds: Vec<usize> = text.split('.').map(|round| round.matches('0').count()).collect();
    let rounds = &rounds[..rounds.len() - 1];
    assert!(rounds.iter().all(|times| [2, 3].contains(times)));
    let mean = rounds.iter().sum::<usize>() as f64 / rounds.len() as f64;
    assert!((mean - 2.25).abs() < 5.0 * (0.25f64 * 0.75 / rounds.len() as f64).sqrt(), "{mean}");
}

#[test]
fn a_repeat_below_once_on_average_is_passed_over_at_times() {
    let text = trace(&[Step::RepeatMean { mean: 0.5, steps: vec![io(0)] }, io(1)], 30);
    assert!(text.contains(". 1 .") && text.contains(". 0 1 ."), "{text}");
}

#[test]
fn a_choice_does_one_of_its_parts_by_weight_and_goes_on_after_it() {
    let choice = Step::Choose(vec![(3.0, vec![io(0), io(1)]), (1.0, vec![io(2)])]);
    let text = trace(&[choice, think(5)], 30_000);
    let (first, second) = (text.matches("0 1 T5").count(), text.matches("2 T5").count());
    assert_eq!(text.matches("T5").count(), first + second);
    let share = first as f64 / (first + second) as f64;
    assert!((share - 0.75).abs() < 5.0 * (0.75f64 * 0.25 / (first + second) as f64).sqrt(), "{share}");
}

#[test]
fn an_io_to_what_the_member_has_goes_to_the_part_that_the_member_belongs_to() {
    // The member that is held is at .6 of all.
    let own = |weights: &[f64]| {
        let weights =
            weights.iter().enumerate().map(|(number, weight)| (machine::plan::Target::Volume(number), *weight));
        Step::Io(IoPlan::reading(Choice::Own { resource: 4, weights: weights.collect() }))
    };
    let program = [Step::Hold { resource: 4, steps: vec![own(&[1.0, 1.0]), own(&[2.0, 1.0]), own(&[1.0, 1.0, 6.0])] }];
    assert_eq!(trace(&program, 6), "+4/0 1 0 2 -4/0 .");
}
