//! The outcomes of yields by virtual processors that spin, counted by place and by issuer, separately.

use machine::signal::Diagnosed;

/// Outcomes of yields on a logical processor, in the order of [`Diagnosed`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcomes([u64; 13]);

/// Of a virtual processor: what it issued.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Diagnoses {
    /// DIAGNOSE X'44' on the fast path, and off it.
    pub fast_x44: u64,
    pub slow_x44: u64,
    /// DIAGNOSE X'9C', whatever its outcome.
    pub x9c: u64,
    /// SIGP Sense Running Status that was not followed by one.
    pub sensed: u64,
    /// Halts, and kicks of others that had halted.
    pub halts: u64,
    pub kicks: u64,
    /// Loops that were intercepted.
    pub loops: u64,
}

impl Outcomes {
    #[inline]
    pub fn add(&mut self, what: Diagnosed) {
        self.0[what as usize] += 1;
    }

    /// The count of this outcome.
    pub fn of(&self, what: Diagnosed) -> u64 {
        self.0[what as usize]
    }

    /// Those of several processors together.
    pub fn together<'a>(all: impl Iterator<Item = &'a Outcomes>) -> Outcomes {
        all.fold(Outcomes::default(), |sum, one| Outcomes(std::array::from_fn(|what| sum.0[what] + one.0[what])))
    }

    /// The number of yields issued for these outcomes.
    pub fn issued(&self) -> Diagnoses {
        let of = |all: &[Diagnosed]| all.iter().map(|what| self.of(*what)).sum();
        Diagnoses {
            fast_x44: of(&[Diagnosed::Fast44]),
            slow_x44: of(&[Diagnosed::X44]),
            x9c: of(&[
                Diagnosed::Yielded,
                Diagnosed::NotReady,
                Diagnosed::InWait,
                Diagnosed::InSoftWait,
                Diagnosed::Dispatched,
            ]),
            sensed: of(&[Diagnosed::Sensed]),
            halts: of(&[Diagnosed::Halted]),
            kicks: of(&[Diagnosed::Kicked]),
            loops: of(&[Diagnosed::LoopGoesOn, Diagnosed::LoopEnded, Diagnosed::LoopYielded]),
        }
    }
}

impl Diagnoses {
    #[inline]
    pub fn add(&mut self, what: Diagnosed) {
        match what {
            Diagnosed::Fast44 => self.fast_x44 += 1,
            Diagnosed::X44 => self.slow_x44 += 1,
            Diagnosed::Yielded
            | Diagnosed::NotReady
            | Diagnosed::InWait
            | Diagnosed::InSoftWait
            | Diagnosed::Dispatched => self.x9c += 1,
            Diagnosed::Sensed => self.sensed += 1,
            Diagnosed::Halted => self.halts += 1,
            Diagnosed::Kicked => self.kicks += 1,
            Diagnosed::LoopGoesOn | Diagnosed::LoopEnded | Diagnosed::LoopYielded => self.loops += 1,
        }
    }

    /// Those of several virtual processors together.
    pub fn together<'a>(all: impl Iterator<Item = &'a Diagnoses>) -> Diagnoses {
        all.fold(Diagnoses::default(), |sum, one| Diagnoses {
            fast_x44: sum.fast_x44 + one.fast_x44,
            slow_x44: sum.slow_x44 + one.slow_x44,
            x9c: sum.x9c + one.x9c,
            sensed: sum.sensed + one.sensed,
            halts: sum.halts + one.halts,
            kicks: sum.kicks + one.kicks,
            loops: sum.loops + one.loops,
        })
    }

    /// DIAGNOSE X'44', on the fast path or not.
    pub fn x44(&self) -> u64 {
        self.fast_x44 + self.slow_x44
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Diagnosed; 13] = [
        Diagnosed::Fast44,
        Diagnosed::X44,
        Diagnosed::Yielded,
        Diagnosed::NotReady,
        Diagnosed::InWait,
        Diagnosed::InSoftWait,
        Diagnosed::Dispatched,
        Diagnosed::Sensed,
        Diagnosed::Halted,
        Diagnosed::Kicked,
        Diagnosed::LoopGoesOn,
        Diagnosed::LoopEnded,
        Diagnosed::LoopYielded,
    ];

    #[test]
    fn outcomes_are_told_apart_and_add_up_to_what_was_issued() {
        let (mut outcomes, mut issued) = (Outcomes::default(), Diagnoses::default());
        for (times, what) in (1..).zip(ALL) {
            for _ in 0..times {
                outcomes.add(what);
                issued.add(what);
            }
        }
        assert_eq!(ALL.map(|what| outcomes.of(what)), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
        let x9c = 3 + 4 + 5 + 6 + 7;
        assert_eq!(
            issued,
            Diagnoses { fast_x44: 1, slow_x44: 2, x9c, sensed: 8, halts: 9, kicks: 10, loops: 11 + 12 + 13 }
        );
        assert_eq!(outcomes.issued(), issued);
    }
}
