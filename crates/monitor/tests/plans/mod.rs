//! Plans as tests write them: volumes, guests and steps in a few words.

pub mod control_program;
pub mod spinning;
pub mod virtual_machines;

use kernel::distribution::Distribution;
use machine::plan::{
    Aliasing, Arrival, Batch, Choice, DeviceNumber, GuestPlan, IoPlan, Plan, Redispatch, ServicePlan, Step, Target,
    VolumePlan,
};
use units::{PerSecond, Span};

/// Exponential with a mean in us.
pub fn exponential(us: u64) -> Distribution {
    Distribution::Exponential { mean: Span::from_us(us) }
}

/// A volume without aliases whose I/Os connect for so long and take no other time.
pub fn volume(name: &str, connect: Distribution) -> VolumePlan {
    VolumePlan {
        name: name.into(),
        device: DeviceNumber(0x1000),
        device_type: "3390-3".into(),
        control_unit: None,
        aliasing: Aliasing::None,
        service: ServicePlan {
            pend: Distribution::Constant(Span::ZERO),
            disconnect: Distribution::Constant(Span::ZERO),
            connect,
            connect_per_concurrent: Span::ZERO,
            connect_per_kib: Span::ZERO,
            ..Default::default()
        },
        gap: Span::ZERO,
        limit: None,
        partition: None,
        ..Default::default()
    }
}

/// This many aliases of its own for a volume.
pub fn bound(aliases: u16, redispatch: Redispatch) -> Aliasing {
    Aliasing::Pav { aliases: numbers(aliases), redispatch }
}

/// Device numbers for this many aliases.
pub fn numbers(aliases: u16) -> Vec<DeviceNumber> {
    (0..aliases).map(|alias| DeviceNumber(0x2000 + alias)).collect()
}

/// This many guests that are always there.
pub fn closed(count: u32, program: Vec<Step>) -> GuestPlan {
    GuestPlan {
        name: format!("{count} GUESTS"),
        arrival: Arrival::Closed { count },
        runs_in: None,
        program,
        ..Default::default()
    }
}

/// Poisson arrivals from outside.
pub fn open(per_second: f64, program: Vec<Step>) -> GuestPlan {
    let rate = PerSecond::new(per_second);
    GuestPlan {
        name: format!("{rate} USERS"),
        arrival: Arrival::Open { rate, batch: Batch::Of(1) },
        runs_in: None,
        program,
        ..Default::default()
    }
}

/// An I/O to a volume.
pub fn io(volume: usize) -> Step {
    Step::Io(IoPlan::of_volume(volume))
}

/// An I/O to one of these volumes, by weight.
pub fn io_by_weight(weights: &[(usize, f64)]) -> Step {
    let weights = weights.iter().map(|(volume, weight)| (Target::Volume(*volume), *weight)).collect();
    Step::Io(IoPlan::reading(Choice::Weighted(weights)))
}

/// A plan of volumes and guests.
pub fn plan(volumes: Vec<VolumePlan>, guests: Vec<GuestPlan>) -> Plan {
    Plan { volumes, guests, ..Plan::default() }
}
