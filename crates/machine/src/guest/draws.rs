//! The random streams of a group of guests.

use super::program::Program;
use kernel::distribution::{Ahead, Sampler};
use kernel::draw::{Draw, Streams};
use units::Span;

/// The streams that a program draws from.
#[derive(Clone, Debug)]
pub struct Draws {
    /// Spans and choices.
    pub(super) program: Draw,
    /// Reads and writes.
    pub(super) access: Draw,
    /// The spans of the program, where nothing else is drawn from their stream.
    ahead: Option<Ahead>,
}

impl Draws {
    /// The streams of a group of guests that run a program.
    pub fn new(program: &Program, guest: &str, streams: &Streams) -> Self {
        let stream = |purpose: &str| streams.stream(&format!("guest/{guest}/{purpose}"));
        let ahead = program.only_draw().map(|sampler| Ahead::new(sampler, stream("program")));
        Draws { program: stream("program"), access: stream("access"), ahead }
    }

    /// A span of the program.
    #[inline(always)]
    pub(super) fn span(&mut self, sampler: &Sampler) -> Span {
        match (sampler.constant(), &mut self.ahead) {
            (Some(span), _) => span,
            (None, Some(ahead)) => ahead.draw(),
            (None, None) => sampler.draw(&mut self.program),
        }
    }
}
