//! A scenario with every default written out: the tables of the language with typed values.

use crate::language::{self, Key, is_note};
use crate::text::At;
use machine::plan::DeviceNumber;
use units::{Bytes, PerSecond, Percent, Span};

/// A table with its values.
#[derive(Clone, Debug)]
pub struct Table {
    /// Which table of the language it is.
    pub spec: &'static language::Table,
    /// Its place.
    pub at: At,
    /// What a message puts before a key of it: "volume BWPVS0: service.".
    pub prefix: String,
    /// Its values, in the order of the language.
    pub entries: Vec<Entry>,
    /// Keys that were probably meant by unknown ones; that they are missing has been said.
    pub misspelt: Vec<&'static str>,
}

/// A key with its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Which key of the language it is.
    pub key: &'static Key,
    /// The value.
    pub value: Value,
    /// The place of the value.
    pub at: At,
    /// Its origin.
    pub origin: Origin,
}

impl Entry {
    /// Whether the language decided the value.
    pub fn is_default(&self) -> bool {
        matches!(self.origin, Origin::Default(_))
    }
}

/// The origin of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The file.
    Written,
    /// The language, for this reason.
    Default(&'static str),
    /// An override, with its text.
    Set(String),
}

/// A value of the language; quantities keep the text they were written with.
#[derive(Clone, Debug)]
pub enum Value {
    /// It could not be understood, and a problem says so.
    Unusable,
    /// Text, a name, a reference or a word.
    Text(String),
    /// Text in a file.
    Filed(Filed),
    /// References.
    Texts(Vec<Reference>),
    /// References with weights.
    Weights(Vec<Weight>),
    /// A span of time.
    Span(Quantity<Span>),
    /// A word in place of a span.
    Word(&'static str),
    /// The shortest and the longest span.
    Pair(Quantity<Span>, Quantity<Span>),
    /// An amount of data.
    Bytes(Quantity<Bytes>),
    /// A share.
    Percent(Quantity<Percent>),
    /// A rate.
    Rate(Quantity<PerSecond>),
    /// A whole number.
    Count(u32),
    /// Several whole numbers.
    Counts(Vec<u32>),
    /// A number.
    Number(f64),
    /// A device number.
    Device(DeviceNumber),
    /// A table.
    Table(Table),
    /// Several tables.
    Tables(Vec<Table>),
}

/// Text in a file.
#[derive(Clone, Debug)]
pub struct Filed {
    /// The file, as the scenario names it.
    pub name: String,
    /// Its contents, if they were read.
    pub text: Option<String>,
}

/// A quantity with the text it was written with.
#[derive(Clone, Debug)]
pub struct Quantity<T> {
    /// The quantity.
    pub value: T,
    /// Its text, with single blanks.
    pub text: String,
}

/// A name that refers to a table.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The name.
    pub name: String,
    /// Its place.
    pub at: At,
}

/// A weight of a table that is referred to.
#[derive(Clone, Debug)]
pub struct Weight {
    /// The name.
    pub name: String,
    /// The weight.
    pub weight: f64,
    /// The place of the name.
    pub at: At,
    /// The origin of the weight.
    pub origin: Origin,
}

/// The note of a table.
#[derive(Clone, Copy, Debug)]
pub struct Note<'a> {
    /// Which of the notes it is.
    pub key: &'static Key,
    /// Its text.
    pub text: &'a str,
}

impl Table {
    /// The entry of a key, unless it is absent.
    pub fn entry(&self, key: &Key) -> Option<&Entry> {
        self.entries.iter().find(|entry| std::ptr::eq(entry.key, key))
    }

    /// The value of a key, unless it is absent.
    pub fn value(&self, key: &Key) -> Option<&Value> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The place of a key's value, or the table when it is absent.
    pub fn at(&self, key: &Key) -> At {
        self.entry(key).map_or(self.at, |entry| entry.at)
    }

    /// The name of a key of it in a message.
    pub fn path(&self, key: &Key) -> String {
        format!("{}{}", self.prefix, key.name)
    }

    /// The name of the table itself in a message.
    pub fn title(&self) -> &str {
        self.prefix.trim_end_matches([':', ' ', '.'])
    }

    /// The text of a key, if it is there and usable.
    pub fn text(&self, key: &Key) -> Option<&str> {
        match self.value(key) {
            Some(Value::Text(text)) => Some(text),
            Some(Value::Filed(filed)) => filed.text.as_deref(),
            _ => None,
        }
    }

    /// The span of a key, if it is there and usable.
    pub fn span(&self, key: &Key) -> Option<Span> {
        match self.value(key) {
            Some(Value::Span(span)) => Some(span.value),
            _ => None,
        }
    }

    /// The span of a key as it was written, if it is there and usable.
    pub fn span_text(&self, key: &Key) -> Option<&str> {
        match self.value(key) {
            Some(Value::Span(span)) => Some(&span.text),
            _ => None,
        }
    }

    /// The share of a key, if it is there and usable.
    pub fn percent(&self, key: &Key) -> Option<Percent> {
        match self.value(key) {
            Some(Value::Percent(share)) => Some(share.value),
            _ => None,
        }
    }

    /// The amount of data of a key, if it is there and usable.
    pub fn bytes(&self, key: &Key) -> Option<Bytes> {
        match self.value(key) {
            Some(Value::Bytes(bytes)) => Some(bytes.value),
            _ => None,
        }
    }

    /// The references of a key; none when it is absent.
    pub fn references(&self, key: &Key) -> &[Reference] {
        match self.value(key) {
            Some(Value::Texts(texts)) => texts,
            _ => &[],
        }
    }

    /// The references with weights of a key; none when it is absent.
    pub fn weights(&self, key: &Key) -> &[Weight] {
        match self.value(key) {
            Some(Value::Weights(weights)) => weights,
            _ => &[],
        }
    }

    /// The whole number of a key, if it is there and usable.
    pub fn count(&self, key: &Key) -> Option<u32> {
        match self.value(key) {
            Some(Value::Count(count)) => Some(*count),
            _ => None,
        }
    }

    /// The whole numbers of a key, if they are there and usable.
    pub fn counts(&self, key: &Key) -> Option<&[u32]> {
        match self.value(key) {
            Some(Value::Counts(counts)) => Some(counts),
            _ => None,
        }
    }

    /// The number of a key, if it is there and usable.
    pub fn number(&self, key: &Key) -> Option<f64> {
        match self.value(key) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// The device number of a key, if it is there and usable.
    pub fn device(&self, key: &Key) -> Option<DeviceNumber> {
        match self.value(key) {
            Some(Value::Device(device)) => Some(*device),
            _ => None,
        }
    }

    /// The table of a key, if it is there and usable.
    pub fn table(&self, key: &Key) -> Option<&Table> {
        match self.value(key) {
            Some(Value::Table(table)) => Some(table),
            _ => None,
        }
    }

    /// The table of a key, to be completed.
    pub fn table_mut(&mut self, key: &Key) -> Option<&mut Table> {
        match self.entries.iter_mut().find(|entry| std::ptr::eq(entry.key, key)).map(|entry| &mut entry.value) {
            Some(Value::Table(table)) => Some(table),
            _ => None,
        }
    }

    /// The tables of a key; none when it is absent.
    pub fn tables(&self, key: &Key) -> &[Table] {
        match self.value(key) {
            Some(Value::Tables(tables)) => tables,
            _ => &[],
        }
    }

    /// The tables of a key, to be completed.
    pub fn tables_mut(&mut self, key: &Key) -> &mut [Table] {
        match self.entries.iter_mut().find(|entry| std::ptr::eq(entry.key, key)).map(|entry| &mut entry.value) {
            Some(Value::Tables(tables)) => tables,
            _ => &mut [],
        }
    }

    /// Puts a value where the language has its key.
    pub fn put(&mut self, entry: Entry) {
        let order = |key: &Key| self.spec.all_keys().position(|other| std::ptr::eq(other, key));
        let at = self.entries.partition_point(|other| order(other.key) < order(entry.key));
        self.entries.insert(at, entry);
    }

    /// The note that the table itself carries.
    pub fn note(&self) -> Option<Note<'_>> {
        let entry = self.entries.iter().find(|entry| is_note(entry.key))?;
        match &entry.value {
            Value::Text(text) => Some(Note { key: entry.key, text }),
            _ => None,
        }
    }
}
