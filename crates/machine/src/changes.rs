//! The changes of a scenario while the machine runs, one after the other at its stated time.

use crate::effect::Outbox;
use crate::event::Event;
use crate::plan::{Change, ChangePlan};
use units::Tod;

/// The stated changes that are still to come.
#[derive(Clone, Debug)]
pub struct Changes {
    list: Vec<ChangePlan>,
    next: usize,
    origin: Tod,
}

impl Changes {
    /// The changes of a plan; none comes before their clock has started.
    pub(crate) fn new(list: &[ChangePlan]) -> Self {
        assert!(list.is_sorted_by_key(|change| change.at), "changes stand in the order of time");
        Changes { list: list.to_vec(), next: 0, origin: Tod::NEVER }
    }

    /// Stated times count from this instant.
    pub(crate) fn count_from(&mut self, start: Tod, effects: &mut impl Outbox) {
        self.origin = start;
        self.announce(effects);
    }

    /// The change that is due; the one after it is announced.
    pub(crate) fn take(&mut self, effects: &mut impl Outbox) -> Change {
        let due = self.list[self.next].change;
        self.next += 1;
        self.announce(effects);
        due
    }

    fn announce(&self, effects: &mut impl Outbox) {
        if let Some(change) = self.list.get(self.next) {
            effects.at(Event::Change, self.origin + change.at);
        }
    }
}
