//! Resources by name: valid names, one resource per name, volumes that can be reserved, and the guests that enqueue.

use super::{Names, control_programs, exits, steps};
use crate::language::{
    ACCELSYS, CHANGE_CONTROL, CHANGES, CONNECTED, DEQ, ENQ, ENQ_ACCESS, ENQ_STEPS, ENQUEUE, ENQUEUE_MEMBERS, ENQUEUES,
    EXCLUSIVE_ACCESS, EXIT_NAMES, EXIT_VOLUME, EXITS, GUESTS, HAVE, Key, MANAGED, MOST_QUEUES, NAME, NAME_LISTS,
    OF_PARTITION, PARTITION, PARTITIONS, PROGRAM, QNAME, RELEASED, REPEAT, REPEAT_MEAN, RESERVED, RESERVES, RET, RING,
    RNAME, RUNS_IN, RUNS_IN_CGROUP, SCOPE, SERIALIZED, SHARED_ACCESS, SYSTEMS_SCOPE, TEST, VOLUME, VOLUMES,
};
use crate::problems::Problems;
use crate::resolved::{Filed, Table, Value};
use crate::text::clip;
use machine::call::{MOST_KEPT, MOST_NESTED};
use machine::plan::Structure;
use serialization::ResourceName;
use serialization::name_list::NameListText;
use std::collections::{BTreeMap, BTreeSet};
use units::Problem;

/// Checks the resources, the name lists, and every step that enqueues.
pub fn check(root: &Table, names: &Names, problems: &mut Problems<'_>) {
    check_names(root, problems);
    check_total(root, problems);
    check_lists(root, problems);
    for enqueue in root.tables(&ENQUEUES) {
        check_reserve(enqueue, problems);
        check_views(root, (enqueue, &RESERVES), names, problems);
    }
    for exit in exits::own(root) {
        check_views(root, (exit, &EXIT_VOLUME), names, problems);
    }
    check_reserves(root, problems);
    let tables = root.tables(&ENQUEUES);
    if let Some(first) =
        tables.first().filter(|_| root.entry(&SERIALIZED).is_none() && !root.misspelt.contains(&SERIALIZED.name))
    {
        let problem = Problem::new("a resource by name, and no service that queues for it")
            .key(first.title())
            .because("a guest that enqueues calls the service, whose exits and prices are in [serialization]")
            .allowed(["[serialization]"]);
        problems.add(first.at, problem);
    }
    for guest in root.tables(&GUESTS) {
        let mut walk = Walk { names, guest, root, kept: BTreeMap::new() };
        guest.tables(&PROGRAM).iter().for_each(|step| walk.keeps(step, false, problems));
        guest.tables(&PROGRAM).iter().for_each(|step| walk.check(step, &mut Vec::new(), problems));
    }
}

/// The names that a table stands for: its own, or those of its members.
fn rnames(table: &Table) -> Option<Vec<String>> {
    let (rname, members) = (table.text(&RNAME)?, table.count(&ENQUEUE_MEMBERS)?);
    Some(match members {
        1 => vec![rname.to_string()],
        _ => (1..=members).map(|member| format!("{rname}.{member}")).collect(),
    })
}

/// Every name can be one, and is that of one resource.
fn check_names(root: &Table, problems: &mut Problems<'_>) {
    let mut known: BTreeMap<(String, String), String> = BTreeMap::new();
    for table in root.tables(&ENQUEUES) {
        let (Some(qname), Some(rnames)) = (table.text(&QNAME), rnames(table)) else { continue };
        let longest = rnames.last().expect("there is one member at least");
        if let Err(wrong) = ResourceName::new(qname.as_bytes(), longest.as_bytes()) {
            for problem in wrong {
                let key: &Key = if problem.key == QNAME.name { &QNAME } else { &RNAME };
                problems.add(table.at(key), problem.key(table.path(key)));
            }
            continue;
        }
        for rname in rnames {
            let name = (qname.trim_end().to_string(), rname);
            if let Some(first) = known.get(&name) {
                let problem = Problem::new(format!("`{} {}` a second time", name.0, name.1))
                    .key(table.path(&RNAME))
                    .because(format!("it is `{first}`, and one name means one resource"))
                    .allowed([format!("steps that ask for `{first}`"), "another rname".into()]);
                problems.add(table.at(&RNAME), problem);
                break;
            }
            known.insert(name, table.text(&NAME).unwrap_or_default().to_string());
        }
    }
}

/// Every queue takes memory.
fn check_total(root: &Table, problems: &mut Problems<'_>) {
    let (systems, spaces) = (root.tables(&PARTITIONS).len(), root.tables(&GUESTS).len());
    let each = if reaches_mix(root) { systems + spaces + 1 } else { systems.max(spaces).max(1) } as u64;
    let mut total = 0;
    let Some(first) = root.tables(&ENQUEUES).iter().find(|table| {
        total += u64::from(table.count(&ENQUEUE_MEMBERS).unwrap_or(1)) * each;
        total > u64::from(MOST_QUEUES)
    }) else {
        return;
    };
    let problem = Problem::new("too many resources by name, counted with all members")
        .key(first.path(&ENQUEUE_MEMBERS))
        .because("each may have a queue in every partition or group of guests, and more do not fit the memory that a run is promised to stay within")
        .allowed([format!("up to {} in all", u64::from(MOST_QUEUES) / each)]);
    problems.add(first.at(&ENQUEUE_MEMBERS), problem);
}

/// Whether one name may reach as far for one requester and farther for another, with a queue for each.
fn reaches_mix(root: &Table) -> bool {
    let structure = root.table(&SERIALIZED).and_then(|own| own.text(&EXITS));
    !exits::own(root).is_empty() || structure == Some(Structure::SvcFrontEnd.word())
}

/// The text of the name lists says what it says.
fn check_lists(root: &Table, problems: &mut Problems<'_>) {
    let Some(table) = root.table(&SERIALIZED) else { return };
    check_list((table, &NAME_LISTS), problems);
    check_list((table, &MANAGED), problems);
    exits::own(root).iter().for_each(|exit| check_list((exit, &EXIT_NAMES), problems));
}

fn check_list((table, key): (&Table, &Key), problems: &mut Problems<'_>) {
    let filed = if let Some(Value::Filed(filed)) = table.value(key) { Some(filed) } else { None };
    if let Some(Filed { name, text: None }) = filed {
        let problem = Problem::new(format!("`{}` has not been read", clip(name)))
            .key(table.path(key))
            .because("a scenario given as a text has to include the contents of its files")
            .allowed(["the text itself"]);
        return problems.add(table.at(key), problem);
    }
    let Some(text) = table.text(key) else { return };
    let file = filed.and_then(|filed| problems.text().files.iter().find(|file| file.name == filed.name));
    let Err(wrong) = NameListText::read(text.as_bytes(), "") else { return };
    for problem in wrong {
        if let Some(file) = file {
            problems.add_elsewhere(problem.in_file(&file.shown).key(table.path(key)));
            continue;
        }
        let line = problem.line.map_or(String::new(), |line| format!("line {line} of it: "));
        let told = Problem { what: format!("{line}{}", problem.what), line: None, column: None, ..problem };
        problems.add(table.at(key), told.key(table.path(key)));
    }
}

/// A RESERVE is for all systems.
fn check_reserve(enqueue: &Table, problems: &mut Problems<'_>) {
    let scope = enqueue.text(&SCOPE).is_some_and(|scope| scope != SYSTEMS_SCOPE);
    if enqueue.references(&RESERVES).is_empty() || !scope {
        return;
    }
    let problem = Problem::new("a RESERVE of a name that is not for all systems")
        .key(enqueue.path(&RESERVES))
        .because("RESERVE is of scope SYSTEMS; name lists may make it local")
        .allowed(["scope = \"systems\""]);
    problems.add(enqueue.at(&RESERVES), problem);
}

/// A volume that is reserved is seen by partitions, by each as one volume, and by no other reserve.
fn check_views(root: &Table, (table, key): (&Table, &Key), names: &Names, problems: &mut Problems<'_>) {
    let mut refuse = |at, what: String, why: &str, allowed: &str| {
        problems.add(at, Problem::new(what).key(table.path(key)).because(why).allowed([allowed]));
    };
    let mut seen = BTreeSet::new();
    for view in table.references(key) {
        let Some(number) = names.index(&VOLUME, &view.name) else { continue };
        let volume = &root.tables(&VOLUMES)[number];
        match volume.text(&OF_PARTITION) {
            None if volume.misspelt.contains(&OF_PARTITION.name) => {}
            None => {
                let what = format!("`{}` is in no partition", view.name);
                refuse(view.at, what, "a volume is reserved against other systems", "volumes with a partition");
            }
            Some(partition) if !seen.insert(partition) => {
                let what = format!("a second volume of `{partition}`");
                refuse(view.at, what, "it is one volume, and a system sees it once", "one volume of each partition");
            }
            Some(_) => {}
        }
        let changed = |key: &Key| root.tables(&CHANGES).iter().any(|change| change.text(key) == Some(&view.name));
        if changed(&RESERVED) || changed(&RELEASED) {
            let what = format!("`{}` is reserved by a change as well", view.name);
            refuse(view.at, what, "the owner of a volume would be decided in two places", "either of the two");
        }
    }
}

/// Two lists of volumes are the same or have none in common.
fn check_reserves(root: &Table, problems: &mut Problems<'_>) {
    let mut known: Vec<(Vec<&str>, &Table)> = Vec::new();
    let enqueues = root.tables(&ENQUEUES).iter().map(|enqueue| (enqueue, &RESERVES));
    let lists = enqueues.chain(exits::own(root).iter().map(|exit| (exit, &EXIT_VOLUME)));
    for (table, key) in lists {
        let views: Vec<&str> = table.references(key).iter().map(|view| view.name.as_str()).collect();
        let shared = |other: &[&str]| other.iter().any(|view| views.contains(view));
        if let Some((_, first)) = known.iter().find(|(other, _)| shared(other) && *other != views) {
            let problem = Problem::new("some of the volumes that another resource reserves")
                .key(table.path(key))
                .because(format!(
                    "a list is one volume as several systems see it, and {} has another list",
                    first.title()
                ))
                .allowed(["the same list in the same order", "other volumes"]);
            problems.add(table.at(key), problem);
        }
        known.push((views, table));
    }
}

/// A walk over the program of a guest.
struct Walk<'t, 'n> {
    names: &'n Names,
    guest: &'t Table,
    root: &'t Table,
    /// The resources that it keeps beyond any steps.
    kept: BTreeMap<&'t str, &'t Table>,
}

impl<'t> Walk<'t, '_> {
    /// Notes what is kept, and that nothing is asked for twice that may be held already.
    fn keeps(&mut self, step: &'t Table, repeated: bool, problems: &mut Problems<'_>) {
        let again = repeated || [&REPEAT, &REPEAT_MEAN].into_iter().any(|key| step.entry(key).is_some());
        steps::inside(step).for_each(|step| self.keeps(step, again, problems));
        let Some(name) = step.text(&ENQ).filter(|_| step.entry(&ENQ_STEPS).is_none() && takes(step)) else { return };
        if step.misspelt.contains(&ENQ_STEPS.name) {
            return;
        }
        let before = self.kept.insert(name, step);
        if (repeated || before.is_some()) && step.text(&RET) != Some(HAVE) {
            let problem = Problem::new(format!("`{name}` may be kept already when it is asked for"))
                .key(step.path(&ENQ))
                .because("a task that asks again for what it has ends with X'138', unless it says that it may have it")
                .allowed(["ret = \"have\"", "do = [...]"]);
            problems.add(step.at(&ENQ), problem);
        }
        if before.is_none() && self.kept.len() > MOST_KEPT {
            let problem = Problem::new(format!("a program that keeps more than {MOST_KEPT} resources"))
                .key(step.path(&ENQ))
                .because("a guest can keep this many beyond its steps")
                .allowed(["do = [...]"]);
            problems.add(step.at(&ENQ), problem);
        }
    }

    /// Checks a step inside the steps of these resources, and all steps inside it.
    fn check(&self, step: &'t Table, held: &mut Vec<&'t Table>, problems: &mut Problems<'_>) {
        self.check_place(step, problems);
        if let Some(name) = step.text(&DEQ).filter(|name| !self.kept.contains_key(name) && self.known(name)) {
            let problem = Problem::new(format!("a release of `{name}`, which the program does not keep"))
                .key(step.path(&DEQ))
                .because("what is held around other steps is released behind them")
                .allowed([format!("after {{ enq = \"{name}\" }} without `do`")]);
            problems.add(step.at(&DEQ), problem);
        }
        if step.text(&RET) == Some(CHANGE_CONTROL) {
            self.check_change(step, held, problems);
        }
        let wanted = step.text(&ENQ).filter(|_| step.entry(&ENQ_STEPS).is_some() || step.text(&RET) == Some(TEST));
        let Some(name) = wanted.filter(|_| step.text(&RET) != Some(CHANGE_CONTROL)) else {
            return steps::inside(step).for_each(|step| self.check(step, held, problems));
        };
        let refused = if held.iter().any(|around| around.text(&ENQ) == Some(name)) || self.kept.contains_key(name) {
            let why = "a task that asks again for what it has ends with X'138', or gets return code 8";
            Some((format!("`{name}` inside an enq of it, or kept by the same program"), why, "one around both"))
        } else if held.len() == MOST_NESTED {
            let why = "a guest can hold this many around steps";
            Some((format!("an enq inside {MOST_NESTED} others"), why, "fewer inside each other"))
        } else {
            None
        };
        if let Some((what, why, allowed)) = refused {
            let problem = Problem::new(what).key(step.path(&ENQ)).because(why).allowed([allowed]);
            return problems.add(step.at(&ENQ), problem);
        }
        let before = held.len();
        held.extend(takes(step).then_some(step));
        steps::inside(step).for_each(|step| self.check(step, held, problems));
        held.truncate(before);
    }

    /// A hold that is changed from shared to exclusive is held by steps around it, or may be kept so.
    fn check_change(&self, step: &Table, held: &[&Table], problems: &mut Problems<'_>) {
        let Some(name) = step.text(&ENQ).filter(|name| self.known(name)) else { return };
        if step.text(&ENQ_ACCESS) == Some(SHARED_ACCESS) {
            let problem = Problem::new("a change of control to shared").key(step.path(&ENQ_ACCESS));
            let problem = problem.because("CHNG changes from shared to exclusive, and there is no way back");
            problems.add(step.at(&ENQ_ACCESS), problem.allowed(["exclusive, which it is without"]));
        }
        let around = held.iter().find(|around| around.text(&ENQ) == Some(name)).or(self.kept.get(name));
        let (what, why) = match around {
            None => (
                format!("a change of `{name}`, which the program does not hold there"),
                "CHNG changes what a task has; for anything else it returns 8",
            ),
            Some(around) if around.text(&ENQ_ACCESS) == Some(EXCLUSIVE_ACCESS) => {
                (format!("a change of `{name}`, which is exclusive already"), "CHNG changes from shared to exclusive")
            }
            Some(_) => return,
        };
        let allowed = format!("inside the steps of {{ enq = \"{name}\", access = \"shared\", do = [...] }}");
        problems.add(step.at(&ENQ), Problem::new(what).key(step.path(&ENQ)).because(why).allowed([allowed]));
    }

    fn known(&self, name: &str) -> bool {
        self.names.index(&ENQUEUE, name).is_some()
    }

    /// A guest that enqueues runs in a partition whose operating system has the service.
    fn check_place(&self, step: &Table, problems: &mut Problems<'_>) {
        let Some(key) = [&ENQ, &DEQ].into_iter().find(|key| step.entry(key).is_some()) else { return };
        let own = self.guest.text(&RUNS_IN);
        let unknown = own.is_some_and(|own| self.names.index(&PARTITION, own).is_none());
        let refused = own.is_some_and(|own| control_programs::has_one(self.root, own, self.names) == Some(true));
        if own.is_some() && !refused || unknown || self.guest.misspelt.contains(&RUNS_IN.name) {
            return;
        }
        let problem = Problem::new(format!(
            "`{}` in the program of a guest that runs in no partition of its own system",
            key.name
        ))
        .key(step.path(key))
        .because("ENQ and DEQ are services of an operating system, and take time of its processors")
        // A thread's machine has no partitions.
        .allowed([if self.guest.entry(&RUNS_IN_CGROUP).is_some() {
            "hold = ..."
        } else {
            "partition = \"...\" in the guest"
        }]);
        problems.add(step.at(key), problem);
    }
}

/// Whether a step that enqueues takes anything: TEST and CHNG do not.
fn takes(step: &Table) -> bool {
    step.text(&RET).is_none_or(|ret| ![TEST, CHANGE_CONTROL].contains(&ret))
}

/// Names the resources that no program enqueues on.
pub fn doubts(root: &Table, warnings: &mut Problems<'_>) {
    let programs = root.tables(&GUESTS).iter().flat_map(steps::all);
    let asked: BTreeSet<&str> = programs.filter_map(|step| step.text(&ENQ)).collect();
    super::unused::unused(root.tables(&ENQUEUES), &asked, "no program enqueues on it", warnings);
    root.table(&SERIALIZED).into_iter().for_each(|service| doubt_ring(root, service, warnings));
}

/// Warns of ring acceleration without a ring, and of one that waits for more systems than there are.
fn doubt_ring(root: &Table, service: &Table, warnings: &mut Problems<'_>) {
    let Some(seen) = service.count(&ACCELSYS) else { return };
    let systems = root.tables(&PARTITIONS).len() as u32;
    let (what, why) = if service.text(&CONNECTED) != Some(RING) {
        ("ring acceleration without a ring", "the systems are not connected by a ring message".to_string())
    } else if seen > systems {
        ("ring acceleration that does nothing", format!("a ring of {systems} is not accelerated by accelsys = {seen}"))
    } else {
        return;
    };
    let problem = Problem::new(what).key(service.path(&ACCELSYS)).because(why);
    warnings.add(service.at(&ACCELSYS), problem.allowed(["systems = \"ring\"", "2 up to the number of partitions"]));
}
