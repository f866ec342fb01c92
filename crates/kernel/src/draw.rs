//! Named random streams: one per seed, replication and purpose, so that a change in one purpose leaves the draws of all
//! others as they were (common random numbers).

use crate::ziggurat;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Where streams come from: a seed and the number of the replication.
#[derive(Clone, Copy, Debug)]
pub struct Streams {
    seed: u64,
    replication: u64,
}

impl Streams {
    /// The streams of one replication.
    pub const fn new(seed: u64, replication: u64) -> Self {
        Streams { seed, replication }
    }

    /// The stream for one purpose, such as "queue/7/service".
    pub fn stream(&self, purpose: &str) -> Draw {
        let mut state = mix(self.seed) ^ mix(self.replication.wrapping_add(0x5851_f42d_4c95_7f2d));
        for byte in purpose.bytes() {
            state = mix(state ^ u64::from(byte));
        }
        Draw { generator: Xoshiro256PlusPlus::seed_from_u64(state) }
    }
}

/// The finaliser of `SplitMix64` (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// One random stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    generator: Xoshiro256PlusPlus,
}

impl Draw {
    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// Uniform on [0, 1), a multiple of 2^-53.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        fraction(self.bits())
    }

    /// A whole number below `bound`, each equally likely to within 2^-32 (the high half of a product).
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// At least 1, geometrically distributed with this mean (by inversion).
    pub fn geometric(&mut self, mean: f64) -> u32 {
        if mean <= 1.0 {
            return 1;
        }
        1 + (libm::log(1.0 - self.unit()) / libm::log(1.0 - 1.0 / mean)) as u32
    }

    /// Exponential with mean 1.
    #[inline]
    pub fn exponential(&mut self) -> f64 {
        ziggurat::exponential(self)
    }

    /// Standard normal (polar method of Marsaglia; the second variate is not kept, so that a stream has no hidden state).
    pub fn normal(&mut self) -> f64 {
        loop {
            let (x, y) = (2.0 * self.unit() - 1.0, 2.0 * self.unit() - 1.0);
            let square = x * x + y * y;
            if square < 1.0 && square > 0.0 {
                return x * (-2.0 * libm::log(square) / square).sqrt();
            }
        }
    }
}

/// The upper 53 bits as a number in [0, 1).  A signed conversion is one instruction, an unsigned one is six.
#[inline(always)]
pub(crate) fn fraction(bits: u64) -> f64 {
    (bits >> 11).cast_signed() as f64 * (1.0 / (1u64 << 53) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_depends_on_seed_replication_and_purpose() {
        let first = |seed, replication, purpose| Streams::new(seed, replication).stream(purpose).bits();
        let draws = [first(1, 0, "a"), first(2, 0, "a"), first(1, 1, "a"), first(1, 0, "b"), first(0, 1, "a")];
        for (index, draw) in draws.iter().enumerate() {
            assert!(!draws[..index].contains(draw), "stream {index} repeats another");
        }
        assert_eq!(first(1, 0, "a"), first(1, 0, "a"));
    }

    #[test]
    fn normal_has_its_moments() {
        let mut draw = Streams::new(1, 0).stream("normal");
        let n = 200_000;
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..n {
            let x = draw.normal();
            sum += x;
            squares += x * x;
        }
        let error = 1.0 / f64::from(n).sqrt();
        assert!((sum / f64::from(n)).abs() < 5.0 * error);
        assert!((squares / f64::from(n) - 1.0).abs() < 5.0 * error * 2f64.sqrt());
    }
}
