//! Editing a scenario that was read: keys are set or taken away in what was written, and all of it is checked again.
//!
//! The text is not parsed again, and the scenario that is edited stays as it is.

use crate::document::{Document, Edit};
use crate::language::CHANGES;
use crate::problems::Problems;
use crate::set;
use crate::text::Text;
use crate::{Scenario, growth};
use machine::plan::Arrival;
use std::collections::BTreeMap;
use units::Problem;

impl Scenario {
    /// The scenario with these edits, in their order; every problem if there is any.
    pub fn with(&self, edits: &[Edit]) -> Result<Scenario, Vec<Problem>> {
        let document = &*self.document;
        let mut names = document.set.clone();
        names.extend(edits.iter().map(|edit| match edit {
            Edit::Set(text) | Edit::Remove(text) => text.clone(),
        }));
        let text = Text::of(document.text.as_bytes(), &document.file, &names)?.with(&document.files);
        let mut problems = Problems::new(&text);
        let mut written = document.written.clone();
        for (index, edit) in (document.set.len()..).zip(edits) {
            match edit {
                Edit::Set(_) => set::set(&mut written, index, &mut problems),
                Edit::Remove(_) => set::remove(&mut written, index, &mut problems),
            }
        }
        self.still_supplied(Scenario::resolve(Document::of(&text, written), problems)?)
    }

    /// The scenario in which nothing changes while the machine runs.
    pub fn without_changes(&self) -> Result<Scenario, Vec<Problem>> {
        self.with(&[Edit::Remove(CHANGES.name.into())])
    }

    /// The scenario with the demand multiplied by this factor: virtual machines, closed populations and arrival rates.
    ///
    /// Guests of virtual machines grow as those do after rounding.  A population has one guest at least; spawned and
    /// replayed guests do not grow.  A count beyond the language's bounds is a problem.
    pub fn grown(&self, factor: f64) -> Result<Scenario, Vec<Problem>> {
        self.with(&growth::edits(&self.root, &|_| factor))
    }

    /// The scenario with the demand of each guest multiplied by its factor, by the same rule.
    pub fn grown_by(&self, factors: &BTreeMap<String, f64>) -> Result<Scenario, Vec<Problem>> {
        self.with(&growth::edits(&self.root, &|guest| factors.get(guest).copied().unwrap_or(1.0)))
    }

    /// Recorded I/Os that were supplied are those of the edited scenario too, where its guests name the same files.
    fn still_supplied(&self, mut edited: Scenario) -> Result<Scenario, Vec<Problem>> {
        for replay in self.replays.iter().filter(|replay| replay.supplied) {
            let same = edited.replays.iter().any(|other| other.guest == replay.guest && other.file == replay.file);
            let guest = self.plan.guests.iter().find(|guest| guest.name == replay.guest);
            if let (true, Some(Arrival::Replay { records })) = (same, guest.map(|guest| &guest.arrival)) {
                edited = edited.supply(&replay.guest, records.to_vec())?;
            }
        }
        Ok(edited)
    }
}
