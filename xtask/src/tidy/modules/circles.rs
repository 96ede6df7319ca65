//! Import circles: groups of sibling modules that depend on each other.
//!
//! The children of each module are compared, each standing for everything below it. References between a module and its own
//! parent or other ancestors do not count, so a module and its children may use each other freely; but no child may depend,
//! directly or by way of other children, on a sibling that depends on it.

use super::graph::{Crate, Reference};
use std::collections::BTreeMap;

/// The children of one module and the references between their subtrees.
pub(super) struct Siblings {
    /// Path of the parent.
    pub(super) parent: Vec<String>,
    /// Names of the children, in alphabetical order.
    pub(super) names: Vec<String>,
    /// For each pair of children, as indices into `names`, the first reference from the one's subtree to the other's.
    pub(super) references: BTreeMap<(usize, usize), Reference>,
}

impl Siblings {
    /// The siblings below each module that has children, the crate's root first.
    pub(super) fn all(of: &Crate) -> Vec<Siblings> {
        let mut groups: BTreeMap<&[String], Vec<String>> = BTreeMap::new();
        for module in &of.modules {
            if let Some((name, parent)) = module.path.split_last() {
                groups.entry(parent).or_default().push(name.clone());
            }
        }
        let references = of.references();
        let siblings = |(parent, mut names): (&[String], Vec<String>)| {
            names.sort();
            // The child whose subtree holds a module.
            let child = |module: usize| {
                let name = of.modules[module].path.strip_prefix(parent)?.first()?;
                names.iter().position(|other| other == name)
            };
            let mut between = BTreeMap::new();
            for reference in &references {
                if let (Some(from), Some(to)) = (child(reference.from), child(reference.to))
                    && from != to
                {
                    between.entry((from, to)).or_insert_with(|| reference.clone());
                }
            }
            Siblings { parent: parent.to_vec(), names, references: between }
        };
        groups.into_iter().map(siblings).collect()
    }

    /// For each sibling the siblings that it depends on, directly or indirectly.
    pub(super) fn reachable(&self) -> Vec<Vec<bool>> {
        reachable(self.names.len(), self.references.keys().copied())
    }

    /// The groups of two and more siblings in which each depends on each other.
    pub(super) fn circles(&self) -> Vec<Vec<usize>> {
        let reachable = self.reachable();
        let mut circles = Vec::new();
        for (first, below) in reachable.iter().enumerate() {
            let is_member = |&other: &usize| below[other] && reachable[other][first];
            let circle: Vec<_> = (0..self.names.len()).filter(is_member).collect();
            if circle.first() == Some(&first) {
                circles.push(circle);
            }
        }
        circles
    }
}

/// For each of `count` nodes the nodes at the end of any chain of `edges`.
pub(super) fn reachable(count: usize, edges: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<bool>> {
    let mut reachable = vec![vec![false; count]; count];
    for (from, to) in edges {
        reachable[from][to] = true;
    }
    for middle in 0..count {
        let below = reachable[middle].clone();
        for row in reachable.iter_mut().filter(|row| row[middle]) {
            for (reached, &is_below) in row.iter_mut().zip(&below) {
                *reached |= is_below;
            }
        }
    }
    reachable
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::{File, modules::graph};

    fn circles(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<_> = files
            .iter()
            .map(|&(path, text)| File { path: format!("crates/a/src/{path}"), text: text.to_owned() })
            .collect();
        let mut all = Vec::new();
        for siblings in Siblings::all(&graph::crates(&files)[0]) {
            for circle in siblings.circles() {
                let names: Vec<_> = circle.iter().map(|&index| siblings.names[index].as_str()).collect();
                all.push(names.join(" "));
            }
        }
        all
    }

    #[test]
    fn siblings_must_not_depend_on_each_other() {
        let root = ("lib.rs", "mod b;\nmod c;\nmod d;");
        let b = ("b.rs", "use crate::c::C;\npub struct B;");
        let d = ("d.rs", "use crate::b::B;\npub struct D;");
        assert!(circles(&[root, b, d, ("c.rs", "pub struct C;")]).is_empty());
        assert_eq!(circles(&[root, b, d, ("c.rs", "use crate::d::D;\npub struct C;")]), ["b c d"]);
    }

    #[test]
    fn a_child_counts_with_everything_below_it() {
        let files = [
            ("lib.rs", "mod b;\nmod c;"),
            ("b.rs", "mod e;\npub struct B;"),
            ("b/e.rs", "use crate::c::C;"),
            ("c.rs", "use crate::b::B;\npub struct C;"),
        ];
        assert_eq!(circles(&files), ["b c"]);
    }

    #[test]
    fn parent_and_children_may_use_each_other() {
        let files = [
            ("lib.rs", "mod b;\nmod c;\npub struct A;"),
            ("b.rs", "mod e;\nmod f;\nuse crate::A;\nuse e::E;\npub struct B;"),
            ("b/e.rs", "use super::{B, f::F};\npub struct E;"),
            ("b/f.rs", "use super::B;\npub struct F;"),
            ("c.rs", "use crate::{A, b::B};"),
        ];
        assert!(circles(&files).is_empty());
    }

    #[test]
    fn reexports_of_the_parent_hide_no_circle() {
        let files = [
            ("lib.rs", "mod b;\nmod c;\nuse b::B;\nuse c::C;"),
            ("b.rs", "use super::C;\npub struct B;"),
            ("c.rs", "use super::*;\npub struct C(B);"),
        ];
        assert_eq!(circles(&files), ["b c"]);
    }
}
