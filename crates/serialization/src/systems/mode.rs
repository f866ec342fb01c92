//! How systems that share names hear of a request: not at all, by a message that is passed round, or by a structure
//! that all of them see.

use crate::name_list::word;
use units::{Problem, Span};

/// How systems share names.
///
/// Source: MVS Planning: Global Resource Serialization: GRS=NONE, ring and star complexes, and RESMIL, the time for
/// which a system holds the ring system authority message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// They do not: names reach one system each, but for those that a manager looks after.
    #[default]
    None,
    /// A message is passed round, and each system holds it for a while.
    Ring {
        /// For how long.
        residency: Span,
    },
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
    /// How many systems the message reaches meanwhile, the last of them the requester's own.
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
            Mode::Ring { .. } => "ring",
            Mode::Star { .. } => "star",
        }
    }

    /// The mode that a word means, in capitals or not, with these times.
    ///
    /// # Errors
    /// A problem keyed `systems` when there is no such mode.
    pub fn read(written: &str, residency: Span, service: Span) -> Result<Self, Box<Problem>> {
        let all = [Mode::None, Mode::Ring { residency }, Mode::Star { service }];
        word::read("systems", written, &all, Mode::word)
    }

    /// Whether names of scope SYSTEMS are shared.
    pub const fn shares(self) -> bool {
        match self {
            Mode::None => false,
            Mode::Ring { .. } | Mode::Star { .. } => true,
        }
    }

    /// The wait of a global request that is made at an instant. The instant counts from the time at which the message
    /// of a ring was at position 0.
    ///
    /// Ring: until the message next leaves the system, and then until it has been held by all others and is back. A
    /// ring of one system has no wait. ASSUME: links take no time, and all know a request when the message is back.
    pub fn delay(self, place: Place, at: Span) -> Delay {
        match self {
            Mode::None => Delay::default(),
            Mode::Star { service } => Delay { wait: service, hops: 0, structure: true },
            Mode::Ring { .. } if place.systems <= 1 => Delay::default(),
            Mode::Ring { residency } => {
                let round = residency.units() * u64::from(place.systems);
                let leaves = residency.units() * (u64::from(place.position) + 1);
                let until = if round == 0 { 0 } else { (leaves + round - 1 - at.units() % round) % round + 1 };
                let travel = residency.units() * u64::from(place.systems - 1);
                Delay { wait: Span::from_units(until + travel), hops: place.systems, structure: false }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RING: Mode = Mode::Ring { residency: Span::from_ms(2) };

    fn wait(position: u32, at: Span) -> Span {
        RING.delay(Place { position, systems: 3 }, at).wait
    }

    #[test]
    fn a_ring_takes_a_request_along_and_brings_it_back() {
        // Held by 0 in [0, 2) ms, by 1 in [2, 4), by 2 in [4, 6).
        assert_eq!(wait(0, Span::ZERO), Span::from_ms(2 + 4));
        assert_eq!(wait(0, Span::from_ms(1)), Span::from_ms(1 + 4));
        assert_eq!(wait(0, Span::from_ms(2)), Span::from_ms(6 + 4), "the message has just left");
        assert_eq!(wait(2, Span::from_ms(3)), Span::from_ms(3 + 4));
        assert_eq!(wait(1, Span::from_ms(6 * 1000 + 2)), Span::from_ms(2 + 4));
    }

    #[test]
    fn on_average_it_is_half_a_round_and_the_others() {
        let round = Span::from_ms(6).units();
        let sum: u64 = (0..round).step_by(4096).map(|at| wait(1, Span::from_units(at)).units()).sum();
        let mean = sum as f64 / (round / 4096) as f64 / f64::from(1_000 << 12);
        assert!((mean - (3.0 + 4.0)).abs() < 0.001, "{mean} ms");
    }

    #[test]
    fn a_ring_of_one_and_no_sharing_wait_for_nobody() {
        let alone = Place { position: 0, systems: 1 };
        assert_eq!(RING.delay(alone, Span::from_ms(1)), Delay::default());
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
        let read = |word| Mode::read(word, Span::from_ms(2), Span::from_us(10)).map(Mode::word);
        assert!(Mode::WORDS.into_iter().all(|word| read(word) == Ok(word)));
        assert_eq!(
            read("rng").expect_err("a problem").to_string(),
            "systems: there is no `rng`; allowed: none, ring, star; did you mean ring?"
        );
    }
}
