//! A recording as lists: spans by lane, waits by time, and the names of holders and waiters.

use super::lanes::lanes;
use super::recorder::{Carried, Kept, Recorder};
use super::who::Who;
use super::why::{Reason, yield_words};
use super::{Occupation, Timeline, Wait, Yield};
use crate::counts::virtual_processor as virtuals;
use machine::plan::{Arrival, Plan, RunsInPlan};
use units::Tod;

/// How many holders keep their place in the list in every window: as many as there are letters and digits to draw.
const STEADY: u64 = 62;

impl<T> Kept<T> {
    /// Whether a window that ends at an instant shows it; what lasts beyond has no end.
    fn cut(&mut self, until: Tod) -> bool {
        self.to = self.to.filter(|to| *to <= until);
        self.from < until
    }
}

impl<'a> Recorder<'a> {
    /// The events until an instant; spans that last longer have no end yet.
    pub fn timeline(mut self, origin: Tod, until: Tod) -> Timeline<'a> {
        let open = |since: Tod| (since < until).then_some(since);
        for (place, carried) in self.places.iter().enumerate() {
            if let Some((from, carried)) = carried.and_then(|carried| Some((open(carried.since)?, carried))) {
                self.spans.push(Kept { from, to: None, what: (place, carried) });
            }
        }
        let people = self.people.iter().map(|person| (person.who, person.waits));
        let virtual_ones = self.control.virtuals.iter().map(|own| (own.who, own.waits));
        for (who, waits) in people.chain(virtual_ones) {
            if let Some((from, wait)) = waits.and_then(|wait| Some((open(wait.since)?, wait))) {
                let freed = self.freed(wait.reason) - wait.freed;
                self.waits.push(Kept { from, to: None, what: (who, wait.reason, freed) });
            }
        }
        let (lanes, lane_of) = lanes(self.plan, &self.names);
        Timeline { lanes, ..self.listed(origin, until, lane_of) }
    }

    /// All complete rows, which the recorder then forgets.  Lanes are places: more names may get lanes later.
    pub fn part(&mut self, origin: Tod, until: Tod) -> Timeline<'a> {
        let part = self.listed(origin, until, (0..self.places.len()).collect());
        self.spans.clear();
        self.waits.clear();
        self.changes.clear();
        self.yields.clear();
        part
    }

    /// All that is kept, with the lane of each place.
    fn listed(&mut self, origin: Tod, until: Tod, lane_of: Vec<usize>) -> Timeline<'a> {
        self.spans.retain_mut(|span| span.cut(until));
        self.waits.retain_mut(|wait| wait.cut(until));
        self.changes.retain(|(at, _)| *at < until);
        let people = self.holders();
        let holder = |who: Who| people.binary_search(&(self.is_open(who), who)).expect("everybody is listed");
        let mut spans: Vec<Occupation> =
            self.spans.iter().map(|span| self.occupation(span, &lane_of, holder)).collect();
        spans.sort_by_key(|span| (span.lane, span.from));
        let mut waits: Vec<Wait> = self.waits.iter().map(|wait| self.wait(wait, &lane_of, holder)).collect();
        waits.sort_by_key(|wait| (wait.from, wait.holder));
        let holders = people.iter().map(|(_, who)| who.name(self.plan)).collect();
        let changes = self.changes.iter().map(|(at, changed)| (*at, changed.words(self.plan))).collect();
        let yields = self.listed_yields(until, &lane_of);
        let (from, lanes, places) = (self.from, vec![], lane_of);
        Timeline { origin, from, until, lanes, places, spans, waits, holders, changes, yields }
    }

    fn occupation(
        &self,
        span: &Kept<(usize, Carried)>,
        lane_of: &[usize],
        holder: impl Fn(Who) -> usize,
    ) -> Occupation<'a> {
        let (place, carried) = span.what;
        Occupation {
            lane: lane_of[place],
            holder: self.who(carried).map(holder),
            from: span.from,
            to: span.to,
            what: carried.volume.map_or("", |volume| &self.plan.volumes[volume.index()].name),
            on: carried.on.map(|logical| lane_of[self.processors.place(logical)]),
            state: carried.state,
        }
    }

    fn listed_yields(&self, until: Tod, lane_of: &[usize]) -> Vec<Yield> {
        let within = self.yields.iter().filter(|one| one.at < until);
        within
            .map(|one| Yield {
                at: one.at,
                lane: lane_of[self.control.place(one.number)],
                on: lane_of[self.processors.place(one.on)],
                what: yield_words(one.what),
            })
            .collect()
    }

    /// The holder of a place.
    fn who(&self, carried: Carried) -> Option<Who> {
        let virtual_one = carried.virtual_one.map(|number| self.control.virtuals[number.index()].who);
        carried.by.map(|(_, who)| who).or(virtual_one)
    }

    fn wait(&self, wait: &Kept<(Who, Reason, u64)>, lane_of: &[usize], holder: impl Fn(Who) -> usize) -> Wait<'a> {
        let (who, reason, passed_over) = wait.what;
        Wait {
            holder: holder(who),
            from: wait.from,
            to: wait.to,
            kind: reason.kind(),
            lane: lane_of[reason.at(self.plan, &self.processors)],
            place: reason.place(self.plan, &self.processors),
            why: reason.words(passed_over, self.plan, &self.processors),
        }
    }

    /// All holders that occur, closed guests first; all of these while there are few, so that each has the same place
    /// in every window.
    fn holders(&self) -> Vec<(bool, Who)> {
        let closed = (0..).zip(&self.plan.guests).filter_map(|(group, guest)| match (&guest.arrival, guest.runs_in) {
            (_, Some(RunsInPlan::VirtualMachine { .. })) => None,
            (Arrival::Closed { count }, _) => Some((group, u64::from(*count))),
            (Arrival::Open { .. } | Arrival::Spawned | Arrival::Replay { .. }, _) => None,
        });
        let mut people: Vec<Who> = Vec::new();
        let virtual_ones = self.control.virtuals.len() as u64;
        if closed.clone().map(|(_, count)| count).sum::<u64>() + virtual_ones <= STEADY {
            people.extend(closed.flat_map(|(group, count)| (1..=count).map(move |number| Who { group, number })));
            people.extend(self.control.virtuals.iter().map(|own| own.who));
        }
        people.extend(self.spans.iter().filter_map(|span| self.who(span.what.1)));
        people.extend(self.waits.iter().map(|wait| wait.what.0));
        let mut people: Vec<(bool, Who)> = people.into_iter().map(|who| (self.is_open(who), who)).collect();
        people.sort_unstable();
        people.dedup();
        people
    }

    /// Whether a guest passes through, or is shown on its virtual processor.
    fn is_open(&self, who: Who) -> bool {
        let Some(guest) = self.plan.guests.get(who.group as usize) else { return false };
        match (&guest.arrival, guest.runs_in) {
            (_, Some(RunsInPlan::VirtualMachine { .. })) => true,
            (Arrival::Closed { .. }, _) => false,
            (Arrival::Open { .. } | Arrival::Spawned | Arrival::Replay { .. }, _) => true,
        }
    }
}

impl Who {
    /// The name of a holder: "IO3390-BWPVS0 #2"; virtual processors "LIGHT 7 VP 2".
    pub(super) fn name(self, plan: &Plan) -> String {
        if let Some(kind) = (self.group as usize).checked_sub(plan.groups()) {
            let (_, own) = virtuals::kinds(plan).nth(kind).expect("there is such a kind");
            return virtuals::name(plan, own.start + self.number as usize);
        }
        let name = plan.group_name(self.group as usize);
        match plan.guests.get(self.group as usize).map(|guest| &guest.arrival) {
            Some(Arrival::Closed { count: 1 }) | None => name,
            Some(Arrival::Closed { .. } | Arrival::Open { .. } | Arrival::Spawned | Arrival::Replay { .. }) => {
                format!("{name} #{}", self.number)
            }
        }
    }
}
