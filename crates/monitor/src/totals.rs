//! Counts of an interval made into totals: rates, means and shares, row by row.

use crate::counts::{ServiceSums, VolumeCounts};
use crate::laws::{UnderWay, within};
use crate::observer::Monitor;
use kernel::statistics::mean_ms;
use machine::channel::exposure::ExposureState;
use machine::channel::exposure::Role as Exposed;
use machine::plan::{Aliasing, DeviceNumber, Plan, VolumePlan};
use measures::{
    ContentionRow, ControlUnitTotals, DeviceTotals, Figure, GuestTotals, IntervalTotals, MinidiskTotals, PoolTotals,
    ProcessorTotals, Role, SystemTotals, VolumeTotals, toolkit_response_ms,
};
use units::{Span, Tod};

/// An interval that is over, with all that its totals are made from.
pub struct Interval<'a> {
    /// The machine.
    pub plan: &'a Plan,
    /// Its exposures.
    pub exposures: &'a [ExposureState],
    /// The counts.
    pub counts: &'a Monitor,
    /// When the first interval started.
    pub origin: Tod,
    /// When it ended.
    pub end: Tod,
    /// How long it lasted.
    pub length: Span,
    /// Events in it.
    pub events: u64,
    /// Requests under way at its start and its end.
    pub under_way: (&'a UnderWay, &'a UnderWay),
    /// Holders and waiters of contended resources at its end.
    pub contention: Vec<ContentionRow>,
}

impl Interval<'_> {
    /// Its totals, under a name.
    pub fn totals(&self, name: &str) -> IntervalTotals {
        let mut totals = IntervalTotals::new(name, self.length);
        totals.samples = self.counts.samples;
        totals.volumes = self.volumes();
        totals.devices = self.devices();
        totals.pools = self.pools();
        totals.control_units = self.control_units();
        totals.minidisks = self.minidisks();
        totals.resources = self.resources();
        totals.enqueues = self.enqueues();
        totals.serialization = self.serialization();
        totals.front_ends = self.front_ends();
        totals.partitions = self.partitions();
        totals.logical_processors = self.logical_processors();
        totals.cgroups = self.cgroups();
        totals.threads = self.threads();
        self.control(&mut totals);
        totals.spin_locks = self.spin_locks();
        totals.contention = self.contention.clone();
        totals.guests = self.guests();
        totals.processors = self.processors();
        totals.system = self.system();
        totals
    }

    /// How much is in the system on average: requests that wait or are in service, virtual processors with something to do.
    pub(crate) fn inside(&self) -> f64 {
        let system = self.system();
        let dispatched: u128 = self.counts.control.virtuals.iter().map(|own| u128::from(own.inside(self.end))).sum();
        system.queue_depth.value + system.in_service.value + self.share(dispatched).value
    }

    pub(crate) fn per_s(&self, count: u64) -> Figure {
        Figure::exact(count as f64 / self.length.seconds())
    }

    pub(crate) fn share(&self, spans: u128) -> Figure {
        Figure::exact(spans as f64 / self.length.units() as f64)
    }

    fn volumes(&self) -> Vec<VolumeTotals> {
        let rows = self.plan.volumes.iter().zip(&self.counts.volumes);
        rows.map(|(plan, counts)| self.volume(plan, counts)).collect()
    }

    fn volume(&self, plan: &VolumePlan, counts: &VolumeCounts) -> VolumeTotals {
        let service = Means::of(&counts.service);
        let quantile = |q| Figure::exact(counts.responses.quantile(q).ms());
        let inside = self.sampled_inside(plan, counts);
        // A mean queue over a rate, in s.
        let per_io = |queue: f64| ratio(1e3 * queue * self.length.seconds(), counts.service.ended as f64);
        VolumeTotals {
            volume: plan.name.clone(),
            device: hex(plan.device),
            pool: self.pool_of(plan),
            io_per_s: self.per_s(counts.service.ended),
            avoided_per_s: self.per_s(counts.avoided),
            reads_per_s: self.per_s(counts.service.ended - counts.writes),
            writes_per_s: self.per_s(counts.writes),
            kib_per_s: Figure::exact(counts.bytes as f64 / 1024.0 / self.length.seconds()),
            pend_ms: service.pend,
            held_ms: service.held,
            disc_ms: service.disconnect,
            conn_ms: service.connect,
            service_ms: service.total,
            hold_ms: Figure::exact(counts.hold.mean_ms()),
            queue_depth: Figure::exact(counts.queue.mean(self.end, self.length)),
            queue_depth_sampled: self.sampled_queue(counts),
            queue_depth_rmf: inside,
            iosq_ms: per_io(counts.queue.mean(self.end, self.length)),
            // What is unknown stays so to the bit: arithmetic may turn the sign of what is not a number.
            iosq_rmf_ms: if inside.is_known() { per_io(inside.value) } else { Figure::UNKNOWN },
            response_ms: Figure::exact(counts.response.mean_ms()),
            response_p50_ms: quantile(0.5),
            response_p90_ms: quantile(0.9),
            response_p95_ms: quantile(0.95),
            response_p99_ms: quantile(0.99),
            in_service: Figure::exact(counts.in_service.mean(self.end, self.length)),
            reserved_percent: Figure::exact(100.0 * counts.reserved.mean(self.end, self.length)),
            base_io_per_s: self.per_s(counts.base),
            alias_io_per_s: self.per_s(counts.service.ended - counts.base),
        }
    }

    /// The name of the pool that a volume has its aliases from, empty without one.
    fn pool_of(&self, volume: &VolumePlan) -> String {
        match volume.aliasing {
            Aliasing::HyperPav { pool } => self.plan.alias_pools[pool].name.clone(),
            Aliasing::None | Aliasing::Pav { .. } => String::new(),
        }
    }

    fn sampled_queue(&self, counts: &VolumeCounts) -> Figure {
        ratio(counts.sampled as f64, self.counts.samples as f64)
    }

    /// A row per exposure, by device number, as a DEVICE report has them.
    fn devices(&self) -> Vec<DeviceTotals> {
        let numbers = device_numbers(self.plan);
        let mut rows: Vec<DeviceTotals> =
            (0..self.exposures.len()).map(|exposure| self.device(exposure, hex(numbers[exposure]))).collect();
        rows.sort_by(|a, b| a.device.cmp(&b.device));
        rows
    }

    fn device(&self, exposure: usize, device: String) -> DeviceTotals {
        let (role, volume) = match self.exposures[exposure].role {
            Exposed::Base(volume) => (Role::Base, Some(volume.index())),
            Exposed::Bound(volume) => {
                (Role::BoundAlias { base: hex(self.plan.volumes[volume.index()].device) }, Some(volume.index()))
            }
            Exposed::Pool(pool) => (Role::PoolAlias { pool: self.plan.alias_pools[pool.index()].name.clone() }, None),
        };
        // A pool's aliases are shown on a page as those of the first volume that may use them.
        let alike = volume.or_else(|| match self.exposures[exposure].role {
            Exposed::Pool(pool) => {
                self.plan.volumes.iter().position(|volume| volume.aliasing == Aliasing::HyperPav { pool: pool.index() })
            }
            Exposed::Base(_) | Exposed::Bound(_) => None,
        });
        let like = alike.map(|volume| &self.plan.volumes[volume]);
        let paths = like.and_then(|volume| volume.control_unit).map_or(0, |unit| self.plan.control_units[unit].paths);
        let sums = &self.counts.exposures[exposure];
        let service = Means::of(sums);
        let base = volume.filter(|_| role == Role::Base).map(|volume| &self.counts.volumes[volume]);
        let queue = base.map_or(Figure::ZERO, |counts| self.sampled_queue(counts));
        let (io_per_s, queue_depth) = (self.per_s(sums.ended), queue);
        let (start, end) = self.under_way;
        let busy = within(sums.total(), start.service[exposure], end.service[exposure]);
        DeviceTotals {
            device,
            kind: like.map(|volume| volume.device_type.clone()).unwrap_or_default(),
            label: volume.map(|volume| self.plan.volumes[volume].name.clone()).unwrap_or_default(),
            role,
            paths: u64::from(paths),
            io_per_s,
            avoided_per_s: base.map_or(Figure::ZERO, |counts| self.per_s(counts.avoided)),
            pend_ms: service.pend,
            disc_ms: service.disconnect,
            conn_ms: service.connect,
            service_ms: service.total,
            response_ms: toolkit_response_ms(service.total, queue_depth, io_per_s),
            queue_depth,
            busy_percent: Figure::exact(100.0 * self.share(busy).value),
        }
    }

    fn pools(&self) -> Vec<PoolTotals> {
        let rows = self.plan.alias_pools.iter().zip(&self.counts.pools);
        rows.map(|(plan, counts)| {
            // Without a try nothing was found free or taken: the level is then what would have been found.
            let (low, high) = counts.water.unwrap_or((counts.free.level(), counts.free.level()));
            PoolTotals {
                pool: plan.name.clone(),
                aliases: Figure::exact(counts.online.mean(self.end, self.length)),
                tries: Figure::exact(counts.tries as f64),
                fails: Figure::exact(counts.fails as f64),
                fails_per_try: ratio(counts.fails as f64, counts.tries as f64),
                low_water: Figure::exact(f64::from(low)),
                high_water: Figure::exact(f64::from(high)),
                free_mean: Figure::exact(counts.free.mean(self.end, self.length)),
            }
        })
        .collect()
    }

    fn control_units(&self) -> Vec<ControlUnitTotals> {
        let rows = self.plan.control_units.iter().enumerate();
        rows.map(|(number, plan)| {
            let sums = self.service_of(|volume| volume.control_unit == Some(number));
            ControlUnitTotals {
                control_unit: plan.name.clone(),
                paths: u64::from(plan.paths),
                io_per_s: self.per_s(sums.ended),
                paths_online: Figure::exact(self.counts.paths[number].mean(self.end, self.length)),
                connected: self.share(sums.connect),
                slowdown: if sums.connect_alone == 0 {
                    Figure::exact(1.0)
                } else {
                    ratio(sums.connect as f64, sums.connect_alone as f64)
                },
            }
        })
        .collect()
    }

    /// Sums over the volumes for which something holds.
    fn service_of(&self, which: impl Fn(&machine::plan::VolumePlan) -> bool) -> ServiceSums {
        let mut sums = ServiceSums::default();
        for (plan, counts) in self.plan.volumes.iter().zip(&self.counts.volumes) {
            if which(plan) {
                sums.merge(&counts.service);
            }
        }
        sums
    }

    fn minidisks(&self) -> Vec<MinidiskTotals> {
        let rows = self.plan.minidisks.iter().zip(&self.counts.minidisks);
        rows.map(|(plan, counts)| {
            let ios = counts.through.count() + counts.avoided.count();
            let spans = counts.turns.sum() + counts.through.sum() + counts.avoided.sum();
            MinidiskTotals {
                minidisk: plan.name.clone(),
                volume: self.plan.volumes[plan.volume].name.clone(),
                io_per_s: self.per_s(counts.through.count()),
                avoided_per_s: self.per_s(counts.avoided.count()),
                queue_depth: Figure::exact(counts.queue.mean(self.end, self.length)),
                wait_ms: Figure::exact(mean_ms(counts.turns.sum(), ios)),
                response_ms: Figure::exact(mean_ms(spans, ios)),
            }
        })
        .collect()
    }

    fn guests(&self) -> Vec<GuestTotals> {
        let rows = self.plan.guests.iter().zip(&self.counts.groups);
        rows.map(|(plan, counts)| {
            let cycles = counts.cycles.count();
            let per_cycle = |sum: u128| Figure::exact(mean_ms(sum, cycles));
            let quantile = |q| Figure::exact(counts.cycles.quantile(q).ms());
            let ios = counts.response.count() + counts.avoided.count();
            let [_, _, turn, avoided, response, resource, message, spin, _] = counts.spans();
            let all: u128 = counts.spans().iter().sum();
            GuestTotals {
                guest: plan.name.clone(),
                population: Figure::exact(counts.present.mean(self.end, self.length)),
                cycles_per_s: self.per_s(cycles),
                io_per_s: self.per_s(ios),
                think_ms: per_cycle(counts.think.sum()),
                compute_ms: per_cycle(counts.compute.sum()),
                response_ms: Figure::exact(mean_ms(turn + avoided + response, ios)),
                resource_wait_ms: per_cycle(resource),
                message_ms: per_cycle(message),
                spin_ms: per_cycle(spin),
                exchanges_per_s: self.per_s(counts.exchange.count()),
                exchange_ms: Figure::exact(counts.exchange.mean_ms()),
                transaction_ms: per_cycle(all - counts.think.sum()),
                cycle_ms: per_cycle(all),
                cycle_p50_ms: quantile(0.5),
                cycle_p90_ms: quantile(0.9),
                cycle_p95_ms: quantile(0.95),
                cycle_p99_ms: quantile(0.99),
            }
        })
        .collect()
    }

    fn processors(&self) -> Vec<ProcessorTotals> {
        let (start, end) = self.under_way;
        let rows = self.plan.guests.iter().zip(&self.counts.groups).enumerate();
        rows.map(|(number, (plan, counts))| {
            let present = counts.present.area(self.end) as f64;
            let ended = counts.spans();
            let spent =
                |activity: usize| within(ended[activity], start.groups[number][activity], end.groups[number][activity]);
            let percent = |spans: u128| ratio(100.0 * spans as f64, present);
            ProcessorTotals {
                guest: plan.name.clone(),
                virtual_processors: Figure::exact(counts.present.mean(self.end, self.length)),
                think_percent: percent(spent(0)),
                compute_percent: percent(spent(1)),
                io_wait_percent: percent((2..5).map(spent).sum()),
                resource_wait_percent: percent(spent(5)),
                message_percent: percent(spent(6)),
                spin_percent: percent(spent(7)),
                exchange_percent: percent(spent(8)),
            }
        })
        .collect()
    }

    fn system(&self) -> SystemTotals {
        let sums = self.service_of(|_| true);
        let response: u128 = self.counts.volumes.iter().map(|volume| volume.response.sum()).sum();
        let responses: u64 = self.counts.volumes.iter().map(|volume| volume.response.count()).sum();
        let level = |area: fn(&VolumeCounts, Tod) -> u128| {
            self.share(self.counts.volumes.iter().map(|volume| area(volume, self.end)).sum())
        };
        SystemTotals {
            events: Figure::exact(self.events as f64),
            io_per_s: self.per_s(sums.ended),
            response_ms: Figure::exact(mean_ms(response, responses)),
            service_ms: Means::of(&sums).total,
            queue_depth: level(|volume, end| volume.queue.area(end)),
            in_service: level(|volume, end| volume.in_service.area(end)),
        }
    }
}

/// The parts of service per I/O in ms.
struct Means {
    pend: Figure,
    held: Figure,
    disconnect: Figure,
    connect: Figure,
    total: Figure,
}

impl Means {
    fn of(sums: &ServiceSums) -> Self {
        let mean = |sum| Figure::exact(mean_ms(sum, sums.ended));
        Means {
            pend: mean(sums.pend),
            held: mean(sums.held),
            disconnect: mean(sums.disconnect),
            connect: mean(sums.connect),
            total: mean(sums.total()),
        }
    }
}

/// A quotient; nothing of nothing is nothing.
pub(crate) fn ratio(part: f64, whole: f64) -> Figure {
    Figure::exact(if whole == 0.0 { 0.0 } else { part / whole })
}

/// As printed: "522A".
fn hex(device: DeviceNumber) -> String {
    format!("{:04X}", device.0)
}

/// Device numbers of the exposures: bases, bound aliases, aliases of the pools.
fn device_numbers(plan: &Plan) -> Vec<DeviceNumber> {
    let bases = plan.volumes.iter().map(|volume| volume.device);
    let bound = plan.volumes.iter().flat_map(|volume| match &volume.aliasing {
        Aliasing::Pav { aliases, .. } => aliases.clone(),
        Aliasing::None | Aliasing::HyperPav { .. } => Vec::new(),
    });
    let lent = plan.alias_pools.iter().flat_map(|pool| pool.aliases.iter().copied());
    bases.chain(bound).chain(lent).collect()
}
