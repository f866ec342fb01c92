//! Writes random scenarios from the tables of the language: every table, every key, whatever goes together.

use super::value;
use kernel::draw::{Draw, Streams};
use scenario::language::{
    ACTIVE, ADDED_EXIT, ARRIVES, BANDWIDTH_SLICE, BASE_SLICE, BOUND_ALIASES, CACHE_SIZE, CAPPED, CGROUPS, CHANGE,
    CHIPS_PER_BOOK, CONTROL_PROGRAM, CORES_PER_BOOK, CORES_PER_CHIP, COUNTED, CPENABLE, Choice, DELETED_EXIT,
    DISPATCHER, DISPATCHING, ENABLED, ENQUEUES, EXCHANGE, FOOTPRINT, FRONT_END, GUEST, Key, Kind, LAID_OUT, LOCK_ORDER,
    LOCKED, LOCKED_BY_THREAD, MACHINE, MACHINE_GROWTH, MEASURED_BY, MINIDISK, MODE, NAME, NEST, NEST_COST, NEW_CPUPAD,
    NEW_MAXIMUM, NEW_ONLINE, NEW_TARGET, NEW_WEIGHT, NICE, NOTES, Need, OF_CLASS, OF_PARTITION, ON_VOLUME, ONLINE,
    PAGE_READS, PAGE_WRITES, PARTITION, PARTITIONS, PINNED, POLARIZATION, PREEMPTION, RELOAD, ROOT, RUN_TIME, RUNS_IN,
    RUNS_IN_CGROUP, RUNS_IN_MACHINES, SCHED_YIELD, SCHEDULING_PARAMETER, SERIALIZED, SHARED_BY, SHARED_PROCESSORS,
    SLICE, SLICE_ENDS, SLIH, SPIN_LOCK, SPIN_LOCKS, SRM_POLARIZATION, SSCH, SUBCHANNEL, TARGET, THREAD_LOCKS, TICK,
    TOUCHED_IN, Table, UNPARKED_AT_START, VIRTUAL_MACHINE, VIRTUAL_MACHINES, VOLUME, VOLUMES, WAIT_COMPLETION,
    WAKEUP_PREEMPTION, WEIGHT, is_note,
};
use std::collections::{BTreeMap, BTreeSet};

/// A random scenario.
pub struct Text {
    /// Its TOML.
    pub toml: String,
    /// Which keys of which tables are in it.
    pub keys: BTreeSet<(&'static str, &'static str)>,
}

/// The keys of a table with their values as TOML, in the order of the language.
pub type Values = Vec<(&'static Key, String)>;

/// The writer of one scenario.
pub struct Author {
    /// The source of choices.
    pub draw: Draw,
    /// The tables with headers that were written so far, by kind.
    pub made: BTreeMap<&'static str, Vec<Values>>,
    /// The facts that several tables must agree on.
    pub agreed: value::Agreed,
    keys: BTreeSet<(&'static str, &'static str)>,
}

/// What the author does not know: the keys, and the tables that are met nowhere else.
///
/// A `count` of volumes and channels needs a name that counts up, and machines that grow need room for their shares.
pub static LEFT_OUT: [&Key; 23] = [
    &COUNTED,
    &MACHINE_GROWTH,
    &OF_CLASS,
    &CGROUPS,
    &RUNS_IN_CGROUP,
    &NICE,
    &PINNED,
    &BANDWIDTH_SLICE,
    &BASE_SLICE,
    &TICK,
    &WAKEUP_PREEMPTION,
    &SERIALIZED,
    &ENQUEUES,
    &ADDED_EXIT,
    &DELETED_EXIT,
    &CORES_PER_BOOK,
    &NEST,
    &NEST_COST,
    &UNPARKED_AT_START,
    &SLICE_ENDS,
    &SCHED_YIELD,
    &THREAD_LOCKS,
    &LOCKED_BY_THREAD,
];
/// The same within steps, and those tables.
pub const LEFT_OUT_TOO: [&str; 13] = [
    "enq",
    "deq",
    "access",
    "ret",
    "linkage",
    "do",
    "enqueue",
    "cgroup",
    "serialization",
    "cost",
    "exit",
    "text_file",
    "thread_lock",
];

/// The value of a key, as it was written.
pub fn value_of<'v>(values: &'v Values, key: &Key) -> Option<&'v str> {
    values.iter().find(|(other, _)| std::ptr::eq(*other, key)).map(|(_, value)| value.as_str())
}

impl Author {
    /// An author who always writes the same for this seed.
    pub fn new(seed: u64) -> Author {
        let draw = Streams::new(seed, 0).stream("text");
        Author { draw, made: BTreeMap::new(), agreed: value::Agreed::default(), keys: BTreeSet::new() }
    }

    /// Writes the scenario: values first, as TOML wants it, then the tables with headers.
    pub fn scenario(mut self) -> Text {
        let (mut lines, mut tables) = (String::new(), String::new());
        for (key, value) in self.values(&ROOT) {
            match key.kind {
                Kind::Named(_) | Kind::Numbered(_) => tables += &value,
                _ => lines += &format!("{} = {value}\n", key.name),
            }
        }
        Text { toml: lines + &tables, keys: self.keys }
    }

    /// Whether something happens that happens once in this many times.
    pub fn once_in(&mut self, times: u32) -> bool {
        self.draw.below(times) == 0
    }

    /// One of several.
    pub fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.draw.below(of.len() as u32) as usize].clone()
    }

    /// The tables of a kind so far.
    pub fn made(&self, table: &Table) -> &[Values] {
        self.made.get(table.name).map_or(&[], Vec::as_slice)
    }

    /// The names of the tables of a kind so far, in quotes.
    pub fn names(&self, table: &Table) -> Vec<String> {
        self.made(table).iter().filter_map(|values| value_of(values, &NAME)).map(str::to_string).collect()
    }

    /// The volumes with aliases of their own.
    pub fn bound(&self) -> Vec<&Values> {
        self.made(&VOLUME).iter().filter(|values| value_of(values, &BOUND_ALIASES).is_some()).collect()
    }

    /// The names, in quotes, of the volumes of a partition, or of no partition, to which programs may do I/O.
    pub fn reachable(&self, partition: Option<&str>) -> Vec<String> {
        let own = self.made(&VOLUME).iter().filter(|volume| value_of(volume, &OF_PARTITION) == partition);
        let names = own.filter_map(|volume| value_of(volume, &NAME)).filter(|name| !self.carries(name));
        names.map(str::to_string).collect()
    }

    /// Whether a volume is that of a front end.
    fn carries(&self, volume: &str) -> bool {
        self.made(&FRONT_END).iter().any(|front_end| value_of(front_end, &SUBCHANNEL) == Some(volume))
    }

    /// The names, in quotes, of the volumes that a front end may have: programs keep one, and no minidisk is on it.
    pub fn carriers(&self) -> Vec<String> {
        let divided =
            |name: &str| self.made(&MINIDISK).iter().any(|minidisk| value_of(minidisk, &ON_VOLUME) == Some(name));
        let partitions: BTreeSet<Option<&str>> =
            self.made(&VOLUME).iter().map(|volume| value_of(volume, &OF_PARTITION)).collect();
        let reachable = partitions.into_iter().map(|partition| self.reachable(partition));
        reachable.filter(|names| names.len() > 1).flatten().filter(|name| !divided(name)).collect()
    }

    /// The names, in quotes, of the front ends that the guest that is being written may use.
    pub fn front_ends(&self) -> Vec<String> {
        let home = self.agreed.home.as_deref();
        let own = self.made(&VOLUME).iter().filter(|volume| value_of(volume, &OF_PARTITION) == home);
        let own: Vec<&str> = own.filter_map(|volume| value_of(volume, &NAME)).collect();
        let used = |front_end: &&Values| value_of(front_end, &SUBCHANNEL).is_some_and(|volume| own.contains(&volume));
        let names = self.made(&FRONT_END).iter().filter(used).filter_map(|front_end| value_of(front_end, &NAME));
        names.map(str::to_string).collect()
    }

    /// The names, in quotes, of the tables of these kinds that an I/O of the guest that is being written may go to.
    pub fn within_reach(&self, tables: &[&Table]) -> Vec<String> {
        let volumes = self.reachable(self.agreed.home.as_deref());
        let reached = |minidisk: &&Values| volumes.iter().any(|name| value_of(minidisk, &ON_VOLUME) == Some(name));
        let minidisks = self.made(&MINIDISK).iter().filter(reached).filter_map(|minidisk| value_of(minidisk, &NAME));
        let minidisks: Vec<String> = minidisks.map(str::to_string).collect();
        let names = |table: &&Table| if std::ptr::eq(*table, &VOLUME) { volumes.clone() } else { minidisks.clone() };
        tables.iter().flat_map(names).collect()
    }

    /// The names, in quotes, of the partitions that are there after the changes so far, or of those that are not.
    pub fn partitions(&self, there: bool) -> Vec<String> {
        let name = |partition: &Values| value_of(partition, &NAME).map(str::to_string);
        let from_the_start = |partition: &Values| value_of(partition, &ACTIVE) != Some("\"no\"");
        let toggled = |partition: &Values| name(partition).is_some_and(|name| self.agreed.toggled.contains(&name));
        let such = |partition: &&Values| (from_the_start(partition) != toggled(partition)) == there;
        self.made(&PARTITION).iter().filter(such).filter_map(name).collect()
    }

    /// The names, in quotes, of the partitions that share processors.
    pub fn sharing(&self) -> Vec<String> {
        let shared = |partition: &&Values| value_of(partition, &MODE) != Some("\"UP\"");
        let names = self.made(&PARTITION).iter().filter(shared).filter_map(|partition| value_of(partition, &NAME));
        names.map(str::to_string).collect()
    }

    /// The names, in quotes, of the partitions with a control program.
    pub fn hosts(&self) -> Vec<String> {
        let hosts = self.made(&PARTITION).iter().filter(|partition| value_of(partition, &CONTROL_PROGRAM).is_some());
        hosts.filter_map(|partition| value_of(partition, &NAME)).map(str::to_string).collect()
    }

    /// Whether a partition of this name, in quotes, is capped.
    pub fn is_capped(&self, name: &str) -> bool {
        let mut capped =
            self.made(&PARTITION).iter().filter(|partition| value_of(partition, &CAPPED) == Some("\"yes\""));
        capped.any(|partition| value_of(partition, &NAME) == Some(name))
    }

    /// The table in braces.
    pub fn inline(&mut self, spec: &'static Table) -> String {
        let values = self.values(spec);
        let pairs: Vec<String> = values.iter().map(|(key, value)| format!("{} = {value}", key.name)).collect();
        format!("{{ {} }}", pairs.join(", "))
    }

    /// Some tables of a kind, each with its header.
    pub fn listed(&mut self, spec: &'static Table) -> String {
        let needed = [&VOLUME, &GUEST, &PARTITION].into_iter().any(|needed| std::ptr::eq(spec, needed));
        let least = u32::from(needed);
        let mut blocks = Vec::new();
        for _ in 0..least + self.draw.below(4) {
            let nowhere = std::ptr::eq(spec, &FRONT_END) && self.carriers().is_empty()
                || std::ptr::eq(spec, &VIRTUAL_MACHINE) && self.hosts().is_empty()
                || std::ptr::eq(spec, &SPIN_LOCK) && self.made(&VIRTUAL_MACHINE).is_empty();
            if nowhere {
                break;
            }
            let values = self.values(spec);
            let lines: String = values.iter().map(|(key, value)| format!("{} = {value}\n", key.name)).collect();
            blocks.push(format!("[[{}]]\n{lines}", spec.name));
            self.made.entry(spec.name).or_default().push(values);
        }
        if std::ptr::eq(spec, &CHANGE) && !self.agreed.changes_meet && self.once_in(2) {
            blocks.reverse();
        }
        blocks.concat()
    }

    /// The values of a table: all that must be there, and some that may.
    fn values(&mut self, spec: &'static Table) -> Values {
        let mut values = Values::new();
        if std::ptr::eq(spec, &PARTITION) {
            self.agreed.control_program = self.once_in(3);
            self.agreed.capped = false;
        }
        let rivals = |key: &Key| spec.choices.iter().any(|choice| choice.keys.iter().any(|other| same(other, key)));
        let chosen: Vec<&Key> = spec.choices.iter().filter_map(|choice| self.choose(choice)).collect();
        for key in spec.keys.iter().copied().filter(|key| !is_note(key)) {
            let settled = self.settled(key, &values);
            let wanted = match key.need {
                _ if self.is_foreign(key) => false,
                _ if settled.is_some() => settled == Some(true),
                _ if same(key, &TARGET) || same(key, &WEIGHT) => value_of(&values, &MODE) != Some("\"UP\""),
                _ if same(key, &NEW_TARGET) || same(key, &NEW_WEIGHT) => true,
                _ if same(key, &NEW_MAXIMUM) => self.once_in(2),
                _ if same(key, &RUNS_IN) => {
                    self.reachable(None).is_empty() || chosen.iter().any(|other| same(other, key))
                }
                _ if rivals(key) => chosen.iter().any(|other| same(other, key)),
                Need::Required(_) => true,
                Need::Default(..) | Need::Defaults | Need::WorkedOut(_) | Need::Optional(_) => self.once_in(2),
            };
            let goes = key.beside.is_empty()
                || same(key, &FOOTPRINT)
                || values.iter().any(|(other, _)| key.beside.contains(&other.name));
            if wanted
                && goes
                && let Some(value) = value::of(self, spec, key, &values)
            {
                self.keys.insert((spec.name, key.name));
                self.agree(key, &value);
                values.push((key, value));
            }
        }
        self.note(spec, &mut values);
        values
    }

    /// Notes what others must agree on.
    fn agree(&mut self, key: &Key, value: &str) {
        if same(key, &DISPATCHER) {
            self.agreed.by_weight = value == "\"prsm\"";
        } else if same(key, &MACHINE) {
            self.agreed.machine = true;
        } else if same(key, &CAPPED) {
            self.agreed.capped = value == "\"yes\"";
        }
    }

    /// Whether a key is wanted that goes with others, if it is known from those.
    fn settled(&self, key: &Key, values: &Values) -> Option<bool> {
        let written = |other: &Key| value_of(values, other).is_some();
        let is = |other: &Key| same(key, other);
        match key {
            // Partitions and processors come together.
            _ if is(&PARTITIONS) => Some(written(&SHARED_PROCESSORS)),
            _ if is(&LAID_OUT) && !written(&SHARED_PROCESSORS) => Some(false),
            _ if is(&VOLUMES) => Some(true),
            _ if is(&VIRTUAL_MACHINES) => Some(!self.hosts().is_empty()),
            _ if is(&SPIN_LOCKS) => Some(!self.made(&VIRTUAL_MACHINE).is_empty()),
            _ if is(&PAGE_WRITES) && !written(&PAGE_READS) => Some(true),
            _ if is(&LOCK_ORDER) && value::halts(self, values) => Some(true),
            // Beside a shipped machine nothing is given of the topology but a factor.
            _ if is(&CORES_PER_CHIP) || is(&CHIPS_PER_BOOK) => Some(!self.agreed.machine),
            _ if is(&SHARED_BY) || is(&CACHE_SIZE) => Some(!self.agreed.machine),
            _ if is(&CONTROL_PROGRAM) => Some(self.agreed.control_program),
            _ if is(&SRM_POLARIZATION) && self.agreed.capped => Some(true),
            _ if is(&TOUCHED_IN) => Some(written(&FOOTPRINT)),
            _ if is(&RUNS_IN_MACHINES) && (written(&RUNS_IN) || self.reachable(None).is_empty()) => Some(false),
            _ if is(&NEW_CPUPAD) => Some(true),
            _ => None,
        }
    }

    /// Whether a key goes with the other dispatcher, or with an operating system where a control program is.
    fn is_foreign(&self, key: &Key) -> bool {
        if LEFT_OUT.iter().any(|other| same(other, key)) {
            return true;
        }
        let of_systems = [&SLIH, &SSCH, &RELOAD, &ENABLED, &CPENABLE, &MEASURED_BY, &POLARIZATION, &ONLINE];
        if self.agreed.control_program && of_systems.iter().any(|other| same(other, key)) {
            return true;
        }
        let of_slices = [&SCHEDULING_PARAMETER, &SLICE, &DISPATCHING, &TARGET, &NEW_TARGET, &NEW_MAXIMUM];
        let of_weights = [&RUN_TIME, &WAIT_COMPLETION, &PREEMPTION, &WEIGHT, &NEW_WEIGHT, &NEW_ONLINE];
        let foreign = if self.agreed.by_weight { &of_slices[..] } else { &of_weights[..] };
        foreign.iter().any(|other| same(other, key))
    }

    fn choose(&mut self, choice: &Choice) -> Option<&'static Key> {
        let possible: Vec<&'static Key> = choice.keys.iter().copied().filter(|key| value::can(self, key)).collect();
        // Where there are virtual machines many run in them, and some answer there.
        let virtual_too = !self.made(&VIRTUAL_MACHINE).is_empty();
        let there = [&LOCKED, &EXCHANGE, &RUNS_IN_MACHINES, &ARRIVES].into_iter().filter(|_| virtual_too);
        let there: Vec<&Key> = there.filter(|key| possible.iter().any(|other| same(other, key))).collect();
        if !there.is_empty() && !self.once_in(3) {
            return Some(self.one(&there));
        }
        // Where there are slices they have a length.
        let needed = choice.needed || choice.keys.iter().any(|key| same(key, &SLICE));
        (!possible.is_empty() && (needed || self.once_in(2))).then(|| self.one(&possible))
    }

    /// At most one note.
    fn note(&mut self, spec: &'static Table, values: &mut Values) {
        let own: Vec<&'static Key> = spec.keys.iter().copied().filter(|key| is_note(key)).collect();
        let (table, allowed) = if spec.notes { ("any table", NOTES.to_vec()) } else { (spec.name, own) };
        if !allowed.is_empty() && self.once_in(4) {
            let key = self.one(&allowed);
            self.keys.insert((table, key.name));
            values.push((key, value::of(self, spec, key, values).expect("a note is text")));
        }
    }
}

fn same(one: &Key, other: &Key) -> bool {
    std::ptr::eq(one, other)
}
