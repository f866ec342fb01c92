//! From the service of a resolved scenario and its resources by name to those of the plan.
//!
//! It leaves out every check: a gap here is a bug.

use super::checked;
use crate::agree::Names;
use crate::language::*;
use crate::resolved::Table;
use machine::plan::{ComplexPlan, Costs, EnqueuePlan, Entry, Scope, SerializationPlan, Structure};
use serialization::name_list::NameListText;

/// The service.
pub fn serialization(table: &Table) -> SerializationPlan {
    let span = |key| checked(table.span(key), key);
    let word = checked(table.text(&EXITS), &EXITS);
    SerializationPlan {
        structure: checked(Structure::read(word).ok(), &EXITS),
        managed: table.entry(&MANAGED).map(|_| entries(table, &MANAGED)),
        costs: costs(checked(table.table(&COST), &COST)),
        complex: match checked(table.text(&CONNECTED), &CONNECTED) {
            RING => ComplexPlan::Ring { residency: span(&RESIDENCY) },
            STAR => ComplexPlan::Star { service: span(&STRUCTURE_SERVICE) },
            _ => ComplexPlan::None,
        },
        answer: span(&ANSWER),
        name_lists: entries(table, &NAME_LISTS),
    }
}

/// The prices of a table.
fn costs(table: &Table) -> Costs {
    let span = |key| checked(table.span(key), key);
    Costs {
        enq: span(&COST_ENQ),
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
