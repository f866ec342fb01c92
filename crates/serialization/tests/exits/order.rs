//! In which order exits are asked, per resource or per request, and how exits come and go.

use super::bench::{asked, calls, name, names, no_lists, structure, table, walk};
use serialization::Scope;
use serialization::exits::{
    Answer, Area, Call, Exit, Exits, Failed, Manager, Point, Routine, Storage, Structure, Table, Verb,
};
use std::sync::{Arc, Mutex};

/// Writes down where it is called and for how many resources.
#[derive(Clone, Debug, Default)]
struct Scribe(Arc<Mutex<Vec<(Point, usize)>>>);

impl Exit for Scribe {
    fn call(&mut self, call: &mut Call<'_>) -> Result<(), Failed> {
        let entry = (call.point(), call.resources().count());
        self.0.lock().map_err(|_| Failed)?.push(entry);
        if call.point() == Point::Prebatch {
            call.want().map_err(|_| Failed)?;
        }
        Ok(())
    }
}

fn want() -> Answer {
    Answer { want: true, ..Answer::default() }
}

fn fail() -> Answer {
    Answer { fail: true, ..Answer::default() }
}

fn bare() -> Exits {
    Exits::new(no_lists(), Storage::of(Area::Pooled))
}

#[test]
fn the_points_come_in_their_order_per_resource_and_per_request() {
    let (mut exits, scribe) = (bare(), Scribe::default());
    for point in Point::ALL {
        exits.add(point, "SCRIBE", Routine::Other(Box::new(scribe.clone()))).expect("a new exit");
    }
    let (one, other, own) = (name("A", "1"), name("B", "2"), name("C", "3"));
    let asked = [asked(&one, Scope::System), asked(&own, Scope::Step), asked(&other, Scope::Systems)];
    let (way, settled) = walk(&mut exits, Verb::Enq, &asked);
    let request = serialization::exits::Request {
        verb: Verb::Enq,
        linkage: serialization::Linkage::Svc,
        conditional: true,
        changes: false,
        resources: &asked,
    };
    exits.queued(&request, &way, (&settled, &[Some(0); 3]));
    let written = scribe.0.lock().expect("nobody panicked").clone();
    let expected = [Point::Fast, Point::Fast, Point::Nqxit, Point::Nqxit, Point::Prebatch, Point::Prebatch]
        .map(|point| (point, 1))
        .into_iter()
        .chain([Point::Batch, Point::BatchConditional, Point::Queued1, Point::Queued2].map(|point| (point, 3)));
    assert_eq!(written, expected.collect::<Vec<_>>());
}

#[test]
fn one_want_of_many_exits_and_resources_brings_the_whole_request_to_the_conditional_exit() {
    let mut exits = bare();
    exits.add(Point::Prebatch, "NO", table("X", want())).expect("a new exit");
    exits.add(Point::Prebatch, "YES", table("B", want())).expect("a new exit");
    exits.add(Point::BatchConditional, "BATCH", table("X", Answer::default())).expect("a new exit");
    let (one, other) = (name("A", "1"), name("B", "2"));
    let (way, _) = walk(&mut exits, Verb::Enq, &[asked(&one, Scope::System), asked(&other, Scope::System)]);
    assert_eq!(calls(&way), [0, 0, 4, 0, 1, 0, 0, 0]);
    assert_eq!(way.account[Point::Prebatch].lists, 2, "exits of a point share a parameter list");
    let (way, _) = walk(&mut exits, Verb::Enq, &[asked(&one, Scope::System)]);
    assert_eq!(calls(&way), [0, 0, 2, 0, 0, 0, 0, 0]);
}

#[test]
fn queued_exits_are_for_enqs_that_a_batch_exit_saw() {
    let mut exits = structure(Structure::PrebatchPooled14);
    let (local, global) = (name("LOCAL", "R"), name("GLOBAL", "R"));
    let mut queued = |verb, one| {
        let resources = [asked(one, Scope::Systems)];
        let linkage = serialization::Linkage::Svc;
        let request =
            serialization::exits::Request { verb, linkage, conditional: true, changes: false, resources: &resources };
        let (way, settled) = walk(&mut exits, verb, &resources);
        exits.queued(&request, &way, (&settled, &[Some(0)]))[Point::Queued1].calls
    };
    assert_eq!([queued(Verb::Enq, &local), queued(Verb::Enq, &global), queued(Verb::Deq, &global)], [0, 1, 0]);
}

#[test]
fn an_exit_that_fails_is_removed_and_the_request_goes_on() {
    let mut exits = bare();
    exits.add(Point::Prebatch, "BAD", table("A", Answer { want: true, ..fail() })).expect("a new exit");
    exits.add(Point::Prebatch, "GOOD", table("A", want())).expect("a new exit");
    exits.add(Point::BatchConditional, "BATCH", table("A", Answer::default())).expect("a new exit");
    let one = name("A", "1");
    let mut way = || calls(&walk(&mut exits, Verb::Enq, &[asked(&one, Scope::System)]).0);
    assert_eq!([way(), way()], [[0, 0, 2, 0, 1, 0, 0, 0], [0, 0, 1, 0, 1, 0, 0, 0]]);
    let failed: Vec<(&str, bool)> = exits.installed().map(|exit| (exit.name.as_str(), exit.failed)).collect();
    assert_eq!(failed, [("BAD", true), ("GOOD", false), ("BATCH", false)]);
    exits.add(Point::Prebatch, "BAD", table("A", want())).expect("one that failed makes room");
}

#[test]
fn what_a_failing_exit_wanted_is_not_done() {
    /// Gives the resource another name, and fails.
    #[derive(Debug)]
    struct Vandal;
    impl Exit for Vandal {
        fn call(&mut self, call: &mut Call<'_>) -> Result<(), Failed> {
            call.rename(0, &name("OTHER", "R")).map_err(|_| Failed)?;
            call.skip_lists(0).map_err(|_| Failed)?;
            Err(Failed)
        }
    }
    let mut exits = bare();
    exits.add(Point::Fast, "VANDAL", Routine::Other(Box::new(Vandal))).expect("a new exit");
    let one = name("A", "1");
    let (way, settled) = walk(&mut exits, Verb::Enq, &[asked(&one, Scope::System)]);
    assert_eq!(settled[0].name, None);
    assert_eq!(way.account.searches, 1, "the lists are searched");
}

#[test]
fn exits_are_added_and_deleted_by_name() {
    let mut exits = bare();
    exits.add(Point::Fast, "FILTER", table("A", Answer::default())).expect("a new exit");
    let told = |answer: Result<(), Box<units::Problem>>| answer.expect_err("a problem").to_string();
    assert_eq!(
        told(exits.add(Point::Fast, "FILTER", table("A", Answer::default()))),
        "exit: ISGNQXITFAST has an exit `FILTER` already; an exit is called once at a point"
    );
    assert_eq!(
        told(exits.delete(Point::Fast, "FILTR")),
        "exit: ISGNQXITFAST has no exit `FILTR`; allowed: FILTER; did you mean FILTER?"
    );
    assert_eq!(
        told(exits.add(Point::Fast, "NINELONGS", table("A", Answer::default()))),
        "exit: the name `NINELONGS` has 9 characters; allowed: 1 to 8 characters"
    );
    exits.delete(Point::Fast, "FILTER").expect("it is there");
    assert_eq!(exits.installed().count(), 0);
}

#[test]
fn the_cache_stops_calls_for_a_qname_until_it_is_cleared() {
    let mut exits = bare();
    let table = |qname| Routine::Table(Box::new(Table { stops: true, ..Table::new(names(qname), want()) }));
    exits.add(Point::Prebatch, "FILTER", table("GLOBAL")).expect("a new exit");
    let (local, global) = (name("LOCAL", "R"), name("GLOBAL", "R"));
    let called = |exits: &mut Exits, one, scope| {
        let way = walk(exits, Verb::Enq, &[asked(one, scope)]).0;
        (way.account[Point::Prebatch].calls, way.account.spared)
    };
    assert_eq!(called(&mut exits, &local, Scope::System), (1, 0));
    assert_eq!(called(&mut exits, &local, Scope::System), (0, 1), "the filter is not asked again");
    assert_eq!(called(&mut exits, &local, Scope::Systems), (1, 0), "another scope is another entry");
    assert_eq!(called(&mut exits, &global, Scope::System), (1, 0));
    assert_eq!(called(&mut exits, &global, Scope::System), (1, 0), "what is wanted is asked each time");
    assert_eq!(exits.cached(), 2);
    exits.clear_cache();
    assert_eq!(called(&mut exits, &local, Scope::System), (1, 0));
}

#[test]
fn the_cache_needs_all_exits_of_the_point_to_say_so() {
    let mut exits = bare();
    let stops = Table { stops: true, ..Table::new(names("GLOBAL"), want()) };
    exits.add(Point::Prebatch, "STOPS", Routine::Table(Box::new(stops))).expect("a new exit");
    exits.add(Point::Prebatch, "ASKS", table("GLOBAL", want())).expect("a new exit");
    let local = name("LOCAL", "R");
    for _ in 0..2 {
        let way = walk(&mut exits, Verb::Enq, &[asked(&local, Scope::System)]).0;
        assert_eq!(way.account[Point::Prebatch].calls, 2);
    }
}

#[test]
fn a_manager_with_a_cache_is_not_asked_of_local_names_again() {
    let manager = Manager::new(names("GLOBAL")).with_cache();
    let mut exits = Exits::structure(Structure::PrebatchSingleArea, no_lists(), &manager);
    let (local, global) = (name("LOCAL", "R"), name("GLOBAL", "R"));
    for (one, expected) in [(&local, [1, 0, 0]), (&global, [1, 1, 1])] {
        let prebatch = [(); 3].map(|()| {
            let way = walk(&mut exits, Verb::Enq, &[asked(one, Scope::Systems)]).0;
            way.account[Point::Prebatch].calls
        });
        assert_eq!(prebatch, expected);
    }
}
