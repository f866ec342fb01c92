//! Channel paths: the part of an I/O that a channel carries, for one I/O at a time or for several whose frames it interleaves.
//!
//! The rest of a connect time passes beside other I/Os (`paths.rs`). A path group uses its channels in turn, whatever is
//! there. Or one queue waits for the first channel that is free; a shared channel with I/Os is as free as they are few.

use super::shared_lane::SharedLane;
use super::{Channel, Phase};
use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::{ChannelPath, Exposure, Lane, Paths};
use crate::io::Access;
use crate::plan::{Discipline, Holds, Plan, Selection};
use crate::signal::{Carrying, Probe, Signal};
use kernel::distribution::Ahead;
use kernel::draw::Streams;
use std::collections::VecDeque;
use units::{Span, Tod};

/// The channel paths of a machine, and the path groups that choose among them.
#[derive(Debug)]
pub struct ChannelPaths {
    channels: Vec<ChannelState>,
    /// As the control units of the plan.
    groups: Vec<GroupState>,
    /// I/Os that have asked for a channel, which is their order over all queues.
    asked: u64,
}

/// A channel path.
#[derive(Debug)]
struct ChannelState {
    per_io: Ahead,
    /// In TOD-clock units.
    per_kib: u64,
    full_duplex: bool,
    lanes: [LaneState; 2],
    /// The path groups that it belongs to and that wait in one queue for their first free channel.
    serves: Vec<Paths>,
}

/// One direction of a channel path.
#[derive(Debug)]
enum LaneState {
    /// One I/O at a time.
    Fifo {
        /// The I/O that it carries, and from when on.
        carried: Option<(Exposure, Tod)>,
        /// The I/Os that wait for it.
        queue: VecDeque<Asked>,
    },
    /// All that have asked, evenly.
    Shared(SharedLane),
}

/// An I/O that waits for a channel.
#[derive(Clone, Copy, Debug)]
struct Asked {
    number: u64,
    exposure: Exposure,
}

/// The path group of a control unit.
#[derive(Debug)]
struct GroupState {
    channels: Vec<ChannelPath>,
    online: usize,
    selection: Selection,
    /// The channel that is next in turn.
    turn: usize,
    /// I/Os that wait for the first free channel: reads, writes.
    queues: [VecDeque<Asked>; 2],
}

impl ChannelPaths {
    /// Idle channels, all of them online.
    pub(super) fn new(plan: &Plan, streams: &Streams, exposures: usize) -> Self {
        let unit = |unit: &crate::plan::ControlUnitPlan| GroupState {
            channels: unit.channels.iter().map(|channel| ChannelPath(*channel as u32)).collect(),
            online: unit.channels.len(),
            selection: unit.selection,
            turn: 0,
            queues: Default::default(),
        };
        let groups: Vec<GroupState> = plan.control_units.iter().map(unit).collect();
        let serves = |channel: ChannelPath| {
            let serves =
                |group: &GroupState| group.selection == Selection::FirstFree && group.channels.contains(&channel);
            (0..).map(Paths).zip(&groups).filter(|(_, group)| serves(group)).map(|(paths, _)| paths).collect()
        };
        let channels = plan.channels.iter().enumerate().map(|(number, channel)| ChannelState {
            per_io: Ahead::new(channel.per_io.sampler(), streams.stream(&format!("channel/{}/per_io", channel.name))),
            per_kib: channel.per_kib.units(),
            full_duplex: channel.full_duplex,
            lanes: std::array::from_fn(|_| LaneState::new(channel.discipline, exposures)),
            serves: serves(ChannelPath(number as u32)),
        });
        ChannelPaths { channels: channels.collect(), groups, asked: 0 }
    }

    /// The number of lanes, two for each channel.
    pub(crate) fn lanes(&self) -> usize {
        2 * self.channels.len()
    }

    /// The lanes that carry I/Os: one of those, and for how long it has carried all of them that it carries now.
    pub fn carried(&self, now: Tod) -> impl Iterator<Item = (ChannelPath, Exposure, Span)> {
        let lanes = (0..).map(ChannelPath).zip(&self.channels);
        lanes.flat_map(move |(number, channel)| {
            channel.lanes.iter().filter_map(move |lane| lane.so_far(now).map(|(one, span)| (number, one, span)))
        })
    }

    fn lane_of(&self, channel: ChannelPath, access: Access) -> Lane {
        Lane::of(channel, access, self.channels[channel.index()].full_duplex)
    }

    fn lane(&mut self, lane: Lane) -> &mut LaneState {
        &mut self.channels[lane.channel().index()].lanes[lane.direction()]
    }

    /// An I/O asks for a channel of its path group: the lane that carries it now, or none when it waits.
    fn ask(&mut self, paths: Paths, exposure: Exposure, access: Access) -> Option<Lane> {
        self.asked += 1;
        let asked = Asked { number: self.asked, exposure };
        let group = &mut self.groups[paths.index()];
        let (online, turn) = (group.online.max(1), group.turn);
        let lane = match group.selection {
            Selection::Rotating => {
                let channel = group.channels[turn % online];
                group.turn = (turn + 1) % online;
                self.lane_of(channel, access)
            }
            Selection::FirstFree => {
                let in_turn = (0..online).map(|step| (turn + step) % online);
                let open = in_turn.filter_map(|at| {
                    let state = &self.channels[group.channels[at].index()];
                    let lane = Lane::of(group.channels[at], access, state.full_duplex);
                    Some((state.lanes[lane.direction()].load()?, at, lane))
                });
                let Some((_, at, lane)) = open.min_by_key(|(load, ..)| *load) else {
                    group.queues[access.index()].push_back(asked);
                    return None;
                };
                group.turn = (at + 1) % online;
                lane
            }
        };
        match self.lane(lane) {
            LaneState::Fifo { carried: Some(_), queue } => {
                queue.push_back(asked);
                None
            }
            LaneState::Fifo { carried: None, .. } | LaneState::Shared(_) => Some(lane),
        }
    }

    /// The time for which a lane carries an I/O of this many bytes.
    fn time(&mut self, lane: Lane, bytes: u32) -> Span {
        let channel = &mut self.channels[lane.channel().index()];
        channel.per_io.draw() + Span::from_units((channel.per_kib * u64::from(bytes)) >> 10)
    }

    /// A lane carries an I/O from now on, which takes so long alone: when the next of its I/Os ends.
    fn begin(&mut self, lane: Lane, exposure: Exposure, alone: Span, now: Tod) -> Tod {
        match self.lane(lane) {
            LaneState::Fifo { carried, .. } => {
                *carried = Some((exposure, now));
                now + alone
            }
            LaneState::Shared(shared) => {
                shared.join(exposure, alone, now);
                shared.next_end().expect("it carries an I/O")
            }
        }
    }

    /// A lane has carried an I/O: which, and when the next of those that it carries ends.
    fn end(&mut self, lane: Lane, now: Tod) -> (Exposure, Option<Tod>) {
        match self.lane(lane) {
            LaneState::Fifo { carried, .. } => (carried.take().expect("a lane that is through carries an I/O").0, None),
            LaneState::Shared(shared) => (shared.leave_first(now), shared.next_end()),
        }
    }

    /// An idle lane takes the I/O that asked first of those that wait for it.
    fn take(&mut self, lane: Lane) -> Option<Exposure> {
        let channel = &self.channels[lane.channel().index()];
        let LaneState::Fifo { carried: None, queue } = &channel.lanes[lane.direction()] else { return None };
        let ways = if channel.full_duplex { lane.direction()..lane.direction() + 1 } else { 0..2 };
        let mut first = queue.front().map(|asked| (asked.number, None));
        for paths in &channel.serves {
            for way in ways.clone() {
                if let Some(asked) = self.groups[paths.index()].queues[way].front()
                    && first.is_none_or(|(number, _)| asked.number < number)
                {
                    first = Some((asked.number, Some((*paths, way))));
                }
            }
        }
        let from = match first?.1 {
            Some((paths, way)) => &mut self.groups[paths.index()].queues[way],
            None => match self.lane(lane) {
                LaneState::Fifo { queue, .. } => queue,
                LaneState::Shared(_) => unreachable!("no I/O waits for a shared lane"),
            },
        };
        from.pop_front().map(|asked| asked.exposure)
    }
}

impl LaneState {
    fn new(discipline: Discipline, exposures: usize) -> Self {
        match discipline {
            Discipline::Fifo => LaneState::Fifo { carried: None, queue: VecDeque::new() },
            Discipline::Shared => LaneState::Shared(SharedLane::new(exposures)),
        }
    }

    /// How many I/Os it carries; none where another would have to wait.
    fn load(&self) -> Option<usize> {
        match self {
            LaneState::Fifo { carried: Some(_), .. } => None,
            LaneState::Fifo { carried: None, .. } => Some(0),
            LaneState::Shared(shared) => Some(shared.sharers()),
        }
    }

    /// One of the I/Os that it carries, and for how long it has carried all of those.
    fn so_far(&self, now: Tod) -> Option<(Exposure, Span)> {
        match self {
            LaneState::Fifo { carried, .. } => carried.map(|(exposure, begun)| (exposure, now - begun)),
            LaneState::Shared(shared) => shared.so_far(now),
        }
    }
}

impl Channel {
    /// An I/O asks for a channel of the path group of its volume, and waits where none carries it now.
    pub(super) fn ask(&mut self, exposure: Exposure, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let state = &mut self.exposures[exposure.index()];
        state.phase = Phase::AwaitingChannel { since: now };
        let paths = self.volumes[state.io.volume.index()].reached_by.expect("channels lead to a control unit");
        if let Some(lane) = self.channel_paths.ask(paths, exposure, state.io.transfer.access()) {
            self.carry(exposure, lane, now, (effects, probe));
        }
    }

    /// A lane begins to carry an I/O, for the whole connection where the channel is held for it.
    fn carry(
        &mut self,
        exposure: Exposure,
        lane: Lane,
        now: Tod,
        (effects, probe): (&mut impl Outbox, &mut impl Probe),
    ) {
        let state = &mut self.exposures[exposure.index()];
        let Phase::AwaitingChannel { since } = state.phase else { unreachable!("only what asked is carried") };
        let mut takes = self.channel_paths.time(lane, state.io.transfer.bytes());
        if self.volumes[state.io.volume.index()].holds == Some(Holds::Connection) {
            takes += state.service.connect;
        }
        state.phase = Phase::Carried { since, takes };
        effects.at(Event::Carried(lane), self.channel_paths.begin(lane, exposure, takes, now));
        let access = state.io.transfer.access();
        probe.signal(now, Signal::Channel(lane.channel(), Carrying::Begun { access }));
    }

    /// A lane has carried an I/O, which ends at the device; the next that waits follows.
    pub fn carried(&mut self, lane: Lane, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let (over, next_end) = self.channel_paths.end(lane, now);
        let state = &mut self.exposures[over.index()];
        let Phase::Carried { since, takes: took } = state.phase else { unreachable!("a lane carries what it began") };
        let waited = now - since - took;
        match self.volumes[state.io.volume.index()].holds {
            // A busy channel delays the selection of the device, or its reconnection.
            Some(Holds::Connection) => {
                if state.service.disconnect.is_zero() {
                    state.service.pend += waited;
                } else {
                    state.service.disconnect += waited;
                }
                (state.service.connect, state.service.connect_alone) = (took, took);
            }
            _ => {
                state.service.connect += waited + took;
                state.service.connect_alone += took;
            }
        }
        let transfer = state.io.transfer;
        probe.signal(now, Signal::Channel(lane.channel(), Carrying::Ended { transfer, took, waited }));
        if let Some(end) = next_end {
            effects.at(Event::Carried(lane), end);
        } else if let Some(next) = self.channel_paths.take(lane) {
            self.carry(next, lane, now, (effects, probe));
        }
        self.device_end(over, now, effects, probe);
    }

    /// From now on the first channels of a path group are online, this many; those that came back take what waits.
    pub(super) fn vary_channels(
        &mut self,
        (paths, online): (Paths, u32),
        now: Tod,
        (effects, probe): (&mut impl Outbox, &mut impl Probe),
    ) {
        let group = &mut self.channel_paths.groups[paths.index()];
        let online = group.channels.len().min(online as usize);
        let before = std::mem::replace(&mut group.online, online);
        for at in before..online {
            let channel = self.channel_paths.groups[paths.index()].channels[at];
            for access in [Access::Read, Access::Write] {
                let lane = self.channel_paths.lane_of(channel, access);
                if let Some(next) = self.channel_paths.take(lane) {
                    self.carry(next, lane, now, (effects, probe));
                }
            }
        }
    }
}
