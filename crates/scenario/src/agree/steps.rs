//! The steps of programs with those inside others: what is repeated, what is done under a hold, what may be chosen.

use crate::language::{
    ALTERNATIVE_STEPS, ANY, CHOOSE, ENQ_STEPS, IO, Key, MESSAGE_IN, MESSAGE_OUT, ONE, ONE_MINIDISK, OWN, PROGRAM,
    STEPS, WEIGHTED, ZIPF,
};
use crate::resolved::Table;
use crate::text::At;

/// The steps right inside a step.
pub fn inside(step: &Table) -> impl Iterator<Item = &Table> {
    let chosen = step.tables(&CHOOSE).iter().flat_map(|alternative| alternative.tables(&ALTERNATIVE_STEPS));
    step.tables(&STEPS).iter().chain(step.tables(&ENQ_STEPS)).chain(chosen)
}

/// Every step of a guest's program, each before those inside it.
pub fn all(guest: &Table) -> Vec<&Table> {
    let mut steps = Vec::new();
    let mut ahead: Vec<&Table> = guest.tables(&PROGRAM).iter().rev().collect();
    while let Some(step) = ahead.pop() {
        steps.push(step);
        let own = ahead.len();
        ahead.extend(inside(step));
        ahead[own..].reverse();
    }
    steps
}

/// A name in a step: its place, and the key for a message.
pub struct Reference<'t> {
    /// The name.
    pub name: &'t str,
    /// Its place.
    pub at: At,
    /// The key.
    pub key: String,
}

/// Where the I/O of a step may go.
pub fn targets(step: &Table) -> Vec<Reference<'_>> {
    let Some(io) = step.table(&IO) else { return Vec::new() };
    let reference = |key: &Key, name, at| Reference { name, at, key: io.path(key) };
    let mut found = Vec::new();
    for key in [&ONE, &ONE_MINIDISK] {
        found.extend(io.text(key).map(|name| reference(key, name, io.at(key))));
    }
    for key in [&ANY, &ZIPF] {
        found.extend(io.references(key).iter().map(|listed| reference(key, &listed.name, listed.at)));
    }
    for key in [&WEIGHTED, &OWN] {
        found.extend(io.weights(key).iter().map(|weight| reference(key, &weight.name, weight.at)));
    }
    found
}

/// The front end through which a step has a message carried.
pub fn message(step: &Table) -> Option<Reference<'_>> {
    let key = [&MESSAGE_IN, &MESSAGE_OUT].into_iter().find(|key| step.entry(key).is_some())?;
    Some(Reference { name: step.text(key)?, at: step.at(key), key: step.path(key) })
}
