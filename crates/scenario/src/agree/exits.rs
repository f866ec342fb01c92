//! Exits of an installation's own: names that modules can have, answers that their points allow, and when each is there.

use super::in_time;
use super::names::Names;
use crate::language::{
    ADDED_EXIT, CHANGED_AT, CHANGES, DELETED_EXIT, ENQUEUE, ENQUEUE_MEMBERS, ENQUEUES, EXIT_ABEND, EXIT_CODE,
    EXIT_DROP_RESERVE, EXIT_INSTALLED, EXIT_NO_VOLUME, EXIT_POINT, EXIT_RENAME, EXIT_SCOPE, EXIT_SKIP_LISTS,
    EXIT_STOPS, EXIT_VOLUME, EXIT_WANT, EXITS, Key, LONGEST_MODULE, NAME, NO, OWN_EXIT, OWN_EXITS, SERIALIZED, YES,
};
use crate::problems::Problems;
use crate::resolved::Table;
use machine::plan::{Point, Structure};
use serialization::exits::Change;
use std::collections::BTreeSet;
use units::Problem;

/// Every answer with the action that it requests of the exit's caller.
const ANSWERS: [(&Key, Change); 10] = [
    (&EXIT_RENAME, Change::Name),
    (&EXIT_SCOPE, Change::Scope),
    (&EXIT_VOLUME, Change::Volume),
    (&EXIT_NO_VOLUME, Change::Volume),
    (&EXIT_SKIP_LISTS, Change::Lists),
    (&EXIT_WANT, Change::Want),
    (&EXIT_CODE, Change::Code),
    (&EXIT_DROP_RESERVE, Change::Reserve),
    (&EXIT_ABEND, Change::Abend),
    (&EXIT_STOPS, Change::Stop),
];

/// The exits of a scenario.
pub fn own(root: &Table) -> &[Table] {
    root.table(&SERIALIZED).map_or(&[], |own| own.tables(&OWN_EXITS))
}

/// Checks every exit, and what changes do to them.
pub fn check(root: &Table, names: &Names, problems: &mut Problems<'_>) {
    for exit in own(root) {
        check_name(exit, problems);
        check_answers(exit, problems);
        check_rename(root, exit, names, problems);
    }
    check_changes(root, names, problems);
}

/// The name is that of a module.
fn check_name(exit: &Table, problems: &mut Problems<'_>) {
    let Some(name) = exit.text(&NAME).filter(|name| name.chars().count() > LONGEST_MODULE) else { return };
    let problem = Problem::new(format!("`{name}` has {} characters", name.chars().count()))
        .key(exit.path(&NAME))
        .because("the name of an exit is that of a module")
        .allowed([format!("1 to {LONGEST_MODULE} characters")]);
    problems.add(exit.at(&NAME), problem);
}

/// Its answer is allowed at its point.
fn check_answers(exit: &Table, problems: &mut Problems<'_>) {
    let Some(point) = exit.text(&EXIT_POINT).and_then(|word| Point::read(word).ok()) else { return };
    let may: Vec<&str> =
        ANSWERS.iter().filter(|(_, change)| point.may(*change)).map(|(answer, _)| answer.name).collect();
    for (answer, change) in ANSWERS {
        if point.may(change) || exit.entry(answer).is_none() || exit.text(answer) == Some(NO) {
            continue;
        }
        let elsewhere: Vec<&str> = Point::ALL.into_iter().filter(|point| point.may(change)).map(Point::word).collect();
        let here = if may.is_empty() { "nothing".to_string() } else { may.join(", ") };
        let problem = Problem::new(format!("`{}` at {}", answer.name, point.word()))
            .key(exit.path(answer))
            .because(format!("an exit there may want: {here}"))
            .allowed([format!("`{}` at {}", answer.name, elsewhere.join(" or "))]);
        problems.add(exit.at(answer), problem);
    }
}

/// Its new name belongs to one resource.
fn check_rename(root: &Table, exit: &Table, names: &Names, problems: &mut Problems<'_>) {
    let Some(number) = exit.text(&EXIT_RENAME).and_then(|name| names.index(&ENQUEUE, name)) else { return };
    let target = &root.tables(&ENQUEUES)[number];
    let Some(members) = target.count(&ENQUEUE_MEMBERS).filter(|members| *members > 1) else { return };
    let problem = Problem::new(format!("names are to mean {}, of which there are {members}", target.title()))
        .key(exit.path(&EXIT_RENAME))
        .because("an exit gives one name")
        .allowed(["an enqueue without members"]);
    problems.add(exit.at(&EXIT_RENAME), problem);
}

/// Only what is not there is added, and only what is there is deleted.
fn check_changes(root: &Table, names: &Names, problems: &mut Problems<'_>) {
    let unique: BTreeSet<&str> = own(root).iter().filter_map(|exit| exit.text(&NAME)).collect();
    let number = |name: &str| names.index(&OWN_EXIT, name);
    let keys = [(&ADDED_EXIT, true), (&DELETED_EXIT, false)];
    let unclear = |change: &Table| {
        let unknown = keys.iter().filter_map(|(key, _)| change.text(key)).any(|name| number(name).is_none());
        change.span(&CHANGED_AT).is_none() || unknown
    };
    if unique.len() < own(root).len() || root.tables(&CHANGES).iter().any(unclear) {
        // Without all times and names the order is unknown.
        return;
    }
    // Whether each is there; of one that went wrong nothing more is said.
    let mut there: Vec<Option<bool>> =
        own(root).iter().map(|exit| Some(exit.text(&EXIT_INSTALLED) != Some(NO))).collect();
    for change in in_time(root) {
        for (key, comes) in keys {
            let Some(name) = change.text(key) else { continue };
            let Some(there) = number(name).map(|number| &mut there[number]) else { continue };
            match *there {
                Some(before) if before == comes => {
                    problems.add(change.at(key), out_of_turn(change, (key, comes), name));
                    *there = None;
                }
                Some(_) => *there = Some(comes),
                None => {}
            }
        }
    }
}

fn out_of_turn(change: &Table, (key, comes): (&Key, bool), name: &str) -> Problem {
    let at = change.span_text(&CHANGED_AT).unwrap_or_default();
    let (what, why, before) = if comes {
        ("added", "it is there", format!("installed = \"no\" in it, or a delete_exit before {at}"))
    } else {
        ("deleted", "it is not there", format!("an add_exit before {at}"))
    };
    Problem::new(format!("exit `{name}` is {what} at {at}, and {why}"))
        .key(change.path(key))
        .because("only what is not there is added, and only what is there is deleted")
        .allowed([before])
}

/// Names exits that are never called: those of a request that no other exit has called for.
pub fn doubts(root: &Table, warnings: &mut Problems<'_>) {
    let Some(service) = root.table(&SERIALIZED) else { return };
    let structure = service.text(&EXITS).and_then(|word| Structure::read(word).ok()).unwrap_or(Structure::None);
    let is_at = |exit: &Table, point: Point| exit.text(&EXIT_POINT) == Some(point.word());
    let exists = |point: Point| structure.points().contains(&point) || own(root).iter().any(|exit| is_at(exit, point));
    let wanted = structure.points().contains(&Point::Prebatch)
        || own(root).iter().any(|exit| is_at(exit, Point::Prebatch) && exit.text(&EXIT_WANT) == Some(YES));
    let seen = exists(Point::Batch) || wanted && exists(Point::BatchConditional);
    for exit in own(root) {
        let (why, needed) = if is_at(exit, Point::BatchConditional) && !wanted {
            ("it is called where an exit at ISGNQXITPREBATCH wants it, and none does", "an exit with want = \"yes\"")
        } else if (is_at(exit, Point::Queued1) || is_at(exit, Point::Queued2)) && !seen {
            ("it is called for requests that a batch exit saw, and there is none", "an exit at ISGNQXITBATCH")
        } else {
            continue;
        };
        let problem = Problem::new(format!("{} is never called", exit.title()))
            .key(exit.path(&EXIT_POINT))
            .because(why)
            .allowed([needed, "exits = \"prebatch-single-area\""]);
        warnings.add(exit.at(&EXIT_POINT), problem);
    }
}
