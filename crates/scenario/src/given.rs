//! Whether a value of a resolved scenario was written, set, or is a default, by its path.

use crate::Scenario;
use crate::language::{Kind, NAME};
use crate::problems;
use crate::resolved::{Origin, Table, Value};
use crate::set::{first_part, key_part, named_part};
use crate::text::clip;
use units::Problem;

/// The origin of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// The file.
    Written,
    /// An override or an edit.
    Set,
    /// The language, or the machine that the scenario names.
    Default,
}

impl Scenario {
    /// The origin of the value at a path such as `cec.switch`; none if there is no value.
    ///
    /// A path that the language does not have, or whose table is not in the scenario, is a problem.
    pub fn given(&self, path: &str) -> Result<Option<Given>, Box<Problem>> {
        in_table(&self.root, path, Given::Written).map_err(|problem| (*problem).key(clip(path)).into())
    }
}

fn in_table(table: &Table, path: &str, around: Given) -> Result<Option<Given>, Box<Problem>> {
    let (name, rest) = key_part(table.spec, path);
    let Some(key) = table.spec.key(name) else {
        let names = || table.spec.all_keys().map(|key| key.name);
        let problem = Problem::new(format!("unknown key `{}`", clip(name))).allowed(names());
        return Err(problem.nearest(problems::nearest(name, names())).into());
    };
    let Some(entry) = table.entry(key) else { return Ok(None) };
    let here = match entry.origin {
        Origin::Written => around,
        Origin::Set(_) => Given::Set,
        Origin::Default(_) => Given::Default,
    };
    let Some(rest) = rest else { return Ok(Some(here)) };
    let beyond = || Problem::new(format!("`{}` has nothing in it called `{}`", key.name, clip(rest)));
    match &entry.value {
        Value::Table(inner) => in_table(inner, rest, here),
        Value::Tables(tables) if matches!(key.kind, Kind::Named(_)) => {
            let names: Vec<String> = tables.iter().map(|table| table.text(&NAME).unwrap_or_default().into()).collect();
            let (name, rest) = named_part(names.iter().map(String::as_str), rest);
            let named = names.iter().position(|known| known == name);
            let nearest = problems::nearest(name, names.iter().map(String::as_str));
            let unknown = || beyond().allowed(names.iter().take(8).cloned()).nearest(nearest);
            let table = &tables[named.ok_or_else(|| Box::new(unknown()))?];
            rest.map_or(Ok(Some(here)), |rest| in_table(table, rest, here))
        }
        Value::Tables(tables) => {
            let (number, rest) = first_part(rest);
            let table = number.parse::<usize>().ok().and_then(|number| tables.get(number.checked_sub(1)?));
            let table = table.ok_or_else(|| Box::new(beyond().allowed([format!("1 to {}", tables.len())])))?;
            rest.map_or(Ok(Some(here)), |rest| in_table(table, rest, here))
        }
        Value::Weights(weights) => {
            Ok(weights.iter().any(|weight| weight.name == rest.trim_matches('"')).then_some(here))
        }
        _ => Err(beyond().into()),
    }
}
