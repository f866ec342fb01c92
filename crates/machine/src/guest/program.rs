//! A program as a guest runs it: the steps of the plan laid out flat, with jumps for repeats and choices.

pub use super::draws::Draws;
use crate::call::{Ask, Call, MOST_ENQUEUED, MOST_KEPT, MOST_NESTED};
use crate::ids::{Enqueue, FrontEnd, Group, Minidisk, Resource, ThreadLock, Volume};
use crate::io::{Access, Transfer};
use crate::plan::{self, Choice, EnqStep, IoPlan, Ret, Step, Way};
use kernel::distribution::Sampler;
use kernel::draw::Draw;
use units::Span;

/// How deep repeats may stand in each other.
pub const DEEPEST_REPEAT: usize = 3;

/// How many resources a requester may hold at a time.
pub const MOST_HELD: usize = 3;

/// How many spin locks a requester may hold at a time.
pub const MOST_LOCKED: usize = 2;

/// The next operation of a requester.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operation {
    /// Let time pass.
    Think(Span),
    /// Use its processor.
    Compute(Span),
    /// Use it until the time charged is this share of the time since it came.
    Pace(f64),
    /// Issue an instruction that the control program simulates for so long.
    Intercept(Span),
    /// One I/O.
    Io(Asked),
    /// Something that concerns other requesters.
    Shared(Shared),
    /// The program is over; the next operation is its first.
    End,
}

/// An operation that concerns other requesters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shared {
    /// Hold a resource from now on, as the hold of this depth; wait for it before.
    Take(Resource, usize),
    /// The hold of this depth is over.
    Give(Resource, usize),
    /// Hold a spin lock from now on, as the one of this depth; spin for it before.  Of its kind, as in the plan.
    Lock(u32, usize),
    /// The spin lock of this depth is free.
    Unlock(usize),
    /// Hold a lock of threads from now on; wait for it before.
    Acquire(ThreadLock),
    /// Release it.
    Release(ThreadLock),
    /// Have a guest of a group reply, after this time on the way there; the way back takes the other.
    Exchange(Group, Span, Span),
    /// Call the service of ENQ and DEQ.
    Serialize(Call),
    /// Have a message carried this way.
    Message(FrontEnd, Way),
    /// Have a guest run the program of this group.
    Spawn(Group),
}

/// An I/O that a program asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Where it goes.
    pub target: Target,
    /// Its transfer.
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

/// Where in a program, and how often each open repeat is still to be done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Position {
    next: u32,
    left: [u32; DEEPEST_REPEAT],
}

impl Position {
    /// The program goes on there: past steps for which something could not be had.
    pub(super) fn skip(&mut self, to: u32) {
        self.next = to;
    }
}

/// Its number is a field of its own, because every step reads it.
#[derive(Clone, Debug)]
#[repr(u8)]
enum Instruction {
    Think(Sampler),
    Compute(Sampler),
    Pace(f64),
    Intercept(Span),
    Io {
        chooser: Chooser,
        mix: Mix,
    },
    Shared(Shared),
    Repeat {
        depth: usize,
        times: Times,
        end: u32,
    },
    Again {
        depth: usize,
        body: u32,
    },
    /// Each choice with the cumulative share up to and including it, and where it begins; the last is 1.
    Choose(Vec<(f64, u32)>),
    Jump {
        to: u32,
    },
}

impl Instruction {
    /// Whether it draws from the stream of spans and choices.
    fn draws(&self) -> bool {
        match self {
            Instruction::Think(span) | Instruction::Compute(span) => span.constant().is_none(),
            Instruction::Io { chooser, .. } => matches!(chooser, Chooser::Uniform(_) | Chooser::Weighted(_)),
            Instruction::Repeat { times, .. } => times.more > 0.0,
            Instruction::Choose(_) => true,
            Instruction::Pace(_)
            | Instruction::Intercept(_)
            | Instruction::Shared(_)
            | Instruction::Again { .. }
            | Instruction::Jump { .. } => false,
        }
    }
}

/// How often, or how many: a whole number, or one of the two beside a mean.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    whole: u32,
    /// How likely it is one more.
    more: f64,
}

impl Times {
    /// A constant number.
    pub fn always(whole: u32) -> Times {
        Times { whole, more: 0.0 }
    }

    /// A mean number: one of the two neighbouring whole numbers each time.
    pub fn mean(mean: f64) -> Times {
        let whole = mean as u32;
        Times { whole, more: mean - f64::from(whole) }
    }

    /// A number; drawn only where it is not always the same.
    #[inline]
    pub fn draw(&self, draw: &mut Draw) -> u32 {
        if self.more > 0.0 { self.whole + u32::from(draw.unit() < self.more) } else { self.whole }
    }
}

/// The transfer of I/Os; drawn only where it is not constant.
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

/// The depth of a step in repeats, holds and spin locks.
#[derive(Clone, Copy, Default)]
struct Depth {
    repeats: usize,
    holds: usize,
    locks: usize,
    /// Of which resource each hold is.
    held: [Option<Resource>; MOST_HELD],
    /// How many resources it has enqueued on for the time of some steps, and which they are.
    enqueued: usize,
    asked: [Option<usize>; MOST_NESTED],
}

/// A program laid out flat.
#[derive(Clone, Debug)]
pub struct Program {
    instructions: Vec<Instruction>,
    /// Resources that are enqueued on until the end of the program or a DEQ, each with its place at the end of all places.
    kept: Vec<usize>,
}

impl Program {
    /// Lays steps out flat.
    ///
    /// # Panics
    /// When an I/O goes to a resource's member outside of a hold of it.  When repeats nest deeper than
    /// [`DEEPEST_REPEAT`], holds than [`MOST_HELD`] or spin locks than [`MOST_LOCKED`].  When a repeat has a count of
    /// zero.
    pub fn compile(steps: &[Step]) -> Self {
        let mut program = Program { instructions: Vec::new(), kept: Vec::new() };
        program.append(steps, Depth::default());
        let serializes = |instruction: &Instruction| matches!(instruction, Instruction::Shared(Shared::Serialize(_)));
        if program.instructions.iter().any(serializes) {
            program.share(Shared::Serialize(Call::EndTask));
        }
        program
    }

    /// Appends steps at this depth of repeats and holds.
    fn append(&mut self, steps: &[Step], depth: Depth) {
        for step in steps {
            match step {
                Step::Think(span) => self.instructions.push(Instruction::Think(span.sampler())),
                Step::Compute(span) => self.instructions.push(Instruction::Compute(span.sampler())),
                Step::Pace(share) => self.instructions.push(Instruction::Pace(share.fraction())),
                Step::Intercept(span) => self.instructions.push(Instruction::Intercept(*span)),
                Step::Io(io) => {
                    let (chooser, mix) = (Chooser::new(&io.choice, depth), Mix::new(io));
                    self.instructions.push(Instruction::Io { chooser, mix });
                }
                Step::Repeat { times, steps } => {
                    assert!(*times > 0, "a repeat does its steps at least once");
                    self.append_repeat(Times::always(*times), steps, depth);
                }
                Step::RepeatMean { mean, steps } => self.append_repeat(Times::mean(*mean), steps, depth),
                Step::Hold { resource, steps } => {
                    assert!(depth.holds < MOST_HELD, "holds stand at most {MOST_HELD} deep");
                    let (resource, hold) = (Resource(*resource as u32), depth.holds);
                    self.share(Shared::Take(resource, hold));
                    let mut inside = Depth { holds: hold + 1, ..depth };
                    inside.held[hold] = Some(resource);
                    self.append(steps, inside);
                    self.share(Shared::Give(resource, hold));
                }
                Step::Lock { lock, steps } => {
                    assert!(depth.locks < MOST_LOCKED, "spin locks stand at most {MOST_LOCKED} deep");
                    let own = depth.locks;
                    self.share(Shared::Lock(*lock as u32, own));
                    self.append(steps, Depth { locks: own + 1, ..depth });
                    self.share(Shared::Unlock(own));
                }
                Step::ThreadLock { lock, steps } => {
                    let lock = ThreadLock(*lock as u32);
                    self.share(Shared::Acquire(lock));
                    self.append(steps, depth);
                    self.share(Shared::Release(lock));
                }
                Step::Enq(enq) => self.append_enq(enq, depth),
                Step::Deq { enqueue } => {
                    let place = self.place(*enqueue);
                    self.share(Shared::Serialize(Call::Deq { place }));
                }
                Step::Exchange { guest, request, reply } => {
                    let group = Group(*guest as u32);
                    self.share(Shared::Exchange(group, *request, *reply));
                }
                Step::Choose(choices) => self.append_choice(choices, depth),
                Step::Message { front_end, way } => {
                    self.share(Shared::Message(FrontEnd(*front_end as u32), *way));
                }
                Step::Spawn { guest } => self.share(Shared::Spawn(Group(*guest as u32))),
            }
        }
    }

    fn append_repeat(&mut self, times: Times, steps: &[Step], depth: Depth) {
        assert!(depth.repeats < DEEPEST_REPEAT, "repeats stand at most {DEEPEST_REPEAT} deep");
        let repeat = self.end();
        self.instructions.push(Instruction::Repeat { depth: depth.repeats, times, end: 0 });
        let body = self.end();
        self.append(steps, Depth { repeats: depth.repeats + 1, ..depth });
        self.instructions.push(Instruction::Again { depth: depth.repeats, body });
        let end = self.end();
        self.instructions[repeat as usize] = Instruction::Repeat { depth: depth.repeats, times, end };
    }

    /// An ENQ and the DEQ behind its steps.  A guest that would have to wait, and does not want to, skips both.  Behind
    /// the steps of a TEST or a CHNG nothing is released: the one has taken nothing, the other changed a hold around
    /// it.
    fn append_enq(&mut self, enq: &EnqStep, depth: Depth) {
        let (own, held) = (enq.enqueue, depth.asked.iter().position(|held| *held == Some(enq.enqueue)));
        let place = match (enq.ret, &enq.steps) {
            (Ret::Change, _) => held.unwrap_or_else(|| self.place(own)),
            (Ret::Test, _) | (Ret::None | Ret::Use | Ret::Have, Some(_)) => {
                assert!(depth.enqueued < MOST_NESTED, "resources are enqueued on at most {MOST_NESTED} deep");
                depth.enqueued
            }
            (Ret::None | Ret::Use | Ret::Have, None) => self.place(own),
        };
        let enqueue = Enqueue(own as u32);
        let ask = |past| Ask { enqueue, access: enq.access, ret: enq.ret, linkage: enq.linkage, past };
        let at = self.end();
        self.share(Shared::Serialize(Call::Enq { place, ask: ask(0) }));
        match (enq.ret, &enq.steps) {
            (_, None) => {}
            (Ret::Test | Ret::Change, Some(steps)) => self.append(steps, depth),
            (Ret::None | Ret::Use | Ret::Have, Some(steps)) => {
                let mut inside = Depth { enqueued: place + 1, ..depth };
                inside.asked[place] = Some(own);
                self.append(steps, inside);
                self.share(Shared::Serialize(Call::Deq { place }));
            }
        }
        self.instructions[at as usize] =
            Instruction::Shared(Shared::Serialize(Call::Enq { place, ask: ask(self.end()) }));
    }

    /// The place of a resource that is kept to the end of the program: the last ones, so that steps nest in the first.
    fn place(&mut self, enqueue: usize) -> usize {
        let own = self.kept.iter().position(|kept| *kept == enqueue).unwrap_or_else(|| {
            self.kept.push(enqueue);
            self.kept.len() - 1
        });
        assert!(own < MOST_KEPT, "a program keeps at most {MOST_KEPT} resources");
        MOST_ENQUEUED - 1 - own
    }

    fn append_choice(&mut self, choices: &[(f64, Vec<Step>)], depth: Depth) {
        let choose = self.end();
        self.instructions.push(Instruction::Choose(Vec::new()));
        let (mut begins, mut jumps) = (Vec::new(), Vec::new());
        for (weight, steps) in choices {
            begins.push((self.end(), *weight));
            self.append(steps, depth);
            jumps.push(self.end());
            self.instructions.push(Instruction::Jump { to: 0 });
        }
        let to = self.end();
        for jump in jumps {
            self.instructions[jump as usize] = Instruction::Jump { to };
        }
        self.instructions[choose as usize] = Instruction::Choose(cumulative(begins));
    }

    fn share(&mut self, shared: Shared) {
        self.instructions.push(Instruction::Shared(shared));
    }

    /// The sampler of the program's spans, if a step with that sampler is the only one that draws from their stream.
    pub(super) fn only_draw(&self) -> Option<Sampler> {
        let mut drawing = self.instructions.iter().filter(|instruction| instruction.draws());
        match (drawing.next(), drawing.next()) {
            (Some(Instruction::Think(span) | Instruction::Compute(span)), None) => Some(*span),
            (Some(_) | None, _) => None,
        }
    }

    /// Where the next instruction will stand.
    fn end(&self) -> u32 {
        self.instructions.len() as u32
    }

    /// The next operation; the position moves on.  `member` gives the member held by the hold of a depth: its place
    /// among all, from 0 to 1.
    #[inline(always)]
    pub fn next(&self, position: &mut Position, draws: &mut Draws, member: impl Fn(usize) -> f64) -> Operation {
        loop {
            let Some(instruction) = self.instructions.get(position.next as usize) else {
                position.next = 0;
                return Operation::End;
            };
            position.next += 1;
            match instruction {
                Instruction::Think(span) => return Operation::Think(draws.span(span)),
                Instruction::Compute(span) => return Operation::Compute(draws.span(span)),
                Instruction::Pace(share) => return Operation::Pace(*share),
                Instruction::Intercept(span) => return Operation::Intercept(*span),
                Instruction::Io { chooser, mix } => {
                    let (target, transfer) = (chooser.choose(&mut draws.program, member), mix.draw(&mut draws.access));
                    return Operation::Io(Asked { target, transfer });
                }
                Instruction::Shared(shared) => return Operation::Shared(*shared),
                Instruction::Repeat { depth, times, end } => match times.draw(&mut draws.program) {
                    0 => position.next = *end,
                    times => position.left[*depth] = times,
                },
                Instruction::Again { depth, body } => {
                    position.left[*depth] -= 1;
                    if position.left[*depth] > 0 {
                        position.next = *body;
                    }
                }
                Instruction::Choose(choices) => position.next = chosen(choices, &mut draws.program),
                Instruction::Jump { to } => position.next = *to,
            }
        }
    }
}

/// A choice among targets, ready to be drawn.
#[derive(Clone, Debug)]
#[repr(u8)]
enum Chooser {
    Fixed(Target),
    Uniform(Vec<Target>),
    /// Each target with the cumulative share up to and including it; the last is 1.
    Weighted(Vec<(f64, Target)>),
    /// That of the member held by the hold of this depth; its shares are those of the members.
    Own {
        depth: usize,
        shares: Vec<(f64, Target)>,
    },
}

impl Chooser {
    fn new(choice: &Choice, depth: Depth) -> Self {
        match choice {
            Choice::Fixed(target) => Chooser::Fixed((*target).into()),
            Choice::Uniform(targets) => Chooser::Uniform(targets.iter().map(|target| (*target).into()).collect()),
            Choice::Weighted(weights) => Chooser::Weighted(shares(weights)),
            Choice::Own { resource, weights } => {
                let held = Some(Resource(*resource as u32));
                let depth = depth.held.iter().position(|own| *own == held).expect("it is inside a hold of it");
                Chooser::Own { depth, shares: shares(weights) }
            }
        }
    }

    #[inline(always)]
    fn choose(&self, draw: &mut Draw, member: impl Fn(usize) -> f64) -> Target {
        match self {
            Chooser::Fixed(target) => *target,
            Chooser::Uniform(_) | Chooser::Weighted(_) | Chooser::Own { .. } => self.choose_among(draw, member),
        }
    }

    #[inline(never)]
    fn choose_among(&self, draw: &mut Draw, member: impl Fn(usize) -> f64) -> Target {
        match self {
            Chooser::Fixed(target) => *target,
            Chooser::Uniform(targets) => targets[draw.below(targets.len() as u32) as usize],
            Chooser::Weighted(shares) => chosen(shares, draw),
            Chooser::Own { depth, shares } => at(shares, member(*depth)),
        }
    }
}

/// Each thing with the cumulative share of the weights up to and including its own; the last is 1.
fn cumulative<T>(weights: Vec<(T, f64)>) -> Vec<(f64, T)> {
    let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let mut sum = 0.0;
    let shares = weights.into_iter().map(|(thing, weight)| {
        sum += weight / total;
        (sum, thing)
    });
    let mut shares: Vec<(f64, T)> = shares.collect();
    if let Some(last) = shares.last_mut() {
        last.0 = 1.0;
    }
    shares
}

/// One of them, by its share.
#[inline]
fn chosen<T: Copy>(shares: &[(f64, T)], draw: &mut Draw) -> T {
    at(shares, draw.unit())
}

/// The thing at a point from 0 up to 1.
#[inline]
fn at<T: Copy>(shares: &[(f64, T)], point: f64) -> T {
    shares[shares.partition_point(|(share, _)| *share <= point)].1
}

/// Targets by their shares.
fn shares(weights: &[(plan::Target, f64)]) -> Vec<(f64, Target)> {
    cumulative(weights.iter().map(|(target, weight)| (Target::from(*target), *weight)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::distribution::Distribution;
    use kernel::draw::Streams;
    use units::Percent;

    #[test]
    fn repeats_stand_in_each_other() {
        let io = |volume| {
            let choice = Choice::Fixed(plan::Target::Volume(volume));
            Step::Io(IoPlan { choice, bytes: 4096, reads: Percent::new(100.0) })
        };
        let inner = Step::Repeat { times: 2, steps: vec![io(1)] };
        let program = Program::compile(&[io(0), Step::Repeat { times: 3, steps: vec![inner, io(2)] }]);
        let (mut position, mut draw) = (Position::default(), Draws::new(&program, "x", &Streams::new(1, 0)));
        let mut seen = Vec::new();
        for _ in 0..22 {
            match program.next(&mut position, &mut draw, |_| unreachable!("nothing is held")) {
                Operation::Io(Asked { target: Target::Volume(volume), .. }) => seen.push(volume.0),
                Operation::Io(Asked { target: Target::Minidisk(_), .. }) => unreachable!("there are none"),
                Operation::End => seen.push(9),
                other @ (Operation::Think(_)
                | Operation::Compute(_)
                | Operation::Pace(_)
                | Operation::Intercept(_)
                | Operation::Shared(_)) => unreachable!("there are none: {other:?}"),
            }
        }
        assert_eq!(seen, [0, 1, 1, 2, 1, 1, 2, 1, 1, 2, 9, 0, 1, 1, 2, 1, 1, 2, 1, 1, 2, 9]);
    }

    #[test]
    fn spans_drawn_ahead_are_those_of_the_stream() {
        let (streams, exponential) = (Streams::new(1, 0), Distribution::Exponential { mean: Span::from_us(7) });
        let fixed = Step::Compute(Distribution::Constant(Span::from_us(3)));
        let program = Program::compile(&[Step::Think(exponential), fixed]);
        let (mut position, mut draws) = (Position::default(), Draws::new(&program, "x", &streams));
        let mut stream = streams.stream("guest/x/program");
        for _ in 0..100 {
            let mut next = || program.next(&mut position, &mut draws, |_| unreachable!("nothing is held"));
            assert_eq!(next(), Operation::Think(exponential.sampler().draw(&mut stream)));
            assert_eq!((next(), next()), (Operation::Compute(Span::from_us(3)), Operation::End));
        }
    }

    #[test]
    fn spans_are_drawn_ahead_only_where_nothing_else_is_drawn() {
        let think = || Step::Think(Distribution::Exponential { mean: Span::from_us(7) });
        let io = |choice| Step::Io(IoPlan { choice, bytes: 4096, reads: Percent::new(50.0) });
        let to = |number| plan::Target::Volume(number);
        let draws_ahead = |steps: &[Step]| Program::compile(steps).only_draw().is_some();
        assert!(draws_ahead(&[think(), io(Choice::Fixed(to(0)))]), "reads have a stream of their own");
        assert!(!draws_ahead(&[think(), think()]));
        assert!(!draws_ahead(&[think(), io(Choice::Uniform(vec![to(0), to(1)]))]));
        assert!(!draws_ahead(&[Step::RepeatMean { mean: 1.5, steps: vec![think()] }]));
        assert!(!draws_ahead(&[Step::Choose(vec![(1.0, vec![think()])])]));
    }

    #[test]
    fn weights_are_kept() {
        let choice = Choice::Weighted(vec![(plan::Target::Volume(0), 3.0), (plan::Target::Volume(1), 1.0)]);
        let chooser = Chooser::new(&choice, Depth::default());
        let mut draw = Streams::new(1, 0).stream("choice");
        let n = 100_000;
        let first = (0..n).filter(|_| chooser.choose(&mut draw, |_| 0.0) == Target::Volume(Volume(0))).count();
        let error = (0.75f64 * 0.25 / f64::from(n)).sqrt();
        assert!((first as f64 / f64::from(n) - 0.75).abs() < 5.0 * error);
    }
}
