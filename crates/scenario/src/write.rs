//! A resolved scenario as text: a line for every value, its notes kept, defaults marked.

use crate::language::{CONSTANT, is_note};
use crate::mark;
use crate::resolved::{Entry, Origin, Table, Value};

/// The whole scenario; with its marks, reading it gives the same scenario, and writing that gives the same text.
pub fn toml(root: &Table, marked: bool) -> String {
    let mut writer = Writer { text: String::new(), marked };
    writer
        .text
        .push_str("# A resolved scenario: every value that a run uses, with what nobody wrote marked as such.\n\n");
    writer.table(root, "", &Origin::Written);
    writer.text
}

struct Writer {
    text: String,
    /// Whether defaults and overrides are marked as such.
    marked: bool,
}

impl Writer {
    /// The lines of a table, then the tables that need headers: those at the top, and those of which there are several.
    fn table(&mut self, table: &Table, path: &str, origin: &Origin) {
        let has_header = |entry: &&Entry| match entry.value {
            Value::Tables(_) => true,
            Value::Table(_) => path.is_empty(),
            _ => false,
        };
        for entry in table.entries.iter().filter(|entry| !has_header(entry)) {
            self.line(entry, "", nearer(origin, &entry.origin));
        }
        for entry in table.entries.iter().filter(has_header) {
            let path = if path.is_empty() { entry.key.name.to_string() } else { format!("{path}.{}", entry.key.name) };
            let origin = nearer(origin, &entry.origin);
            match &entry.value {
                Value::Tables(tables) => {
                    for table in tables {
                        self.text.push_str(&format!("\n[[{path}]]\n"));
                        self.table(table, &path, origin);
                    }
                }
                Value::Table(inner) => {
                    self.text.push_str(&format!("\n[{path}]\n"));
                    self.table(inner, &path, origin);
                }
                _ => {}
            }
        }
    }

    /// One value, or the values of a table inside as dotted keys.
    fn line(&mut self, entry: &Entry, prefix: &str, origin: &Origin) {
        let key = format!("{prefix}{}", bare_or_quoted(entry.key.name));
        match &entry.value {
            Value::Tables(_) | Value::Unusable => {}
            Value::Table(inner) => {
                let alone = alone(inner);
                for entry in &inner.entries {
                    let origin = nearer(origin, &entry.origin);
                    match (&entry.value, alone) {
                        (Value::Span(span), true) if std::ptr::eq(entry.key, &CONSTANT) => {
                            self.assign(&key, &quote(&span.text), origin);
                        }
                        _ => self.line(entry, &format!("{key}."), origin),
                    }
                }
            }
            Value::Weights(weights) => {
                for weight in weights {
                    let key = format!("{key}.{}", bare_or_quoted(&weight.name));
                    self.assign(&key, &weight.weight.to_string(), nearer(origin, &weight.origin));
                }
            }
            value => self.assign(&key, &scalar(value), if is_note(entry.key) { &Origin::Written } else { origin }),
        }
    }

    fn assign(&mut self, key: &str, value: &str, origin: &Origin) {
        let mark = match origin {
            _ if !self.marked => String::new(),
            Origin::Written => String::new(),
            Origin::Default(why) => mark::default(why),
            Origin::Set(text) => mark::set(text),
        };
        self.text.push_str(&format!("{key} = {value}{mark}\n"));
    }
}

/// Whether a distribution is only a constant, which is written as a span.
fn alone(table: &Table) -> bool {
    table.entries.len() == 1 && std::ptr::eq(table.entries[0].key, &CONSTANT)
}

/// What decided a value: itself, or the table around it when it was written as a part of that.
fn nearer<'o>(around: &'o Origin, own: &'o Origin) -> &'o Origin {
    match own {
        Origin::Written => around,
        Origin::Default(_) | Origin::Set(_) => own,
    }
}

fn scalar(value: &Value) -> String {
    match value {
        Value::Text(text) => quote(text),
        Value::Filed(filed) => quote(filed.text.as_deref().unwrap_or_default()),
        Value::Word(word) => quote(word),
        Value::Texts(texts) => {
            let names: Vec<String> = texts.iter().map(|text| quote(&text.name)).collect();
            format!("[{}]", names.join(", "))
        }
        Value::Span(span) => quote(&span.text),
        Value::Pair(low, high) => format!("[{}, {}]", quote(&low.text), quote(&high.text)),
        Value::Bytes(bytes) => quote(&bytes.text),
        Value::Percent(share) => quote(&share.text),
        Value::Rate(rate) => quote(&rate.text),
        Value::Count(count) => count.to_string(),
        Value::Counts(counts) => format!("[{}]", counts.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")),
        Value::Number(number) => number.to_string(),
        Value::Device(device) => quote(&format!("{:04X}", device.0)),
        Value::Unusable | Value::Table(_) | Value::Tables(_) | Value::Weights(_) => String::new(),
    }
}

/// A text in quotes, as TOML has it.
pub fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// A key as TOML has it: bare where it can be.
pub fn bare_or_quoted(name: &str) -> String {
    let bare = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if bare { name.to_string() } else { quote(name) }
}
