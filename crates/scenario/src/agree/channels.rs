//! Channels: the numbers of their types, and the path groups that they form.

use super::worked_out::{self, rule};
use crate::channel_types;
use crate::language::{
    CHANNEL_PER_KIB, CHANNEL_TYPE, CHANNEL_TYPES, CHANNELS, CHANNELS_OF, CONTROL_UNITS, DISCIPLINE, DUPLEX, FULL,
    HOLDS, Key, NAME, PATHS, PER_IO, SHARING,
};
use crate::mark;
use crate::problems::Problems;
use crate::resolved::{Origin, Table, Value};
use crate::text::Text;
use machine::plan::{Discipline, Holds};
use std::collections::BTreeSet;
use units::Problem;

const NUMBERS: [&Key; 4] = [&PER_IO, &CHANNEL_PER_KIB, &DUPLEX, &HOLDS];

/// Channel paths to a device (z/Architecture Principles of Operation, Path-Management-Control Word).
const MOST: usize = 8;

const A_PATH_EACH: &str = "a path for each of its channels";

/// Gives every channel the numbers of its type, and every control unit with channels a path for each.
pub fn work_out(root: &mut Table, text: &Text<'_>) {
    for channel in root.tables_mut(&CHANNELS) {
        let own = channel.text(&CHANNEL_TYPE).and_then(channel_types::number);
        for key in NUMBERS {
            let why = own.map_or(rule(key), channel_types::why);
            let said = |reason: &str, value: &Value| {
                let types = (0..CHANNEL_TYPES.len()).filter(|number| channel_types::why(*number) == reason).map(Some);
                let none = (reason == rule(key)).then_some(None);
                types.chain(none).any(|number| worked_out::same(&channel_types::gives(number, key), value))
            };
            worked_out::settle(channel, key, Some((channel_types::gives(own, key), why)), (&said, text));
        }
        let meant = if may_share(channel) { Discipline::Shared } else { Discipline::Fifo };
        let value = Value::Text(Discipline::NAMES[meant as usize].into());
        let said = |reason: &str, _: &Value| reason == rule(&DISCIPLINE);
        worked_out::settle(channel, &DISCIPLINE, Some((value, rule(&DISCIPLINE))), (&said, text));
    }
    for unit in root.tables_mut(&CONTROL_UNITS) {
        let paths = u32::try_from(unit.references(&CHANNELS_OF).len()).unwrap_or(u32::MAX);
        let entry = unit.entries.iter_mut().find(|entry| std::ptr::eq(entry.key, &PATHS));
        let Some(entry) = entry.filter(|_| paths > 0) else { continue };
        // Marked as worked out where the scenario was resolved before.
        if entry.is_default() || mark::reason(text.comment(entry.at)) == Some(A_PATH_EACH) {
            entry.value = Value::Count(paths);
            entry.origin = Origin::Default(A_PATH_EACH);
        }
    }
}

/// Whether frames of several I/Os may be interleaved on a channel: each direction has it to itself, for the transfer.
fn may_share(channel: &Table) -> bool {
    let transfer = Holds::NAMES[Holds::Transfer as usize];
    channel.text(&DUPLEX) == Some(FULL) && channel.text(&HOLDS) == Some(transfer)
}

/// Checks the path groups: a path for each channel, channels of one way to be held, slowing in one form.
pub fn check(root: &Table, problems: &mut Problems<'_>) {
    for unit in root.tables(&CONTROL_UNITS) {
        let named: Vec<&str> = unit.references(&CHANNELS_OF).iter().map(|reference| reference.name.as_str()).collect();
        if named.is_empty() {
            continue;
        }
        let count = u32::try_from(named.len()).unwrap_or(u32::MAX);
        if let Some(paths) = unit.count(&PATHS).filter(|paths| *paths != count) {
            let problem = Problem::new(format!("{paths} paths over {count} channels"))
                .key(unit.path(&PATHS))
                .because("each channel of a path group is one path")
                .allowed([count.to_string(), "no `paths`".into()]);
            problems.add(unit.at(&PATHS), problem);
        }
        if named.len() > MOST {
            let problem = Problem::new(format!("{count} channels")).key(unit.path(&CHANNELS_OF));
            let why = "a device has at most eight paths";
            problems.add(unit.at(&CHANNELS_OF), problem.because(why).allowed([format!("1 to {MOST} channels")]));
        }
        let channels: Vec<&Table> = root
            .tables(&CHANNELS)
            .iter()
            .filter(|own| own.text(&NAME).is_some_and(|name| named.contains(&name)))
            .collect();
        let values = |key: &Key| channels.iter().filter_map(|channel| channel.text(key)).collect::<BTreeSet<&str>>();
        let alike = [
            (
                &HOLDS,
                "channels that are held in different ways",
                "an I/O waits for its channel before or after it connects, whichever channel it takes",
            ),
            (
                &DISCIPLINE,
                "channels that serve I/Os in different ways",
                "a path group chooses among channels of one discipline",
            ),
        ];
        for (key, what, why) in alike.into_iter().filter(|(key, ..)| values(key).len() > 1) {
            let problem = Problem::new(what).key(unit.path(&CHANNELS_OF)).because(why);
            let allowed = format!("channels with one value of `{}`", key.name);
            problems.add(unit.at(&CHANNELS_OF), problem.allowed([allowed]));
        }
        let held = values(&HOLDS);
        let shared = unit.percent(&SHARING).is_some_and(|sharing| sharing.percent() > 0.0);
        if shared && held.contains(Holds::NAMES[Holds::Connection as usize]) {
            let problem = Problem::new("`sharing` on channels that are held for the whole connection")
                .key(unit.path(&SHARING))
                .because("such a channel connects one I/O at a time: connected I/Os do not slow each other")
                .allowed(["sharing = \"0 %\"", "channels with holds = \"transfer\""]);
            problems.add(unit.at(&SHARING), problem);
        }
    }
    root.tables(&CHANNELS).iter().for_each(|channel| check_channel(channel, problems));
}

/// A channel in full duplex is held for the transfer, and so is one that is shared.
fn check_channel(channel: &Table, problems: &mut Problems<'_>) {
    let connection = Holds::NAMES[Holds::Connection as usize];
    if channel.text(&HOLDS) == Some(connection) && channel.text(&DUPLEX) == Some(FULL) {
        let problem = Problem::new("full duplex on a channel that is held for the whole connection")
            .key(channel.path(&DUPLEX))
            .because("it connects one I/O at a time, whichever way that transfers")
            .allowed(["duplex = \"half\"", "holds = \"transfer\""]);
        problems.add(channel.at(&DUPLEX), problem);
    }
    let shared = Discipline::NAMES[Discipline::Shared as usize];
    if channel.text(&DISCIPLINE) == Some(shared) && !may_share(channel) {
        let problem = Problem::new("a shared channel that I/Os have to themselves")
            .key(channel.path(&DISCIPLINE))
            .because("frames are interleaved on channels in full duplex that are held for the transfer")
            .allowed(["discipline = \"fifo\"", "duplex = \"full\" with holds = \"transfer\""]);
        problems.add(channel.at(&DISCIPLINE), problem);
    }
}

/// The channels that path groups name.
pub fn used(root: &Table) -> BTreeSet<&str> {
    let units = root.tables(&CONTROL_UNITS).iter();
    units.flat_map(|unit| unit.references(&CHANNELS_OF)).map(|reference| reference.name.as_str()).collect()
}
