//! A volume: how it comes by exposures, how long an I/O to it takes, and the ends of the queue at its base.

use super::exposure::{ExposureState, Role};
use super::token_slices::TokenSlices;
use crate::ids::{Exposure, Partition, Paths, Pool, Volume};
use crate::plan::{Aliasing, Holds, Plan, Redispatch, VolumePlan};
use crate::signal::{Hold, Service};
use kernel::distribution::Ahead;
use kernel::draw::Streams;
use units::Span;

/// The aliases a volume may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aliases {
    /// None.
    None,
    /// Its own, next to each other among the exposures (classic PAV).
    Bound {
        /// The first of them.
        first: Exposure,
        /// How many of them are online.
        online: u32,
        /// The next work of a freed one.
        redispatch: Redispatch,
    },
    /// Those of a pool (HyperPAV).
    Pool(Pool),
}

impl Aliases {
    /// As planned; bound aliases are added to the exposures.
    pub(super) fn new(aliasing: &Aliasing, volume: Volume, exposures: &mut Vec<ExposureState>) -> Self {
        match aliasing {
            Aliasing::None => Aliases::None,
            Aliasing::Pav { aliases, redispatch } => {
                let first = Exposure(exposures.len() as u32);
                exposures.extend(aliases.iter().map(|_| ExposureState::new(Role::Bound(volume))));
                Aliases::Bound { first, online: aliases.len() as u32, redispatch: *redispatch }
            }
            Aliasing::HyperPav { pool } => Aliases::Pool(Pool(*pool as u32)),
        }
    }
}

/// The stage before an I/O connects.
#[derive(Clone, Debug)]
enum Access {
    /// Pend and disconnect are always the same, which is nothing to draw.
    Fixed { pend: Span, disconnect: Span },
    /// They vary.
    Drawn(Box<[Ahead; 2]>),
}

impl Access {
    fn new(pend: Ahead, disconnect: Ahead) -> Self {
        match (pend.constant(), disconnect.constant()) {
            (Some(pend), Some(disconnect)) => Access::Fixed { pend, disconnect },
            _ => Access::Drawn(Box::new([pend, disconnect])),
        }
    }

    #[inline(always)]
    fn draw(&mut self) -> (Span, Span) {
        match self {
            Access::Fixed { pend, disconnect } => (*pend, *disconnect),
            Access::Drawn(parts) => (parts[0].draw(), parts[1].draw()),
        }
    }
}

/// A volume.
#[derive(Clone, Debug)]
pub struct VolumeState {
    /// The aliases it may use.
    pub aliases: Aliases,
    /// The paths that lead to it, if it is on a control unit.
    pub reached_by: Option<Paths>,
    /// The same where its I/Os slow each other there.
    pub paths: Option<Paths>,
    /// The part of its I/Os that holds a channel, where channels lead to it.
    pub holds: Option<Holds>,
    /// Whether another system has reserved it.
    pub reserved: bool,
    /// Why an I/O that starts stays pending, if it does; with a limit it may.
    pub hold: Option<Hold>,
    /// The limit on the I/Os that start, if there is one.
    pub limit: Option<Box<TokenSlices>>,
    /// Path length of the control program between an I/O's end and the next start.
    pub gap: Span,
    /// Whose interrupts its I/Os end with, if a partition has to handle them.
    pub partition: Option<Partition>,
    /// I/Os in progress.
    pub in_service: u32,
    /// Requests in the queue at its base.
    pub queued: u32,
    /// The pool that needs the order of all its waiting requests, if its pool does.
    pub(super) ordered_by: Option<Pool>,
    access: Access,
    connect: Ahead,
    /// By how much of the mean each I/O in service lengthens a connect time (linear form); zero where paths do it.
    growth: f64,
    /// The addition to a connect time per KiB, in TOD-clock units.
    per_kib: u64,
    /// Whether a connect time is as it is drawn, and nothing but the device takes part in it.
    plain: bool,
}

impl VolumeState {
    pub(super) fn new(volume: &VolumePlan, aliases: Aliases, plan: &Plan, streams: &Streams) -> Self {
        let part = |distribution: &kernel::distribution::Distribution, purpose: &str| {
            Ahead::new(distribution.sampler(), streams.stream(&format!("volume/{}/{purpose}", volume.name)))
        };
        let connect = volume.service.connect;
        let sharing = |unit: &usize| plan.control_units[*unit].sharing > 0.0;
        let paths = volume.control_unit.filter(sharing).map(|unit| Paths(unit as u32));
        let holds = volume.control_unit.and_then(|unit| plan.held_by(unit));
        let growth = volume.service.connect_per_concurrent.units() as f64 / (connect.mean().units() as f64).max(1.0);
        let per_kib = volume.service.connect_per_kib.units();
        VolumeState {
            aliases,
            reached_by: volume.control_unit.map(|unit| Paths(unit as u32)),
            paths,
            holds,
            reserved: false,
            hold: volume.limit.map(|_| Hold::NoToken),
            limit: volume.limit.map(|limit| {
                let drawn = streams.stream(&format!("volume/{}/limit", volume.name)).unit();
                Box::new(TokenSlices::new(&limit, plan.exposures_of(volume), drawn))
            }),
            gap: volume.gap,
            partition: volume.partition.map(|partition| Partition(partition as u32)),
            in_service: 0,
            queued: 0,
            ordered_by: match &volume.aliasing {
                Aliasing::HyperPav { pool } if plan.alias_pools[*pool].redispatch.looks_across_volumes() => {
                    Some(Pool(*pool as u32))
                }
                Aliasing::HyperPav { .. } | Aliasing::Pav { .. } | Aliasing::None => None,
            },
            access: Access::new(part(&volume.service.pend, "pend"), part(&volume.service.disconnect, "disconnect")),
            connect: part(&connect, "connect"),
            growth,
            per_kib,
            plain: paths.is_none() && holds.is_none() && growth <= 0.0 && per_kib == 0,
        }
    }

    /// The service of an I/O of this many bytes that starts now and is counted in `in_service`.
    ///
    /// In the linear form the mean connect time is base + growth x I/Os in service at the volume: the first-order
    /// approximation of a path group.
    #[inline(always)]
    pub(super) fn draw_service(&mut self, bytes: u32) -> Service {
        let (pend, disconnect) = self.access.draw();
        let connect = self.connect.draw();
        let service = Service { pend, held: Span::ZERO, disconnect, connect, connect_alone: connect };
        if self.plain { service } else { self.lengthened(service, bytes) }
    }

    /// A service beside others in progress, and with this transfer.
    fn lengthened(&self, service: Service, bytes: u32) -> Service {
        let Service { mut connect, mut connect_alone, .. } = service;
        if self.growth > 0.0 {
            let longer = connect.units() as f64 * (1.0 + self.growth * f64::from(self.in_service));
            connect = Span::from_units((longer + 0.5) as u64);
        }
        if self.per_kib > 0 {
            let transfer = Span::from_units((self.per_kib * u64::from(bytes)) >> 10);
            (connect_alone, connect) = (connect_alone + transfer, connect + transfer);
        }
        Service { connect, connect_alone, ..service }
    }

    /// Whether an I/O that is accepted is served to its end at once.
    #[inline(always)]
    pub(super) fn is_plain(&self) -> bool {
        self.plain
    }
}
