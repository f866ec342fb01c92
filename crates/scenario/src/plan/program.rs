//! From the steps of a resolved scenario to those of the plan: names become numbers, and bytes on a network become time.

use super::keys::{checked, distribution, named};
use crate::agree::Names;
use crate::language::*;
use crate::resolved::Table;
use machine::plan::{Choice, EnqStep, EnqueueAccess, IoPlan, Linkage, Ret, Step, Way};
use units::Span;

/// The names that steps refer to.
pub struct Programs<'t> {
    /// The names of everything.
    pub names: &'t Names,
    /// The networks, in their order.
    pub networks: &'t [Table],
    /// The door through which programs ask to enqueue that name none.
    pub linkage: &'t str,
}

impl Programs<'_> {
    /// The steps of some tables.
    pub fn steps(&self, tables: &[Table]) -> Vec<Step> {
        tables.iter().map(|table| self.step(table)).collect()
    }

    fn step(&self, table: &Table) -> Step {
        let names = self.names;
        let span = |key| table.table(key).and_then(distribution);
        if let Some(think) = span(&THINK) {
            return Step::Think(think);
        }
        if let Some(compute) = span(&COMPUTE) {
            return Step::Compute(compute);
        }
        if let Some(pace) = table.percent(&PACE) {
            return Step::Pace(pace);
        }
        if let Some(simulated) = table.span(&INTERCEPT) {
            return Step::Intercept(simulated);
        }
        if table.entry(&STEPS).is_some() {
            return self.around(table, self.steps(table.tables(&STEPS)));
        }
        if table.entry(&CHOOSE).is_some() {
            return Step::Choose(table.tables(&CHOOSE).iter().map(|table| self.alternative(table)).collect());
        }
        if let Some(enqueue) = named(table, &ENQ, &ENQUEUE, names) {
            let steps = table.entry(&ENQ_STEPS).map(|_| self.steps(table.tables(&ENQ_STEPS)));
            return Step::Enq(self.enq(table, enqueue, steps));
        }
        if let Some(enqueue) = named(table, &DEQ, &ENQUEUE, names) {
            return Step::Deq { enqueue };
        }
        for (key, way) in [(&MESSAGE_IN, Way::In), (&MESSAGE_OUT, Way::Out)] {
            if let Some(front_end) = named(table, key, &FRONT_END, names) {
                return Step::Message { front_end, way };
            }
        }
        if let Some(guest) = named(table, &SPAWN, &GUEST, names) {
            return Step::Spawn { guest };
        }
        if let Some(guest) = named(table, &EXCHANGE, &GUEST, names) {
            return Step::Exchange {
                guest,
                request: self.on_its_way(table, &REQUEST),
                reply: self.on_its_way(table, &REPLY),
            };
        }
        Step::Io(self.io(checked(table.table(&IO), &IO)))
    }

    /// A step with others inside.
    fn around(&self, table: &Table, steps: Vec<Step>) -> Step {
        if let Some(times) = table.count(&REPEAT) {
            return Step::Repeat { times, steps };
        }
        if let Some(mean) = table.number(&REPEAT_MEAN) {
            return Step::RepeatMean { mean, steps };
        }
        if let Some(lock) = named(table, &LOCKED, &SPIN_LOCK, self.names) {
            return Step::Lock { lock, steps };
        }
        if let Some(lock) = named(table, &LOCKED_BY_THREAD, &THREAD_LOCK, self.names) {
            return Step::ThreadLock { lock, steps };
        }
        Step::Hold { resource: checked(named(table, &HOLD, &RESOURCE, self.names), &HOLD), steps }
    }

    fn enq(&self, table: &Table, enqueue: usize, steps: Option<Vec<Step>>) -> EnqStep {
        let ret = match checked(table.text(&RET), &RET) {
            USE => Ret::Use,
            HAVE => Ret::Have,
            TEST => Ret::Test,
            CHANGE_CONTROL => Ret::Change,
            _ => Ret::None,
        };
        EnqStep {
            enqueue,
            access: match checked(table.text(&ENQ_ACCESS), &ENQ_ACCESS) {
                SHARED_ACCESS => EnqueueAccess::Shared,
                _ => EnqueueAccess::Exclusive,
            },
            ret,
            linkage: match table.text(&ENQ_LINKAGE).unwrap_or(self.linkage) {
                SYSTEM_LINKAGE => Linkage::Pc,
                _ => Linkage::Svc,
            },
            steps,
        }
    }

    fn alternative(&self, table: &Table) -> (f64, Vec<Step>) {
        let weight = checked(table.number(&ALTERNATIVE_WEIGHT), &ALTERNATIVE_WEIGHT);
        (weight, self.steps(table.tables(&ALTERNATIVE_STEPS)))
    }

    /// How long a request or a reply is on its way: the latency, and as long as its bytes take one after the other.
    fn on_its_way(&self, table: &Table, size: &Key) -> Span {
        let Some(number) = named(table, &OVER, &NETWORK, self.names) else { return Span::ZERO };
        let network = &self.networks[number];
        let bytes = u128::from(checked(table.bytes(size), size).bytes());
        let transfer = network.bytes(&NETWORK_RATE).map_or(0, |rate| {
            let rate = u128::from(rate.bytes());
            (bytes * u128::from(Span::SECOND.units()) * 2 + rate) / (2 * rate)
        });
        let transfer = u64::try_from(transfer).expect("the language has a bound");
        checked(network.span(&LATENCY), &LATENCY) + Span::from_units(transfer)
    }

    fn io(&self, table: &Table) -> IoPlan {
        let bytes = checked(table.bytes(&TRANSFERRED), &TRANSFERRED).bytes();
        IoPlan {
            choice: choice(table, self.names),
            bytes: u32::try_from(bytes).expect("the language has a bound"),
            reads: checked(table.percent(&READS), &READS),
        }
    }
}

fn choice(table: &Table, names: &Names) -> Choice {
    let target = |name: &str| checked(names.target(name), &ANY);
    let listed = |key| table.references(key).iter().map(|reference| target(&reference.name));
    if let Some(name) = table.text(&ONE).or(table.text(&ONE_MINIDISK)) {
        return Choice::Fixed(target(name));
    }
    if table.entry(&ANY).is_some() {
        return Choice::Uniform(listed(&ANY).collect());
    }
    if table.entry(&OWN).is_some() {
        let resource = checked(table.text(&OWNER).and_then(|owner| names.index(&RESOURCE, owner)), &OWNER);
        let weights = table.weights(&OWN).iter().map(|weight| (target(&weight.name), weight.weight));
        return Choice::Own { resource, weights: weights.collect() };
    }
    if table.entry(&ZIPF).is_some() {
        let exponent = checked(table.number(&EXPONENT), &EXPONENT);
        let weight = |rank: u32| 1.0 / libm::pow(f64::from(rank), exponent);
        return Choice::Weighted((1..).zip(listed(&ZIPF)).map(|(rank, target)| (target, weight(rank))).collect());
    }
    let weights = table.weights(&WEIGHTED).iter();
    Choice::Weighted(weights.map(|weight| (target(&weight.name), weight.weight)).collect())
}
