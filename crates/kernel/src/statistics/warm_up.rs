//! Where a warm-up ends: the MSER-5 rule (White, Cobb and Spratt: A comparison of five steady-state truncation
//! heuristics for simulation, 2000).

const BATCH: usize = 5;

/// How many leading observations to cut so that the standard error of the mean of the rest is least, over batches of
/// five. `None` when the best cut is beyond half of the series: the series is then too short.
pub fn mser5(series: &[f64]) -> Option<usize> {
    let batches: Vec<f64> = series.chunks_exact(BATCH).map(|batch| batch.iter().sum::<f64>() / BATCH as f64).collect();
    let (mut sum, mut squares, mut kept) = (0.0, 0.0, 0.0);
    let mut best = (f64::INFINITY, 0);
    for (cut, batch) in batches.iter().enumerate().rev() {
        sum += batch;
        squares += batch * batch;
        kept += 1.0;
        let spread = squares - sum * sum / kept;
        // The last few batches have next to no spread by chance: the rule leaves them out.
        if kept >= BATCH as f64 && spread / (kept * kept) <= best.0 {
            best = (spread / (kept * kept), cut);
        }
    }
    (2 * best.1 <= batches.len()).then_some(best.1 * BATCH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Streams;

    fn noisy(level: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut draw = Streams::new(3, 0).stream("series");
        (0..1_000).map(|i| level(i) + draw.unit()).collect()
    }

    #[test]
    fn a_transient_is_cut() {
        let cut = mser5(&noisy(|i| if i < 200 { 5.0 - i as f64 / 40.0 } else { 0.0 })).expect("long enough");
        assert!((150..=260).contains(&cut), "cut {cut}");
    }

    #[test]
    fn a_steady_series_keeps_most() {
        assert!(mser5(&noisy(|_| 1.0)).is_some_and(|cut| cut <= 300));
    }

    #[test]
    fn a_series_that_never_settles_is_told() {
        assert_eq!(mser5(&noisy(|i| i as f64)), None);
    }
}
