//! Systems with installation exits in front of the service: requests in words and numbers, what was called on their way.

use crate::problems::input_error;
use crate::serialization::{
    By, Named, Who, by, called, effect_rows, kept, named, query_rows, requester, resource_row, wait_rows,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serialization::exits::{
    Account, Answer, Class, Costs, Exits, Manager, Names, Point, Routine, Settled, Structure, Table,
};
use serialization::name_list::{NameListText, NameLists};
use serialization::service::{DeqOutcome, EnqOutcome, Limits, Outbox, Reach};
use serialization::systems::{self, Answered, Ask, Give, Mode, Ring, Told, Wanted};
use serialization::{Access, DeqRet, ResourceName, Ret, Scope, rig};
use units::{Problem, Span};

/// A resource in a request: its name, access, volume.
type Part = (Named, String, Option<u32>);

/// The same as it was read.
type Read = (ResourceName, (Scope, Access, Option<u32>));

/// A row per resource, the effects, what was called.
type Answers<'py> = (Bound<'py, PyList>, Bound<'py, PyList>, ExitAccount);

/// How many requests were released, the effects, what was called.
type Ended<'py> = (u32, Bound<'py, PyList>, ExitAccount);

/// The calls on the path of requests, with their counts.
#[pyclass(module = "slicewright._core", frozen)]
pub struct ExitAccount {
    account: Account,
}

/// Several systems and their service.
#[pyclass(module = "slicewright._core")]
pub struct Complex {
    complex: systems::Complex,
    outbox: Outbox,
}

#[pymethods]
impl ExitAccount {
    /// By the name of each exit point what was done there.
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let points = PyDict::new(py);
        for point in Point::ALL {
            let visits = &self.account[point];
            let row = PyDict::new(py);
            row.set_item("lists", visits.lists)?;
            row.set_item("calls", visits.calls)?;
            row.set_item("slow", visits.slow)?;
            row.set_item("obtained", visits.obtained)?;
            row.set_item("pooled", visits.pooled)?;
            row.set_item("single", visits.single)?;
            row.set_item("bytes", visits.bytes)?;
            row.set_item("pages", visits.pages)?;
            row.set_item("light", visits.light)?;
            row.set_item("heavy", visits.heavy)?;
            row.set_item("own_us", visits.own.seconds() * 1e6)?;
            points.set_item(point.word(), row)?;
        }
        Ok(points)
    }

    /// The counts beside the points.
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Account { enqs, changes, deqs, front_end, unseen, searches, messages, spared, .. } = self.account;
        let row = PyDict::new(py);
        row.set_item("enqs", enqs)?;
        row.set_item("changes", changes)?;
        row.set_item("deqs", deqs)?;
        row.set_item("front_end", front_end)?;
        row.set_item("unseen", unseen)?;
        row.set_item("searches", searches)?;
        row.set_item("messages", messages)?;
        row.set_item("spared", spared)?;
        Ok(row)
    }

    /// The stretches of processor time by these prices in microseconds: piece, whether the lock is held, microseconds.
    fn stretches(&self, py: Python<'_>, prices: Vec<(String, f64)>) -> PyResult<Vec<(&'static str, bool, f64)>> {
        let costs = priced(&prices).map_err(|problems| input_error(py, &problems))?;
        let us = |span: Span| span.seconds() * 1e6;
        Ok(costs.way(&self.account).iter().map(|one| (one.piece.word(), one.locked, us(one.span))).collect())
    }

    /// Both together.
    fn __add__(&self, other: &Self) -> Self {
        let mut account = self.account;
        account += other.account;
        ExitAccount { account }
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.account == other.account
    }
}

#[pymethods]
impl Complex {
    #[new]
    fn new(py: Python<'_>, mode: &str, times_us: (f64, f64), limits: (u32, u32)) -> PyResult<Self> {
        let (residency, service) = (span_of_us(times_us.0), span_of_us(times_us.1));
        let ring = Ring { residency, ..Ring::default() };
        let mode = Mode::read(mode, ring, service).map_err(|problem| input_error(py, &[*problem]))?;
        let limits = Limits { unauthorized: limits.0, authorized: limits.1 };
        Ok(Complex { complex: systems::Complex::new(mode, limits), outbox: Outbox::new() })
    }

    /// A system joins with the structure of its exits, its name lists, the names of its manager, and whether the
    /// manager uses the cache.  An empty text is no lists, and every name.
    fn join(&mut self, py: Python<'_>, system: u16, exits: (String, Vec<u8>, Vec<u8>, bool)) -> PyResult<()> {
        let (structure, lists, managed, cache) = exits;
        let mut problems = Vec::new();
        let structure = kept(Structure::read(&structure), &mut problems);
        let no_lists = || Some(NameLists::new(Vec::new()));
        let lists = if lists.is_empty() { no_lists() } else { read(&lists, "lists", &mut problems) };
        let managed = if managed.is_empty() { Some(Names::all()) } else { names(&managed, "managed", &mut problems) };
        let (Some(structure), Some(lists), Some(managed)) = (structure, lists, managed) else {
            return Err(input_error(py, &problems));
        };
        let manager = Manager::new(managed);
        let manager = if cache { manager.with_cache() } else { manager };
        let exits = Exits::structure(structure, lists, &manager);
        self.complex.join(system, exits).map_err(|problem| input_error(py, &[*problem]))
    }

    /// A system leaves.
    fn leave<'py>(&mut self, py: Python<'py>, system: u16) -> PyResult<(u32, Bound<'py, PyList>)> {
        self.outbox.clear();
        let released = self.complex.leave(system, &mut self.outbox).map_err(|problem| input_error(py, &[*problem]))?;
        Ok((released, effect_rows(py, self.complex.service(), &self.outbox)?))
    }

    /// Put an exit at a point of a system.
    fn add_exit(&mut self, py: Python<'_>, place: (u16, String, String), exit: &Bound<'_, PyDict>) -> PyResult<()> {
        let mut problems = Vec::new();
        let point = kept(Point::read(&place.1), &mut problems);
        let table = table(exit, &mut problems)?;
        let (Some(point), Some(table)) = (point, table) else {
            return Err(input_error(py, &problems));
        };
        let routine = Routine::Table(Box::new(table));
        let added = self.complex.exits(place.0).and_then(|exits| exits.add(point, &place.2, routine));
        added.map_err(|problem| input_error(py, &[*problem]))
    }

    /// Take an exit away from a point of a system.
    fn delete_exit(&mut self, py: Python<'_>, system: u16, point: &str, name: &str) -> PyResult<()> {
        let deleted = Point::read(point).and_then(|point| self.complex.exits(system)?.delete(point, name));
        deleted.map_err(|problem| input_error(py, &[*problem]))
    }

    /// Forget for which names points of a system need not be called.
    fn clear_cache(&mut self, py: Python<'_>, system: u16) -> PyResult<()> {
        self.complex.exits(system).map(Exits::clear_cache).map_err(|problem| input_error(py, &[*problem]))
    }

    /// How many entries the cache of a system has.
    fn cached(&mut self, py: Python<'_>, system: u16) -> PyResult<usize> {
        self.complex.exits(system).map(|exits| exits.cached()).map_err(|problem| input_error(py, &[*problem]))
    }

    /// The exits of a system: point, name, calls, failed, refused.
    fn exits<'py>(&mut self, py: Python<'py>, system: u16) -> PyResult<Bound<'py, PyList>> {
        let exits = self.complex.exits(system).map_err(|problem| input_error(py, &[*problem]))?;
        let list = PyList::empty(py);
        for one in exits.installed() {
            let row = PyDict::new(py);
            row.set_item("point", one.point.word())?;
            row.set_item("name", &one.name)?;
            row.set_item("calls", one.calls)?;
            row.set_item("failed", one.failed)?;
            row.set_item("refused", one.refused().map(|change| change.word()).collect::<Vec<_>>())?;
            list.append(row)?;
        }
        Ok(list)
    }

    /// Carry out an ENQ for one resource or several.
    fn enq<'py>(&mut self, py: Python<'py>, who: Who, parts: Vec<Part>, ret: &str) -> PyResult<Answers<'py>> {
        let mut problems = Vec::new();
        let ret = kept(Ret::read(ret), &mut problems);
        let caller = called(&who.1, &mut problems);
        let parts: Vec<_> = parts.iter().map(|part| part_of(part, &mut problems)).collect();
        let (Some(ret), Some(caller), true) = (ret, caller, problems.is_empty()) else {
            return Err(input_error(py, &problems));
        };
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        let wanted =
            parts.iter().map(|(name, asked)| Wanted { name, scope: asked.0, access: asked.1, volume: asked.2 });
        let resources: Vec<Wanted<'_>> = wanted.collect();
        self.outbox.clear();
        let ask = Ask { resources: &resources, ret, by: requester(who.0), caller };
        let answered = self.complex.enq(&ask, &mut self.outbox).map_err(|problem| input_error(py, &[*problem]))?;
        let word = |told: &EnqOutcome| {
            let abend = if let EnqOutcome::Abend(abend) = told { Some(abend.code()) } else { None };
            (told.word(), told.return_code(), abend)
        };
        let names: Vec<&ResourceName> = resources.iter().map(|one| one.name).collect();
        self.answers(py, (who.0, &names), &answered, word)
    }

    /// Carry out a DEQ of one resource or several.
    fn deq<'py>(&mut self, py: Python<'py>, who: Who, parts: Vec<Named>, ret: &str) -> PyResult<Answers<'py>> {
        let mut problems = Vec::new();
        let ret = kept(DeqRet::read(ret), &mut problems);
        let caller = called(&who.1, &mut problems);
        let parts: Vec<_> = parts.iter().map(|part| named(part, &mut problems)).collect();
        let (Some(ret), Some(caller), true) = (ret, caller, problems.is_empty()) else {
            return Err(input_error(py, &problems));
        };
        let parts: Vec<(ResourceName, Scope)> = parts.into_iter().filter_map(|(name, scope)| name.zip(scope)).collect();
        let resources: Vec<(&ResourceName, Scope)> = parts.iter().map(|(name, scope)| (name, *scope)).collect();
        self.outbox.clear();
        let give = Give { resources: &resources, ret, by: requester(who.0), caller };
        let answered = self.complex.deq(&give, &mut self.outbox).map_err(|problem| input_error(py, &[*problem]))?;
        let word = |told: &DeqOutcome| {
            let abend = if let DeqOutcome::Abend(abend) = told { Some(abend.code()) } else { None };
            (told.word(), told.return_code(), abend)
        };
        let names: Vec<&ResourceName> = resources.iter().map(|one| one.0).collect();
        self.answers(py, (who.0, &names), &answered, word)
    }

    /// End a task.
    fn end_task<'py>(&mut self, py: Python<'py>, by: By) -> PyResult<Ended<'py>> {
        self.outbox.clear();
        let (released, account) = self.complex.end_task(requester(by), &mut self.outbox);
        Ok((released, effect_rows(py, self.complex.service(), &self.outbox)?, ExitAccount { account }))
    }

    /// End all tasks of an address space.
    fn end_space<'py>(&mut self, py: Python<'py>, system: u16, space: u16) -> PyResult<Ended<'py>> {
        self.outbox.clear();
        let (released, account) = self.complex.end_space(system, space, &mut self.outbox);
        Ok((released, effect_rows(py, self.complex.service(), &self.outbox)?, ExitAccount { account }))
    }

    /// What a global request of a system waits for that is made at an instant: microseconds, hops, whether a structure
    /// serves it.
    fn delay(&self, py: Python<'_>, system: u16, at_us: f64) -> PyResult<(f64, u32, bool)> {
        let place = self.complex.place(system).map_err(|problem| input_error(py, &[*problem]))?;
        let delay = self.complex.mode().delay(place, span_of_us(at_us));
        Ok((delay.wait.seconds() * 1e6, delay.hops, delay.structure))
    }

    /// The resources of which everything holds that is given, a row each.
    fn query<'py>(&self, py: Python<'py>, filter: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyList>> {
        query_rows(py, self.complex.service(), filter)
    }

    /// All waiting tasks, with those that block each, a row each.
    fn waits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        wait_rows(py, self.complex.service())
    }

    /// Names that two systems have at once and should not: name, unseen, other.
    fn holes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for hole in self.complex.holes() {
            let row = PyDict::new(py);
            row.set_item("resource", resource_row(py, &hole.name, Reach::Systems)?)?;
            row.set_item("unseen", by(hole.unseen))?;
            row.set_item("other", by(hole.other))?;
            list.append(row)?;
        }
        Ok(list)
    }

    /// Every law that is broken; empty when all is well.
    fn broken_laws(&self) -> Vec<String> {
        self.complex.service().broken_laws()
    }
}

impl Complex {
    fn answers<'py, T>(
        &mut self,
        py: Python<'py>,
        (who, names): (By, &[&ResourceName]),
        answered: &Answered<T>,
        word: impl Fn(&T) -> (&'static str, Option<u8>, Option<u16>),
    ) -> PyResult<Answers<'py>> {
        let list = PyList::empty(py);
        for ((told, settled), name) in answered.told.iter().zip(&answered.settled).zip(names) {
            let (word, code, abend) = match told {
                Told::Queue(outcome) => word(outcome),
                Told::Code(code) => ("answered by an exit", Some(*code), None),
                Told::Abend(code) => ("abend", None, Some(*code)),
                Told::Nothing => ("not looked at", None, None),
            };
            let row = PyDict::new(py);
            row.set_item("word", word)?;
            row.set_item("return_code", code)?;
            row.set_item("abend", abend)?;
            row.set_item("resource", self.queued(py, who, name, settled)?)?;
            row.set_item("volume", settled.volume)?;
            row.set_item("managed", settled.managed)?;
            row.set_item("unseen", settled.unseen)?;
            list.append(row)?;
        }
        let effects = effect_rows(py, self.complex.service(), &self.outbox)?;
        Ok((list, effects, ExitAccount { account: answered.account }))
    }

    /// The resource as it is queued for.
    fn queued<'py>(
        &mut self,
        py: Python<'py>,
        who: By,
        name: &ResourceName,
        settled: &Settled,
    ) -> PyResult<Bound<'py, PyDict>> {
        let exits = self.complex.exits(who.0).map_err(|problem| input_error(py, &[*problem]))?;
        let reach = Reach::of(exits.reach(settled), requester(who));
        resource_row(py, settled.name.map_or(name, |id| exits.name(id)), reach)
    }
}

/// The exit points, in the order in which a request reaches them.
#[pyfunction]
pub fn exit_points() -> Vec<&'static str> {
    Point::WORDS.to_vec()
}

/// The structures of exits that were published, the one without any first.
#[pyfunction]
pub fn exit_structures() -> Vec<&'static str> {
    Structure::WORDS.to_vec()
}

/// This many pairs of an ENQ and a DEQ carried out with the exits of a structure, for timing with a clock.
#[pyfunction]
pub fn exit_pairs(py: Python<'_>, structure: &str, pairs: u64, global_: bool) -> PyResult<ExitAccount> {
    let structure = Structure::read(structure).map_err(|problem| input_error(py, &[*problem]))?;
    Ok(ExitAccount { account: py.detach(|| rig::run_pairs(structure, pairs, global_)) })
}

/// The same local pairs by this many concurrent threads, each with a resource of its own, and all of them with one
/// lock.
#[pyfunction]
pub fn exit_pairs_by_threads(py: Python<'_>, structure: &str, pairs: u64, threads: u32) -> PyResult<ExitAccount> {
    let structure = Structure::read(structure).map_err(|problem| input_error(py, &[*problem]))?;
    if !(1..=rig::MOST_THREADS).contains(&threads) {
        let problem = Problem::new(format!("{threads} threads")).key("threads");
        return Err(input_error(py, &[problem.allowed([format!("1 to {}", rig::MOST_THREADS)])]));
    }
    Ok(ExitAccount { account: py.detach(|| rig::run_pairs_by_threads(structure, pairs, threads)) })
}

/// The default prices in microseconds, by their keys.
#[pyfunction]
pub fn exit_prices(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let mut costs = Costs::default();
    let prices = PyDict::new(py);
    for key in Costs::KEYS {
        let price = costs.price(key).map_err(|problem| input_error(py, &[*problem]))?;
        prices.set_item(key, price.seconds() * 1e6)?;
    }
    Ok(prices)
}

fn priced(prices: &[(String, f64)]) -> Result<Costs, Vec<Problem>> {
    let mut costs = Costs::default();
    let mut problems = Vec::new();
    for (key, us) in prices {
        match costs.price(key) {
            Ok(price) => *price = span_of_us(*us),
            Err(problem) => problems.push(*problem),
        }
    }
    if problems.is_empty() { Ok(costs) } else { Err(problems) }
}

fn span_of_us(us: f64) -> Span {
    Span::from_seconds(us / 1e6)
}

fn read(text: &[u8], key: &str, problems: &mut Vec<Problem>) -> Option<NameLists> {
    match NameListText::read(text, key) {
        Ok(text) => Some(text.lists().clone()),
        Err(found) => {
            problems.extend(found);
            None
        }
    }
}

fn names(text: &[u8], key: &str, problems: &mut Vec<Problem>) -> Option<Names> {
    read(text, key, problems).map(|lists| Names::new(lists.entries().to_vec()))
}

fn part_of(part: &Part, problems: &mut Vec<Problem>) -> Option<Read> {
    let (name, scope) = named(&part.0, problems);
    let access = kept(Access::read(&part.1), problems);
    Some((name?, (scope?, access?, part.2)))
}

/// The table that a dictionary describes; problems are kept.
fn table(exit: &Bound<'_, PyDict>, problems: &mut Vec<Problem>) -> PyResult<Option<Table>> {
    fn item<'py, T: FromPyObjectOwned<'py>>(given: &Bound<'py, PyDict>, key: &str) -> PyResult<Option<T>> {
        let found = given.get_item(key)?.filter(|value| !value.is_none());
        found.map(|value| value.extract().map_err(Into::into)).transpose()
    }
    let flag = |key: &str| item::<bool>(exit, key).map(|flag| flag.unwrap_or(false));
    let found = problems.len();
    let text: Vec<u8> = item(exit, "names")?.unwrap_or_default();
    let names = if text.is_empty() { Some(Names::all()) } else { names(&text, "names", problems) };
    let rename: Option<(Vec<u8>, Vec<u8>)> = item(exit, "rename")?;
    let rename = rename
        .and_then(|(qname, rname)| ResourceName::new(&qname, &rname).map_err(|wrong| problems.extend(wrong)).ok());
    let scope: Option<String> = item(exit, "scope")?;
    let scope = scope.and_then(|word| kept(Scope::read(&word), problems));
    let class: Option<String> = item(exit, "work")?;
    let class = kept(Class::read(class.as_deref().unwrap_or(Class::Plain.word())), problems);
    let volume: Option<u32> = item(exit, "volume")?;
    let volume = if flag("no_volume")? { Some(None) } else { volume.map(Some) };
    let (Some(names), Some(class), true) = (names, class, problems.len() == found) else { return Ok(None) };
    let answer = Answer {
        name: rename,
        scope,
        volume,
        skip_lists: flag("skip_lists")?,
        want: flag("want")?,
        code: item(exit, "code")?,
        drop_reserve: flag("drop_reserve")?,
        abend: item(exit, "abend")?,
        fail: flag("fail")?,
    };
    let own = span_of_us(item(exit, "own_us")?.unwrap_or(0.0));
    Ok(Some(Table { class, own, stops: flag("stops")?, ..Table::new(names, answer) }))
}
