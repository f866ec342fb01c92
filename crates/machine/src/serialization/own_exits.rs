//! Exits of an installation's own beside those of a manager: tables of a plan, added to a system and deleted from it.

use super::book::Book;
use crate::plan::{EnqueuePlan, ExitChange, ExitPlan, SerializationPlan};
use ::serialization::ResourceName;
use ::serialization::exits::{Answer, Exits, Names, Point, Routine, Table};

/// The exits of a plan.
#[derive(Debug)]
pub(super) struct OwnExits {
    all: Vec<OwnExit>,
}

#[derive(Debug)]
struct OwnExit {
    name: String,
    point: Point,
    table: Table,
    installed: bool,
}

impl OwnExits {
    /// Those of a service; the names and volumes that they give are in the book.
    pub(super) fn new(own: &SerializationPlan, enqueues: &[EnqueuePlan], book: &Book) -> Self {
        OwnExits { all: own.exits.iter().map(|exit| OwnExit::new(exit, enqueues, book)).collect() }
    }

    /// Puts those that are there from the beginning behind the exits of a system.
    pub(super) fn install(&self, exits: &mut Exits) {
        self.all.iter().filter(|exit| exit.installed).for_each(|exit| exit.add(exits));
    }

    /// Adds one to a system, or deletes it.
    pub(super) fn change(&self, change: ExitChange, exits: &mut Exits) {
        match change {
            ExitChange::Add(number) => self.all[number].add(exits),
            ExitChange::Delete(number) => {
                let OwnExit { point, name, .. } = &self.all[number];
                exits.delete(*point, name).expect("what is deleted was added before");
            }
        }
    }
}

impl OwnExit {
    fn new(plan: &ExitPlan, enqueues: &[EnqueuePlan], book: &Book) -> Self {
        let name = |number: usize| {
            let EnqueuePlan { qname, rname, .. } = &enqueues[number];
            ResourceName::new(qname.as_bytes(), rname.as_bytes()).expect("names have been checked")
        };
        let answer = Answer {
            name: plan.rename.map(name),
            volume: plan.volume.as_ref().map(|views| book.device(views)),
            ..plan.answer.clone()
        };
        let names = plan.names.clone().map_or_else(Names::all, Names::new);
        let table = Table { own: plan.own, stops: plan.stops, ..Table::new(names, answer) };
        OwnExit { name: plan.name.clone(), point: plan.point, table, installed: plan.installed }
    }

    fn add(&self, exits: &mut Exits) {
        let routine = Routine::Table(Box::new(self.table.clone()));
        exits.add(self.point, &self.name, routine).expect("names of exits have been checked, and none is there twice");
    }
}
