//! Are the schema and the reference made from the language whole, and do they say what the reader does?

use crate::sample;
use scenario::{REFERENCE_PAGES, reference, reference_pages, schema};
use serde_json::Value;

fn parsed() -> Value {
    serde_json::from_str(&schema()).expect("the schema is JSON")
}

fn references<'s>(value: &'s Value, found: &mut Vec<&'s str>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str));
            fields.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| references(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn every_reference_within_the_schema_resolves() {
    let schema = parsed();
    let mut found = Vec::new();
    references(&schema, &mut found);
    assert!(found.len() > 10);
    for reference in found {
        let pointer = reference.strip_prefix('#').expect("within the schema");
        assert!(schema.pointer(pointer).is_some(), "{reference}");
    }
}

#[test]
fn no_table_takes_keys_that_the_reader_does_not() {
    let schema = parsed();
    for row in reference().iter().filter(|row| row.table != "any table") {
        let table = &schema["$defs"][row.table];
        assert_eq!(table["additionalProperties"], Value::Bool(false), "{}", row.table);
        let property = &table["properties"][row.key];
        assert!(property["description"].as_str().is_some_and(|text| text.starts_with(row.doc)), "{row:?}");
    }
}

#[test]
fn what_is_required_is_so_in_all_three() {
    let required = &parsed()["$defs"]["volume"]["required"];
    assert_eq!(*required, serde_json::json!(["name", "device", "service"]));
    let rows: Vec<String> = reference()
        .into_iter()
        .filter(|row| row.table == "volume" && row.absent.starts_with("required"))
        .map(|row| row.key.to_string())
        .collect();
    assert_eq!(rows, ["name", "device", "service"]);
    let found = sample::problems(&format!("{}[[volume]]\n", sample::SAMPLE), &[]);
    let said: Vec<&str> = found.iter().map(|problem| problem.what.as_str()).collect();
    assert_eq!(said, ["`name` is missing", "`device` is missing", "`service` is missing"]);
}

#[test]
fn the_patterns_know_the_units_of_the_readers() {
    let span = &parsed()["$defs"]["volume"]["properties"]["gap"]["pattern"];
    assert!(span.as_str().is_some_and(|pattern| pattern.contains("(ns|us|ms|s|min|h|d)")), "{span}");
}

#[test]
fn the_reference_has_every_key_with_its_meaning() {
    let rows = reference();
    assert!(rows.len() > 40);
    assert!(rows.iter().all(|row| !row.doc.is_empty() && !row.holds.is_empty() && !row.absent.is_empty()));
    let gap = rows.iter().find(|row| row.table == "volume" && row.key == "gap").expect("volumes have gaps");
    assert_eq!(gap.absent, "0 ms: the control program starts the next I/O at once");
    assert_eq!(rows.iter().filter(|row| row.table == "any table").count(), 4);
}

/// `SLICEWRIGHT_UPDATE=1 cargo test -p scenario` writes the page anew.
#[test]
fn the_page_in_the_documentation_is_fresh() {
    for (name, made) in REFERENCE_PAGES.into_iter().zip(reference_pages()) {
        let path = format!("{}/../../docs/reference/{name}", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("SLICEWRIGHT_UPDATE").is_some() {
            std::fs::write(&path, &made).expect("the folder is there");
        }
        let page = std::fs::read_to_string(&path).expect("the page is there");
        assert!(page == made, "{path} is not what the language says; SLICEWRIGHT_UPDATE=1 writes it anew");
    }
}
