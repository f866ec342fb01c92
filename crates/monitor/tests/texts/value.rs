//! Random values of keys: by what a key may hold, and for few keys by what they must agree on with others.

use super::author::{Author, Values, value_of};
use scenario::language::{
    ABSOLUTE_SHARE, ADDED, ALIAS_POOL, ALIASES_ONLINE, ARRIVALS, ARRIVES, BEYOND, BOUND_ALIASES, CACHE_LEVEL,
    CACHE_SIZE, CACHES, CAP, CAPPED, CHANGED_ALIASES, CHANGED_AT, CHANGED_PARTITION, CHANGED_PATHS, CHANGED_POOL,
    CHANGED_SRM, CHANGED_UNIT, CHANGED_VOLUME, CHANNEL, CHANNEL_PER_KIB, CHANNEL_TYPE, CHANNELS_OF, CHOOSE,
    CONTROL_PROGRAM, CONTROL_UNIT, CYCLE, DECIDES_EVERY, DELETED, DEVICE, DISCIPLINE, DISPATCHER, DUPLEX, ENABLED,
    EXCHANGE, FIRST_ALIAS, FOOTPRINT, FROM_POOL, GUEST, GUEST_TYPE, HIGH, HOLD, HOLDS, HOST, INTERCEPT, INTERVAL, IO,
    IO_SLICE, IO_TICK, JITTER, Key, Kind, LIMIT, LOCK_OF, LOCK_ORDER, LOCKED, LOGICAL_PROCESSORS, LOOP_GAP, LOOP_MOST,
    LOOP_WINDOW, LOW, MAXIMUM, MESSAGE_IN, MESSAGE_OUT, NAME, NETWORK_RATE, NEW_MAXIMUM, NEW_ONLINE, NEW_POLARIZATION,
    NEW_SCHEDULING_PARAMETER, NEW_TARGET, OF_BOOK, OF_CHIP, OF_CORE, OF_PARTITION, ON_CONTROL_UNIT, ONE, ONE_MINIDISK,
    ONLINE, OWN, OWN_TRY, OWNER, PACE, PARTITION, PATHS, PATHS_ONLINE, PAUSE_LOOP, PER_CONCURRENT, PER_IO, PER_KIB,
    POLARIZATION, POOL_ALIASES, PROCESSORS, PROGRAM, PROMISED, RELEASED, RELOAD, REPEAT, REPEAT_MEAN, RESERVED,
    RESOURCE, RUNS_IN, RUNS_IN_MACHINES, SAMPLE, SCV, SERVICE, SHARED_BY, SHARING, SLICE, SPAWN, SPIN_LOCK, SPIN_TRY,
    SRM_OF, SRM_POLARIZATION, STEPS, SUBCHANNEL, SWITCH, TARGET, THINK, Table, VIRTUAL_MACHINE, VOLUME, YIELDS,
};
use std::collections::{BTreeMap, BTreeSet};
use units::{Bytes, Span};

/// The facts that several tables must agree on.
#[derive(Default)]
pub struct Agreed {
    /// The control unit of each pool that a volume has borrowed from.
    units: BTreeMap<String, Option<String>>,
    /// Whether the volume that is being written is on paths that slow each other.
    slowed: bool,
    /// How many lists of steps are around.
    nested: u32,
    /// The resources that are held, by their places.
    held: Vec<usize>,
    /// Whether the guest that is being written comes seldom enough to spawn others.
    spawns: bool,
    /// How many device numbers are given to aliases.
    aliases: u32,
    /// The ms of the last change.
    last_change: u32,
    /// The volumes that are reserved then.
    reserved: BTreeSet<String>,
    /// The partition of the guest that is being written.
    pub home: Option<String>,
    /// The virtual machines in which the guest that is being written runs.
    pub machines: Option<String>,
    /// The spin locks that are held, by their places.
    locked: Vec<usize>,
    /// The number of the cache that is being written, and the units that share it.
    pub cache: (usize, &'static str),
    /// Whether a shipped machine is named.
    pub machine: bool,
    /// Whether the partition that is being written has a control program.
    pub control_program: bool,
    /// Whether it is capped.
    pub capped: bool,
    /// Whether two changes come at one time, so that their order counts.
    pub changes_meet: bool,
    /// Whether processors are shared by weight.
    pub by_weight: bool,
    /// The partitions that changes have made come or go, an odd number of times.
    pub toggled: BTreeSet<String>,
}

/// Whether the key can have a value here: what it refers to must have been written.
pub fn can(author: &Author, key: &Key) -> bool {
    let is = |other: &Key| std::ptr::eq(key, other);
    let gives_up = [&THINK, &PACE, &IO, &MESSAGE_IN, &MESSAGE_OUT, &SPAWN, &EXCHANGE, &HOLD];
    match key.kind {
        _ if gives_up.into_iter().any(is) && !author.agreed.locked.is_empty() => false,
        _ if is(&LOCKED) => author.agreed.nested < 3 && !lockable(author).is_empty(),
        _ if is(&EXCHANGE) => author.agreed.held.is_empty() && !callable(author).is_empty(),
        _ if is(&REPEAT) || is(&REPEAT_MEAN) || is(&CHOOSE) => author.agreed.nested < 3,
        _ if is(&HOLD) => author.agreed.nested < 3 && !holdable(author).is_empty(),
        _ if is(&SUBCHANNEL) => !author.carriers().is_empty(),
        _ if is(&MESSAGE_IN) || is(&MESSAGE_OUT) => !author.front_ends().is_empty(),
        _ if is(&PACE) || is(&INTERCEPT) => author.agreed.machines.is_some(),
        _ if is(&HOST) || is(&SRM_OF) || is(&CHANGED_SRM) => !author.hosts().is_empty(),
        _ if is(&OWN) || is(&OWNER) => !author.agreed.held.is_empty(),
        _ if is(&SPAWN) => author.agreed.spawns && author.agreed.nested == 1 && !spawned(author).is_empty(),
        _ if is(&RELEASED) => !author.agreed.reserved.is_empty(),
        _ if is(&RESERVED) => author.agreed.reserved.len() < author.made(&VOLUME).len(),
        _ if is(&CHANGED_VOLUME) => !author.bound().is_empty(),
        _ if is(&CHANGED_ALIASES) => can(author, &CHANGED_POOL) || can(author, &CHANGED_VOLUME),
        _ if is(&CHANGED_PATHS) => can(author, &CHANGED_UNIT),
        _ if is(&CHANGED_PARTITION) => !author.sharing().is_empty(),
        _ if is(&NEW_SCHEDULING_PARAMETER) => !author.sharing().is_empty() && !author.agreed.by_weight,
        _ if is(&ADDED) => !author.partitions(false).is_empty(),
        _ if is(&DELETED) => !author.partitions(true).is_empty(),
        _ if is(&ONE) || is(&ONE_MINIDISK) => !reached(author, key).is_empty(),
        Kind::Refer(table) => !author.made(table).is_empty(),
        _ => true,
    }
}

/// A value of a key as TOML; none if nothing would do.
pub fn of(author: &mut Author, spec: &'static Table, key: &'static Key, values: &Values) -> Option<String> {
    let is = |other: &Key| std::ptr::eq(key, other);
    if !can(author, key) {
        return None;
    }
    if is(&NAME) && std::ptr::eq(spec, &CACHE_LEVEL) {
        return Some(format!("\"L{}\"", author.agreed.cache.0));
    }
    if is(&NAME) {
        (author.agreed.home, author.agreed.machines) = (None, None);
        let number = author.made(spec).len();
        return Some(format!("\"{}{}{number}\"", &spec.name[..3], if number.is_multiple_of(2) { "-" } else { "." }));
    }
    if is(&SERVICE) {
        let units = author.made(&CONTROL_UNIT).iter();
        let unit = units.into_iter().find(|unit| value_of(unit, &NAME) == value_of(values, &ON_CONTROL_UNIT));
        author.agreed.slowed = unit.is_some_and(|unit| value_of(unit, &SHARING).is_some());
    }
    if is(&PROGRAM) {
        // A guest that is always ready would spawn more than the machine can hold.
        author.agreed.spawns = value_of(values, &ARRIVALS).is_some() || value_of(values, &ARRIVES).is_some();
        return Some(program(author, key));
    }
    if is(&STEPS) {
        let inside = plain(author, key, key.kind);
        if value_of(values, &HOLD).is_some() {
            author.agreed.held.pop();
        } else if value_of(values, &LOCKED).is_some() {
            author.agreed.locked.pop();
        }
        return Some(inside);
    }
    match key.kind {
        Kind::Refer(_) => refer(author, key, values),
        Kind::Device => Some(device(author, key, values)),
        Kind::Count(least, most) => count(author, key, (least, most), values),
        Kind::Span(..) if is(&LOOP_GAP) => Some(format!("\"{} ns\"", 1 + author.draw.below(9_999))),
        // The first window is no longer than the longest.
        Kind::Span(..) if is(&LOOP_WINDOW) => Some(format!("\"{} us\"", 1 + author.draw.below(9))),
        Kind::Span(..) if is(&LOOP_MOST) => Some(format!("\"{} us\"", 10 + author.draw.below(90))),
        Kind::Span(..) if is(&IO_SLICE) || is(&IO_TICK) => Some(token_slices(author, is(&IO_TICK))),
        Kind::Span(least, _) => span_of(author, key, least),
        Kind::Named(table) if is(&CACHES) => Some(caches(author, table)),
        // A path for each channel, and channels that are all held alike.
        Kind::Refers(_) if is(&CHANNELS_OF) => channels(author, values),
        Kind::Word(_) if is(&HOLDS) => Some("\"transfer\"".into()),
        // Directions that take turns carry one I/O at a time.
        Kind::Word(_) if is(&DISCIPLINE) && value_of(values, &DUPLEX) == Some("\"half\"") => Some("\"fifo\"".into()),
        Kind::Word(types) if is(&CHANNEL_TYPE) => {
            Some(format!("\"{}\"", types[1 + author.draw.below(types.len() as u32 - 1) as usize]))
        }
        // A loop is intercepted where the control program does that.
        Kind::Word(words) if is(&YIELDS) && !intercepts_loops(author, values) => {
            let words: Vec<_> = words.iter().filter(|word| **word != PAUSE_LOOP).collect();
            Some(format!("\"{}\"", words[author.draw.below(words.len() as u32) as usize]))
        }
        // A halted guest is kicked when it is its turn.
        Kind::Word(_) if is(&LOCK_ORDER) && halts(author, values) => Some("\"ticket\"".into()),
        // A cap that leaves a low processor nothing could keep what it has begun for ever.
        Kind::Word(_)
            if is(&POLARIZATION) && value_of(values, &CAPPED) == Some("\"yes\"")
                || is(&SRM_POLARIZATION) && author.agreed.capped
                || is(&NEW_POLARIZATION) && value_of(values, &SRM_OF).is_some_and(|of| author.is_capped(of)) =>
        {
            Some("\"horizontal\"".into())
        }
        kind => Some(plain(author, key, kind)),
    }
}

/// A slice of the tokens of a limit, or the tick of its clock, which divides it.
fn token_slices(author: &mut Author, ticks: bool) -> String {
    let ms = if ticks { [0, 1, 4, 10][author.draw.below(4) as usize] } else { 20 * (1 + author.draw.below(5)) };
    format!("\"{ms} ms\"")
}

/// Whether the machines of a lock halt, or may, by their operating system.
pub fn halts(author: &Author, values: &Values) -> bool {
    let own = |machine: &&Values| value_of(machine, &NAME) == value_of(values, &LOCK_OF);
    let halting = ["\"halt\"", "\"Linux 3.12\""].map(Some);
    let says =
        |machine: &Values| [&YIELDS, &GUEST_TYPE].into_iter().any(|key| halting.contains(&value_of(machine, key)));
    author.made(&VIRTUAL_MACHINE).iter().find(own).is_some_and(says)
}

/// Whether the control program of the machines that are being written intercepts loops.
fn intercepts_loops(author: &Author, values: &Values) -> bool {
    let own = |partition: &&Values| value_of(partition, &NAME) == value_of(values, &HOST);
    let program = author.made(&PARTITION).iter().find(own).and_then(|partition| value_of(partition, &CONTROL_PROGRAM));
    program.is_some_and(|program| program.contains("pause_loop"))
}

/// The channels of a path group that states no number of paths; all serve I/Os in the same way.
fn channels(author: &mut Author, values: &Values) -> Option<String> {
    if author.names(&CHANNEL).is_empty() || value_of(values, &PATHS).is_some() {
        return None;
    }
    let fifo = |channel: &Values| {
        [(&DISCIPLINE, "\"fifo\""), (&DUPLEX, "\"half\"")]
            .into_iter()
            .any(|(key, word)| value_of(channel, key) == Some(word))
    };
    let first = author.made(&CHANNEL).first().is_some_and(fifo);
    let alike = author.made(&CHANNEL).iter().filter(|channel| fifo(channel) == first);
    let names: Vec<String> = alike.filter_map(|channel| value_of(channel, &NAME)).map(str::to_string).collect();
    let count = 1 + author.draw.below(names.len() as u32) as usize;
    Some(format!("[{}]", names[..count].join(", ")))
}

/// The name of what a key refers to, in quotes, so that pools, paths and reserves agree.
fn refer(author: &mut Author, key: &'static Key, values: &Values) -> Option<String> {
    let is = |other: &Key| std::ptr::eq(key, other);
    let Kind::Refer(table) = key.kind else { unreachable!("it was asked for") };
    let mut names = author.names(table);
    let unit = value_of(values, &ON_CONTROL_UNIT).map(str::to_string);
    if is(&FROM_POOL) {
        names.retain(|pool| author.agreed.units.get(pool).is_none_or(|other| *other == unit));
    } else if is(&CHANGED_VOLUME) {
        names = author.bound().into_iter().filter_map(|volume| value_of(volume, &NAME)).map(str::to_string).collect();
    } else if is(&ONE) || is(&ONE_MINIDISK) {
        names = reached(author, key);
    } else if is(&SUBCHANNEL) {
        names = author.carriers();
    } else if is(&MESSAGE_IN) || is(&MESSAGE_OUT) {
        names = author.front_ends();
    } else if is(&SPAWN) {
        names = spawned(author);
    } else if is(&EXCHANGE) {
        names = callable(author);
    } else if is(&LOCKED) {
        names = lockable(author).into_iter().map(|(_, name)| name).collect();
    } else if is(&HOLD) {
        names = holdable(author);
    } else if is(&OWNER) {
        names = author.agreed.held.iter().map(|place| names[*place].clone()).collect();
    } else if is(&RUNS_IN) {
        names.retain(|partition| !author.reachable(Some(partition)).is_empty());
    } else if is(&RESERVED) {
        names.retain(|volume| !author.agreed.reserved.contains(volume));
    } else if is(&RELEASED) {
        names.retain(|volume| author.agreed.reserved.contains(volume));
    } else if is(&PROMISED) {
        names = author.sharing();
    } else if is(&OF_PARTITION) {
        let hosts = author.hosts();
        names.retain(|partition| !hosts.contains(partition));
    } else if is(&HOST) || is(&SRM_OF) {
        names = author.hosts();
    } else if is(&ADDED) || is(&DELETED) {
        names = author.partitions(is(&DELETED));
    }
    if names.is_empty() {
        return None;
    }
    let name = author.one(&names);
    agree(author, key, &name, unit);
    Some(name)
}

/// Records the facts that others must agree on, now that a key names this; a pool has the control unit of its borrowers.
fn agree(author: &mut Author, key: &Key, name: &str, unit: Option<String>) {
    let is = |other: &Key| std::ptr::eq(key, other);
    if is(&FROM_POOL) {
        author.agreed.units.insert(name.into(), unit);
    } else if is(&HOLD) {
        let place = author.names(&RESOURCE).iter().position(|other| other == name);
        author.agreed.held.push(place.expect("it was one of them"));
    } else if is(&RUNS_IN) {
        author.agreed.home = Some(name.into());
    } else if is(&RUNS_IN_MACHINES) {
        author.agreed.machines = Some(name.into());
    } else if is(&LOCKED) {
        let place = author.names(&SPIN_LOCK).iter().position(|other| other == name);
        author.agreed.locked.push(place.expect("it was one of them"));
    } else if is(&RESERVED) {
        author.agreed.reserved.insert(name.into());
    } else if is(&RELEASED) {
        author.agreed.reserved.remove(name);
    } else if (is(&ADDED) || is(&DELETED)) && !author.agreed.toggled.remove(name) {
        author.agreed.toggled.insert(name.into());
    }
}

/// The names of the resources after those that are held, so that all programs hold them in one order.
fn holdable(author: &Author) -> Vec<String> {
    let from = author.agreed.held.last().map_or(0, |place| place + 1);
    author.names(&RESOURCE).split_off(from)
}

/// The spin locks of the virtual machines of the guest that is being written, by their places: after those that are held.
fn lockable(author: &Author) -> Vec<(usize, String)> {
    let Agreed { locked, machines, .. } = &author.agreed;
    let from = locked.last().map_or(0, |place| place + 1);
    let locks = author.made(&SPIN_LOCK).iter().enumerate().skip(if locked.len() < 2 { from } else { usize::MAX });
    let own = locks.filter(|(_, lock)| machines.is_some() && value_of(lock, &LOCK_OF) == machines.as_deref());
    own.filter_map(|(place, lock)| Some((place, value_of(lock, &NAME)?.to_string()))).collect()
}

/// The names of the guests so far that answer from virtual machines, if the guest that is being written is in some.
fn callable(author: &Author) -> Vec<String> {
    let answers = |guest: &&Values| {
        let written = |key| value_of(guest, key).is_some();
        author.agreed.machines.is_some() && written(&ARRIVES) && written(&RUNS_IN_MACHINES)
    };
    author.made(&GUEST).iter().filter(answers).filter_map(|guest| value_of(guest, &NAME)).map(str::to_string).collect()
}

/// The names of the guests so far that others spawn.
fn spawned(author: &Author) -> Vec<String> {
    let guests = author.made(&GUEST).iter().filter(|guest| value_of(guest, &ARRIVES).is_some());
    guests.filter_map(|guest| value_of(guest, &NAME)).map(str::to_string).collect()
}

/// The names of the kind of a key that the guest that is being written may do I/O to.
fn reached(author: &Author, key: &Key) -> Vec<String> {
    let Kind::Refer(table) = key.kind else { unreachable!("it names one") };
    author.within_reach(&[table])
}

/// A base has a number of its own, and so has every alias.
fn device(author: &mut Author, key: &Key, values: &Values) -> String {
    if std::ptr::eq(key, &DEVICE) {
        return format!("\"{:x}\"", 0x0100 + author.made(&VOLUME).len());
    }
    assert!(std::ptr::eq(key, &FIRST_ALIAS), "{} is a device number that the author does not know", key.name);
    let count = value_of(values, &POOL_ALIASES).or(value_of(values, &BOUND_ALIASES));
    let first = 0xA000 + author.agreed.aliases;
    author.agreed.aliases += count.and_then(|count| count.parse::<u32>().ok()).expect("it is beside a count");
    format!("\"{first:04X}\"")
}

/// A small count; online are at most those that were built.
fn count(author: &mut Author, key: &Key, (least, most): (u32, u32), values: &Values) -> Option<String> {
    let online = [
        (&PATHS_ONLINE, &CHANGED_UNIT, &CONTROL_UNIT, &PATHS),
        (&ALIASES_ONLINE, &CHANGED_POOL, &ALIAS_POOL, &POOL_ALIASES),
        (&ALIASES_ONLINE, &CHANGED_VOLUME, &VOLUME, &BOUND_ALIASES),
    ];
    let is = |other: &Key| std::ptr::eq(key, other);
    let (mut least, mut most) = (least, most.min(least + 7));
    if is(&PROCESSORS) {
        // Enough for four partitions with two of their own each, and for those that share.
        (least, most) = (10, 12);
    } else if is(&LOGICAL_PROCESSORS) {
        most = 2;
    } else if is(&NEW_ONLINE) {
        // Of a partition with a control program all are online.
        if value_of(values, &PROMISED).is_some_and(|name| author.hosts().iter().any(|host| host == name)) {
            return None;
        }
        most = 1;
    } else if is(&ENABLED) || is(&ONLINE) {
        most = value_of(values, &LOGICAL_PROCESSORS).and_then(|count| count.parse().ok()).expect("it comes before");
    }
    for (key, which, table, count) in online.into_iter().filter(|(online, ..)| std::ptr::eq(key, *online)) {
        let Some(name) = value_of(values, which) else { continue };
        let built = author.made(table).iter().find(|built| value_of(built, &NAME) == Some(name));
        let built = built.and_then(|built| value_of(built, count)).map(|count| count.parse().expect("a count"));
        // A control unit has a path for each channel, or four unless it says otherwise.
        let channels = author.made(table).iter().find(|built| value_of(built, &NAME) == Some(name));
        let channels = channels.and_then(|built| value_of(built, &CHANNELS_OF));
        let paths = channels.map_or(4, |names| names.matches(',').count() as u32 + 1);
        most = built.unwrap_or(if std::ptr::eq(key, &PATHS_ONLINE) { paths } else { 0 });
    }
    Some((least + author.draw.below(most - least + 1)).to_string())
}

fn span_of(author: &mut Author, key: &Key, least: &str) -> Option<String> {
    let is = |other: &Key| std::ptr::eq(key, other);
    let us = 1_000;
    if is(&PER_CONCURRENT) && author.agreed.slowed {
        return None;
    }
    if is(&SPIN_TRY) || is(&OWN_TRY) {
        // A round of tries is an event.
        return Some(format!("\"{} ns\"", 200 + author.draw.below(9_800)));
    }
    let (least_us, most_us) = if is(&CHANGED_AT) {
        let later = author.draw.below(30);
        author.agreed.changes_meet |= later == 0;
        author.agreed.last_change += later;
        (author.agreed.last_change * us, author.agreed.last_change * us)
    } else if is(&INTERVAL) {
        (20 * us, 60 * us)
    } else if is(&SAMPLE) {
        (us, 20 * us)
    } else if is(&PER_CONCURRENT) || is(&PER_KIB) {
        (0, 100)
    } else if is(&PER_IO) || is(&CHANNEL_PER_KIB) {
        (0, 10)
    } else if is(&CYCLE) {
        (50 * us, 70 * us)
    } else if is(&JITTER) {
        (0, 50 * us)
    } else if is(&RELOAD) {
        // With the longest switch still less than that.
        (0, 10)
    } else if is(&SLICE) {
        (2 * us, 10 * us)
    } else if is(&DECIDES_EVERY) {
        (10 * us, 30 * us)
    } else if is(&SWITCH) {
        // The least target, against three of the largest, has a twentieth of a slice.
        (0, 90)
    } else {
        let least = least.parse::<Span>().expect("the bounds of the language are spans");
        // Something always takes time: what may be nothing is so by its default.
        (((least.ms() * 1_000.0) as u32).max(5), 2 * us)
    };
    Some(span(author, (least_us, most_us)))
}

/// A span of this many us, in one of the ways in which people write it.
fn span(author: &mut Author, (least, most): (u32, u32)) -> String {
    let us = least + author.draw.below(most - least + 1);
    match author.draw.below(4) {
        0 => format!("\"{us} us\""),
        1 => format!("\"{}.{:03}ms\"", us / 1_000, us % 1_000),
        2 => format!("\".{us:06} s\""),
        _ => format!("\"{}\"", Span::from_us(us.into())),
    }
}

/// A dispatcher of partitions.
fn dispatcher(author: &mut Author, words: &[&'static str]) -> String {
    let known: Vec<&str> = words.iter().copied().filter(|word| *word != "cfs").collect();
    format!("\"{}\"", author.one(&known))
}

const TEXTS: [&str; 3] = ["\"a reason\"", "'''two\nlines'''", "\"\\\"quoted\\\" \\\\ é # x\""];

/// A value by its kind alone.
fn plain(author: &mut Author, key: &'static Key, kind: Kind) -> String {
    let is = |other: &Key| std::ptr::eq(key, other);
    match kind {
        Kind::Text | Kind::Lines => author.one(&TEXTS).into(),
        Kind::TextOr(_) => {
            unreachable!("texts that may be in files are those of the service, which is not written here")
        }
        Kind::Line => author.one(&["\"Random\"", "'C:\\x'", "\"# no comment\""]).into(),
        Kind::Name(_) => author.one(&["\"3390-9\"", "\"X\""]).into(),
        Kind::File => author.one(&["\"io.csv\"", "\"../traces/big one.parquet\""]).into(),
        Kind::Word(_) if is(&SHARED_BY) => format!("\"{}\"", author.agreed.cache.1),
        Kind::Word(words) if is(&DISPATCHER) => dispatcher(author, words),
        Kind::Word(words) => format!("\"{}\"", author.one(words)),
        Kind::SpanOr(word) if author.once_in(3) => format!("\"{word}\""),
        Kind::SpanOr(_) => span(author, (0, 20_000)),
        Kind::SpanPair => format!("[{}, {}]", span(author, (0, 500)), span(author, (500, 2_000))),
        Kind::Bytes(..) if is(&NETWORK_RATE) => format!("\"{} MB\"", 1 + author.draw.below(500)),
        Kind::Bytes(..) => {
            let least = if is(&FOOTPRINT) || is(&CACHE_SIZE) { 2 } else { 0 };
            let bytes = 512 * (least + author.draw.below(129));
            if author.once_in(2) { format!("\"{}\"", Bytes::new(bytes.into())) } else { format!("\"{bytes} B\"") }
        }
        // Targets of four partitions, none above its maximum, fit into one frame.
        // No low threshold is above a high one, defaults included.
        Kind::Percent(_) if is(&LOW) => format!("\"{} %\"", author.draw.below(31)),
        Kind::Percent(_) if is(&HIGH) => format!("\"{} %\"", 30 + author.draw.below(71)),
        Kind::Percent(_) if is(&TARGET) || is(&NEW_TARGET) => format!("\"{} %\"", 1 + author.draw.below(25)),
        Kind::Percent(_) if is(&MAXIMUM) || is(&NEW_MAXIMUM) => format!("\"{} %\"", 25 + author.draw.below(76)),
        // Absolute shares of all virtual machines fit into one whole, and no limit is below one.
        Kind::Percent(_) if is(&ABSOLUTE_SHARE) => format!("\"{:.1} %\"", 0.1 + author.draw.unit() * 2.8),
        Kind::Percent(_) if is(&LIMIT) => format!("\"{} %\"", 3 + author.draw.below(98)),
        Kind::Percent(most) if is(&PACE) => format!("\"{:.1} %\"", 0.1 + author.draw.unit() * (most - 0.1)),
        Kind::Percent(most) | Kind::Growth(most) => format!("\"{:.1} %\"", author.draw.unit() * most),
        Kind::Rate(least, _) => format!("\"{:.3}/s\"", least.max(0.5) + author.draw.unit() * 60.0),
        // A hyperexponential has no less spread than an exponential; what is less than a digit is written as nothing.
        // Beyond the outer caches work is no faster.
        Kind::Number(..) if is(&BEYOND) => format!("{}.5", author.agreed.cache.0.min(3)),
        Kind::Number(least, most) => {
            let least = if is(&SCV) { 1.0 } else { least.max(0.001) };
            // No partition has less than one processor.
            let most = if is(&CAP) { 1.0 } else { most };
            format!("{:.3}", least + author.draw.unit() * (most - least).min(4.0))
        }
        Kind::Counts(many, least, _) => {
            // A farther processor does not steal when fewer wait.
            let mut counts: Vec<u32> = (0..many).map(|_| least + author.draw.below(4)).collect();
            counts.sort_unstable();
            format!("{counts:?}")
        }
        Kind::Distribution(_) if author.once_in(3) => span(author, (5, 1_000)),
        Kind::Distribution(table) | Kind::Table(table) => author.inline(table),
        Kind::Named(table) | Kind::Numbered(table) => author.listed(table),
        Kind::Steps(table) => format!("[ {} ]", steps(author, table).join(", ")),
        Kind::Alternatives(table) => {
            let count = 1 + author.draw.below(3);
            let alternatives: Vec<String> = (0..count).map(|_| author.inline(table)).collect();
            format!("[ {} ]", alternatives.join(", "))
        }
        Kind::Refers(tables) => format!("[{}]", some_of(author, tables).join(", ")),
        Kind::Weights(tables) => {
            let weights: Vec<String> = some_of(author, tables)
                .into_iter()
                .map(|name| format!("{name} = {:.2}", 0.01 + 9.0 * author.draw.unit()))
                .collect();
            format!("{{ {} }}", weights.join(", "))
        }
        Kind::Refer(_) | Kind::Device | Kind::Span(..) | Kind::Count(..) => unreachable!("they agree with others"),
    }
}

/// Levels of caches, each shared by more than the one before it; of a shipped machine one that each of them has.
fn caches(author: &mut Author, table: &'static Table) -> String {
    let shipped = author.agreed.machine;
    let sharing: Vec<&'static str> = if shipped {
        vec![OF_CORE]
    } else {
        [OF_CORE, OF_CHIP, OF_BOOK].into_iter().filter(|_| author.once_in(2)).collect()
    };
    let mut levels = Vec::new();
    for (number, shared_by) in sharing.into_iter().enumerate() {
        author.agreed.cache = (number + if shipped { 2 } else { 1 }, shared_by);
        levels.push(author.inline(table));
    }
    format!("[{}]", levels.join(", "))
}

/// Steps, the last of which takes time, whatever was chosen, repeated or spawned before.
fn program(author: &mut Author, key: &Key) -> String {
    let Kind::Steps(table) = key.kind else { unreachable!("a program has steps") };
    let mut steps = steps(author, table);
    steps.push("{ think = \"5 us\" }".into());
    format!("[ {} ]", steps.join(", "))
}

fn steps(author: &mut Author, table: &'static Table) -> Vec<String> {
    author.agreed.nested += 1;
    let count = 1 + author.draw.below(3);
    let steps = (0..count).map(|_| author.inline(table)).collect();
    author.agreed.nested -= 1;
    steps
}

/// Some of the names of these kinds, in any order.
fn some_of(author: &mut Author, tables: &[&'static Table]) -> Vec<String> {
    let mut names: Vec<String> = author.within_reach(tables);
    let count = 1 + author.draw.below(names.len() as u32) as usize;
    (0..count).map(|_| names.swap_remove(author.draw.below(names.len() as u32) as usize)).collect()
}
