//! Random queues of guests besides those for I/O: resources, a front end, spawned requesters, choices, and measurement
//! programs in the partitions.

use super::any_plan::any_distribution;
use kernel::distribution::Distribution;
use machine::plan::{
    Aliasing, Arrival, DeviceNumber, FrontEndPlan, GuestPlan, IoPlan, Plan, ResourcePlan, SampleTaken, SamplerPlan,
    ServicePlan, Step, VolumePlan, Way,
};
use proptest::collection::vec;
use proptest::prelude::*;
use units::Span;

/// The resource that guests queue for, and a number for the draw.
#[derive(Clone, Debug)]
pub struct Queues {
    resources: Vec<(u32, u32)>,
    front_end: Option<(f64, Distribution)>,
    spawned: bool,
    sampler: Option<SamplerPlan>,
    ssch: Option<Distribution>,
    reload: Span,
    deal: u64,
}

/// No queues, or some of each kind.
pub fn any_queues() -> impl Strategy<Value = Queues> {
    let front_end = proptest::option::of((1.0..4.0, any_distribution(900)));
    let taken = prop_oneof![
        Just(SampleTaken::AtTheTimer),
        (0..3u8, any_distribution(200)).prop_map(|(priority, takes)| SampleTaken::ByTask { priority, takes }),
    ];
    let sampler = (200..3_000u64, 0..200u64, taken).prop_map(|(cycle, jitter, taken)| SamplerPlan {
        cycle: Span::from_us(cycle),
        jitter: Span::from_us(jitter),
        taken,
    });
    let inside = (proptest::option::of(sampler), proptest::option::of(any_distribution(50)), 0..80u64);
    let resources = vec((1..=4u32, 1..=3u32), 0..=2usize);
    (resources, front_end, any::<bool>(), inside, any::<u64>()).prop_map(
        |(resources, front_end, spawned, (sampler, ssch, reload), deal)| Queues {
            resources,
            front_end,
            spawned,
            sampler,
            ssch,
            reload: Span::from_us(reload),
            deal,
        },
    )
}

impl Queues {
    /// Lets the guests of a plan queue for them.
    pub fn settle(&self, mut plan: Plan) -> Plan {
        for (number, (count, members)) in self.resources.iter().enumerate() {
            plan.resources.push(ResourcePlan {
                name: format!("R{number}"),
                count: *count,
                members: *members,
                ..Default::default()
            });
        }
        if let Some((messages, service)) = &self.front_end {
            let first = (self.deal & 1 == 1).then_some(messages + 1.0);
            plan.front_ends.push(FrontEndPlan {
                name: "FE".into(),
                volume: plan.volumes.len(),
                messages: *messages,
                first_messages: first,
                ..Default::default()
            });
            let partition = (!plan.partitions.is_empty()).then(|| self.deal as usize % plan.partitions.len());
            plan.volumes.push(VolumePlan { partition, ..subchannel(*service) });
        }
        let guests = plan.guests.len();
        for (number, guest) in plan.guests.iter_mut().enumerate().filter(|(_, guest)| !guest.program.is_empty()) {
            let dealt = self.deal >> (6 * (number % 10));
            guest.program = self.queueing(std::mem::take(&mut guest.program), dealt, guests);
        }
        if self.spawned {
            let program = vec![Step::Io(IoPlan::of_volume(0))];
            let runs_in = plan.guests[0].runs_in;
            plan.guests.push(GuestPlan {
                name: "SPAWNED".into(),
                arrival: Arrival::Spawned,
                runs_in,
                program,
                ..Default::default()
            });
        }
        for partition in &mut plan.partitions {
            (partition.sampler, partition.ssch, partition.reload) = (self.sampler, self.ssch, self.reload);
        }
        plan
    }

    /// A program with more to wait for; the group that may be spawned has this number.
    fn queueing(&self, mut program: Vec<Step>, dealt: u64, spawned: usize) -> Vec<Step> {
        for resource in (0..self.resources.len()).rev().filter(|number| dealt & (1 << number) != 0) {
            program = vec![Step::Hold { resource, steps: program }];
        }
        if self.front_end.is_some() && dealt & 4 != 0 {
            program.insert(0, Step::Message { front_end: 0, way: Way::In });
            program.push(Step::Message { front_end: 0, way: Way::Out });
        }
        if self.spawned && dealt & 8 != 0 {
            program.push(Step::Spawn { guest: spawned });
        }
        if dealt & 16 != 0 {
            let short = vec![Step::Think(Distribution::Constant(Span::from_us(300)))];
            program = vec![Step::Choose(vec![(1.0, short), (2.0, program)])];
        }
        if dealt & 32 != 0 {
            program = vec![Step::RepeatMean { mean: 1.5, steps: program }];
        }
        program
    }
}

/// The device of a front end, which no other uses.
fn subchannel(connect: Distribution) -> VolumePlan {
    let none = Distribution::Constant(Span::ZERO);
    VolumePlan {
        name: "FE".into(),
        device: DeviceNumber(0x0E00),
        device_type: "4705".into(),
        control_unit: None,
        aliasing: Aliasing::None,
        service: ServicePlan {
            pend: none,
            disconnect: none,
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
