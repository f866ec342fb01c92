//! The distributions that a random span of time may have, given by their mean and their spread.

use crate::draw::Draw;
use units::Span;

/// How a random span is distributed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution {
    /// Always the same span.
    Constant(Span),
    /// Every span from `low` to `high` equally likely.
    Uniform {
        /// The shortest span.
        low: Span,
        /// The longest span.
        high: Span,
    },
    /// Memoryless.
    Exponential {
        /// The mean.
        mean: Span,
    },
    /// The sum of `stages` exponential spans.
    Erlang {
        /// The mean of the sum.
        mean: Span,
        /// How many exponential spans, at least one.
        stages: u32,
    },
    /// One of two exponential spans, with balanced means (scv at least 1).
    Hyperexponential {
        /// The mean.
        mean: Span,
        /// Squared coefficient of variation.
        scv: f64,
    },
    /// Gamma with a given mean and squared coefficient of variation (scv above 0).
    Gamma {
        /// The mean.
        mean: Span,
        /// Squared coefficient of variation.
        scv: f64,
    },
}

impl Default for Distribution {
    fn default() -> Self {
        Distribution::Constant(Span::ZERO)
    }
}

impl Distribution {
    /// The mean span.
    pub fn mean(&self) -> Span {
        match *self {
            Distribution::Constant(span) => span,
            Distribution::Uniform { low, high } => Span::from_units(low.units().midpoint(high.units())),
            Distribution::Exponential { mean }
            | Distribution::Erlang { mean, .. }
            | Distribution::Hyperexponential { mean, .. }
            | Distribution::Gamma { mean, .. } => mean,
        }
    }

    /// A sampler with everything computed that does not change from draw to draw.
    ///
    /// # Panics
    /// When the parameters are out of the ranges stated at the variants.
    pub fn sampler(&self) -> Sampler {
        match *self {
            Distribution::Constant(span) => Sampler::Constant(span),
            Distribution::Uniform { low, high } => {
                assert!(low <= high, "uniform from {low} to {high}");
                Sampler::Uniform { low: low.units() as f64, width: (high - low).units() as f64 }
            }
            Distribution::Exponential { mean } => Sampler::Exponential { mean: mean.units() as f64 },
            Distribution::Erlang { mean, stages } => {
                assert!(stages > 0, "an Erlang distribution has stages");
                Sampler::Erlang { stage: mean.units() as f64 / f64::from(stages), stages }
            }
            Distribution::Hyperexponential { mean, scv } => {
                assert!(scv >= 1.0, "hyperexponential with scv {scv}");
                let first = 0.5 * (1.0 + ((scv - 1.0) / (scv + 1.0)).sqrt());
                let mean = mean.units() as f64;
                Sampler::Hyperexponential { first, means: [mean / (2.0 * first), mean / (2.0 * (1.0 - first))] }
            }
            Distribution::Gamma { mean, scv } => {
                assert!(scv > 0.0, "gamma with scv {scv}");
                Sampler::Gamma(Gamma::new(mean.units() as f64, 1.0 / scv))
            }
        }
    }
}

/// A distribution ready to be drawn from.  Its number is a field of its own, because every draw reads it.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub enum Sampler {
    /// Always this span.
    Constant(Span),
    /// In TOD-clock units.
    Uniform {
        /// The shortest.
        low: f64,
        /// Longest less shortest.
        width: f64,
    },
    /// In TOD-clock units.
    Exponential {
        /// The mean.
        mean: f64,
    },
    /// In TOD-clock units.
    Erlang {
        /// The mean of one stage.
        stage: f64,
        /// How many stages.
        stages: u32,
    },
    /// In TOD-clock units.
    Hyperexponential {
        /// Probability of the first branch.
        first: f64,
        /// The mean of each branch.
        means: [f64; 2],
    },
    /// In TOD-clock units.
    Gamma(Gamma),
}

impl Sampler {
    /// The span, where it is always the same: nothing is drawn for it.
    #[inline(always)]
    pub const fn constant(&self) -> Option<Span> {
        if let Sampler::Constant(span) = self { Some(*span) } else { None }
    }

    /// One span, to the nearest TOD-clock unit.
    #[inline(always)]
    pub fn draw(&self, draw: &mut Draw) -> Span {
        // The most common first: they cost no jump through a table.
        if let Sampler::Exponential { mean } = self {
            return nearest(mean * draw.exponential());
        }
        if let Sampler::Constant(span) = self {
            return *span;
        }
        nearest(self.draw_compound(draw))
    }

    /// The distributions that take more than one variate, out of the way of the common ones.
    #[inline(never)]
    fn draw_compound(&self, draw: &mut Draw) -> f64 {
        match self {
            Sampler::Constant(span) => span.units() as f64,
            Sampler::Exponential { mean } => mean * draw.exponential(),
            Sampler::Uniform { low, width } => low + width * draw.unit(),
            Sampler::Erlang { stage, stages } => stage * (0..*stages).map(|_| draw.exponential()).sum::<f64>(),
            Sampler::Hyperexponential { first, means } => {
                means[usize::from(draw.unit() >= *first)] * draw.exponential()
            }
            Sampler::Gamma(gamma) => gamma.draw(draw),
        }
    }
}

/// A sampler that alone draws from its stream.  The next span is drawn ahead, so that an event does not wait for the
/// arithmetic of a draw.
#[derive(Clone, Debug)]
pub struct Ahead {
    next: Span,
    sampler: Sampler,
    draw: Draw,
}

impl Ahead {
    /// The spans of a sampler from a stream.
    pub fn new(sampler: Sampler, mut draw: Draw) -> Ahead {
        Ahead { next: sampler.draw(&mut draw), sampler, draw }
    }

    /// One span.
    #[inline(always)]
    pub fn draw(&mut self) -> Span {
        std::mem::replace(&mut self.next, self.sampler.draw(&mut self.draw))
    }

    /// The span, where it is always the same.
    pub fn constant(&self) -> Option<Span> {
        self.sampler.constant()
    }
}

/// To the nearest TOD-clock unit.  A signed conversion takes half the instructions of an unsigned one.
#[inline(always)]
fn nearest(units: f64) -> Span {
    Span::from_units(((units + 0.5) as i64).cast_unsigned())
}

/// Gamma variates (Marsaglia and Tsang: A Simple Method for Generating Gamma Variables, 2000).
#[derive(Clone, Copy, Debug)]
pub struct Gamma {
    scale: f64,
    d: f64,
    c: f64,
    /// Below shape 1 the variate of shape + 1 is multiplied by u^(1/shape).
    boost: Option<f64>,
}

impl Gamma {
    fn new(mean: f64, shape: f64) -> Self {
        let boosted = if shape < 1.0 { shape + 1.0 } else { shape };
        let d = boosted - 1.0 / 3.0;
        Gamma { scale: mean / shape, d, c: 1.0 / (9.0 * d).sqrt(), boost: (shape < 1.0).then_some(1.0 / shape) }
    }

    fn draw(&self, draw: &mut Draw) -> f64 {
        let factor = self.boost.map_or(1.0, |power| libm::pow(1.0 - draw.unit(), power));
        loop {
            let x = draw.normal();
            let root = 1.0 + self.c * x;
            if root <= 0.0 {
                continue;
            }
            let v = root * root * root;
            let u = 1.0 - draw.unit();
            if libm::log(u) < 0.5 * x * x + self.d * (1.0 - v + libm::log(v)) {
                return self.scale * self.d * v * factor;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Streams;

    /// Mean within 5 standard errors, and the squared coefficient of variation within 5 % of what was asked for.
    fn check(distribution: Distribution, scv: f64) {
        let sampler = distribution.sampler();
        let mut draw = Streams::new(7, 0).stream("moments");
        let n = 400_000;
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..n {
            let x = sampler.draw(&mut draw).units() as f64;
            sum += x;
            squares += x * x;
        }
        let n = f64::from(n);
        let (mean, expected) = (sum / n, distribution.mean().units() as f64);
        let error = expected * (scv / n).sqrt();
        assert!((mean - expected).abs() <= 5.0 * error + 0.5, "{distribution:?}: mean {mean}, expected {expected}");
        let seen = squares / n / (mean * mean) - 1.0;
        assert!((seen - scv).abs() <= 0.05 * scv + 1e-6, "{distribution:?}: scv {seen}, expected {scv}");
    }

    #[test]
    fn mean_and_spread_are_as_asked_for() {
        let mean = Span::from_ms(2);
        check(Distribution::Constant(mean), 0.0);
        check(Distribution::Uniform { low: Span::ZERO, high: mean }, 1.0 / 3.0);
        check(Distribution::Exponential { mean }, 1.0);
        check(Distribution::Erlang { mean, stages: 4 }, 0.25);
        check(Distribution::Hyperexponential { mean, scv: 4.0 }, 4.0);
        check(Distribution::Gamma { mean, scv: 0.07 }, 0.07);
        check(Distribution::Gamma { mean, scv: 1.0 }, 1.0);
        check(Distribution::Gamma { mean, scv: 3.0 }, 3.0);
    }
}
