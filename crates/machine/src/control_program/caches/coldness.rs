//! How cold a virtual processor finds the caches, and how much longer work takes until they are warm.

use super::layout::MOST_LEVELS;
use units::Span;

/// How cold the caches are that a virtual processor enters.
///
/// Its speed is 1 / (1 + a).  There a is the sum over the levels of missing share x (beyond - beyond of the level
/// before), and beyond is 1 for no level.  While it runs x, the missing shares shrink as e^(-x/T), where T is how long
/// it runs until all but 1/e was touched.  So work that takes w in warm caches takes w + T ln(1 + a (1 - e^(-w/T))).
/// In x it does x - T ln((1 + a) / (1 + a e^(-x/T))) of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Coldness {
    /// How much longer than in warm caches the first instructions take, over what they take in warm ones.
    pub a: f64,
    /// The share that is missing at each level.
    pub(super) missing: [f64; MOST_LEVELS],
}

impl Coldness {
    /// Warm caches, or no footprint.
    pub const WARM: Coldness = Coldness { a: 0.0, missing: [0.0; MOST_LEVELS] };

    /// The share that is there at each level of what could be, in millionths; all of it at levels that do not exist.
    #[inline(always)]
    pub fn resident(&self) -> [u32; MOST_LEVELS] {
        let mut resident = [0; MOST_LEVELS];
        for (resident, missing) in resident.iter_mut().zip(&self.missing) {
            *resident = ((1.0 - missing) * 1e6 + 0.5) as u32;
        }
        resident
    }

    /// Whether nothing is missing at any level, though it cost nothing.
    #[inline]
    pub(super) fn is_warm(&self) -> bool {
        self.missing == [0.0; MOST_LEVELS]
    }

    /// How long work takes.
    pub(super) fn elapsed(&self, touched_in: f64, work: Span) -> Span {
        let touched = -libm::expm1(-(work.units() as f64) / touched_in);
        work + rounded(touched_in * libm::log1p(self.a * touched))
    }

    /// How much work is done.
    pub(super) fn work(&self, touched_in: f64, elapsed: Span) -> Span {
        let touched = -libm::expm1(-(elapsed.units() as f64) / touched_in);
        let lost = touched_in * libm::log1p(self.a * touched / (1.0 + self.a * (1.0 - touched)));
        elapsed - rounded(lost).min(elapsed)
    }

    /// Which part is left after so long of what was missing.
    pub(super) fn left(&self, touched_in: f64, elapsed: Span) -> f64 {
        libm::exp(-(elapsed.units() as f64) / touched_in)
    }
}

fn rounded(units: f64) -> Span {
    Span::from_units((units + 0.5) as u64)
}
