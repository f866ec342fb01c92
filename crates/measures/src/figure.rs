//! A figure as it was read or counted: a value and how far its printed form may have rounded it.

/// A value and half a unit of its last printed digit; the half unit is zero when it was counted exactly.
///
/// Arithmetic carries the rounding along as the worst case: the largest distance that the inputs allow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// The value; not a number when the source does not give it.
    pub value: f64,
    /// How far the value before it was printed may lie on either side.
    pub rounding: f64,
}

impl Figure {
    /// A figure that the source of the totals does not have.
    pub const UNKNOWN: Figure = Figure { value: f64::NAN, rounding: 0.0 };
    /// Zero, counted exactly.
    pub const ZERO: Figure = Figure::exact(0.0);

    /// A value that nothing has rounded.
    #[inline]
    pub const fn exact(value: f64) -> Self {
        Figure { value, rounding: 0.0 }
    }

    /// A value that was printed with `decimals` digits after the point.
    pub fn printed(value: f64, decimals: usize) -> Self {
        let last_digit = 10f64.powi(-i32::try_from(decimals).unwrap_or(i32::MAX));
        Figure { value, rounding: last_digit / 2.0 }
    }

    /// Whether the source gives it at all.
    #[inline]
    pub fn is_known(self) -> bool {
        !self.value.is_nan()
    }

    /// Whether both can have been printed from one number.
    pub fn agrees_with(self, other: Figure) -> bool {
        let slack = 1e-9 * (1.0 + self.value.abs());
        (self.value - other.value).abs() <= self.rounding + other.rounding + slack
    }

    /// The sum of two figures.
    #[inline]
    pub fn plus(self, other: Figure) -> Figure {
        Figure { value: self.value + other.value, rounding: self.rounding + other.rounding }
    }

    /// What is left of a figure without a part of it: nothing at least, as both may be rounded.
    #[inline]
    pub fn less(self, part: Figure) -> Figure {
        let left = self.value - part.value;
        Figure { value: if left < 0.0 { 0.0 } else { left }, rounding: self.rounding + part.rounding }
    }

    /// The product of two figures.
    #[inline]
    pub fn times(self, other: Figure) -> Figure {
        let (a, b) = (self.value.abs(), other.value.abs());
        let rounding = a * other.rounding + b * self.rounding + self.rounding * other.rounding;
        Figure { value: self.value * other.value, rounding }
    }

    /// The quotient of two figures; nothing over nothing is nothing: a device that did no I/O took no time for it.
    /// Something over nothing is unknown: how long requests wait that are never started.
    #[inline]
    pub fn over(self, other: Figure) -> Figure {
        if other.value == 0.0 {
            return if self.value == 0.0 { Figure::ZERO } else { Figure::UNKNOWN };
        }
        let value = self.value / other.value;
        let least = other.value.abs() - other.rounding;
        let rounding = if least <= 0.0 || least.is_nan() {
            f64::INFINITY
        } else if self.rounding == 0.0 && other.rounding == 0.0 {
            0.0
        } else {
            (self.value.abs() + self.rounding) / least - value.abs()
        };
        Figure { value, rounding }
    }
}

/// The sum of some figures.
pub fn sum(figures: impl IntoIterator<Item = Figure>) -> Figure {
    figures.into_iter().fold(Figure::ZERO, Figure::plus)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_unit_of_the_last_digit_is_the_rounding() {
        assert_eq!(Figure::printed(711.0, 0).rounding, 0.5);
        assert!((Figure::printed(1.84, 2).rounding - 0.005).abs() < 1e-15);
    }

    #[test]
    fn arithmetic_covers_every_value_the_inputs_allow() {
        let (a, b) = (Figure::printed(1.3, 1), Figure::printed(7.0, 0));
        for (x, y) in [(1.25, 6.5), (1.25, 7.5), (1.35, 6.5), (1.35, 7.5)] {
            assert!(a.plus(b).agrees_with(Figure::exact(x + y)));
            assert!(a.times(b).agrees_with(Figure::exact(x * y)));
            assert!(a.over(b).agrees_with(Figure::exact(x / y)));
        }
    }

    #[test]
    fn what_is_unknown_stays_unknown() {
        assert!(!Figure::UNKNOWN.plus(Figure::exact(1.0)).is_known());
        assert!(!Figure::UNKNOWN.over(Figure::exact(1.0)).is_known());
    }

    #[test]
    fn nothing_over_nothing_is_nothing_and_something_over_it_unknown() {
        assert_eq!(Figure::ZERO.over(Figure::ZERO), Figure::ZERO);
        assert!(!Figure::exact(2.0).over(Figure::ZERO).is_known());
    }
}
