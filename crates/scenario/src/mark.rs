//! The marks of a resolved scenario behind values that are not in the file: `# default: why`, `# set: what`.

use crate::language::{Key, Need};
use crate::machines;
use crate::resolved::Origin;
use crate::text::{At, Text};
use crate::written::{Node, Written};

const DEFAULT: &str = "# default: ";
const SET: &str = "# set: ";

/// The origin of the value before the mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The language, for this reason.
    Default(&'static str),
    /// The language, from the rest of the scenario, by this rule; the rule decides whether it still holds.
    WorkedOut(&'static str),
    /// An override.
    Set(String),
}

/// The mark in the rest of a value's line.  A default with a changed value is no default.
pub fn of(rest: &str, key: &Key, node: &Node) -> Option<Mark> {
    let rest = rest.trim();
    if let Some(text) = rest.strip_prefix(SET) {
        return Some(Mark::Set(text.to_string()));
    }
    if !rest.starts_with(DEFAULT) {
        return None;
    }
    match key.need {
        Need::Default(_, why) if is_default(key, &node.value) => Some(Mark::Default(why)),
        Need::WorkedOut(rule) => Some(Mark::WorkedOut(rule)),
        _ => None,
    }
}

/// The origin of a value, by its place and its mark.
pub fn origin(text: &Text<'_>, key: &Key, node: &Node) -> Origin {
    match (node.at, of(text.comment(node.at), key, node)) {
        (_, Some(Mark::Default(why) | Mark::WorkedOut(why))) => Origin::Default(why),
        (_, Some(Mark::Set(text))) => Origin::Set(text),
        (At::Set(index), _) => Origin::Set(one_line(&text.set[index])),
        (At::Shipped(machine, end), _) => Origin::Default(machines::source(machine, end)),
        (At::File(..) | At::Nowhere, _) => Origin::Written,
    }
}

/// The reason of the value before the mark, if it is marked as not in the file.
pub fn reason(rest: &str) -> Option<&str> {
    rest.trim().strip_prefix(DEFAULT)
}

/// The mark of a default.
pub fn default(why: &str) -> String {
    format!("  {DEFAULT}{why}")
}

/// The mark of an override.
pub fn set(text: &str) -> String {
    format!("  {SET}{text}")
}

/// The value of an override, as the rest of a line can hold it.  The value itself is on the line already, and its
/// quotes make no difference to a run.
fn one_line(text: &str) -> String {
    let text = text.split_once('=').map_or(text, |(path, _)| path);
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    line.trim().to_string()
}

/// Whether a value is the default of its key.
fn is_default(key: &Key, value: &Written) -> bool {
    let Need::Default(text, _) = key.need else { return false };
    match value {
        Written::Text(written) => written == text,
        Written::Integer(Some(number)) => number.to_string() == text,
        Written::Float(number) => number.to_string() == text,
        Written::List(_) => bracketed(value).is_some_and(|written| written == text),
        _ => false,
    }
}

/// A list of whole numbers as the language writes its defaults.
fn bracketed(value: &Written) -> Option<String> {
    let Written::List(items) = value else { return None };
    let number = |item: &Node| match item.value {
        Written::Integer(Some(number)) => Some(number.to_string()),
        _ => None,
    };
    let numbers: Option<Vec<String>> = items.iter().map(number).collect();
    Some(format!("[{}]", numbers?.join(", ")))
}
