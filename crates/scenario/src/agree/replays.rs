//! Replayed guests: a warm-up that is found from a load which has not begun yet is a doubt.

use super::spawning;
use crate::language::{GUESTS, MEASURED, REPLAY, WARM_UP};
use crate::problems::Problems;
use crate::resolved::{Table, Value};
use units::Problem;

/// Says so if nothing but recorded I/O goes on and the warm-up is to be found.
pub fn doubts(root: &Table, warnings: &mut Problems<'_>) {
    let guests = root.tables(&GUESTS);
    let Some(measure) = root.table(&MEASURED) else { return };
    let auto = matches!(measure.value(&WARM_UP), Some(Value::Word(_)));
    let replayed = |guest: &&Table| guest.entry(&REPLAY).is_some();
    if auto && guests.iter().all(|guest| replayed(&guest) || spawning::is_spawned(guest)) {
        let replay = guests.iter().find(replayed).map_or(measure.at, |guest| guest.at(&REPLAY));
        let written = measure.entry(&WARM_UP).filter(|entry| !entry.is_default());
        let problem = Problem::new("no warm-up can be found: nothing happens before the first interval")
            .key(measure.path(&WARM_UP))
            .because(
                "recorded times count from the start of the first interval, so that the machine is empty until then",
            )
            .allowed(["warm_up = \"0 s\""]);
        warnings.add(written.map_or(replay, |entry| entry.at), problem);
    }
}
