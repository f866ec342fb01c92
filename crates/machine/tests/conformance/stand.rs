//! The test stand: a channel without a kernel, a probe that records, and the instants that transitions asked for.

use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::channel::Channel;
use machine::effect::{Effect, Effects};
use machine::event::Event;
use machine::ids::{Exposure, Lane, Paths, Requester, Volume};
use machine::io::Io;
use machine::plan::{AliasPoolPlan, Aliasing, DeviceNumber, Plan, Redispatch, ServicePlan, VolumePlan};
use machine::signal::{Probe, Signal};
use units::{Span, Tod};

/// The two volumes that most tests have.
pub const A: Volume = Volume(0);
pub const B: Volume = Volume(1);

/// Everything that was signalled, in order.
#[derive(Debug, Default)]
pub struct Record(pub Vec<Signal>);

impl Probe for Record {
    fn signal(&mut self, _now: Tod, signal: Signal) {
        self.0.push(signal);
    }
}

/// Everything that was signalled, and when; one type for all tests, as the machine is compiled anew for each.
#[derive(Default)]
pub struct Log(pub Vec<(Tod, Signal)>);

impl Probe for Log {
    fn signal(&mut self, now: Tod, signal: Signal) {
        self.0.push((now, signal));
    }
}

/// Microseconds after the start.
pub fn us(us: u64) -> Tod {
    Tod::START + Span::from_us(us)
}

/// A volume whose I/Os connect for 100 us, without pending or disconnect time.
pub fn volume(number: u16, aliasing: Aliasing) -> VolumePlan {
    VolumePlan {
        name: format!("V{number}"),
        device: DeviceNumber(0x1000 + number),
        device_type: "3390-3".into(),
        control_unit: None,
        aliasing,
        service: ServicePlan {
            pend: Distribution::Constant(Span::ZERO),
            disconnect: Distribution::Constant(Span::ZERO),
            connect: Distribution::Constant(Span::from_us(100)),
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

/// This many alike volumes.
pub fn volumes(count: u16, aliasing: &Aliasing) -> Plan {
    Plan { volumes: (0..count).map(|number| volume(number, aliasing.clone())).collect(), ..Plan::default() }
}

/// This many volumes that share this many aliases.  Exposures: a base each, then the aliases.
pub fn pooled(count: u16, aliases: u16, redispatch: Redispatch) -> Plan {
    let aliases = (0..aliases).map(|alias| DeviceNumber(0x2000 + alias)).collect();
    let pool = AliasPoolPlan { name: "POOL".into(), aliases, redispatch, ..Default::default() };
    Plan { alias_pools: vec![pool], ..volumes(count, &Aliasing::HyperPav { pool: 0 }) }
}

/// Volumes with one classic alias each.  Exposures: a base each, then the alias of each.
pub fn classic(count: u16, redispatch: Redispatch) -> Plan {
    volumes(count, &Aliasing::Pav { aliases: vec![DeviceNumber(0x2000)], redispatch })
}

/// The input of a transition.
pub fn no_effects() -> Effects {
    machine::effect::none()
}

/// A channel on which tests put requests and let phases end.
pub struct Stand {
    pub channel: Channel,
    /// The signals of the last transition.
    pub said: Vec<Signal>,
    /// Whose I/O is done, in order.
    pub done: Vec<Requester>,
    /// Exposures whose I/O has ended with an interrupt, in order.
    pub interrupts: Vec<Exposure>,
    pending: Vec<(Event, Tod)>,
    now: Tod,
}

impl Stand {
    pub fn new(plan: &Plan) -> Self {
        let channel = Channel::new(plan, &Streams::new(1, 0));
        Stand {
            channel,
            said: Vec::new(),
            done: Vec::new(),
            interrupts: Vec::new(),
            pending: Vec::new(),
            now: Tod::START,
        }
    }

    /// A request arrives; the exposure on which it starts, or none when it waits.
    pub fn request(&mut self, requester: u32, volume: Volume, at: Tod) -> Option<u32> {
        self.request_io(requester, Io::to(volume), at)
    }

    /// A request for a certain I/O arrives; the exposure on which it starts, or none when it waits.
    pub fn request_io(&mut self, requester: u32, io: Io, at: Tod) -> Option<u32> {
        self.act(at, |channel, effects, record| channel.request((Requester(requester), io), at, effects, record));
        self.started().map(|(_, exposure)| exposure)
    }

    /// A change at an instant.
    pub fn act(&mut self, at: Tod, change: impl FnOnce(&mut Channel, &mut Effects, &mut Record)) {
        self.pass_to(at);
        self.transition(change);
    }

    /// The phase of an exposure is over at an instant that must be due; the request that starts then, and where.
    pub fn phase_over(&mut self, exposure: u32, at: Tod) -> Option<(u32, u32)> {
        self.is_due(Event::PhaseOver(Exposure(exposure)), at);
        self.transition(|channel, effects, record| channel.phase_over(Exposure(exposure), at, effects, record));
        self.started()
    }

    /// The earliest connected I/O of the first path group is through at an instant that must be due; which ended.
    pub fn transferred(&mut self, at: Tod) -> u32 {
        self.is_due(Event::Transferred(Paths(0)), at);
        self.transition(|channel, effects, record| channel.transferred(Paths(0), at, effects, record));
        let ended = |signal: &Signal| if let Signal::Ended(_, exposure, _) = signal { Some(exposure.0) } else { None };
        self.said.iter().find_map(ended).expect("an I/O ends when it has transferred everything")
    }

    /// A lane ends its I/O at an instant that must be due.
    pub fn carried(&mut self, lane: Lane, at: Tod) {
        self.is_due(Event::Carried(lane), at);
        self.transition(|channel, effects, record| channel.carried(lane, at, effects, record));
    }

    /// This many paths of the first path group are online from an instant on.
    pub fn vary_paths(&mut self, online: u32, at: Tod) {
        self.act(at, |channel, effects, record| channel.vary_paths((Paths(0), online), at, effects, record));
    }

    /// When an event is due.
    pub fn due(&self, event: Event) -> Option<Tod> {
        self.pending.iter().find(|(pending, _)| *pending == event).map(|(_, at)| *at)
    }

    /// The exposure whose phase ends first, and when; ties by the lower number.
    pub fn earliest(&self) -> Option<(u32, Tod)> {
        let phases = self.pending.iter().filter_map(|(event, at)| match event {
            Event::PhaseOver(exposure) => Some((exposure.0, *at)),
            Event::Transferred(_)
            | Event::Carried(_)
            | Event::Resume(_)
            | Event::Arrival(_)
            | Event::Change
            | Event::Work(_)
            | Event::Slice(_)
            | Event::Enablement(_)
            | Event::Timer(_)
            | Event::Control(_)
            | Event::Release(_)
            | Event::Period(_)
            | Event::Slack(_) => None,
        });
        phases.min_by_key(|(exposure, at)| (*at, *exposure))
    }

    /// How many wait at a volume's base.
    pub fn waiting(&self, volume: Volume) -> u32 {
        self.channel.volumes[volume.index()].queued
    }

    fn pass_to(&mut self, at: Tod) {
        assert!(self.now <= at, "the test runs forward");
        self.now = at;
    }

    fn is_due(&mut self, event: Event, at: Tod) {
        self.pass_to(at);
        assert_eq!(self.due(event), Some(at), "{event:?}");
        self.pending.retain(|(pending, _)| *pending != event);
    }

    fn started(&self) -> Option<(u32, u32)> {
        self.said.iter().find_map(|signal| {
            if let Signal::Started(_, exposure, requester, _) = signal { Some((requester.0, exposure.0)) } else { None }
        })
    }

    fn transition(&mut self, transition: impl FnOnce(&mut Channel, &mut Effects, &mut Record)) {
        let (mut effects, mut record) = (no_effects(), Record::default());
        transition(&mut self.channel, &mut effects, &mut record);
        self.said = record.0;
        while let Some(effect) = effects.pop() {
            match effect {
                Effect::At(event, at) => {
                    self.pending.retain(|(pending, _)| *pending != event);
                    self.pending.extend((at < Tod::NEVER).then_some((event, at)));
                }
                Effect::Never(event) => self.pending.retain(|(pending, _)| *pending != event),
                Effect::Done(requester) => self.done.push(requester),
                Effect::Interrupt(exposure) => self.interrupts.push(exposure),
                Effect::Request(..)
                | Effect::Granted(_)
                | Effect::Deliver(_)
                | Effect::Serialize(..)
                | Effect::Ready(..)
                | Effect::Served(..)
                | Effect::Used(..)
                | Effect::Yields(..)
                | Effect::Freed(..)
                | Effect::FindWork(_)
                | Effect::GivesWay(..)
                | Effect::Clear(..)
                | Effect::Dispatched(_)
                | Effect::Undispatched(_)
                | Effect::Waits(_)
                | Effect::Calls(..)
                | Effect::Wants(..) => unreachable!("a channel has no processors and asks for no I/O"),
            }
        }
        self.every_rule_of_state();
    }

    /// The invariants between any two transitions.
    fn every_rule_of_state(&self) {
        for (number, volume) in self.channel.volumes.iter().enumerate() {
            let busy = self.channel.exposures.iter().filter(|e| e.is_busy() && e.io.volume.index() == number).count();
            assert_eq!(volume.in_service as usize, busy, "an I/O in service is one on an exposure");
            let base = &self.channel.exposures[number];
            assert!(volume.queued == 0 || !base.is_idle(), "no request waits at a free base");
        }
    }
}
