//! How systems that share names hear of a request: not at all, by a message that is passed round, or by a structure
//! that all of them see.

use super::ring::Ring;
use crate::name_list::word;
use units::{Problem, Span};

/// How systems share names.
///
/// Source: MVS Planning: Global Resource Serialization: GRS=NONE, ring and star complexes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// They do not: names reach one system each, but for those that a manager looks after.
    #[default]
    None,
    /// A message is passed round, and each system holds it for a while.
    Ring(Ring),
    /// A lock structure in a coupling facility.
    Star {
        /// How long it takes to serve a request.
        service: Span,
    },
}

/// The wait of a global request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Delay {
    /// Its length, if no task holds the resource.
    pub wait: Span,
    /// How many systems the message reaches meanwhile; without ring acceleration the last is the requester's own.
    pub hops: u32,
    /// Whether a structure serves it, with a processor that is no system's.
    pub structure: bool,
}

/// The place of a system among those that share names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Its place in the ring, from zero on.
    pub position: u32,
    /// How many systems there are.
    pub systems: u32,
}

impl Mode {
    /// The words for the modes.
    pub const WORDS: [&str; 3] = ["none", "ring", "star"];

    /// One word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Mode::None => "none",
            Mode::Ring(_) => "ring",
            Mode::Star { .. } => "star",
        }
    }

    /// The mode that a word means, in capitals or not, with these times.
    ///
    /// # Errors
    /// A problem keyed `systems` when there is no such mode.
    pub fn read(written: &str, ring: Ring, service: Span) -> Result<Self, Box<Problem>> {
        let all = [Mode::None, Mode::Ring(ring), Mode::Star { service }];
        word::read("systems", written, &all, Mode::word)
    }

    /// Whether names of scope SYSTEMS are shared.
    pub const fn shares(self) -> bool {
        match self {
            Mode::None => false,
            Mode::Ring(_) | Mode::Star { .. } => true,
        }
    }

    /// The wait of a global request that is made at an instant. The instant counts from the time at which the message
    /// of a ring arrived at position 0. A system that is alone in its ring has no wait.
    pub fn delay(self, place: Place, at: Span) -> Delay {
        match self {
            Mode::None => Delay::default(),
            Mode::Star { service } => Delay { wait: service, hops: 0, structure: true },
            Mode::Ring(_) if place.systems <= 1 => Delay::default(),
            Mode::Ring(ring) => Delay { wait: ring.wait(place, at), hops: ring.hops(place.systems), structure: false },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RING: Ring = Ring { residency: Span::from_ms(2), transmission: Span::ZERO, acceleration: None };

    #[test]
    fn a_ring_of_one_and_no_sharing_wait_for_nobody() {
        let alone = Place { position: 0, systems: 1 };
        assert_eq!(Mode::Ring(RING).delay(alone, Span::from_ms(1)), Delay::default());
        assert_eq!(Mode::None.delay(Place { position: 0, systems: 4 }, Span::ZERO), Delay::default());
    }

    #[test]
    fn a_star_is_served_by_its_structure() {
        let star = Mode::Star { service: Span::from_us(10) };
        let delay = star.delay(Place { position: 1, systems: 2 }, Span::from_ms(1));
        assert_eq!(delay, Delay { wait: Span::from_us(10), hops: 0, structure: true });
    }

    #[test]
    fn modes_are_read_by_their_words() {
        let read = |word| Mode::read(word, RING, Span::from_us(10)).map(Mode::word);
        assert!(Mode::WORDS.into_iter().all(|word| read(word) == Ok(word)));
        assert_eq!(
            read("rng").expect_err("a problem").to_string(),
            "systems: there is no `rng`; allowed: none, ring, star; did you mean ring?"
        );
    }
}
