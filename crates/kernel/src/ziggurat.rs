//! The exponential variate by the ziggurat method of 256 layers (Marsaglia and Tsang, 2000).

mod tables;

use crate::draw::{Draw, fraction};
use tables::{EDGE, HEIGHT, TAIL};

/// Exponential with mean 1.
#[inline(always)]
pub fn exponential(draw: &mut Draw) -> f64 {
    loop {
        let bits = draw.bits();
        let layer = (bits & 0xff) as usize;
        let x = fraction(bits) * EDGE[layer];
        if x < EDGE[layer + 1] {
            return x;
        }
        if let Some(x) = beyond_the_core(draw, layer, x) {
            return x;
        }
    }
}

#[cold]
fn beyond_the_core(draw: &mut Draw, layer: usize, x: f64) -> Option<f64> {
    if layer == 0 {
        return Some(TAIL - libm::log(1.0 - draw.unit()));
    }
    let height = HEIGHT[layer] + (HEIGHT[layer + 1] - HEIGHT[layer]) * draw.unit();
    (height < libm::exp(-x)).then_some(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Streams;

    #[test]
    fn tables_follow_the_formula() {
        // Area of a layer for 256 layers, from the paper's table of constants.
        let area = 3.949_659_822_581_572e-3;
        assert!((EDGE[0] - area / libm::exp(-TAIL)).abs() < 1e-12);
        assert!((EDGE[1] - TAIL).abs() < 1e-12);
        for layer in 1..256 {
            assert!((HEIGHT[layer] - libm::exp(-EDGE[layer])).abs() < 1e-15, "height {layer}");
            assert!((EDGE[layer] * (HEIGHT[layer + 1] - HEIGHT[layer]) - area).abs() < 1e-12, "area {layer}");
        }
        assert_eq!((EDGE[256], HEIGHT[256]), (0.0, 1.0));
    }

    #[test]
    fn moments_and_tail_are_exponential() {
        let mut draw = Streams::new(1, 0).stream("exponential");
        let n = 1_000_000;
        let (mut sum, mut squares, mut beyond) = (0.0, 0.0, 0u32);
        for _ in 0..n {
            let x = exponential(&mut draw);
            sum += x;
            squares += x * x;
            beyond += u32::from(x > 8.0);
        }
        let n = f64::from(n);
        assert!((sum / n - 1.0).abs() < 5.0 / n.sqrt());
        assert!((squares / n - 2.0).abs() < 5.0 * 20f64.sqrt() / n.sqrt());
        let tail = libm::exp(-8.0);
        assert!((f64::from(beyond) / n - tail).abs() < 5.0 * (tail / n).sqrt());
    }
}
