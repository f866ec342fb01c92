//! A thread that burns whatever processor time its group has, and notes when it had none.

use crate::clock::now;
use crate::setup::Gap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Run until the stop flag is set; results count from `origin`.
pub fn burn(origin: u64, stop: &AtomicBool) -> Vec<Gap> {
    let mut gaps = Vec::with_capacity(4096);
    let mut last = now();
    while !stop.load(Ordering::Relaxed) {
        let here = now();
        if last >= origin && here - last >= Gap::LEAST_NS && gaps.len() < Gap::MOST {
            gaps.push(Gap { from: last - origin, to: here - origin });
        }
        last = here;
    }
    gaps
}
