//! The rows of logs of virtual machines: one each, or one per kind where there are many.

use crate::printable::plain;
use measures::{Figure, IntervalTotals, VirtualMachineTotals, sum};

/// With more machines than these the rows are of kinds: a log is read by eyes.
pub(super) const MOST: usize = 40;

/// A machine, or all of a kind, or all there are.
pub(super) struct Machines {
    pub(super) name: String,
    pub(super) kind: String,
    rows: Vec<VirtualMachineTotals>,
}

impl Machines {
    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.rows.len()
    }

    /// A counter, added up.
    pub(super) fn sum(&self, figure: impl Fn(&VirtualMachineTotals) -> Figure) -> Figure {
        sum(self.rows.iter().map(figure))
    }

    /// The share of their time that all of their virtual processors are in this state, in percent.
    pub(super) fn part(&self, standing: impl Fn(&VirtualMachineTotals) -> Figure) -> Figure {
        let all = self.sum(|row| standings(row).into_iter().fold(Figure::ZERO, Figure::plus));
        self.sum(standing).times(Figure::exact(100.0)).over(all)
    }
}

/// How many virtual processors of a machine stand in each way.
pub(super) fn standings(row: &VirtualMachineTotals) -> [Figure; 6] {
    [row.running, row.ready_wait, row.waking, row.interrupted, row.limited, row.idle]
}

/// The rows of an interval.
pub(super) fn machines(interval: &IntervalTotals) -> Vec<Machines> {
    let rows = &interval.virtual_machines;
    if rows.len() > MOST {
        return kinds(rows);
    }
    let alone = |kind: &str| rows.iter().filter(|row| row.virtual_machine == kind).count() == 1;
    let one = |row: &VirtualMachineTotals| {
        let kind = plain(&row.virtual_machine);
        let name = if alone(&row.virtual_machine) { kind } else { format!("{kind}#{}", row.number) };
        Machines { name, kind: row.virtual_machine.clone(), rows: vec![row.clone()] }
    };
    rows.iter().map(one).collect()
}

/// All rows as one.
pub(super) fn all(rows: &[Machines]) -> Option<Machines> {
    let rows: Vec<_> = rows.iter().flat_map(|one| one.rows.clone()).collect();
    Some(Machines { name: String::new(), kind: String::new(), rows }).filter(|all| all.count() > 0)
}

fn kinds(rows: &[VirtualMachineTotals]) -> Vec<Machines> {
    let mut kinds: Vec<Machines> = Vec::new();
    for row in rows {
        match kinds.iter_mut().find(|one| one.kind == row.virtual_machine) {
            Some(kind) => kind.rows.push(row.clone()),
            None => {
                let kind = row.virtual_machine.clone();
                kinds.push(Machines { name: String::new(), kind, rows: vec![row.clone()] });
            }
        }
    }
    for kind in &mut kinds {
        kind.name = format!("{}({})", plain(&kind.kind), kind.count());
    }
    kinds
}
