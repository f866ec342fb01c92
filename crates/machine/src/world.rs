//! The whole machine while it runs: its mechanisms, its clock, its pending events, and its observer.

use crate::cec::Cec;
use crate::changes::Changes;
use crate::channel::Channel;
use crate::control_program::ControlPrograms;
use crate::effect::Outbox;
use crate::event::{Event, Slots};
use crate::guest::supervisor::Supervisors;
use crate::guest::{Guests, MOST_PRESENT, ranks};
use crate::ids::{Group, Partition, Physical, Requester};
use crate::plan::Plan;
use crate::serialization::Serialization;
use crate::signal::Probe;
use crate::wiring::Desk;
use kernel::calendar::Calendar;
use kernel::draw::Streams;
use units::Tod;

/// A machine that runs.
pub struct World<C: Calendar, P: Probe> {
    pub(crate) now: Tod,
    pub(crate) events: u64,
    pub(crate) desk: Desk<C>,
    pub(crate) checksum: u64,
    pub(crate) changes: Changes,
    /// Volumes, exposures, pools, paths.
    pub channel: Channel,
    /// Processors, where they are shared.
    pub cec: Cec,
    /// The supervisors of partitions.
    pub supervisors: Supervisors,
    /// The control programs of partitions.
    pub control: ControlPrograms,
    /// The service of ENQ and DEQ.
    pub serialization: Serialization,
    /// The guests, which run programs.
    pub guests: Guests,
    /// The observer.
    pub probe: P,
}

/// A load from outside that outgrows the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overrun {
    /// When it was noticed.
    pub at: Tod,
    /// How many were there.
    pub present: usize,
}

impl<C: Calendar, P: Probe> World<C, P> {
    /// The machine of a plan at the start of simulated time, for one replication.
    pub fn new(plan: &Plan, streams: &Streams, probe: P) -> Self {
        let channel = Channel::new(plan, streams);
        let guests = Guests::new(plan, streams);
        let cec = Cec::new(plan, streams);
        let supervisors = Supervisors::new(plan, &ranks(plan), streams);
        let control = ControlPrograms::new(plan, streams);
        let slots = Slots::new([
            channel.paths.len(),
            channel.channel_paths.lanes(),
            channel.exposures.len(),
            guests.closed(),
            guests.groups.len(),
            usize::from(!plan.changes.is_empty()),
            supervisors.logical.len(),
            cec.physical(),
            supervisors.partitions.len(),
            supervisors.partitions.len(),
            supervisors.partitions.len(),
            control.limited(),
            cec.thread_groups(),
            cec.thread_groups(),
        ]);
        let mut world = World {
            now: Tod::START,
            events: 0,
            desk: Desk::new(slots),
            checksum: 0,
            changes: Changes::new(&plan.changes),
            channel,
            cec,
            supervisors,
            control,
            serialization: Serialization::new(plan, streams),
            guests,
            probe,
        };
        world.entitle();
        world.control.begin(Tod::START, &mut world.desk, &mut world.probe);
        for physical in 0..world.cec.physical() {
            world.cec.begin(Physical(physical as u32), Tod::START, &mut world.desk, &mut world.probe);
            world.carry_out();
        }
        for partition in (0..world.supervisors.partitions.len()).map(|number| Partition(number as u32)) {
            if let Some(every) = world.supervisors.looks_every(partition) {
                world.desk.at(Event::Enablement(partition), Tod::START + every);
            }
            world.guests.first_pop(partition, &mut world.desk);
        }
        for requester in 0..world.guests.closed() {
            let requester = Requester(requester as u32);
            world.guests.begin(requester, Tod::START, &mut world.desk, &mut world.probe);
            world.carry_out();
        }
        for group in 0..world.guests.groups.len() {
            world.guests.open(Group(group as u32), Tod::START, &mut world.desk);
            world.carry_out();
        }
        world
    }

    /// Stated times count from this instant, which has not passed: those of changes and of recorded arrivals.  Until it
    /// is called none of them comes.
    pub fn count_from(&mut self, start: Tod) {
        debug_assert!(self.now <= start, "stated times are to come");
        self.changes.count_from(start, &mut self.desk);
        self.guests.count_from(start, &mut self.desk);
    }

    /// The instant of the last event, or up to which the machine was run.
    pub fn now(&self) -> Tod {
        self.now
    }

    /// How many events happened.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// A number that depends on every event so far and its instant: equal runs have equal checksums.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// When the next event happens; [`Tod::NEVER`] when none will.
    pub fn next(&self) -> Tod {
        self.desk.next()
    }

    /// Lets everything happen that is due before or at an instant, which is then the time of the clock.
    ///
    /// # Errors
    /// [`Overrun`] when a load from outside outgrows the machine.
    pub fn run_until(&mut self, at: Tod) -> Result<(), Overrun> {
        while !self.run_some(at, A_WHILE)? {}
        Ok(())
    }

    /// Lets at most this many events happen that are due before or at an instant.  Returns whether all
    /// of them did; the instant is then the time of the clock.
    ///
    /// # Errors
    /// [`Overrun`] when a load from outside outgrows the machine.
    #[inline]
    pub fn run_some(&mut self, at: Tod, most: u32) -> Result<bool, Overrun> {
        let mut done = false;
        for _ in 0..most {
            if !self.step(at) {
                self.now = at;
                done = true;
                break;
            }
        }
        // No load outgrows a machine in a few events: it is enough to look now and then.
        let present = self.guests.present();
        if present > MOST_PRESENT { Err(Overrun { at: self.now, present }) } else { Ok(done) }
    }
}

/// Events between two looks at how many are present.
const A_WHILE: u32 = 1 << 18;
