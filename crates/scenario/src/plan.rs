//! From a resolved scenario without problems to the plan of the machine.
//!
//! It leaves out every check: what reaches it has been checked, and a gap here is a bug.

use crate::agree::Names;
use crate::language::*;
use crate::resolved::{Table, Value};
use kernel::distribution::Distribution;
use machine::plan::{
    AliasPoolPlan, Aliasing, Arrival, Choice, ControlUnitPlan, DeviceNumber, GuestPlan, Plan, Redispatch, ServicePlan,
    Step, VolumePlan,
};
use units::Span;

/// The plan of a scenario.
pub fn plan(root: &Table, names: &Names) -> Plan {
    Plan {
        control_units: root.tables(&CONTROL_UNITS).iter().map(control_unit).collect(),
        alias_pools: root.tables(&ALIAS_POOLS).iter().map(alias_pool).collect(),
        volumes: root.tables(&VOLUMES).iter().map(|table| volume(table, names)).collect(),
        guests: root.tables(&GUESTS).iter().map(|table| guest(table, names)).collect(),
    }
}

/// The distribution of a table, unless something in it is unusable.
pub fn distribution(table: &Table) -> Option<Distribution> {
    if let Some(Value::Pair(low, high)) = table.value(&UNIFORM) {
        return Some(Distribution::Uniform { low: low.value, high: high.value });
    }
    if let Some(span) = table.span(&CONSTANT) {
        return Some(Distribution::Constant(span));
    }
    if let Some(mean) = table.span(&EXPONENTIAL) {
        return Some(Distribution::Exponential { mean });
    }
    if let Some(mean) = table.span(&ERLANG) {
        return Some(Distribution::Erlang { mean, stages: table.count(&STAGES)? });
    }
    if let Some(mean) = table.span(&HYPEREXPONENTIAL) {
        return Some(Distribution::Hyperexponential { mean, scv: table.number(&SCV)? });
    }
    Some(Distribution::Gamma { mean: table.span(&GAMMA)?, scv: table.number(&SCV)? })
}

fn checked<T>(value: Option<T>, key: &Key) -> T {
    value.unwrap_or_else(|| panic!("`{}` was checked and must be there", key.name))
}

fn name(table: &Table) -> String {
    checked(table.text(&NAME), &NAME).to_string()
}

fn control_unit(table: &Table) -> ControlUnitPlan {
    ControlUnitPlan {
        name: name(table),
        paths: checked(table.count(&PATHS), &PATHS),
        sharing: checked(table.percent(&SHARING), &SHARING).fraction(),
    }
}

fn alias_pool(table: &Table) -> AliasPoolPlan {
    let aliases = aliases(table, &POOL_ALIASES);
    AliasPoolPlan { name: name(table), aliases, redispatch: redispatch(table) }
}

fn aliases(table: &Table, count: &Key) -> Vec<DeviceNumber> {
    match checked(table.count(count), count) {
        0 => Vec::new(),
        count => {
            let first = u32::from(checked(table.device(&FIRST_ALIAS), &FIRST_ALIAS).0);
            (first..first + count).map(|number| DeviceNumber(number as u16)).collect()
        }
    }
}

fn redispatch(table: &Table) -> Redispatch {
    Redispatch::named(checked(table.text(&REDISPATCH), &REDISPATCH)).expect("it was checked")
}

fn volume(table: &Table, names: &Names) -> VolumePlan {
    let aliasing = if let Some(pool) = table.text(&FROM_POOL) {
        Aliasing::HyperPav { pool: checked(names.index(&ALIAS_POOL, pool), &FROM_POOL) }
    } else if table.entry(&BOUND_ALIASES).is_some() {
        Aliasing::Pav { aliases: aliases(table, &BOUND_ALIASES), redispatch: redispatch(table) }
    } else {
        Aliasing::None
    };
    let control_unit = table.text(&ON_CONTROL_UNIT);
    VolumePlan {
        name: name(table),
        device: checked(table.device(&DEVICE), &DEVICE),
        device_type: checked(table.text(&TYPE), &TYPE).to_string(),
        control_unit: control_unit.map(|name| checked(names.index(&CONTROL_UNIT, name), &ON_CONTROL_UNIT)),
        aliasing,
        service: service(checked(table.table(&SERVICE), &SERVICE)),
        gap: checked(table.span(&GAP), &GAP),
    }
}

fn service(table: &Table) -> ServicePlan {
    let part = |key| checked(table.table(key).and_then(distribution), key);
    let connect = checked(table.table(&CONNECT), &CONNECT);
    ServicePlan {
        pend: part(&PEND),
        disconnect: part(&DISCONNECT),
        connect: part(&CONNECT),
        connect_per_concurrent: connect.span(&PER_CONCURRENT).unwrap_or(Span::ZERO),
    }
}

fn guest(table: &Table, names: &Names) -> GuestPlan {
    let arrival = match table.value(&ARRIVALS) {
        Some(Value::Rate(rate)) => Arrival::Open { rate: rate.value },
        _ => Arrival::Closed { count: checked(table.count(&COUNT), &COUNT) },
    };
    GuestPlan { name: name(table), arrival, program: steps(table.tables(&PROGRAM), names) }
}

fn steps(tables: &[Table], names: &Names) -> Vec<Step> {
    tables.iter().map(|table| step(table, names)).collect()
}

fn step(table: &Table, names: &Names) -> Step {
    let span = |key| table.table(key).and_then(distribution);
    if let Some(think) = span(&THINK) {
        return Step::Think(think);
    }
    if let Some(compute) = span(&COMPUTE) {
        return Step::Compute(compute);
    }
    if let Some(times) = table.count(&REPEAT) {
        return Step::Repeat { times, steps: steps(table.tables(&STEPS), names) };
    }
    Step::Io(choice(checked(table.table(&IO), &IO), names))
}

fn choice(table: &Table, names: &Names) -> Choice {
    let index = |name: &str| checked(names.index(&VOLUME, name), &ONE);
    match (table.value(&ANY), table.value(&WEIGHTED)) {
        (Some(Value::Texts(texts)), _) => Choice::Uniform(texts.iter().map(|text| index(&text.name)).collect()),
        (_, Some(Value::Weights(weights))) => {
            Choice::Weighted(weights.iter().map(|weight| (index(&weight.name), weight.weight)).collect())
        }
        _ => Choice::Fixed(index(checked(table.text(&ONE), &ONE))),
    }
}
