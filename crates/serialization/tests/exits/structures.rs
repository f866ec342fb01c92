//! The five structures: which exits a pair of ENQ and DEQ meets in each of them, and what it costs by the default prices.

use super::bench::{asked, name, structure};
use serialization::exits::{Account, Costs, EndMemo, Exits, Memo, Piece, Point, Request, Structure, Verb};
use serialization::{Linkage, Scope};
use units::Span;

/// A pair of ENQ and DEQ of a resource, the only one on its system: the account and the span of all stretches.
fn pair(exits: &mut Exits, qname: &str, scope: Scope, linkage: Linkage) -> (Account, Span) {
    let (name, costs) = (name(qname, "R"), Costs::default());
    let asked = asked(&name, scope);
    let (mut account, mut span) = (Account::default(), Span::ZERO);
    for verb in Verb::ALL {
        let mut memo = Memo::default();
        let request = Request { verb, linkage, conditional: false, changes: false, resources: &[asked] };
        let known = exits.known(&mut memo, &request, &costs);
        account += known.way.account;
        account += known.queued;
        span += known.before.total() + known.after.total();
        if verb == Verb::Deq {
            let settled = known.settled;
            let mut end = EndMemo::default();
            let end = exits.known_end(&mut end, (&asked, &settled), &costs);
            account += end.account;
            span += end.stretches.total();
        }
    }
    assert_eq!(span, costs.total(&account), "stretches are the account's cost");
    (account, span)
}

fn local(one: Structure) -> (Account, Span) {
    pair(&mut structure(one), "LOCAL", Scope::System, Linkage::Svc)
}

#[test]
fn a_local_pair_meets_the_exits_of_its_structure() {
    let calls = |structure| Point::ALL.map(|point| local(structure).0[point].calls);
    assert_eq!(calls(Structure::None), [0; 8]);
    assert_eq!(calls(Structure::SvcFrontEnd), [0; 8]);
    assert_eq!(calls(Structure::Batch), [0, 0, 0, 2, 0, 1, 0, 1]);
    for structure in [Structure::PrebatchPooled12, Structure::PrebatchPooled14, Structure::PrebatchSingleArea] {
        assert_eq!(calls(structure), [2, 0, 2, 0, 0, 0, 0, 1]);
    }
}

#[test]
fn a_local_pair_costs_what_was_published() {
    let us = |structure| local(structure).1.seconds() * 1e6;
    let published = [(Structure::SvcFrontEnd, 19.0), (Structure::Batch, 354.0), (Structure::PrebatchPooled14, 33.0)];
    for (structure, expected) in [&published[..], &[(Structure::PrebatchSingleArea, 20.0)]].concat() {
        assert!((us(structure) - expected).abs() < 0.002, "{}: {}", structure.word(), us(structure));
    }
}

#[test]
fn storage_is_obtained_or_from_a_pool_or_a_single_area() {
    let of = |structure| {
        let account = local(structure).0;
        let sum = |count: fn(&serialization::exits::Visits) -> u32| {
            Point::ALL.into_iter().map(|point| count(&account[point])).sum::<u32>()
        };
        [sum(|visits| visits.obtained), sum(|visits| visits.pooled), sum(|visits| visits.single)]
    };
    assert_eq!(of(Structure::Batch), [4, 0, 0]);
    assert_eq!(of(Structure::PrebatchPooled12), [0, 5, 0]);
    assert_eq!(of(Structure::PrebatchSingleArea), [0, 0, 5]);
}

#[test]
fn a_global_enq_takes_the_slow_exits_and_a_message_in_every_structure() {
    for kind in Structure::ALL.into_iter().filter(|&kind| kind != Structure::None) {
        let (account, _) = pair(&mut structure(kind), "GLOBAL", Scope::Systems, Linkage::Svc);
        assert_eq!(account.messages, 2, "{}: one for the ENQ, one after the last request", kind.word());
        let slow = match kind {
            Structure::None | Structure::SvcFrontEnd => 0,
            Structure::Batch => 3,
            Structure::PrebatchPooled12 | Structure::PrebatchPooled14 | Structure::PrebatchSingleArea => 2,
        };
        assert_eq!(account.slow_calls(), slow, "{}", kind.word());
    }
}

#[test]
fn a_front_end_of_the_supervisor_call_does_not_see_program_calls() {
    let (seen, _) = pair(&mut structure(Structure::SvcFrontEnd), "GLOBAL", Scope::Systems, Linkage::Svc);
    let (unseen, _) = pair(&mut structure(Structure::SvcFrontEnd), "GLOBAL", Scope::Systems, Linkage::Pc);
    assert_eq!([seen.front_end, seen.unseen, seen.messages], [2, 0, 2]);
    assert_eq!([unseen.front_end, unseen.unseen, unseen.messages], [0, 1, 0]);
}

#[test]
fn exits_see_both_doors() {
    for linkage in Linkage::ALL {
        let (account, _) = pair(&mut structure(Structure::Batch), "GLOBAL", Scope::Systems, linkage);
        assert_eq!([account.unseen, account.messages], [0, 2]);
    }
}

#[test]
fn step_requests_see_no_exit() {
    for kind in Structure::ALL {
        let (account, _) = pair(&mut structure(kind), "GLOBAL", Scope::Step, Linkage::Svc);
        assert_eq!([account.calls(), account.searches, account.messages], [0, 0, 0], "{}", kind.word());
    }
}

#[test]
fn a_memo_is_the_way_made_again() {
    let mut exits = structure(Structure::PrebatchSingleArea);
    let (name, costs, mut memo) = (name("GLOBAL", "R"), Costs::default(), Memo::default());
    let asked = [asked(&name, Scope::Systems)];
    let request =
        Request { verb: Verb::Enq, linkage: Linkage::Svc, conditional: false, changes: false, resources: &asked };
    let first = *exits.known(&mut memo, &request, &costs);
    assert_eq!(exits.known(&mut memo, &request, &costs).way, first.way);
    exits.delete(Point::Prebatch, "MANAGER").expect("it is there");
    let after = *exits.known(&mut memo, &request, &costs);
    assert_eq!(first.way.account[Point::BatchConditional].calls, 1);
    assert_eq!(after.way.account[Point::BatchConditional].calls, 0, "no exit wants it any more");
    assert!(first.settled.managed && !after.settled.managed);
}

#[test]
fn structures_are_read_by_their_names() {
    assert!(Structure::ALL.into_iter().all(|kind| Structure::read(kind.word()) == Ok(kind)));
    assert_eq!(
        Structure::read("prebach-single-area").expect_err("a problem").to_string(),
        "exits: there is no `prebach-single-area`; allowed: none, svc-front-end, batch, prebatch-pooled-1.2, \
         prebatch-pooled-1.4, prebatch-single-area; did you mean prebatch-single-area?"
    );
}

#[test]
fn slow_exits_drop_the_lock_and_fast_ones_keep_it() {
    let (name, costs) = (name("GLOBAL", "R"), Costs::default());
    let asked = [asked(&name, Scope::Systems)];
    let request =
        Request { verb: Verb::Enq, linkage: Linkage::Svc, conditional: false, changes: false, resources: &asked };
    let mut memo = Memo::default();
    let mut exits = structure(Structure::PrebatchPooled14);
    let before = exits.known(&mut memo, &request, &costs).before;
    let pieces: Vec<(Piece, bool)> = before.iter().map(|stretch| (stretch.piece, stretch.locked)).collect();
    assert_eq!(
        pieces,
        [
            (Piece::Storage, true),
            (Piece::Fast, true),
            (Piece::Storage, true),
            (Piece::Fast, true),
            (Piece::Storage, true),
            (Piece::Slow, true),
            (Piece::Slow, false),
            (Piece::Message, false),
            (Piece::Base, true),
        ]
    );
}
