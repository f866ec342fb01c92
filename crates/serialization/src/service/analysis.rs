//! Waits between tasks, and cycles of them: deadlocks.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

use super::query::name_of;
use super::reach::Reach;
use super::resource::{Queued, Standing};
use super::{NOTHING, Service};
use crate::name::ResourceName;
use crate::request::{Access, Requester};

/// A waiting task, and the tasks that block it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The waiting task.
    pub by: Requester,
    /// To do what.
    pub access: Access,
    /// With what.
    pub name: ResourceName,
    /// The reach of its name.
    pub reach: Reach,
    /// Those ahead in the queue that cannot have it together with this task, owners first.
    pub blockers: Blockers,
}

/// The beginning of a list of tasks that all waiters for a resource share, so that n waiters take n places and not n².
#[derive(Clone, Debug)]
pub struct Blockers {
    ahead: Arc<[Requester]>,
    count: usize,
}

impl Blockers {
    /// The list that is shared, and how many at its beginning block.
    pub fn shared(&self) -> (&Arc<[Requester]>, usize) {
        (&self.ahead, self.count)
    }
}

impl Deref for Blockers {
    type Target = [Requester];

    fn deref(&self) -> &[Requester] {
        &self.ahead[..self.count]
    }
}

impl PartialEq for Blockers {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl Eq for Blockers {}

/// A step of a cycle: a waiting task, its resource, and its blocker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The waiting task.
    pub waiter: Requester,
    /// For what.
    pub name: ResourceName,
    /// The reach of its name.
    pub reach: Reach,
    /// The task that has to release it first.
    pub blocker: Requester,
}

/// Tasks that all wait for each other, directly or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// All of them, by number.
    pub tasks: Vec<Requester>,
    /// A shortest circle through the first of them; the blocker of the last link is the waiter of the first.
    pub circle: Vec<Link>,
}

/// For each waiting task: its blockers, and its resource.
type Graph = BTreeMap<Requester, Vec<(Requester, u32)>>;

impl Service {
    /// All waiting tasks, by the name of the resource and then by place in the queue.
    ///
    /// Source: MVS System Commands, DISPLAY GRS,ANALYZE,WAITER: a waiter and its blockers.
    pub fn waits(&self) -> Vec<Wait> {
        let mut contended: Vec<(u32, ResourceName, Reach)> = self
            .contended()
            .map(|slot| (slot, name_of(&self.resources.all[slot]), self.resources.all[slot].reach))
            .collect();
        contended.sort_by(|a, b| (&a.1, a.2).cmp(&(&b.1, b.2)));
        let mut waits = Vec::new();
        for (slot, name, reach) in contended {
            let queue: Vec<&Queued> = self.resources.queue(slot).map(|(_, queued)| queued).collect();
            let exclusive = |queued: &&&Queued| queued.access == Access::Exclusive;
            let everybody: Arc<[Requester]> = queue.iter().map(|queued| queued.by).collect();
            let alone: Arc<[Requester]> = queue.iter().filter(exclusive).map(|queued| queued.by).collect();
            let mut exclusives = 0;
            for (place, queued) in queue.iter().enumerate() {
                let (ahead, count) = match queued.access {
                    Access::Exclusive => (&everybody, place),
                    Access::Shared => (&alone, exclusives),
                };
                if queued.standing == Standing::Waits {
                    let blockers = Blockers { ahead: ahead.clone(), count };
                    waits.push(Wait { by: queued.by, access: queued.access, name: name.clone(), reach, blockers });
                }
                exclusives += usize::from(exclusive(&queued));
            }
        }
        waits
    }

    /// Every set of tasks that wait for each other, each with a circle in it.
    ///
    /// A waiter needs every resource it waits for, so tasks that reach each other over waits go on only when one of them ends.
    ///
    /// Source: MVS System Commands, DISPLAY GRS,ANALYZE,DEPENDENCY: a chain that ends where it began is a deadlock.
    pub fn deadlocks(&self) -> Vec<Deadlock> {
        let graph = self.graph();
        let mut deadlocks: Vec<Deadlock> = components(&graph)
            .into_iter()
            .filter(|tasks| tasks.len() > 1)
            .map(|mut tasks| {
                tasks.sort_unstable();
                let circle = self.circle(&graph, &tasks);
                Deadlock { tasks, circle }
            })
            .collect();
        deadlocks.sort_by(|a, b| a.tasks.cmp(&b.tasks));
        deadlocks
    }

    fn contended(&self) -> impl Iterator<Item = u32> {
        self.resources.live().filter(|(_, resource)| resource.first_waiter != NOTHING).map(|(slot, _)| slot)
    }

    /// An edge for each pair of neighbouring groups in a queue, where a group is one exclusive request or all
    /// neighbours that share. Two neighbouring groups cannot have the resource together, and one of them is a single
    /// request. So there are at most as many edges as requests, and through them every blocked task reaches all its
    /// blockers.
    fn graph(&self) -> Graph {
        let mut graph = Graph::new();
        for slot in self.contended() {
            let mut last: Vec<&Queued> = Vec::new();
            let mut group: Vec<&Queued> = Vec::new();
            for (_, queued) in self.resources.queue(slot) {
                if group.first().is_some_and(|one| conflict(one, queued)) {
                    last = std::mem::take(&mut group);
                }
                group.push(queued);
                for blocker in last.iter().filter(|_| queued.standing == Standing::Waits) {
                    graph.entry(queued.by).or_default().push((blocker.by, slot));
                }
            }
        }
        for edges in graph.values_mut() {
            edges.sort_unstable();
        }
        graph
    }

    /// Breadth first from the smallest task of a component and back to it.
    fn circle(&self, graph: &Graph, tasks: &[Requester]) -> Vec<Link> {
        let start = tasks[0];
        let mut reached: BTreeMap<Requester, (Requester, u32)> = BTreeMap::new();
        let mut frontier = vec![start];
        while !reached.contains_key(&start) {
            let mut next = Vec::new();
            for waiter in frontier {
                for &(blocker, slot) in graph.get(&waiter).into_iter().flatten() {
                    if tasks.binary_search(&blocker).is_ok() && !reached.contains_key(&blocker) {
                        reached.insert(blocker, (waiter, slot));
                        next.push(blocker);
                    }
                }
            }
            assert!(!next.is_empty(), "every task of a component leads back to every other");
            frontier = next;
        }
        let mut circle = Vec::new();
        let mut blocker = start;
        while circle.is_empty() || blocker != start {
            let (waiter, slot) = reached[&blocker];
            let resource = &self.resources.all[slot];
            circle.push(Link { waiter, name: name_of(resource), reach: resource.reach, blocker });
            blocker = waiter;
        }
        circle.reverse();
        circle
    }
}

/// Whether two requests cannot have a resource together.
fn conflict(one: &Queued, other: &Queued) -> bool {
    one.access == Access::Exclusive || other.access == Access::Exclusive
}

/// The strongly connected components of a graph (Tarjan, 1972), without recursion: queues may be long.
fn components(graph: &Graph) -> Vec<Vec<Requester>> {
    let mut search = Search::default();
    for &task in graph.keys() {
        if !search.seen.contains_key(&task) {
            search.from(graph, task);
        }
    }
    search.found
}

#[derive(Default)]
struct Search {
    /// When a task was met and the earliest that it leads back to.
    seen: BTreeMap<Requester, Met>,
    open: Vec<Requester>,
    found: Vec<Vec<Requester>>,
}

struct Met {
    at: usize,
    earliest: usize,
    open: bool,
}

impl Search {
    fn from(&mut self, graph: &Graph, root: Requester) {
        let mut path = vec![(root, 0usize)];
        self.meet(root);
        while let Some((task, edge)) = path.last_mut() {
            let task = *task;
            let Some(&(blocker, _)) = graph.get(&task).and_then(|edges| edges.get(*edge)) else {
                path.pop();
                self.close(task);
                if let Some(&(before, _)) = path.last() {
                    self.leads(before, self.seen[&task].earliest);
                }
                continue;
            };
            *edge += 1;
            match self.seen.get(&blocker) {
                None => {
                    self.meet(blocker);
                    path.push((blocker, 0));
                }
                Some(met) if met.open => {
                    let at = met.at;
                    self.leads(task, at);
                }
                Some(_) => {}
            }
        }
    }

    fn meet(&mut self, task: Requester) {
        let at = self.seen.len();
        self.seen.insert(task, Met { at, earliest: at, open: true });
        self.open.push(task);
    }

    fn leads(&mut self, task: Requester, to: usize) {
        let met = self.seen.get_mut(&task).expect("a task on the path was met");
        met.earliest = met.earliest.min(to);
    }

    fn close(&mut self, task: Requester) {
        let met = &self.seen[&task];
        if met.earliest != met.at {
            return;
        }
        let first =
            self.open.iter().rposition(|&one| one == task).expect("a component begins with a task that is open");
        let component = self.open.split_off(first);
        for one in &component {
            self.seen.get_mut(one).expect("an open task was met").open = false;
        }
        self.found.push(component);
    }
}
