//! The distributions that a random span of time may have, given by their mean and their spread.
//!
//! It leaves out fitting them to data.

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
}
