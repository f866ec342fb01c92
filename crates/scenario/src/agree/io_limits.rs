//! Limits on the I/Os of volumes: slices are whole ticks.

use crate::language::{IO_SLICE, IO_TICK, VOLUMES};
use crate::problems::Problems;
use crate::resolved::Table;
use units::Problem;

/// Checks that every slice is a whole number of ticks, as the kernel counts it.
pub fn check(root: &Table, problems: &mut Problems<'_>) {
    for volume in root.tables(&VOLUMES) {
        let (Some(slice), Some(tick)) = (volume.span(&IO_SLICE), volume.span(&IO_TICK)) else { continue };
        if tick.is_zero() || slice.units() % tick.units() == 0 {
            continue;
        }
        let text = |key| volume.span_text(key).unwrap_or_default();
        let problem = Problem::new(format!("a slice of {} in ticks of {}", text(&IO_SLICE), text(&IO_TICK)))
            .key(volume.path(&IO_TICK))
            .because("tokens are counted over whole ticks")
            .allowed(["0 ms, or a tick of which a slice is a whole multiple"]);
        problems.add(volume.at(&IO_TICK), problem);
    }
}
