//! The JSON Schema of scenario files, made from the language.

use crate::language::{COUNTED, Choice, Key, Kind, NAME, NOTES, Need, Table, WEIGHTS};
use crate::reference::tables;
use serde_json::{Map, Value, json};
use units::{Bytes, PerSecond, Percent, QuantityError, Span};

/// The schema, as JSON of draft 2020-12.
pub fn schema() -> String {
    let mut definitions = Map::new();
    for table in tables() {
        definitions.insert(table.name.into(), object(table));
    }
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "slicewright scenario",
        "$ref": "#/$defs/scenario",
        "$defs": definitions,
    });
    let mut text = serde_json::to_string_pretty(&schema).expect("a schema is JSON");
    text.push('\n');
    text
}

fn object(table: &Table) -> Value {
    let mut properties: Map<String, Value> =
        table.all_keys().map(|key| (key.name.to_string(), property(key))).collect();
    if table.has(&COUNTED) {
        properties[NAME.name]["pattern"] = "^[A-Za-z0-9._$#@,\\[\\]-]+$".into();
    }
    let required: Vec<&str> = table.keys.iter().filter(|key| is_required(key)).map(|key| key.name).collect();
    let mut rules: Vec<Value> = Vec::new();
    rules.extend(table.choices.iter().map(one_of));
    if table.notes {
        rules.push(at_most_one(NOTES));
    }
    rules.extend(table.keys.iter().filter(|key| !key.beside.is_empty()).flat_map(|key| beside(key)));
    let mut object = json!({
        "type": "object",
        "description": table.doc,
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    if !rules.is_empty() {
        object["allOf"] = rules.into();
    }
    object
}

fn is_required(key: &Key) -> bool {
    matches!(key.need, Need::Required(_)) && key.beside.is_empty()
}

fn one_of(choice: &Choice) -> Value {
    if choice.needed {
        let each: Vec<Value> = choice.keys.iter().map(|key| json!({ "required": [key.name] })).collect();
        json!({ "oneOf": each })
    } else {
        at_most_one(choice.keys)
    }
}

fn at_most_one(keys: &[&Key]) -> Value {
    let pairs = keys.iter().enumerate().flat_map(|(index, key)| {
        keys[index + 1..].iter().map(move |other| json!({ "required": [key.name, other.name] }))
    });
    json!({ "not": { "anyOf": pairs.collect::<Vec<_>>() } })
}

/// A key that goes with others needs one of them, and one of them may need it.
fn beside(key: &Key) -> Vec<Value> {
    let any: Vec<Value> = key.beside.iter().map(|other| json!({ "required": [other] })).collect();
    let mut rules = vec![json!({ "if": { "required": [key.name] }, "then": { "anyOf": any } })];
    if matches!(key.need, Need::Required(_)) {
        rules.push(json!({ "if": { "anyOf": any }, "then": { "required": [key.name] } }));
    }
    rules
}

fn property(key: &Key) -> Value {
    let mut property = kind(key.kind);
    let description = match key.need {
        Need::Default(text, why) => format!("{}; default {text}: {why}", key.doc),
        _ => key.doc.to_string(),
    };
    property["description"] = description.into();
    property
}

fn kind(kind: Kind) -> Value {
    match kind {
        Kind::Text | Kind::Lines | Kind::Line | Kind::File => json!({ "type": "string", "pattern": "\\S" }),
        Kind::TextOr(table) => {
            json!({ "anyOf": [{ "type": "string", "pattern": "\\S" }, reference(table)] })
        }
        Kind::Name(most) => name(most),
        Kind::Refer(_) => name(crate::language::LONGEST_NAME),
        Kind::Refers(_) => {
            json!({ "type": "array", "items": { "type": "string", "pattern": "^[A-Za-z0-9._$#@,*?\\[\\]-]+$" }, "minItems": 1, "uniqueItems": true })
        }
        Kind::Weights(_) => json!({
            "type": "object",
            "minProperties": 1,
            "additionalProperties": { "type": "number", "minimum": WEIGHTS.0, "maximum": WEIGHTS.1 },
        }),
        Kind::Word(words) => json!({ "enum": words }),
        Kind::Device => json!({ "type": "string", "pattern": "^0*[0-9A-Fa-f]{1,4}$" }),
        Kind::Span(..) => span(),
        Kind::SpanOr(word) => json!({ "anyOf": [{ "const": word }, span()] }),
        Kind::SpanPair => json!({ "type": "array", "items": span(), "minItems": 2, "maxItems": 2 }),
        Kind::Bytes(..) => quantity("", "0".parse::<Bytes>().err()),
        Kind::Percent(_) => quantity("", "0".parse::<Percent>().err()),
        Kind::Growth(_) => quantity("-?", "0".parse::<Percent>().err()),
        Kind::Rate(..) => quantity("", "0".parse::<PerSecond>().err()),
        Kind::Count(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Kind::Counts(many, least, most) => json!({
            "type": "array",
            "items": { "type": "integer", "minimum": least, "maximum": most },
            "minItems": many,
            "maxItems": many,
        }),
        Kind::Number(least, most) => json!({ "type": "number", "minimum": least, "maximum": most }),
        Kind::Distribution(table) => json!({ "anyOf": [span(), reference(table)] }),
        Kind::Table(table) => json!({ "allOf": [reference(table)] }),
        Kind::Named(table) | Kind::Numbered(table) => json!({ "type": "array", "items": reference(table) }),
        Kind::Steps(table) | Kind::Alternatives(table) => {
            json!({ "type": "array", "items": reference(table), "minItems": 1 })
        }
    }
}

fn reference(table: &Table) -> Value {
    json!({ "$ref": format!("#/$defs/{}", table.name) })
}

fn name(most: usize) -> Value {
    json!({ "type": "string", "pattern": format!("^[A-Za-z0-9._$#@-]{{1,{most}}}$") })
}

fn span() -> Value {
    quantity("", "0".parse::<Span>().err())
}

/// The pattern of a quantity, with the units that its own reader names when one is missing.
fn quantity(sign: &str, missing: Option<QuantityError>) -> Value {
    let units: Vec<&str> = match missing {
        Some(QuantityError::NoUnit(units)) => units.to_vec(),
        _ => Vec::new(),
    };
    let pattern = format!("^\\s*{sign}([0-9][0-9_]*(\\.[0-9_]*)?|\\.[0-9][0-9_]*)\\s*({})\\s*$", units.join("|"));
    json!({ "type": "string", "pattern": pattern })
}
