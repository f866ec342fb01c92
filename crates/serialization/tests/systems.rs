//! Several systems with exits in front of one service: which share names, and what a system that leaves frees.

use serialization::exits::{Answer, Exits, Manager, Names, Point, Routine, Structure, Table};
use serialization::name_list::{Entry, Kind, List, NameLists};
use serialization::service::{Abend, Authority, Caller, DeqOutcome, EnqOutcome, Limits, Locks, Memory, Outbox};
use serialization::systems::{Answered, Ask, Complex, Give, Hole, Mode, Place, Told, Wanted};
use serialization::{Access, DeqRet, Linkage, Requester, ResourceName, Ret, Scope};
use units::Span;

const PC: Caller =
    Caller { linkage: Linkage::Pc, memory: Memory::Cross, locks: Locks::None, authority: Authority::Unauthorized };
const SVC: Caller = Caller::PROBLEM_PROGRAM;
const STAR: Mode = Mode::Star { service: Span::from_us(10) };

fn by(system: u16, task: u32) -> Requester {
    Requester { system, space: 1, task }
}

fn name(qname: &str) -> ResourceName {
    ResourceName::new(qname.as_bytes(), b"R").expect("a name")
}

fn names(qname: &str) -> Names {
    Names::new(vec![Entry::new(List::Inclusion, Kind::Generic, qname.as_bytes(), None).expect("an entry")])
}

/// Two systems with a structure of exits each; its managers care about the qname GLOBAL.
fn two(mode: Mode, structure: Structure) -> Complex {
    let mut complex = Complex::new(mode, Limits::default());
    for number in [1, 2] {
        let exits = Exits::structure(structure, NameLists::new(Vec::new()), &Manager::new(names("GLOBAL")));
        complex.join(number, exits).expect("a new system");
    }
    complex
}

fn enq(complex: &mut Complex, who: Requester, qname: &str, caller: Caller) -> Answered<EnqOutcome> {
    let name = name(qname);
    let wanted = [Wanted { name: &name, scope: Scope::Systems, access: Access::Exclusive, volume: None }];
    let ask = Ask { resources: &wanted, ret: Ret::None, by: who, caller };
    complex.enq(&ask, &mut Outbox::new()).expect("a member")
}

fn deq(complex: &mut Complex, who: Requester, qname: &str, caller: Caller) -> Answered<DeqOutcome> {
    let name = name(qname);
    let give = Give { resources: &[(&name, Scope::Systems)], ret: DeqRet::None, by: who, caller };
    complex.deq(&give, &mut Outbox::new()).expect("a member")
}

fn told(complex: &mut Complex, who: Requester, qname: &str) -> Told<EnqOutcome> {
    enq(complex, who, qname, SVC).told[0]
}

const GRANTED: Told<EnqOutcome> = Told::Queue(EnqOutcome::Granted);
const WAITS: Told<EnqOutcome> = Told::Queue(EnqOutcome::Waits);

#[test]
fn without_sharing_a_name_reaches_one_system() {
    let mut none = two(Mode::None, Structure::None);
    assert_eq!([told(&mut none, by(1, 1), "Q"), told(&mut none, by(2, 1), "Q")], [GRANTED, GRANTED]);
    let mut star = two(STAR, Structure::None);
    assert_eq!([told(&mut star, by(1, 1), "Q"), told(&mut star, by(2, 1), "Q")], [GRANTED, WAITS]);
}

#[test]
fn a_manager_shares_the_names_that_it_cares_about() {
    for structure in Structure::ALL.into_iter().filter(|&one| one != Structure::None) {
        let mut complex = two(Mode::None, structure);
        let shared = [told(&mut complex, by(1, 1), "GLOBAL"), told(&mut complex, by(2, 1), "GLOBAL")];
        assert_eq!(shared, [GRANTED, WAITS], "{}", structure.word());
        let local = [told(&mut complex, by(1, 1), "LOCAL"), told(&mut complex, by(2, 1), "LOCAL")];
        assert_eq!(local, [GRANTED, GRANTED], "{}", structure.word());
        let released = deq(&mut complex, by(1, 1), "GLOBAL", SVC);
        assert_eq!((released.told[0], released.account.messages), (Told::Queue(DeqOutcome::Released), 1));
        assert_eq!(complex.holes(), []);
    }
}

#[test]
fn a_program_call_passes_the_front_end_by_and_two_have_what_one_should() {
    let mut complex = two(Mode::None, Structure::SvcFrontEnd);
    assert_eq!(told(&mut complex, by(1, 1), "GLOBAL"), GRANTED);
    let unseen = enq(&mut complex, by(2, 7), "GLOBAL", PC);
    assert_eq!((unseen.told[0], unseen.account.unseen), (GRANTED, 1));
    let hole = Hole { name: name("GLOBAL"), unseen: by(2, 7), other: by(1, 1) };
    assert_eq!(complex.holes(), [hole]);
    assert_eq!(deq(&mut complex, by(2, 7), "GLOBAL", PC).told[0], Told::Queue(DeqOutcome::Released));
    assert_eq!(complex.holes(), []);
    assert_eq!(complex.service().broken_laws(), Vec::<String>::new());
}

#[test]
fn exits_close_that_hole() {
    for structure in [Structure::Batch, Structure::PrebatchPooled14, Structure::PrebatchSingleArea] {
        let mut complex = two(Mode::None, structure);
        assert_eq!(told(&mut complex, by(1, 1), "GLOBAL"), GRANTED);
        assert_eq!(enq(&mut complex, by(2, 7), "GLOBAL", PC).told[0], WAITS);
        assert_eq!(complex.holes(), []);
    }
}

#[test]
fn the_same_door_need_not_be_used_for_the_release() {
    let mut complex = two(Mode::None, Structure::SvcFrontEnd);
    enq(&mut complex, by(1, 1), "GLOBAL", PC);
    assert_eq!(deq(&mut complex, by(1, 1), "GLOBAL", SVC).told[0], Told::Queue(DeqOutcome::Released));
    enq(&mut complex, by(1, 1), "GLOBAL", SVC);
    assert_eq!(deq(&mut complex, by(1, 1), "GLOBAL", PC).told[0], Told::Queue(DeqOutcome::Released));
}

#[test]
fn a_system_that_leaves_frees_what_it_held_and_asks_for_no_more() {
    let mut complex = two(STAR, Structure::None);
    assert_eq!([told(&mut complex, by(1, 1), "Q"), told(&mut complex, by(2, 1), "Q")], [GRANTED, WAITS]);
    assert_eq!(complex.place(2).expect("a member"), Place { position: 1, systems: 2 });
    let mut outbox = Outbox::new();
    assert_eq!(complex.leave(1, &mut outbox).expect("a member"), 1);
    assert_eq!(outbox.effects().len(), 2, "the other is granted it, and the contention is over");
    assert_eq!(complex.place(2).expect("a member"), Place { position: 0, systems: 1 });
    let gone = complex.leave(1, &mut outbox).expect_err("a problem").to_string();
    assert_eq!(gone, "system: there is no system 1; allowed: 2");
}

#[test]
fn a_request_for_several_resources_meets_the_batch_exit_once() {
    let mut complex = two(Mode::None, Structure::PrebatchPooled14);
    let (local, global) = (name("LOCAL"), name("GLOBAL"));
    let wanted = |name| Wanted { name, scope: Scope::Systems, access: Access::Shared, volume: None };
    let resources = [wanted(&local), wanted(&global)];
    let ask = Ask { resources: &resources, ret: Ret::None, by: by(1, 1), caller: SVC };
    let answered = complex.enq(&ask, &mut Outbox::new()).expect("a member");
    assert_eq!(answered.told, [GRANTED, GRANTED]);
    let calls = Point::ALL.map(|point| answered.account[point].calls);
    assert_eq!(calls, [2, 0, 2, 0, 1, 1, 0, 0]);
    let give = [(&local, Scope::Systems), (&global, Scope::Systems)];
    let give = Give { resources: &give, ret: DeqRet::None, by: by(1, 1), caller: SVC };
    let answered = complex.deq(&give, &mut Outbox::new()).expect("a member");
    assert_eq!(answered.account[Point::EndOfLocalQcb].calls, 2);
    assert_eq!(answered.account.messages, 1);
}

#[test]
fn a_resource_that_is_in_a_request_twice_ends_the_caller() {
    let mut complex = two(Mode::None, Structure::Batch);
    let one = name("Q");
    let wanted = [Wanted { name: &one, scope: Scope::Systems, access: Access::Shared, volume: None }; 2];
    let ask = Ask { resources: &wanted, ret: Ret::Use, by: by(1, 1), caller: SVC };
    let answered = complex.enq(&ask, &mut Outbox::new()).expect("a member");
    assert_eq!(answered.told, [Told::Nothing, Told::Queue(EnqOutcome::Abend(Abend::Duplicate))]);
    assert_eq!((answered.account.calls(), complex.service().tasks()), (0, Vec::new()), "and nothing else happens");
}

#[test]
fn the_end_of_local_resources_is_reported_when_the_last_requester_of_the_system_leaves() {
    let mut complex = two(Mode::None, Structure::Batch);
    for task in 1..=3 {
        enq(&mut complex, by(1, task), "LOCAL", SVC);
    }
    let mut ended = |task| deq(&mut complex, by(1, task), "LOCAL", SVC).account[Point::EndOfLocalQcb].calls;
    assert_eq!([ended(1), ended(2), ended(3)], [0, 0, 1]);
    enq(&mut complex, by(1, 1), "GLOBAL", SVC);
    let (released, account) = complex.end_task(by(1, 1), &mut Outbox::new());
    assert_eq!((released, account[Point::EndOfLocalQcb].calls, account.messages), (1, 1, 1));
}

#[test]
fn an_invalid_request_reaches_no_exit() {
    let mut complex = two(Mode::None, Structure::Batch);
    let answered = enq(&mut complex, by(1, 1), "SYSDSN", SVC);
    assert_eq!(answered.told[0], Told::Queue(EnqOutcome::Abend(Abend::QnameEnq)));
    assert_eq!(answered.account.calls(), 0);
}

#[test]
fn an_exit_that_gives_an_authorized_name_has_the_caller_ended() {
    let mut complex = two(Mode::None, Structure::None);
    let answer = Answer { name: Some(name("SYSZBAD")), ..Answer::default() };
    let table = Routine::Table(Box::new(Table::new(names("Q"), answer)));
    complex.exits(1).expect("a member").add(Point::Fast, "RENAME", table).expect("a new exit");
    assert_eq!(told(&mut complex, by(1, 1), "Q"), Told::Queue(EnqOutcome::Abend(Abend::QnameEnq)));
    assert_eq!(told(&mut complex, by(2, 1), "Q"), GRANTED, "the other system has no such exit");
}

#[test]
fn a_name_that_an_exit_gave_is_released_by_the_old_one() {
    let mut complex = two(STAR, Structure::None);
    let answer = Answer { name: Some(name("NEW")), ..Answer::default() };
    let table = Routine::Table(Box::new(Table::new(names("OLD"), answer)));
    complex.exits(1).expect("a member").add(Point::Fast, "RENAME", table).expect("a new exit");
    assert_eq!([told(&mut complex, by(1, 1), "OLD"), told(&mut complex, by(2, 1), "NEW")], [GRANTED, WAITS]);
    assert_eq!(deq(&mut complex, by(1, 1), "OLD", SVC).told[0], Told::Queue(DeqOutcome::Released));
}

#[test]
fn a_batch_exit_answers_in_place_of_the_queue() {
    let mut complex = two(Mode::None, Structure::None);
    let add = |complex: &mut Complex, qname, answer| {
        let table = Routine::Table(Box::new(Table::new(names(qname), answer)));
        complex.exits(1).expect("a member").add(Point::Batch, qname, table).expect("a new exit");
    };
    add(&mut complex, "BUSY", Answer { code: Some(4), ..Answer::default() });
    add(&mut complex, "ENDS", Answer { abend: Some(0xabc), ..Answer::default() });
    let wants = |complex: &mut Complex, qname, ret| {
        let name = name(qname);
        let wanted = [Wanted { name: &name, scope: Scope::System, access: Access::Shared, volume: None }];
        let ask = Ask { resources: &wanted, ret, by: by(1, 1), caller: SVC };
        complex.enq(&ask, &mut Outbox::new()).expect("a member").told[0]
    };
    assert_eq!(wants(&mut complex, "BUSY", Ret::Use), Told::Code(4));
    assert_eq!(wants(&mut complex, "BUSY", Ret::None), GRANTED, "not for unconditional requests");
    assert_eq!(wants(&mut complex, "ENDS", Ret::None), Told::Abend(0xabc));
    assert_eq!(complex.end_task(by(1, 1), &mut Outbox::new()).0, 1);
}
