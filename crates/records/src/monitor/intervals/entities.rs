//! The entities of a system, each with the records of its last two samples.

use super::step::Step;
use std::collections::BTreeMap;

/// The code of a record, and the number of the entity it is about.
type Name = ((u8, u16), u64);

/// The records of one entity: the last two samples.
#[derive(Debug, Default)]
struct Samples {
    earlier: Vec<u8>,
    later: Vec<u8>,
    /// Whether the later one is of the sample that is read now.
    present: bool,
}

/// The entities of a system, each with its last two samples.
#[derive(Debug, Default)]
pub(super) struct Entities(BTreeMap<Name, Samples>);

impl Entities {
    /// The steps of all entities of a record that are in this sample and in the one before.
    pub(super) fn steps(&self, code: (u8, u16)) -> impl Iterator<Item = Step<'_>> {
        let of_code = self.0.range((code, 0)..=(code, u64::MAX));
        of_code
            .filter(|(_, samples)| samples.present)
            .filter_map(|(_, samples)| Step::new(&samples.earlier, &samples.later))
    }

    pub(super) fn take(&mut self, name: Name, record: &[u8]) {
        let samples = self.0.entry(name).or_default();
        samples.later.clear();
        samples.later.extend_from_slice(record);
        samples.present = true;
    }

    /// Drops the later samples.
    pub(super) fn drop_sample(&mut self) {
        self.0.values_mut().for_each(|samples| samples.present = false);
    }

    /// Makes the later samples the earlier ones; entities that were not in this sample are forgotten.
    pub(super) fn turn(&mut self) {
        self.0.retain(|_, samples| std::mem::take(&mut samples.present));
        self.0.values_mut().for_each(|samples| std::mem::swap(&mut samples.earlier, &mut samples.later));
    }
}
