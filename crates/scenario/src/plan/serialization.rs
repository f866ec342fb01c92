//! From the service of a resolved scenario and its resources by name to those of the plan.

use super::keys::checked;
use crate::agree::Names;
use crate::language::*;
use crate::resolved::Table;
use machine::plan::{
    Answer, ComplexPlan, Costs, EnqueuePlan, Entry, ExitChange, ExitPlan, Point, Ring, Scope, SerializationPlan,
    Structure,
};
use serialization::name_list::NameListText;

/// The service.
pub fn serialization(table: &Table, names: &Names) -> SerializationPlan {
    let span = |key| checked(table.span(key), key);
    let word = checked(table.text(&EXITS), &EXITS);
    SerializationPlan {
        structure: checked(Structure::read(word).ok(), &EXITS),
        managed: table.entry(&MANAGED).map(|_| entries(table, &MANAGED)),
        costs: costs(checked(table.table(&COST), &COST)),
        complex: match checked(table.text(&CONNECTED), &CONNECTED) {
            RING => ComplexPlan::Ring(Ring {
                residency: span(&RESIDENCY),
                transmission: table.span(&TRANSMISSION).unwrap_or_default(),
                acceleration: table.count(&ACCELSYS),
            }),
            STAR => ComplexPlan::Star { service: span(&STRUCTURE_SERVICE) },
            _ => ComplexPlan::None,
        },
        answer: span(&ANSWER),
        name_lists: entries(table, &NAME_LISTS),
        exits: table.tables(&OWN_EXITS).iter().map(|exit| own_exit(exit, names)).collect(),
    }
}

/// An exit of an installation's own.
fn own_exit(table: &Table, names: &Names) -> ExitPlan {
    let wants = |key| table.text(key) == Some(YES);
    let views = || table.references(&EXIT_VOLUME).iter();
    let view = |name: &str| checked(names.index(&VOLUME, name), &EXIT_VOLUME);
    ExitPlan {
        name: checked(table.text(&NAME), &NAME).to_string(),
        point: checked(table.text(&EXIT_POINT).and_then(|word| Point::read(word).ok()), &EXIT_POINT),
        names: table.entry(&EXIT_NAMES).map(|_| entries(table, &EXIT_NAMES)),
        rename: table.text(&EXIT_RENAME).map(|name| checked(names.index(&ENQUEUE, name), &EXIT_RENAME)),
        volume: (wants(&EXIT_NO_VOLUME) || table.entry(&EXIT_VOLUME).is_some())
            .then(|| views().map(|volume| view(&volume.name)).collect()),
        answer: Answer {
            name: None,
            scope: table
                .text(&EXIT_SCOPE)
                .map(|word| if word == SYSTEMS_SCOPE { Scope::Systems } else { Scope::System }),
            volume: None,
            skip_lists: wants(&EXIT_SKIP_LISTS),
            want: wants(&EXIT_WANT),
            code: table.count(&EXIT_CODE).map(|code| u8::try_from(code).expect("the language has a bound")),
            drop_reserve: wants(&EXIT_DROP_RESERVE),
            abend: table.count(&EXIT_ABEND).map(|code| u16::try_from(code).expect("the language has a bound")),
            fail: wants(&EXIT_FAIL),
        },
        own: checked(table.span(&EXIT_OWN), &EXIT_OWN),
        stops: wants(&EXIT_STOPS),
        installed: table.text(&EXIT_INSTALLED) != Some(NO),
    }
}

/// The change of an exit, if the change is one of exits.
pub fn exit_change(table: &Table, names: &Names) -> Option<ExitChange> {
    let exit = |key| table.text(key).map(|name| checked(names.index(&OWN_EXIT, name), key));
    exit(&ADDED_EXIT).map(ExitChange::Add).or(exit(&DELETED_EXIT).map(ExitChange::Delete))
}

/// The prices of a table.
fn costs(table: &Table) -> Costs {
    let span = |key| checked(table.span(key), key);
    Costs {
        enq: span(&COST_ENQ),
        chng: span(&COST_CHNG),
        deq: span(&COST_DEQ),
        front_end: span(&COST_FRONT_END),
        list: span(&COST_LIST),
        entry: span(&COST_ENTRY),
        obtained: span(&COST_OBTAINED),
        pooled: span(&COST_POOLED),
        single: span(&COST_SINGLE),
        state: span(&COST_STATE),
        copy_per_kib: span(&COST_COPY),
        fault: span(&COST_FAULT),
        recovery: span(&COST_RECOVERY),
        relock: span(&COST_RELOCK),
        message: span(&COST_MESSAGE),
        ..Costs::default()
    }
}

/// The statements of a text, if there is one.
fn entries(table: &Table, key: &Key) -> Vec<Entry> {
    let read = |text: &str| checked(NameListText::read(text.as_bytes(), "").ok(), key).lists().entries().to_vec();
    table.text(key).map(read).unwrap_or_default()
}

/// A resource by name.
pub fn enqueue(table: &Table, names: &Names) -> EnqueuePlan {
    let text = |key| checked(table.text(key), key).to_string();
    let views = table.references(&RESERVES).iter();
    EnqueuePlan {
        name: text(&NAME),
        qname: text(&QNAME),
        rname: text(&RNAME),
        scope: match checked(table.text(&SCOPE), &SCOPE) {
            STEP_SCOPE => Scope::Step,
            SYSTEMS_SCOPE => Scope::Systems,
            _ => Scope::System,
        },
        members: checked(table.count(&ENQUEUE_MEMBERS), &ENQUEUE_MEMBERS),
        reserve: views.map(|view| checked(names.index(&VOLUME, &view.name), &RESERVES)).collect(),
    }
}
