//! Requests and exits in few words.

use serialization::exits::{
    Answer, Asked, Exits, Manager, Names, Point, Request, Routine, Settled, Structure, Table, Verb, Way,
};
use serialization::name_list::{Entry, Kind, List, NameLists};
use serialization::{Linkage, ResourceName, Scope};

pub fn name(qname: &str, rname: &str) -> ResourceName {
    ResourceName::new(qname.as_bytes(), rname.as_bytes()).expect("a name")
}

/// All names with this qname.
pub fn names(qname: &str) -> Names {
    Names::new(vec![Entry::new(List::Inclusion, Kind::Generic, qname.as_bytes(), None).expect("an entry")])
}

pub fn no_lists() -> NameLists {
    NameLists::new(Vec::new())
}

/// The exits of a structure whose manager cares about the qname GLOBAL.
pub fn structure(structure: Structure) -> Exits {
    Exits::structure(structure, no_lists(), &Manager::new(names("GLOBAL")))
}

pub fn table(qname: &str, answer: Answer) -> Routine {
    Routine::Table(Box::new(Table::new(names(qname), answer)))
}

pub fn asked(name: &ResourceName, scope: Scope) -> Asked<'_> {
    Asked { name, scope, volume: None }
}

/// A way of a conditional request by supervisor call.
pub fn walk(exits: &mut Exits, verb: Verb, resources: &[Asked<'_>]) -> (Way, Vec<Settled>) {
    walk_by(exits, Linkage::Svc, verb, resources)
}

pub fn walk_by(exits: &mut Exits, linkage: Linkage, verb: Verb, resources: &[Asked<'_>]) -> (Way, Vec<Settled>) {
    let request = Request { verb, linkage, conditional: true, changes: false, resources };
    let mut settled: Vec<Settled> = resources.iter().map(Settled::as_asked).collect();
    let way = exits.walk(&request, &mut settled);
    (way, settled)
}

/// How often each point's exits were called in a way, in the order of points.
pub fn calls(way: &Way) -> [u32; 8] {
    Point::ALL.map(|point| way.account[point].calls)
}
