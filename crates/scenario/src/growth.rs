//! More or less demand, as edits: virtual machines, closed populations and arrival rates times a factor.

use crate::document::Edit;
use crate::language::{ARRIVALS, COUNT, GUESTS, MACHINES, NAME, RUNS_IN_MACHINES, VIRTUAL_MACHINES};
use crate::resolved::{Table, Value};
use std::collections::BTreeMap;

/// The edits that multiply the demand of each guest by its factor; none for 1.
///
/// Virtual machines of a kind grow as the guest in them that grows most.
pub fn edits(root: &Table, factor_of: &dyn Fn(&str) -> f64) -> Vec<Edit> {
    let guests = || root.tables(&GUESTS).iter().filter_map(|guest| Some((guest, guest.text(&NAME)?)));
    let mut edits = Vec::new();
    let mut scales = BTreeMap::new();
    for kind in root.tables(&VIRTUAL_MACHINES) {
        let (Some(name), Some(before)) = (kind.text(&NAME), kind.count(&MACHINES)) else { continue };
        let inside = guests().filter(|(guest, _)| guest.text(&RUNS_IN_MACHINES) == Some(name));
        let factor = inside.map(|(_, guest)| factor_of(guest)).reduce(f64::max).unwrap_or_else(|| factor_of(""));
        if factor == 1.0 {
            continue;
        }
        let after = rounded(f64::from(before) * factor);
        // Guests grow as their machines do, unless rounding leaves those as they are.
        let scale = if after == f64::from(before) { factor } else { after / f64::from(before) };
        scales.insert(name, (scale, factor));
        edits.push(Edit::Set(format!("virtual_machine.{name}.count={after}")));
    }
    for (guest, name) in guests() {
        let factor = factor_of(name);
        if factor == 1.0 {
            continue;
        }
        let scale = match guest.text(&RUNS_IN_MACHINES).and_then(|kind| scales.get(kind)) {
            Some((scale, most)) if *most == factor => *scale,
            Some((scale, most)) => scale / most * factor,
            None => factor,
        };
        if let Some(count) = guest.count(&COUNT) {
            edits.push(Edit::Set(format!("guest.{name}.count={}", rounded(f64::from(count) * scale))));
        }
        if let Some(Value::Rate(rate)) = guest.value(&ARRIVALS)
            && let Some((number, unit)) = rate.text.split_once('/')
        {
            let number: f64 = number.trim().parse().expect("the number of a rate was read");
            let text = decimal(number * scale);
            edits.push(Edit::Set(format!("guest.{name}.arrivals=\"{text}/{unit}\"")));
        }
    }
    edits
}

fn rounded(count: f64) -> f64 {
    (count + 0.5).floor().max(1.0)
}

/// Six decimal places at most, never an exponent.
fn decimal(number: f64) -> String {
    format!("{number:.6}").trim_end_matches('0').trim_end_matches('.').to_string()
}
