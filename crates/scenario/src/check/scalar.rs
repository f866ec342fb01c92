//! A value that is neither a list nor a table: text, names, words, counts, numbers, quantities.

use super::quantity;
use crate::language::{self, Kind};
use crate::pattern::is_pattern;
use crate::resolved::Value;
use crate::text::clip;
use crate::written::Written;
use units::Problem;

/// The most characters a text has.
const LONGEST_TEXT: usize = 2_000;
/// The most characters of a text that may stand in a file (10,000 name list entries are a quarter of it), or of lines.
pub const LONGEST_FILE: usize = 4_000_000;
/// The most characters a line has.
const LONGEST_LINE: usize = 200;

/// A value that is neither a list nor a table.
pub fn scalar(kind: Kind, value: &Written) -> Result<Value, Box<Problem>> {
    match (kind, value) {
        (Kind::Text, Written::Text(text)) => free_text(text, LONGEST_TEXT, true),
        (Kind::TextOr(_) | Kind::Lines, Written::Text(text)) => free_text(text, LONGEST_FILE, true),
        (Kind::Line, Written::Text(text)) => free_text(text, LONGEST_LINE, false),
        (Kind::Name(most), Written::Text(text)) => name(text, most),
        (Kind::Refer(_), Written::Text(text)) => {
            name(text, language::LONGEST_NAME).map_err(|problem| match is_pattern(text) {
                true => problem.because("a pattern means several of them, and one is needed here").into(),
                false => problem,
            })
        }
        (Kind::Word(words), Written::Text(text)) => word(text, words),
        (Kind::Device, Written::Text(text)) => quantity::device(text).map(Value::Device),
        (Kind::Span(least, most), Written::Text(text)) => quantity::span(text, least, most).map(Value::Span),
        (Kind::SpanOr(word), Written::Text(text)) if text == word => Ok(Value::Word(word)),
        (Kind::SpanOr(word), Written::Text(text)) => quantity::span(text, "0 us", quantity::YEAR)
            .map(Value::Span)
            .map_err(|problem| problem.allowed([Kind::SpanOr(word).describe()]).into()),
        (Kind::File, Written::Text(text)) => free_text(text, LONGEST_LINE, false),
        (Kind::Bytes(least, most), Written::Text(text)) => quantity::bytes(text, least, most).map(Value::Bytes),
        (Kind::Percent(most), Written::Text(text)) => quantity::percent(text, most).map(Value::Percent),
        (Kind::Growth(most), Written::Text(text)) => quantity::growth(text, most).map(Value::Percent),
        (Kind::Rate(least, most), Written::Text(text)) => quantity::rate(text, least, most).map(Value::Rate),
        (Kind::Count(least, most), Written::Integer(number)) => count(*number, least, most),
        (Kind::Number(least, most), Written::Integer(Some(whole))) => number(*whole as f64, least, most),
        (Kind::Number(least, most), Written::Float(value)) => number(*value, least, most),
        _ => Err(mistyped(kind, value).into()),
    }
}

/// The problem of a value of the wrong type.
pub fn mistyped(kind: Kind, value: &Written) -> Problem {
    let problem = Problem::new(format!("{} where {} is needed", value.describe(), plain(kind)));
    let quantity = matches!(
        kind,
        Kind::Span(..)
            | Kind::SpanOr(_)
            | Kind::Bytes(..)
            | Kind::Percent(_)
            | Kind::Growth(_)
            | Kind::Rate(..)
            | Kind::Distribution(_)
    );
    let why = match (kind, value) {
        _ if quantity && matches!(value, Written::Integer(_) | Written::Float(_)) => "a quantity has a unit, in quotes",
        (Kind::Device, Written::Integer(_) | Written::Float(_)) => "device numbers are hexadecimal, in quotes",
        (Kind::Named(_) | Kind::Numbered(_), Written::Table(_)) => {
            "there may be several of them, so each has double brackets"
        }
        (Kind::Count(..) | Kind::Number(..), Written::Text(_)) => "counts and plain numbers stand without quotes",
        _ => "",
    };
    problem.because(why).allowed([kind.describe()])
}

/// A kind of value in few words.
fn plain(kind: Kind) -> String {
    match kind {
        Kind::Text | Kind::Lines | Kind::Line => "text".into(),
        Kind::TextOr(_) => "text, or a table that names a file,".into(),
        Kind::Name(_) | Kind::Refer(_) => "a name".into(),
        Kind::Refers(_) => "a list of names".into(),
        Kind::Weights(_) => "a table of weights".into(),
        Kind::Word(_) => "a word".into(),
        Kind::File => "a path".into(),
        Kind::Device => "a device number".into(),
        Kind::Span(..) | Kind::SpanOr(_) => "a span of time".into(),
        Kind::SpanPair => "a list of two spans".into(),
        Kind::Bytes(..) => "an amount of data".into(),
        Kind::Percent(_) => "a share".into(),
        Kind::Growth(_) => "growth".into(),
        Kind::Rate(..) => "a rate".into(),
        Kind::Count(..) => "a whole number".into(),
        Kind::Counts(..) => "a list of whole numbers".into(),
        Kind::Number(..) => "a number".into(),
        Kind::Distribution(_) => "a span of time or a distribution".into(),
        Kind::Table(table) => format!("a table [{}]", table.name),
        Kind::Named(table) | Kind::Numbered(table) => format!("a list of tables [[{}]]", table.header()),
        Kind::Steps(_) => "a list of steps".into(),
        Kind::Alternatives(_) => "a list of alternatives".into(),
    }
}

/// A text of this many characters at most, with several lines or not.
pub fn free_text(text: &str, most: usize, lines: bool) -> Result<Value, Box<Problem>> {
    let length = text.chars().count();
    if text.trim().is_empty() {
        return Err(Problem::new("the text is empty").because("it should say something").into());
    }
    if length > most {
        return Err(Problem::new(format!("the text has {length} characters"))
            .allowed([format!("up to {most}")])
            .into());
    }
    match text.chars().find(|c| c.is_control() && !(lines && *c == '\n')) {
        Some(c) => Err(Problem::new(format!("a control character {} in the text", c.escape_unicode()))
            .because("it would garble reports and terminals")
            .into()),
        None => Ok(Value::Text(text.to_string())),
    }
}

/// A name of the characters that names have.
pub fn name(text: &str, most: usize) -> Result<Value, Box<Problem>> {
    let problem = |what: String| Err(Problem::new(what).allowed([Kind::Name(most).describe()]).into());
    if text.is_empty() {
        return problem("the name is empty".into());
    }
    if let Some(c) = text.chars().find(|c| !(c.is_ascii_alphanumeric() || language::IN_NAMES.contains(*c))) {
        return problem(format!("`{}` in the name `{}`", c.escape_debug(), clip(text)));
    }
    if text.len() > most {
        return problem(format!("the name `{}` has {} characters", clip(text), text.len()));
    }
    Ok(Value::Text(text.to_string()))
}

fn word(text: &str, words: &'static [&'static str]) -> Result<Value, Box<Problem>> {
    if words.contains(&text) {
        return Ok(Value::Text(text.to_string()));
    }
    let shown = clip(text).to_lowercase();
    let likeness = |word: &str| strsim::normalized_damerau_levenshtein(&shown, &word.to_lowercase());
    let near = words.iter().rev().filter(|word| likeness(word) >= 0.5);
    let nearest = near.max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
    Err(Problem::new(format!("`{}` is not one of the allowed words", clip(text)))
        .allowed(words.iter().copied())
        .nearest(nearest.copied())
        .into())
}

fn count(number: Option<i64>, least: u32, most: u32) -> Result<Value, Box<Problem>> {
    let allowed = [format!("{least} to {most}")];
    let Some(number) = number else { return Err(Problem::new("a number beyond 64 bits").allowed(allowed).into()) };
    match u32::try_from(number) {
        Ok(count) if (least..=most).contains(&count) => Ok(Value::Count(count)),
        _ => Err(Problem::new(format!("{number} is out of range")).allowed(allowed).into()),
    }
}

fn number(number: f64, least: f64, most: f64) -> Result<Value, Box<Problem>> {
    if (least..=most).contains(&number) {
        return Ok(Value::Number(number));
    }
    Err(Problem::new(format!("{number} is out of range")).allowed([format!("{least} to {most}")]).into())
}
