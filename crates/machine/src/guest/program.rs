//! A program as a guest runs it: the steps of the plan laid out flat, with jumps for repeats.
//!
//! It leaves out carrying the operations out.

use crate::ids::{Minidisk, Volume};
use crate::io::{Access, Transfer};
use crate::plan::{self, Choice, IoPlan, Step};
use kernel::distribution::Sampler;
use kernel::draw::{Draw, Streams};
use units::Span;

/// How deep repeats may stand in each other.
pub const DEEPEST_REPEAT: usize = 3;

/// What a requester does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Let time pass.
    Think(Span),
    /// Use his processor.
    Compute(Span),
    /// One I/O.
    Io(Asked),
    /// The program is over; the next operation is its first.
    End,
}

/// An I/O that a program asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Where it goes.
    pub target: Target,
    /// What it transfers.
    pub transfer: Transfer,
}

/// Where an I/O goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A volume as a whole.
    Volume(Volume),
    /// A minidisk.
    Minidisk(Minidisk),
}

impl From<plan::Target> for Target {
    fn from(target: plan::Target) -> Self {
        match target {
            plan::Target::Volume(volume) => Target::Volume(Volume(volume as u32)),
            plan::Target::Minidisk(minidisk) => Target::Minidisk(Minidisk(minidisk as u32)),
        }
    }
}

/// The streams that a program draws from.
#[derive(Clone, Debug)]
pub struct Draws {
    /// Spans and choices.
    program: Draw,
    /// Reads and writes.
    access: Draw,
}

impl Draws {
    /// The streams of a group of guests.
    pub fn new(guest: &str, streams: &Streams) -> Self {
        let stream = |purpose: &str| streams.stream(&format!("guest/{guest}/{purpose}"));
        Draws { program: stream("program"), access: stream("access") }
    }
}

/// Where in a program, and how often each open repeat is still to be done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Position {
    next: u32,
    left: [u32; DEEPEST_REPEAT],
}

#[derive(Clone, Debug)]
enum Instruction {
    Think(Sampler),
    Compute(Sampler),
    Io { chooser: Chooser, mix: Mix },
    Repeat { depth: usize, times: u32 },
    Again { depth: usize, body: u32 },
}

/// What I/Os transfer; drawn only where it is not always the same.
#[derive(Clone, Copy, Debug)]
enum Mix {
    Always(Transfer),
    /// This share of them are reads.
    Reads {
        share: f64,
        read: Transfer,
        write: Transfer,
    },
}

impl Mix {
    fn new(io: &IoPlan) -> Self {
        let (read, write) = (Transfer::new(Access::Read, io.bytes), Transfer::new(Access::Write, io.bytes));
        match io.reads.fraction() {
            share if share >= 1.0 => Mix::Always(read),
            share if share <= 0.0 => Mix::Always(write),
            share => Mix::Reads { share, read, write },
        }
    }

    #[inline]
    fn draw(&self, draw: &mut Draw) -> Transfer {
        match *self {
            Mix::Always(transfer) => transfer,
            Mix::Reads { share, read, write } => {
                if draw.unit() < share {
                    read
                } else {
                    write
                }
            }
        }
    }
}

/// A program laid out flat.
#[derive(Clone, Debug)]
pub struct Program {
    instructions: Vec<Instruction>,
}

impl Program {
    /// Lays steps out flat.
    ///
    /// # Panics
    /// When repeats stand deeper in each other than [`DEEPEST_REPEAT`], or do their steps not once.
    pub fn compile(steps: &[Step]) -> Self {
        let mut program = Program { instructions: Vec::new() };
        program.append(steps, 0);
        program
    }

    fn append(&mut self, steps: &[Step], depth: usize) {
        for step in steps {
            match step {
                Step::Think(span) => self.instructions.push(Instruction::Think(span.sampler())),
                Step::Compute(span) => self.instructions.push(Instruction::Compute(span.sampler())),
                Step::Io(io) => {
                    let (chooser, mix) = (Chooser::new(&io.choice), Mix::new(io));
                    self.instructions.push(Instruction::Io { chooser, mix });
                }
                Step::Repeat { times, steps } => {
                    assert!(depth < DEEPEST_REPEAT, "repeats stand at most {DEEPEST_REPEAT} deep");
                    assert!(*times > 0, "a repeat does its steps at least once");
                    self.instructions.push(Instruction::Repeat { depth, times: *times });
                    let body = self.instructions.len() as u32;
                    self.append(steps, depth + 1);
                    self.instructions.push(Instruction::Again { depth, body });
                }
            }
        }
    }

    /// The next operation; the position moves on.
    #[inline(always)]
    pub fn next(&self, position: &mut Position, draws: &mut Draws) -> Operation {
        loop {
            let Some(instruction) = self.instructions.get(position.next as usize) else {
                position.next = 0;
                return Operation::End;
            };
            position.next += 1;
            match instruction {
                Instruction::Think(span) => return Operation::Think(span.draw(&mut draws.program)),
                Instruction::Compute(span) => return Operation::Compute(span.draw(&mut draws.program)),
                Instruction::Io { chooser, mix } => {
                    let (target, transfer) = (chooser.choose(&mut draws.program), mix.draw(&mut draws.access));
                    return Operation::Io(Asked { target, transfer });
                }
                Instruction::Repeat { depth, times } => position.left[*depth] = *times,
                Instruction::Again { depth, body } => {
                    position.left[*depth] -= 1;
                    if position.left[*depth] > 0 {
                        position.next = *body;
                    }
                }
            }
        }
    }
}

/// A choice among targets, ready to be drawn.
#[derive(Clone, Debug)]
enum Chooser {
    Fixed(Target),
    Uniform(Vec<Target>),
    /// Each target with the cumulative share up to and including it; the last is 1.
    Weighted(Vec<(f64, Target)>),
}

impl Chooser {
    fn new(choice: &Choice) -> Self {
        match choice {
            Choice::Fixed(target) => Chooser::Fixed((*target).into()),
            Choice::Uniform(targets) => Chooser::Uniform(targets.iter().map(|target| (*target).into()).collect()),
            Choice::Weighted(weights) => {
                let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
                let mut sum = 0.0;
                let cumulative = weights.iter().map(|(target, weight)| {
                    sum += weight / total;
                    (sum, Target::from(*target))
                });
                let mut shares: Vec<(f64, Target)> = cumulative.collect();
                if let Some(last) = shares.last_mut() {
                    last.0 = 1.0;
                }
                Chooser::Weighted(shares)
            }
        }
    }

    #[inline]
    fn choose(&self, draw: &mut Draw) -> Target {
        match self {
            Chooser::Fixed(target) => *target,
            Chooser::Uniform(targets) => targets[draw.below(targets.len() as u32) as usize],
            Chooser::Weighted(shares) => {
                let point = draw.unit();
                shares[shares.partition_point(|(share, _)| *share <= point)].1
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use units::Percent;

    #[test]
    fn repeats_stand_in_each_other() {
        let io = |volume| {
            let choice = Choice::Fixed(plan::Target::Volume(volume));
            Step::Io(IoPlan { choice, bytes: 4096, reads: Percent::new(100.0) })
        };
        let inner = Step::Repeat { times: 2, steps: vec![io(1)] };
        let program = Program::compile(&[io(0), Step::Repeat { times: 3, steps: vec![inner, io(2)] }]);
        let (mut position, mut draw) = (Position::default(), Draws::new("x", &Streams::new(1, 0)));
        let mut seen = Vec::new();
        for _ in 0..22 {
            match program.next(&mut position, &mut draw) {
                Operation::Io(Asked { target: Target::Volume(volume), .. }) => seen.push(volume.0),
                Operation::Io(Asked { target: Target::Minidisk(_), .. }) => unreachable!("there are none"),
                Operation::End => seen.push(9),
                Operation::Think(_) | Operation::Compute(_) => unreachable!("there are none"),
            }
        }
        assert_eq!(seen, [0, 1, 1, 2, 1, 1, 2, 1, 1, 2, 9, 0, 1, 1, 2, 1, 1, 2, 1, 1, 2, 9]);
    }

    #[test]
    fn weights_are_kept() {
        let chooser =
            Chooser::new(&Choice::Weighted(vec![(plan::Target::Volume(0), 3.0), (plan::Target::Volume(1), 1.0)]));
        let mut draw = Streams::new(1, 0).stream("choice");
        let n = 100_000;
        let first = (0..n).filter(|_| chooser.choose(&mut draw) == Target::Volume(Volume(0))).count();
        let error = (0.75f64 * 0.25 / f64::from(n)).sqrt();
        assert!((first as f64 / f64::from(n) - 0.75).abs() < 5.0 * error);
    }
}
