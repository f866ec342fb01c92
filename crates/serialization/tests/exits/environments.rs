//! The changes that exits may make at each point, and that they cannot change anything else.

use super::bench::{asked, name, names, no_lists, table, walk};
use serialization::Scope;
use serialization::exits::{Answer, Area, Asked, Change, Exits, Fate, POINTS, Point, Request, Settled, Storage, Verb};
use serialization::name_list::{Entry, Kind, List, NameLists};

fn bare() -> Exits {
    Exits::new(no_lists(), Storage::of(Area::Pooled))
}

fn with(point: Point, answer: Answer) -> Exits {
    let mut exits = bare();
    exits.add(point, "EXIT", table("A", answer)).expect("a new exit");
    if point == Point::BatchConditional {
        let want = Answer { want: true, ..Answer::default() };
        exits.add(Point::Prebatch, "WANT", table("A", want)).expect("a new exit");
    }
    if matches!(point, Point::Queued1 | Point::Queued2) {
        exits.add(Point::Batch, "BATCH", table("A", Answer::default())).expect("a new exit");
    }
    exits
}

/// One answer for everything that an exit may want.
fn every_answer() -> [(Change, Answer); 8] {
    let none = Answer::default;
    [
        (Change::Name, Answer { name: Some(name("OTHER", "R")), ..none() }),
        (Change::Scope, Answer { scope: Some(Scope::System), ..none() }),
        (Change::Volume, Answer { volume: Some(Some(7)), ..none() }),
        (Change::Lists, Answer { skip_lists: true, ..none() }),
        (Change::Want, Answer { want: true, ..none() }),
        (Change::Code, Answer { code: Some(4), ..none() }),
        (Change::Reserve, Answer { drop_reserve: true, ..none() }),
        (Change::Abend, Answer { abend: Some(0x123), ..none() }),
    ]
}

#[test]
fn an_exit_changes_what_it_may_and_nothing_else() {
    let one = name("A", "1");
    let resource = [Asked { name: &one, scope: Scope::Systems, volume: Some(3) }];
    let plain = walk(&mut bare(), Verb::Enq, &resource).1[0];
    let mut allowed = [0; POINTS];
    for point in Point::ALL {
        for (change, answer) in every_answer() {
            let mut exits = with(point, answer);
            let (way, settled) = walk(&mut exits, Verb::Enq, &resource);
            let request = Request {
                verb: Verb::Enq,
                linkage: serialization::Linkage::Svc,
                conditional: true,
                changes: false,
                resources: &resource,
            };
            exits.queued(&request, &way, (&settled, &[Some(0)]));
            exits.ended(&asked(&one, Scope::System), &Settled { scope: Scope::System, ..plain });
            let exit = exits.installed().find(|exit| exit.name == "EXIT").expect("it is there");
            assert!(exit.calls > 0 && !exit.failed, "{}", point.word());
            let refused: Vec<Change> = exit.refused().collect();
            if point.may(change) {
                assert_eq!(refused, [], "{} may want {}", point.word(), change.word());
                allowed[point as usize] += 1;
            } else {
                assert_eq!(refused, [change], "{} may not want {}", point.word(), change.word());
                assert_eq!((settled[0], way.fate), (plain, Fate::GoesOn), "{}", point.word());
            }
        }
    }
    assert_eq!(allowed, [4, 4, 1, 3, 3, 0, 0, 0]);
}

#[test]
fn a_change_before_the_lists_is_what_the_lists_are_searched_for() {
    let entry = |list, qname: &[u8]| Entry::new(list, Kind::Generic, qname, None).expect("an entry");
    let lists = || NameLists::new(vec![entry(List::Exclusion, b"OTHER"), entry(List::Inclusion, b"A")]);
    let one = name("A", "1");
    let settled = |answer: Answer, scope| {
        let mut exits = Exits::new(lists(), Storage::of(Area::Pooled));
        exits.add(Point::Fast, "EXIT", table("A", answer)).expect("a new exit");
        let settled = walk(&mut exits, Verb::Enq, &[asked(&one, scope)]).1[0];
        (settled.name.map(|id| exits.name(id).to_string()), settled.scope)
    };
    let other = Answer { name: Some(name("OTHER", "R")), ..Answer::default() };
    assert_eq!(settled(other, Scope::Systems), (Some("OTHER    R".into()), Scope::System), "excluded by its new name");
    assert_eq!(settled(Answer::default(), Scope::System), (None, Scope::Systems), "included");
    let skip = Answer { skip_lists: true, ..Answer::default() };
    assert_eq!(settled(skip, Scope::System), (None, Scope::System), "the lists are passed by");
}

#[test]
fn a_reserve_is_made_or_taken_away_before_the_lists_and_after_them() {
    let one = name("A", "1");
    let volume = |point, answer, volume| {
        let resource = [Asked { name: &one, scope: Scope::Systems, volume }];
        walk(&mut with(point, answer), Verb::Enq, &resource).1[0].volume
    };
    let to = |to| Answer { volume: Some(to), ..Answer::default() };
    assert_eq!(volume(Point::Fast, to(Some(7)), None), Some(7));
    assert_eq!(volume(Point::Nqxit, to(None), Some(3)), None);
    let drop = Answer { drop_reserve: true, ..Answer::default() };
    assert_eq!(volume(Point::Batch, drop, Some(3)), None);
    assert_eq!(volume(Point::Batch, Answer::default(), Some(3)), Some(3));
}

#[test]
fn a_return_code_is_for_conditional_requests_alone() {
    let one = name("A", "1");
    let resources = [asked(&one, Scope::System)];
    let code = |conditional| {
        let mut exits = with(Point::Batch, Answer { code: Some(4), ..Answer::default() });
        let mut settled = [Settled::as_asked(&resources[0])];
        let linkage = serialization::Linkage::Svc;
        exits.walk(
            &Request { verb: Verb::Enq, linkage, conditional, changes: false, resources: &resources },
            &mut settled,
        );
        (settled[0].code, exits.installed().flat_map(|exit| exit.refused()).count())
    };
    assert_eq!(code(true), (Some(4), 0));
    assert_eq!(code(false), (None, 1));
}

#[test]
fn an_abend_by_a_batch_exit_keeps_the_conditional_one_from_being_called() {
    let mut exits = with(Point::BatchConditional, Answer::default());
    let abend = Answer { abend: Some(0x338), ..Answer::default() };
    exits.add(Point::Batch, "ABEND", table("A", abend)).expect("a new exit");
    let one = name("A", "1");
    let (way, _) = walk(&mut exits, Verb::Enq, &[asked(&one, Scope::System)]);
    assert_eq!(way.fate, Fate::Abend(0x338));
    assert_eq!([way.account[Point::Batch].calls, way.account[Point::BatchConditional].calls], [1, 0]);
}

#[test]
fn no_exit_makes_a_step_request() {
    let one = name("A", "1");
    let answer = Answer { scope: Some(Scope::Step), ..Answer::default() };
    let mut exits = with(Point::Fast, answer);
    let (_, settled) = walk(&mut exits, Verb::Enq, &[asked(&one, Scope::System)]);
    assert_eq!(settled[0].scope, Scope::System);
    assert_eq!(exits.installed().flat_map(|exit| exit.refused()).collect::<Vec<_>>(), [Change::Scope]);
}

#[test]
fn a_table_is_for_its_names_alone() {
    let mut exits = bare();
    exits
        .add(Point::Fast, "EXIT", table("A", Answer { scope: Some(Scope::System), ..Answer::default() }))
        .expect("new");
    let (one, other) = (name("A", "1"), name("B", "2"));
    let (_, settled) = walk(&mut exits, Verb::Enq, &[asked(&one, Scope::Systems), asked(&other, Scope::Systems)]);
    assert_eq!([settled[0].scope, settled[1].scope], [Scope::System, Scope::Systems]);
    assert!(names("A").has(&one) && !names("A").has(&other) && serialization::exits::Names::all().has(&other));
}
