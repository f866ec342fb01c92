//! What an account costs: each piece of the formula by itself.

use super::bench::{asked, name, structure, walk};
use serialization::Scope;
use serialization::exits::{Account, Answer, Costs, Names, Piece, Point, Routine, Structure, Table, Verb};
use serialization::name_list::{Entry, Kind, List};
use units::Span;

const NOTHING: Costs = Costs {
    enq: Span::ZERO,
    chng: Span::ZERO,
    deq: Span::ZERO,
    front_end: Span::ZERO,
    list: Span::ZERO,
    entry: Span::ZERO,
    obtained: Span::ZERO,
    pooled: Span::ZERO,
    single: Span::ZERO,
    state: Span::ZERO,
    copy_per_kib: Span::ZERO,
    fault: Span::ZERO,
    recovery: Span::ZERO,
    relock: Span::ZERO,
    light: Span::ZERO,
    heavy: Span::ZERO,
    message: Span::ZERO,
};

fn slow() -> Account {
    let one = name("LOCAL", "R");
    walk(&mut structure(Structure::Batch), Verb::Enq, &[asked(&one, Scope::System)]).0.account
}

#[test]
fn each_price_is_paid_as_often_as_the_account_says() {
    let us = Span::from_us(1);
    let lists = [
        (Costs { enq: us, ..NOTHING }, 1, true),
        (Costs { list: us, ..NOTHING }, 1, false),
        (Costs { entry: us, ..NOTHING }, 1, false),
        (Costs { obtained: us, ..NOTHING }, 1, true),
        (Costs { state: us, ..NOTHING }, 1, true),
        (Costs { copy_per_kib: us, ..NOTHING }, 16, true),
        (Costs { fault: us, ..NOTHING }, 4, true),
        (Costs { recovery: us, ..NOTHING }, 1, false),
        (Costs { relock: us, ..NOTHING }, 1, false),
        (Costs { pooled: us, ..NOTHING }, 0, false),
        (Costs { deq: us, ..NOTHING }, 0, false),
        (Costs { chng: us, ..NOTHING }, 0, false),
    ];
    for (costs, times, locked) in lists {
        let stretches = costs.before(&slow());
        assert_eq!(stretches.total(), us * times, "{costs:?}");
        assert_eq!(stretches.locked(), if locked { us * times } else { Span::ZERO }, "{costs:?}");
    }
}

#[test]
fn what_costs_nothing_is_no_stretch() {
    assert!(NOTHING.before(&slow()).is_empty());
    assert_eq!(Costs::default().before(&Account::default()).len(), 0);
}

#[test]
fn neighbours_of_one_kind_are_one_stretch() {
    let stretches = Costs { list: Span::ZERO, entry: Span::ZERO, ..Costs::default() }.before(&slow());
    let pieces: Vec<Piece> = stretches.iter().map(|stretch| stretch.piece).collect();
    assert_eq!(pieces, [Piece::Slow, Piece::Base]);
    assert_eq!(stretches.get(0).map(|stretch| stretch.span), Some(stretches.of(Piece::Slow)));
    assert_eq!(stretches.get(2), None);
}

#[test]
fn accounts_add_up() {
    let mut sum = slow();
    sum += slow();
    assert_eq!(sum[Point::Batch].bytes, 2 * slow()[Point::Batch].bytes);
    assert_eq!(Costs::default().total(&sum), Costs::default().total(&slow()) * 2);
}

#[test]
fn prices_are_known_by_their_keys() {
    let mut costs = NOTHING;
    for key in Costs::KEYS {
        *costs.price(key).expect("a price") = Span::from_us(1);
    }
    assert_eq!(costs.before(&slow()).total(), Span::from_us(1 + 1 + 1 + 1 + 1 + 16 + 4 + 1 + 1));
    assert!(costs.price("entri").expect_err("a problem").to_string().ends_with("did you mean entry?"));
}

#[test]
fn a_way_is_its_parts() {
    let mut sum = slow();
    sum += structure(Structure::Batch).ended(
        &asked(&name("LOCAL", "R"), Scope::System),
        &serialization::exits::Settled::as_asked(&asked(&name("LOCAL", "R"), Scope::System)),
    );
    let costs = Costs::default();
    assert_eq!(costs.way(&sum).total(), costs.total(&sum));
    assert_eq!(costs.way(&sum).total(), costs.before(&sum).total() + costs.ended(&sum).total());
}

#[test]
fn what_an_exit_does_of_its_own_is_paid_at_calls_for_its_names() {
    let own = Span::from_us(7);
    for (qname, point, times, locked) in
        [("MINE", Point::Fast, 1, true), ("OTHER", Point::Fast, 0, true), ("MINE", Point::Batch, 1, false)]
    {
        let names = Names::new(vec![Entry::new(List::Inclusion, Kind::Generic, b"MINE", None).expect("an entry")]);
        let mut exits = structure(Structure::None);
        let table = Table { own, ..Table::new(names, Answer::default()) };
        exits.add(point, "OWN", Routine::Table(Box::new(table))).expect("the name of an exit");
        let one = name(qname, "R");
        let stretches = NOTHING.before(&walk(&mut exits, Verb::Enq, &[asked(&one, Scope::System)]).0.account);
        assert_eq!(stretches.total(), own * times, "{qname} {point:?}");
        assert_eq!(stretches.locked() == stretches.total(), locked || times == 0, "{qname} {point:?}");
    }
}
