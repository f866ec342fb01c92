//! What must not go round in a circle: resources held inside each other, guests that spawn each other.

/// The most nodes of a cycle that are named; more do not help to find it.
const MOST_NAMED: usize = 6;

/// A circle.
#[derive(Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The edge that closes it, by its place among the edges.
    pub edge: usize,
    /// Its nodes in their order, the first ones if it has many; the closing edge leads from the last to the first.
    pub nodes: Vec<usize>,
    /// How many nodes it has.
    pub length: usize,
}

/// The state of a node in the search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    Ahead,
    /// On the way from a root, as the node of this depth.
    On(usize),
    Done,
}

/// The circles among nodes numbered from zero, one for each edge that closes one, in time linear in nodes and edges.
pub fn cycles(nodes: usize, edges: &[(usize, usize)]) -> Vec<Cycle> {
    let mut from: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for (number, edge) in edges.iter().enumerate() {
        from[edge.0].push(number);
    }
    let mut visits = vec![Visit::Ahead; nodes];
    let mut found = Vec::new();
    for root in 0..nodes {
        if visits[root] != Visit::Ahead {
            continue;
        }
        visits[root] = Visit::On(0);
        // Each node on the way, and how many of its edges have been followed.
        let mut way = vec![(root, 0)];
        while let Some((node, followed)) = way.last_mut() {
            let Some(edge) = from[*node].get(*followed).copied() else {
                visits[*node] = Visit::Done;
                way.pop();
                continue;
            };
            *followed += 1;
            let next = edges[edge].1;
            match visits[next] {
                Visit::Ahead => {
                    visits[next] = Visit::On(way.len());
                    way.push((next, 0));
                }
                Visit::On(depth) => {
                    let nodes = way[depth..].iter().take(MOST_NAMED).map(|(node, _)| *node).collect();
                    found.push(Cycle { edge, nodes, length: way.len() - depth });
                }
                Visit::Done => {}
            }
        }
    }
    found
}

impl Cycle {
    /// Its nodes by their names, from the first back to it: "`A`, `B`, `A`".
    pub fn named(&self, name: impl Fn(usize) -> String) -> String {
        let mut names: Vec<String> = self.nodes.iter().map(|node| format!("`{}`", name(*node))).collect();
        if self.length > self.nodes.len() {
            names.push(format!("{} more", self.length - self.nodes.len()));
        }
        names.push(format!("`{}`", name(self.nodes[0])));
        names.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_edge_that_closes_a_circle_is_found() {
        assert_eq!(cycles(3, &[(0, 1), (1, 2), (0, 2)]), []);
        let found = cycles(4, &[(0, 1), (1, 2), (2, 0), (3, 3)]);
        assert_eq!(found[0], Cycle { edge: 2, nodes: vec![0, 1, 2], length: 3 });
        assert_eq!(found[1], Cycle { edge: 3, nodes: vec![3], length: 1 });
        assert_eq!(found[0].named(|node| format!("R{node}")), "`R0`, `R1`, `R2`, `R0`");
    }

    #[test]
    fn a_long_circle_is_found_soon_and_named_in_part() {
        let count = 100_000;
        let edges: Vec<(usize, usize)> = (0..count).map(|node| (node, (node + 1) % count)).collect();
        let found = cycles(count, &edges);
        assert_eq!((found.len(), found[0].length, found[0].nodes.len()), (1, count, MOST_NAMED));
        assert!(found[0].named(|node| node.to_string()).ends_with("99994 more, `0`"));
    }
}
