//! Replayed guests: which files their recorded I/Os stand in, where each goes, and the scenario with the records in it.

use crate::Scenario;
use crate::language::{GUESTS, NAME, REPLAY};
use crate::problems::nearest;
use crate::resolved::Table;
use crate::text::{Text, clip};
use machine::plan::{Aliasing, Arrival, DeviceNumber, Plan, Record, RunsInPlan, Target};
use std::collections::BTreeMap;
use std::sync::Arc;
use units::{Problem, Span};

/// A guest whose I/Os were recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The name of the guest.
    pub guest: String,
    /// The file, as the scenario names it: relative to the scenario.
    pub file: String,
    /// Whether its records have been supplied.
    pub supplied: bool,
    place: Problem,
}

impl Replay {
    /// A problem with the file, at the place where the scenario names it.
    pub fn problem(&self, what: impl Into<String>) -> Problem {
        Problem { what: what.into(), ..self.place.clone() }
    }
}

/// The replayed guests of a scenario.
pub fn replays(root: &Table, text: &Text<'_>) -> Vec<Replay> {
    let guests = root.tables(&GUESTS).iter();
    let replay = |guest: &Table| {
        let place = text.place(Problem::new("").key(guest.path(&REPLAY)), guest.at(&REPLAY));
        let file = guest.text(&REPLAY)?.to_string();
        Some(Replay { guest: guest.text(&NAME)?.to_string(), file, supplied: false, place })
    };
    guests.filter_map(replay).collect()
}

impl Scenario {
    /// The guests whose I/Os stand in files, in the order of the scenario.
    pub fn replays(&self) -> &[Replay] {
        &self.replays
    }

    /// The missing part before it can be simulated: recorded I/Os that were not supplied.
    pub fn missing(&self) -> Vec<Problem> {
        let missing = self.replays.iter().filter(|replay| !replay.supplied);
        let what = |replay: &Replay| format!("the I/Os recorded in `{}` have not been supplied", clip(&replay.file));
        missing.map(|replay| replay.problem(what(replay))).collect()
    }

    /// Where the texts of a recording may point.
    pub fn targets(&self) -> Targets<'_> {
        Targets::of(self.plan())
    }

    /// The same scenario with the recorded I/Os of one guest in its plan; whatever is wrong with them if anything is.
    ///
    /// Its text and its checksum stay as they are: they name the file, not what is in it.
    pub fn supply(&self, guest: &str, records: Vec<Record>) -> Result<Scenario, Vec<Problem>> {
        let Some(index) = self.replays.iter().position(|replay| replay.guest == guest) else {
            let names = || self.replays.iter().map(|replay| replay.guest.as_str());
            let problem = Problem::new(format!("no guest called `{}` is replayed", clip(guest)));
            return Err(vec![problem.allowed(names()).nearest(nearest(guest, names()))]);
        };
        let replay = &self.replays[index];
        let runs_in = self.plan().guests.iter().find(|plan| plan.name == guest).and_then(|plan| plan.runs_in);
        let partition = runs_in.and_then(RunsInPlan::partition);
        let problems: Vec<Problem> = wrong(&records, partition, self.plan()).map(|what| replay.problem(what)).collect();
        if !problems.is_empty() {
            return Err(problems);
        }
        let mut supplied = self.clone();
        supplied.replays[index].supplied = true;
        supplied.warnings.extend(self.late(replay, &records));
        let plan = supplied.plan.guests.iter_mut().find(|plan| plan.name == guest);
        plan.expect("every guest has its plan").arrival = Arrival::Replay { records: Arc::from(records) };
        Ok(supplied)
    }

    /// Says how much of a recording comes after the last interval.
    fn late(&self, replay: &Replay, records: &[Record]) -> Option<Problem> {
        let end = self.measure().interval * u64::from(self.measure().intervals);
        let late = records.len() - records.partition_point(|record| record.at < end);
        let what = format!("{late} of {} recorded I/Os come after the last interval", records.len());
        let problem = replay.problem(what).because(format!("it ends at {end}, and they are not replayed"));
        (late > 0).then(|| problem.allowed(["longer or more intervals"]))
    }
}

/// The reasons why records cannot be replayed by a guest of a partition, the first of each kind.
fn wrong(records: &[Record], partition: Option<usize>, plan: &Plan) -> impl Iterator<Item = String> {
    let year: Span = crate::check::YEAR.parse().expect("a year is a span");
    let none = records.is_empty().then(|| "there are no records".to_string());
    let back = records.windows(2).position(|pair| pair[1].at < pair[0].at);
    let back = back.map(|index| format!("record {} is before record {}, and time runs forward", index + 2, index + 1));
    let long = records.iter().position(|record| record.at > year);
    let long = long.map(|index| format!("record {} comes after more than a year", index + 1));
    let nowhere = records.iter().position(|record| match record.target {
        Target::Volume(volume) => volume >= plan.volumes.len(),
        Target::Minidisk(minidisk) => minidisk >= plan.minidisks.len(),
    });
    let nowhere = nowhere.map(|index| format!("record {} goes nowhere in this scenario", index + 1));
    let elsewhere = records.iter().enumerate().find_map(|(index, record)| {
        let volume = match record.target {
            Target::Volume(volume) => plan.volumes.get(volume)?,
            Target::Minidisk(minidisk) => &plan.volumes[plan.minidisks.get(minidisk)?.volume],
        };
        let whose = |partition: Option<usize>| {
            partition.map_or("no partition".into(), |partition| format!("`{}`", plan.partitions[partition].name))
        };
        let (here, there) = (whose(partition), whose(volume.partition));
        let what =
            format!("record {} goes to volume {} in {there}, and the guest runs in {here}", index + 1, volume.name);
        (volume.partition != partition).then_some(what)
    });
    let carrier = records.iter().enumerate().find_map(|(index, record)| {
        let front_end = plan.front_ends.iter().find(|front_end| record.target == Target::Volume(front_end.volume))?;
        let name = &plan.volumes[front_end.volume].name;
        Some(format!("record {} goes to volume {name}, which is that of front end {}", index + 1, front_end.name))
    });
    [none, back, long, nowhere, elsewhere, carrier].into_iter().flatten()
}

/// What the texts of a recording mean: names of volumes and minidisks, and device numbers of bases.
#[derive(Clone, Debug)]
pub struct Targets<'p> {
    names: BTreeMap<&'p str, Target>,
    bases: BTreeMap<DeviceNumber, Target>,
    aliases: BTreeMap<DeviceNumber, &'p str>,
}

impl<'p> Targets<'p> {
    /// Those of a plan.
    pub fn of(plan: &'p Plan) -> Targets<'p> {
        let volumes = || plan.volumes.iter().enumerate().map(|(index, volume)| (volume, Target::Volume(index)));
        let minidisks = plan.minidisks.iter().enumerate();
        let minidisks = minidisks.map(|(index, minidisk)| (minidisk.name.as_str(), Target::Minidisk(index)));
        let bound = plan.volumes.iter().filter_map(|volume| match &volume.aliasing {
            Aliasing::Pav { aliases, .. } => Some((volume.name.as_str(), aliases)),
            Aliasing::None | Aliasing::HyperPav { .. } => None,
        });
        let pooled = plan.alias_pools.iter().map(|pool| (pool.name.as_str(), &pool.aliases));
        let aliases = bound.chain(pooled).flat_map(|(of, aliases)| aliases.iter().map(move |alias| (*alias, of)));
        Targets {
            names: volumes().map(|(volume, target)| (volume.name.as_str(), target)).chain(minidisks).collect(),
            bases: volumes().map(|(volume, target)| (volume.device, target)).collect(),
            aliases: aliases.collect(),
        }
    }

    /// The meaning of a text; a name counts before a device number that is written the same way.
    pub fn find(&self, text: &str) -> Result<Target, Box<Problem>> {
        if let Some(target) = self.names.get(text) {
            return Ok(*target);
        }
        let device = crate::check::device(text).ok();
        if let Some(target) = device.and_then(|device| self.bases.get(&device)) {
            return Ok(*target);
        }
        let names = || self.names.keys().copied();
        let problem =
            Problem::new(format!("no volume or minidisk is called `{}`, and no base has that number", clip(text)));
        let mut allowed: Vec<String> = names().take(8).map(str::to_string).collect();
        if self.names.len() > 8 {
            allowed.push(format!("{} more", self.names.len() - 8));
        }
        let why = device.and_then(|device| self.aliases.get(&device));
        let why = why.map_or(String::new(), |of| format!("it is an alias of {of}, and I/O is asked of a volume"));
        Err(problem.because(why).allowed(allowed).nearest(nearest(text, names())).into())
    }
}
