//! Sets of paths.

use std::cmp::Ordering;

use super::{FieldPath, PathElement};

/// A set of paths into an object.
///
/// A path and its prefixes are separate members: `.spec` may be in the set without `.spec.replicas`, and the other
/// way round. The root is never a member. The set is sorted in the API server's order; equal sets are equal values.
///
/// ```
/// use client_rs_machinery::managed_fields::{FieldPath, FieldSet};
///
/// let set = FieldSet::parse(br#"{"f:spec": {"f:replicas": {}, "f:paused": {}}}"#)?;
/// assert_eq!(set.len(), 2);
/// assert!(set.has(&FieldPath::of_fields(&["spec", "replicas"]).0));
/// assert!(!set.has(&FieldPath::of_fields(&["spec"]).0));
/// # Ok::<(), client_rs_machinery::managed_fields::FieldsError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldSet {
    /// Sorted by element, each once; every node is a member or has members below.
    nodes: Vec<Node>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) element: PathElement,
    /// Whether the path that ends here is in the set.
    pub(super) member: bool,
    /// The part of the set below this element.
    pub(super) children: FieldSet,
}

impl Node {
    fn is_needed(&self) -> bool {
        self.member || !self.children.is_empty()
    }
}

impl FieldSet {
    /// The empty set.
    pub const EMPTY: Self = Self { nodes: Vec::new() };

    /// Adds a path; the root is not added.
    pub fn insert(&mut self, path: &[PathElement]) {
        let Some((first, rest)) = path.split_first() else { return };
        let node = self.node_mut(first);
        if rest.is_empty() {
            node.member = true;
        } else {
            node.children.insert(rest);
        }
    }

    /// Whether a path is in the set.
    pub fn has(&self, path: &[PathElement]) -> bool {
        match path {
            [] => false,
            [last] => self.has_member(last),
            [first, rest @ ..] => self.below(first).is_some_and(|children| children.has(rest)),
        }
    }

    /// Whether the set has no path.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the number of paths.
    pub fn len(&self) -> usize {
        self.nodes.iter().map(|node| usize::from(node.member) + node.children.len()).sum()
    }

    /// Returns the part of the set below an element; `None` if it is empty.
    pub fn below(&self, element: &PathElement) -> Option<&FieldSet> {
        let node = self.find(element)?;
        Some(&node.children).filter(|children| !children.is_empty())
    }

    /// Whether the path of this one element is in the set.
    pub fn has_member(&self, element: &PathElement) -> bool {
        self.find(element).is_some_and(|node| node.member)
    }

    /// Returns the paths of either set.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.zip(other, |left, right| match (left, right) {
            (Some(left), Some(right)) => Some(Node {
                element: left.element.clone(),
                member: left.member || right.member,
                children: left.children.union(&right.children),
            }),
            (one, two) => one.or(two).cloned(),
        })
    }

    /// Returns the paths that are in both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.zip(other, |left, right| {
            let (left, right) = (left?, right?);
            Some(Node {
                element: left.element.clone(),
                member: left.member && right.member,
                children: left.children.intersection(&right.children),
            })
        })
    }

    /// Returns the paths that the other set does not have; paths below a path of the other set stay.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.zip(other, |left, right| match (left?, right) {
            (left, None) => Some(left.clone()),
            (left, Some(right)) => Some(Node {
                element: left.element.clone(),
                member: left.member && !right.member,
                children: left.children.difference(&right.children),
            }),
        })
    }

    /// Returns the paths that are neither in the other set nor below one of its paths.
    #[must_use]
    pub fn difference_with_below(&self, other: &Self) -> Self {
        self.zip(other, |left, right| match (left?, right) {
            (left, None) => Some(left.clone()),
            (_, Some(right)) if right.member => None,
            (left, Some(right)) => Some(Node {
                element: left.element.clone(),
                member: left.member,
                children: left.children.difference_with_below(&right.children),
            }),
        })
    }

    /// Returns the paths without members below them.
    #[must_use]
    pub fn leaves(&self) -> Self {
        let nodes = self.nodes.iter().map(|node| Node {
            element: node.element.clone(),
            member: node.member && node.children.is_empty(),
            children: node.children.leaves(),
        });
        Self { nodes: nodes.collect() }
    }

    /// Returns every path, in the API server's order: a path before those below it.
    pub fn iter(&self) -> Paths<'_> {
        Paths { levels: vec![Level { nodes: &self.nodes, at: 0, members: true }], path: Vec::new() }
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Creates a set from nodes in any order; the first node of each element is kept.
    pub(super) fn of_nodes(mut nodes: Vec<Node>) -> Self {
        nodes.retain(Node::is_needed);
        nodes.sort_by(|left, right| left.element.cmp(&right.element));
        nodes.dedup_by(|later, first| later.element == first.element);
        Self { nodes }
    }

    fn find(&self, element: &PathElement) -> Option<&Node> {
        let at = self.nodes.binary_search_by(|node| node.element.cmp(element)).ok()?;
        self.nodes.get(at)
    }

    fn node_mut(&mut self, element: &PathElement) -> &mut Node {
        let at = match self.nodes.binary_search_by(|node| node.element.cmp(element)) {
            Ok(at) => at,
            Err(at) => {
                let node = Node { element: element.clone(), member: false, children: Self::EMPTY };
                self.nodes.insert(at, node);
                at
            }
        };
        &mut self.nodes[at]
    }

    /// Walks both sets side by side. `join` combines the nodes of an element; empty results are dropped.
    fn zip(&self, other: &Self, join: impl Fn(Option<&Node>, Option<&Node>) -> Option<Node>) -> Self {
        let (mut left, mut right) = (self.nodes.iter().peekable(), other.nodes.iter().peekable());
        let mut nodes = Vec::with_capacity(self.nodes.len());
        loop {
            let order = match (left.peek(), right.peek()) {
                (None, None) => return Self { nodes },
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(left), Some(right)) => left.element.cmp(&right.element),
            };
            let one = if order.is_le() { left.next() } else { None };
            let two = if order.is_ge() { right.next() } else { None };
            nodes.extend(join(one, two).filter(Node::is_needed));
        }
    }
}

impl<'p> FromIterator<&'p FieldPath> for FieldSet {
    fn from_iter<I: IntoIterator<Item = &'p FieldPath>>(paths: I) -> Self {
        let mut set = Self::EMPTY;
        for path in paths {
            set.insert(&path.0);
        }
        set
    }
}

impl<'s> IntoIterator for &'s FieldSet {
    type Item = FieldPath;
    type IntoIter = Paths<'s>;

    fn into_iter(self) -> Paths<'s> {
        self.iter()
    }
}

/// The paths of a set: at each level those that end there, then the deeper ones.
#[derive(Debug)]
pub struct Paths<'s> {
    levels: Vec<Level<'s>>,
    path: Vec<PathElement>,
}

#[derive(Debug)]
struct Level<'s> {
    nodes: &'s [Node],
    at: usize,
    /// Whether the level still yields its members, before the levels below.
    members: bool,
}

impl Iterator for Paths<'_> {
    type Item = FieldPath;

    fn next(&mut self) -> Option<FieldPath> {
        loop {
            let level = self.levels.last_mut()?;
            let Some(node) = level.nodes.get(level.at) else {
                if level.members {
                    (level.members, level.at) = (false, 0);
                } else {
                    self.levels.pop();
                    self.path.pop();
                }
                continue;
            };
            level.at += 1;
            if level.members && node.member {
                let mut path = self.path.clone();
                path.push(node.element.clone());
                return Some(FieldPath(path));
            }
            if !level.members && !node.children.is_empty() {
                self.path.push(node.element.clone());
                self.levels.push(Level { nodes: &node.children.nodes, at: 0, members: true });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::json;

    fn set(paths: &[&[&str]]) -> FieldSet {
        paths.iter().map(|path| FieldPath::of_fields(path)).collect::<Vec<_>>().iter().collect()
    }

    fn shown(set: &FieldSet) -> Vec<String> {
        set.iter().map(|path| path.to_string()).collect()
    }

    #[test]
    fn a_path_is_not_its_prefix() {
        let set = set(&[&["a", "b"], &["c"], &[]]);
        assert_eq!(shown(&set), [".c", ".a.b"]);
        assert_eq!(set.len(), 2);
        assert!(set.has(&FieldPath::of_fields(&["a", "b"]).0));
        for not in [&["a"][..], &["a", "b", "c"], &["c", "d"], &[]] {
            assert!(!set.has(&FieldPath::of_fields(not).0), "{not:?}");
        }
    }

    #[test]
    fn differences_keep_or_drop_the_paths_below() {
        let left = set(&[&["a"], &["a", "b"], &["a", "c", "d"], &["e"]]);
        let right = set(&[&["a"], &["a", "c"]]);
        assert_eq!(shown(&left.difference(&right)), [".e", ".a.b", ".a.c.d"]);
        assert_eq!(shown(&left.difference_with_below(&right)), [".e"]);
        let lower = set(&[&["a", "c"]]);
        assert_eq!(shown(&left.difference_with_below(&lower)), [".a", ".e", ".a.b"]);
    }

    #[test]
    fn leaves_have_nothing_below() {
        let set = set(&[&["a"], &["a", "b"], &["c"], &["d", "e"], &["d", "e", "f"]]);
        assert_eq!(shown(&set.leaves()), [".c", ".a.b", ".d.e.f"]);
    }

    #[test]
    fn members_of_a_level_come_before_deeper_paths() {
        let mut set = set(&[&["b", "x"], &["b"], &["a", "y"], &["c"]]);
        set.insert(&[PathElement::field("a"), PathElement::key([("n".into(), json!(1))])]);
        assert_eq!(shown(&set), [".b", ".c", ".a.y", ".a[n=1]", ".b.x"]);
        assert_eq!((&set).into_iter().count(), set.len());
    }

    fn paths() -> impl Strategy<Value = BTreeSet<Vec<u8>>> {
        proptest::collection::btree_set(proptest::collection::vec(0_u8..3, 1..4), 0..12)
    }

    fn of(model: &BTreeSet<Vec<u8>>) -> FieldSet {
        let mut set = FieldSet::EMPTY;
        for path in model {
            let path: Vec<_> = path.iter().map(|name| PathElement::field(&name.to_string())).collect();
            set.insert(&path);
        }
        set
    }

    proptest! {
        #[test]
        fn the_algebra_is_that_of_sets(left in paths(), right in paths()) {
            let (one, two) = (of(&left), of(&right));
            prop_assert_eq!(one.union(&two), of(&left.union(&right).cloned().collect()));
            prop_assert_eq!(one.intersection(&two), of(&left.intersection(&right).cloned().collect()));
            prop_assert_eq!(one.difference(&two), of(&left.difference(&right).cloned().collect()));
            let below = |path: &Vec<u8>| right.iter().any(|other| path.starts_with(other));
            let kept = left.iter().filter(|path| !below(path)).cloned().collect();
            prop_assert_eq!(one.difference_with_below(&two), of(&kept));
            let inner = |path: &Vec<u8>| left.iter().any(|other| other != path && other.starts_with(path));
            let leaves = left.iter().filter(|path| !inner(path)).cloned().collect();
            prop_assert_eq!(one.leaves(), of(&leaves));
            prop_assert_eq!(one.len(), left.len());
            prop_assert_eq!(one.iter().collect::<Vec<_>>().iter().collect::<FieldSet>(), one.clone());
            for path in &one {
                prop_assert!(one.has(&path.0));
            }
        }
    }
}
