//! Does the reader of `GRSRNLxx` texts stand whatever it is given?
//!
//! `SLICEWRIGHT_FUZZ_INPUTS=10000000` tries this many.

use fuzz::{Bound, Mutator};
use serialization::ResourceName;
use serialization::name_list::{Asked, Entry, Kind, NameListText, differences};

const TEXTS: [&str; 3] = [
    include_str!("../../../scenarios/name-lists/GRSRNL00.txt"),
    "RNLDEF RNL(EXCL)TYPE(SPECIFIC)QNAME(SYSDSN)RNAME(SYS1.BRODCAST)\r\nRNLDEF RNL(CON) TYPE(PATTERN) QNAME(*)\r\n",
    "RNLDEF /* c */ RNAME('A B')\n  QNAME(X'18')\nTYPE(Generic) RNL( INCL )\n",
];

const TOKENS: [&str; 29] = [
    "RNLDEF ",
    "RNL(",
    "TYPE(",
    "QNAME(",
    "RNAME(",
    "INCL)",
    "EXCL)",
    "CON)",
    "SPECIFIC)",
    "GENERIC)",
    "PATTERN)",
    "(",
    ")",
    "'",
    "X'",
    "/*",
    "*/",
    "*",
    "?",
    "\n",
    "\r\n",
    "\u{feff}",
    "\t",
    "\u{a0}",
    "ä",
    "00010000",
    "SYSDSN",
    "''",
    "                                                                       ",
];

/// What holds for every input: it is refused with problems at places, or it is kept to the byte and can be used.
fn check(input: &[u8]) {
    match NameListText::read(input, "fuzz") {
        Ok(text) => check_text(text, input),
        Err(problems) => {
            assert!(!problems.is_empty(), "a text is refused for a reason");
            let lines = input.split(|&byte| byte == b'\n').count();
            assert!(problems.iter().all(|problem| problem.line.unwrap_or(1) <= lines));
            assert!(units::listing(&problems).lines().count() <= units::MOST_PRINTED + 1);
        }
    }
}

fn check_text(mut text: NameListText, input: &[u8]) {
    assert_eq!(text.to_bytes(), input);
    let entries = text.lists().entries().to_vec();
    let lines = input.split(|&byte| byte == b'\n').count();
    assert!((0..entries.len()).all(|number| text.place(number).0 <= lines));
    text.warnings();
    assert_eq!(differences(&[text.clone(), text.clone()]), []);
    let written = NameListText::write(&entries);
    let again =
        NameListText::read(written.as_bytes(), "written").unwrap_or_else(|wrong| panic!("{wrong:?}: {written}"));
    assert_eq!(again.lists().entries(), entries);
    let name = ResourceName::new(entries[0].qname(), b"SYS1.LINKLIB").expect("a name");
    Asked::ALL.into_iter().for_each(|asked| assert!(text.lists().settle(asked, &name).searches().count() <= 2));

    let last = entries.len() - 1;
    text.replace(last, &entries[last]).expect("an entry is put in its own place");
    assert_eq!(text.to_bytes(), input);
    let long = Entry::new(entries[last].list(), Kind::Specific, b"LONG", Some(&[b'L'; 200])).expect("an entry");
    let kept = text.clone();
    if text.replace(last, &long).is_ok() {
        assert_eq!(text.lists().entries()[..last], entries[..last]);
        assert_eq!(text.lists().entries()[last], long);
        if let Ok(()) = text.replace(last, &entries[last]) {
            assert_eq!(text.lists().entries(), entries);
        }
    } else {
        assert_eq!(text.to_bytes(), kept.to_bytes());
    }
}

#[test]
fn no_input_makes_the_reader_panic_hang_or_lose_a_byte() {
    let mut mutator = Mutator::new(56).corpus(TEXTS).dictionary(TOKENS);
    let tried = fuzz::run(&mut mutator, Bound::or_from_environment(6_000), check);
    assert!(tried > 0);
}
