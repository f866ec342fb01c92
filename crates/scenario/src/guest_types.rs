//! The operating systems that ship with slicewright: how each spins, put where a virtual machine names one.

use crate::language::{GUEST_TYPES, Key, SENSE_RUNNING, X9C};
use crate::resolved::Value;
use crate::text::Text;
use crate::written::{self, Written};

static DESCRIPTIONS: [&str; GUEST_TYPES.len()] = [
    include_str!("../guest_types/sles9-sp2.toml"),
    include_str!("../guest_types/sles9.toml"),
    include_str!("../guest_types/sles10.toml"),
    include_str!("../guest_types/zos17.toml"),
    include_str!("../guest_types/linux312.toml"),
];

/// Machines before SIGP Sense Running Status.
const WITHOUT_SENSING: [&str; 1] = ["z990"];

/// Whether a machine has SIGP Sense Running Status; an unnamed one does.
pub fn senses(machine: Option<&str>) -> bool {
    machine.is_none_or(|machine| !WITHOUT_SENSING.contains(&machine))
}

/// The number of a shipped operating system.
pub fn number(name: &str) -> Option<usize> {
    GUEST_TYPES.iter().position(|shipped| *shipped == name)
}

/// What a shipped operating system rests on: the first line of its description.
pub fn why(number: usize) -> &'static str {
    DESCRIPTIONS[number].lines().next().unwrap_or_default().trim_start_matches("# ")
}

/// The value of a key in a shipped operating system, on a machine with or without SIGP Sense Running Status.
pub fn gives(number: usize, key: &Key, senses: bool) -> Option<Value> {
    let name = GUEST_TYPES[number];
    let text = Text::of(DESCRIPTIONS[number].as_bytes(), name, &[]).expect("a description is text");
    let (entries, mistakes) = written::read(&text);
    assert!(mistakes.is_empty(), "the description of {name} is TOML");
    match &entries.get(key.name)?.node.value {
        Written::Integer(Some(count)) => u32::try_from(*count).ok().map(Value::Count),
        Written::Text(word) if word == SENSE_RUNNING && !senses => Some(Value::Text(X9C.into())),
        Written::Text(word) => Some(Value::Text(word.clone())),
        Written::Integer(None) | Written::Float(_) | Written::Other(_) | Written::List(_) | Written::Table(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{SPIN_RETRY, YIELDS};

    #[test]
    fn every_shipped_operating_system_says_what_it_rests_on_and_how_it_spins() {
        for (number, name) in GUEST_TYPES.iter().enumerate() {
            assert!(why(number).starts_with(&format!("{name}: as published (")), "{name}: {}", why(number));
            assert!(matches!(gives(number, &SPIN_RETRY, true), Some(Value::Count(_))), "{name}");
            assert!(matches!(gives(number, &YIELDS, true), Some(Value::Text(_))), "{name}");
        }
    }
}
