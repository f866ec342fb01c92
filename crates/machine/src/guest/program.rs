//! A program as a guest runs it: the steps of the plan laid out flat, with jumps for repeats.
//!
//! It leaves out carrying the operations out.

use crate::ids::Volume;
use crate::plan::{Choice, Step};
use kernel::distribution::{Distribution, Sampler};
use kernel::draw::Draw;
use units::{PerSecond, Span};

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
    Io(Volume),
    /// The program is over; the next operation is its first.
    End,
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
    Io(Chooser),
    Repeat { depth: usize, times: u32 },
    Again { depth: usize, body: u32 },
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
                Step::Io(choice) => self.instructions.push(Instruction::Io(Chooser::new(choice))),
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
    pub fn next(&self, position: &mut Position, draw: &mut Draw) -> Operation {
        loop {
            let Some(instruction) = self.instructions.get(position.next as usize) else {
                position.next = 0;
                return Operation::End;
            };
            position.next += 1;
            match instruction {
                Instruction::Think(span) => return Operation::Think(span.draw(draw)),
                Instruction::Compute(span) => return Operation::Compute(span.draw(draw)),
                Instruction::Io(chooser) => return Operation::Io(chooser.choose(draw)),
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

/// A choice among volumes, ready to be drawn.
#[derive(Clone, Debug)]
enum Chooser {
    Fixed(Volume),
    Uniform(Vec<Volume>),
    /// Each volume with the cumulative share up to and including it; the last is 1.
    Weighted(Vec<(f64, Volume)>),
}

impl Chooser {
    fn new(choice: &Choice) -> Self {
        let volume = |index: &usize| Volume(*index as u32);
        match choice {
            Choice::Fixed(index) => Chooser::Fixed(volume(index)),
            Choice::Uniform(indices) => Chooser::Uniform(indices.iter().map(volume).collect()),
            Choice::Weighted(weights) => {
                let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
                let mut sum = 0.0;
                let cumulative = weights.iter().map(|(index, weight)| {
                    sum += weight / total;
                    (sum, volume(index))
                });
                let mut shares: Vec<(f64, Volume)> = cumulative.collect();
                if let Some(last) = shares.last_mut() {
                    last.0 = 1.0;
                }
                Chooser::Weighted(shares)
            }
        }
    }

    #[inline]
    fn choose(&self, draw: &mut Draw) -> Volume {
        match self {
            Chooser::Fixed(volume) => *volume,
            Chooser::Uniform(volumes) => volumes[draw.below(volumes.len() as u32) as usize],
            Chooser::Weighted(shares) => {
                let point = draw.unit();
                shares[shares.partition_point(|(share, _)| *share <= point)].1
            }
        }
    }
}

/// The time between arrivals of a Poisson process.
pub(super) fn between_arrivals(rate: PerSecond) -> Sampler {
    Distribution::Exponential { mean: Span::from_seconds(1.0 / rate.per_second()) }.sampler()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::draw::Streams;

    #[test]
    fn repeats_stand_in_each_other() {
        let io = |volume| Step::Io(Choice::Fixed(volume));
        let inner = Step::Repeat { times: 2, steps: vec![io(1)] };
        let program = Program::compile(&[io(0), Step::Repeat { times: 3, steps: vec![inner, io(2)] }]);
        let (mut position, mut draw) = (Position::default(), Streams::new(1, 0).stream("x"));
        let mut seen = Vec::new();
        for _ in 0..22 {
            match program.next(&mut position, &mut draw) {
                Operation::Io(volume) => seen.push(volume.0),
                Operation::End => seen.push(9),
                Operation::Think(_) | Operation::Compute(_) => unreachable!("there are none"),
            }
        }
        assert_eq!(seen, [0, 1, 1, 2, 1, 1, 2, 1, 1, 2, 9, 0, 1, 1, 2, 1, 1, 2, 1, 1, 2, 9]);
    }

    #[test]
    fn weights_are_kept() {
        let chooser = Chooser::new(&Choice::Weighted(vec![(0, 3.0), (1, 1.0)]));
        let mut draw = Streams::new(1, 0).stream("choice");
        let n = 100_000;
        let first = (0..n).filter(|_| chooser.choose(&mut draw) == Volume(0)).count();
        let error = (0.75f64 * 0.25 / f64::from(n)).sqrt();
        assert!((first as f64 / f64::from(n) - 0.75).abs() < 5.0 * error);
    }
}
