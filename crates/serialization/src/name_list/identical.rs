//! Whether the systems of a complex have the same lists, which they must: the same entries in the same order.

use super::entry::{Entry, List};
use super::text::NameListText;
use std::collections::BTreeMap;
use units::Problem;

/// How the lists of each system differ from those of the first: what, and where; nothing when all are the same.
///
/// Source: MVS Initialization and Tuning Reference, GRSRNLxx, RNL; MVS System Messages, ISG007I, function codes 80 08,
/// 80 0C and 80 10: a system with other lists cannot join.
pub fn differences(systems: &[NameListText]) -> Vec<Problem> {
    let Some((first, others)) = systems.split_first() else { return Vec::new() };
    let pairs = others.iter().flat_map(|other| List::ALL.map(|list| (other, list)));
    pairs.flat_map(|(other, list)| of_list(first, other, list)).collect()
}

fn of_list(first: &NameListText, other: &NameListText, list: List) -> Vec<Problem> {
    let (ours, theirs) = (entries(first, list), entries(other, list));
    let why = format!("the {} is the same on every system of a complex, in the same order", list.name());
    let told = |text: &NameListText, number: usize, what: String| {
        let (line, column) = text.place(number);
        Problem::new(what).in_file(text.file()).at(line, column).because(why.clone())
    };
    let lacks = |text: &NameListText, has: &[(usize, &Entry)], lacks: &NameListText, those: &[(usize, &Entry)]| {
        let there: BTreeMap<&Entry, usize> = those.iter().map(|&(number, entry)| (entry, number)).collect();
        let missing = has.iter().filter(|(_, entry)| !there.contains_key(entry));
        missing
            .map(|&(number, entry)| told(text, number, format!("{} has no {entry}", lacks.file())))
            .collect::<Vec<_>>()
    };
    let mut problems = lacks(first, &ours, other, &theirs);
    problems.extend(lacks(other, &theirs, first, &ours));
    if problems.is_empty()
        && let Some((mine, theirs)) = ours.iter().zip(&theirs).find(|(mine, theirs)| mine.1 != theirs.1)
    {
        let place = first.place(mine.0).0;
        let what = format!("{} is where line {place} of {} has {}", theirs.1, first.file(), mine.1);
        problems.push(told(other, theirs.0, what));
    }
    problems
}

fn entries(text: &NameListText, list: List) -> Vec<(usize, &Entry)> {
    text.lists().entries().iter().enumerate().filter(|(_, entry)| entry.list() == list).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(A)\n";
    const B: &str = "RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(B)\n";
    const C: &str = "RNLDEF RNL(CON) TYPE(PATTERN) QNAME(*)\n";

    fn told(texts: &[String]) -> Vec<String> {
        let read = |(at, text): (usize, &String)| NameListText::read(text.as_bytes(), &format!("SYS{at}"));
        let systems: Vec<NameListText> = texts.iter().enumerate().map(read).collect::<Result<_, _>>().expect("texts");
        differences(&systems).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn comments_layout_and_the_order_of_the_lists_may_differ() {
        let other = format!("/* SYS1 */ {C}{A}RNLDEF\n TYPE(GENERIC)QNAME('B')RNL(INCL)");
        assert_eq!(told(&[format!("{A}{B}{C}"), other]), Vec::<String>::new());
    }

    #[test]
    fn what_one_lacks_is_told_where_the_other_has_it() {
        let told = told(&[format!("{A}{B}"), format!("{A}{C}"), format!("{A}{B}")]);
        let why = |list| format!("the {list} is the same on every system of a complex, in the same order");
        assert_eq!(
            told,
            [
                format!("SYS0:2:1: SYS1 has no {}; {}", B.trim_end(), why("SYSTEM inclusion list")),
                format!("SYS1:2:1: SYS0 has no {}; {}", C.trim_end(), why("RESERVE conversion list")),
            ]
        );
    }

    #[test]
    fn another_order_is_told_at_its_first_entry() {
        let told = told(&[format!("{A}{B}"), format!("{B}{A}")]);
        assert!(told.len() == 1 && told[0].starts_with("SYS1:1:1: RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(B) is"));
    }
}
