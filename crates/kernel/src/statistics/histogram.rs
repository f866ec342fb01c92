//! A histogram of spans from nanoseconds to hours with a relative resolution of 3 %, and its quantiles.

use units::Span;

/// Counts in buckets that double every 32: linear below a microsecond, logarithmic above.
#[derive(Clone, Debug)]
pub struct Histogram {
    counts: Box<[u64; BUCKETS]>,
}

const SUB_BITS: u32 = 5;
const SUB: usize = 1 << SUB_BITS;
/// Cells below 2^12 units (one microsecond) are linear.
const LOW_BITS: u32 = 12;
const OCTAVES: usize = 34;
const BUCKETS: usize = SUB * (OCTAVES + 1);

impl Default for Histogram {
    fn default() -> Self {
        Histogram { counts: Box::new([0; BUCKETS]) }
    }
}

impl Histogram {
    /// Counts a span.
    #[inline(always)]
    pub fn add(&mut self, span: Span) {
        self.counts[bucket(span.units())] += 1;
    }

    /// How many spans were counted.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The span that a share `q` of those counted do not exceed, interpolated in its bucket; none where
    /// nothing was counted.
    pub fn quantile(&self, q: f64) -> Option<Span> {
        let rank = q * self.count() as f64;
        let mut below = 0.0;
        for (index, &count) in self.counts.iter().enumerate() {
            if count > 0 && below + count as f64 >= rank {
                let (low, high) = (floor(index), floor(index + 1));
                let within = ((rank - below) / count as f64).clamp(0.0, 1.0);
                return Some(Span::from_units(low + ((high - low) as f64 * within) as u64));
            }
            below += count as f64;
        }
        None
    }

    /// Forgets everything.
    pub fn reset(&mut self) {
        self.counts.fill(0);
    }
}

/// Below twice [`LOW_BITS`] the width of a bucket is the same; above, the leading bit of a span says which octave it is in.
#[inline(always)]
fn bucket(units: u64) -> usize {
    let leading = 63 - (units | 1 << LOW_BITS).leading_zeros();
    let octave = (leading - LOW_BITS) as usize;
    ((units >> (leading - SUB_BITS)) as usize + octave * SUB).min(BUCKETS - 1)
}

fn floor(index: usize) -> u64 {
    let (octave, within) = (index / SUB, (index % SUB) as u64);
    if octave == 0 {
        return within << (LOW_BITS - SUB_BITS);
    }
    (SUB as u64 + within) << (LOW_BITS - SUB_BITS + octave as u32 - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bucket_begins_at_its_floor() {
        for index in 0..BUCKETS {
            assert_eq!(bucket(floor(index)), index);
            if index > 0 {
                assert_eq!(bucket(floor(index) - 1), index - 1);
            }
        }
    }

    #[test]
    fn quantiles_are_within_a_bucket() {
        let mut histogram = Histogram::default();
        for us in 1..=10_000 {
            histogram.add(Span::from_us(us));
        }
        for q in [0.01, 0.5, 0.9, 0.99, 1.0] {
            let (seen, expected) = (histogram.quantile(q).expect("some").ms(), 10.0 * q);
            assert!((seen / expected - 1.0).abs() < 0.032, "{q}: {seen} ms");
        }
        assert_eq!(Histogram::default().quantile(0.5), None);
    }

    #[test]
    fn the_longest_span_has_a_bucket() {
        let mut histogram = Histogram::default();
        histogram.add(Span::from_units(u64::MAX));
        assert!(histogram.quantile(0.5) > Some(Span::from_seconds(1_000.0)));
    }
}
