//! Do the name lists find what a plain reading of their rules finds, and are they searched in the documented order?

use proptest::collection::vec;
use proptest::prelude::*;
use serialization::name_list::{Asked, Entry, Kind, List, NameLists};
use serialization::{ResourceName, Scope};

fn entry(list: List, kind: Kind, qname: &str, rname: Option<&str>) -> Entry {
    Entry::new(list, kind, qname.as_bytes(), rname.map(str::as_bytes)).expect("an entry")
}

fn name(qname: &str, rname: &str) -> ResourceName {
    ResourceName::new(qname.as_bytes(), rname.as_bytes()).expect("a name")
}

/// Whether a text fits a pattern, as the rule reads: a star is nothing, or one character and a star.
fn reads_as(pattern: &[u8], text: &[u8]) -> bool {
    match (pattern.split_first(), text.split_first()) {
        (None, None) => true,
        (None, Some(_)) => false,
        (Some((b'*', rest)), None) => reads_as(rest, text),
        (Some((b'*', rest)), Some((_, behind))) => reads_as(rest, text) || reads_as(pattern, behind),
        (Some(_), None) => false,
        (Some((&one, rest)), Some((&other, behind))) => (one == b'?' || one == other) && reads_as(rest, behind),
    }
}

/// The first entry of a list that matches, found by looking at one after the other.
fn scanned(entries: &[Entry], list: List, qname: &str, rname: &str) -> Option<usize> {
    let (qname, rname) = (qname.trim_end().as_bytes(), rname.as_bytes());
    entries.iter().position(|entry| {
        let beginning = entry.rname().unwrap_or_default();
        entry.list() == list
            && match entry.kind() {
                Kind::Specific => entry.qname() == qname && beginning == rname,
                Kind::Generic => {
                    entry.qname() == qname && rname.len() >= beginning.len() && &rname[..beginning.len()] == beginning
                }
                Kind::Pattern => reads_as(entry.qname(), qname) && reads_as(entry.rname().unwrap_or(b"*"), rname),
            }
    })
}

fn entries() -> impl Strategy<Value = Vec<Entry>> {
    let list = prop::sample::select(List::ALL.to_vec());
    let kind = prop::sample::select(Kind::ALL.to_vec());
    let one = (list, kind, "[AB*?]{1,3}", prop::option::of("[AB*?]{1,5}")).prop_map(|(list, kind, qname, rname)| {
        let rname = if kind == Kind::Specific { rname.or(Some("A".into())) } else { rname };
        entry(list, kind, &qname, rname.as_deref())
    });
    vec(one, 0..40)
}

proptest! {
    #[test]
    fn the_first_that_matches_is_found(entries in entries(), names in vec(("[AB*?]{1,3} {0,2}", "[AB*?]{1,6}"), 1..30)) {
        let lists = NameLists::new(entries);
        for (qname, rname) in names {
            for list in List::ALL {
                let found = lists.first(list, &name(&qname, &rname));
                prop_assert_eq!(found, scanned(lists.entries(), list, &qname, &rname), "{:?} {} {}", list, qname, rname);
            }
        }
    }

    #[test]
    fn an_entry_matches_alone_as_it_does_in_its_list(entries in entries(), qname in "[AB]{1,3}", rname in "[AB]{1,5}") {
        let wanted = name(&qname, &rname);
        for entry in entries {
            let alone = NameLists::new(vec![entry.clone()]).first(entry.list(), &wanted).is_some();
            prop_assert_eq!(entry.matches(&wanted), alone, "{}", entry);
        }
    }

    #[test]
    fn an_entry_that_covers_another_matches_all_of_it(entries in entries(), qname in "[AB]{1,3}", rname in "[AB]{1,5}") {
        let wanted = name(&qname, &rname);
        for entry in &entries {
            for other in entries.iter().filter(|other| entry.covers(other)) {
                prop_assert!(entry.matches(&wanted) || !other.matches(&wanted), "{} {}", entry, other);
            }
        }
    }
}

/// What a request becomes where the lists of `holding` have the name and the others do not: the scope, whether the
/// volume is reserved, and the lists that were searched.
fn settled(asked: Asked, holding: &[List]) -> (Scope, bool, Vec<List>) {
    let entries = holding.iter().map(|&list| entry(list, Kind::Specific, "Q", Some("R"))).collect();
    let outcome = NameLists::new(entries).settle(asked, &name("Q", "R"));
    (outcome.scope, outcome.hardware_reserve, outcome.searches().map(|search| search.list).collect())
}

#[test]
fn a_step_request_is_searched_for_nowhere() {
    assert_eq!(settled(Asked::Enq(Scope::Step), &List::ALL), (Scope::Step, false, vec![]));
}

#[test]
fn a_system_request_is_included_and_then_perhaps_excluded() {
    let asked = Asked::Enq(Scope::System);
    let both = vec![List::Inclusion, List::Exclusion];
    assert_eq!(settled(asked, &[]), (Scope::System, false, vec![List::Inclusion]));
    assert_eq!(settled(asked, &[List::Exclusion]), (Scope::System, false, vec![List::Inclusion]));
    assert_eq!(settled(asked, &[List::Inclusion]), (Scope::Systems, false, both.clone()));
    assert_eq!(settled(asked, &[List::Inclusion, List::Exclusion]), (Scope::System, false, both));
}

#[test]
fn a_systems_request_is_perhaps_excluded() {
    let asked = Asked::Enq(Scope::Systems);
    assert_eq!(settled(asked, &[]), (Scope::Systems, false, vec![List::Exclusion]));
    assert_eq!(settled(asked, &[List::Exclusion]), (Scope::System, false, vec![List::Exclusion]));
    assert_eq!(settled(asked, &[List::Inclusion, List::Conversion]), (Scope::Systems, false, vec![List::Exclusion]));
}

#[test]
fn a_reserve_is_excluded_or_converted_or_done_twice() {
    let both = vec![List::Exclusion, List::Conversion];
    assert_eq!(settled(Asked::Reserve, &[]), (Scope::Systems, true, both.clone()));
    assert_eq!(settled(Asked::Reserve, &[List::Conversion]), (Scope::Systems, false, both));
    assert_eq!(settled(Asked::Reserve, &[List::Exclusion]), (Scope::System, true, vec![List::Exclusion]));
    assert_eq!(settled(Asked::Reserve, &List::ALL), (Scope::System, true, vec![List::Exclusion]));
}

#[test]
fn a_search_says_which_entry_it_found() {
    let lists = NameLists::new(vec![
        entry(List::Inclusion, Kind::Pattern, "SYS*", Some("Z*")),
        entry(List::Exclusion, Kind::Generic, "SYSDSN", Some("SYS1")),
        entry(List::Inclusion, Kind::Generic, "SYSDSN", None),
        entry(List::Inclusion, Kind::Specific, "SYSDSN", Some("SYS1.A")),
    ]);
    let outcome = lists.settle(Asked::Enq(Scope::System), &name("SYSDSN", "SYS1.A"));
    assert_eq!(outcome.searches().map(|search| search.found).collect::<Vec<_>>(), [Some(2), Some(1)]);
}
