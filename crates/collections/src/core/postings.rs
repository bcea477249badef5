//! Two indexes for joins by label selector: label sets found by a selector, and selectors found by a label set.
//!
//! Both share their buckets, one for a label pair and a namespace. A label set is in a bucket for each of its pairs. A selector
//! is in the buckets of one of its requirements only, so a lookup of a label set finds it at most once.

use std::hash::Hash;

use client_rs_machinery::Str;
use client_rs_machinery::hash::HashMap;
use client_rs_machinery::labels::{Operator, Requirement};
use hashbrown::Equivalent;
use hashbrown::hash_map::EntryRef;

use super::small_set::Numbers;
use crate::labels::{LabelSet, Selection};

/// A label pair in a namespace, or in all of them. The pair of two empty texts stands for "any labels": no label
/// has an empty key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Bucket {
    namespace: Option<Str>,
    key: Str,
    value: Str,
}

/// The same, borrowed: lookups copy nothing. It has the hash of a bucket, because its fields are the same in the
/// same order.
#[derive(Clone, Copy, Hash)]
struct BucketRef<'a> {
    namespace: Option<&'a Str>,
    key: &'a Str,
    value: &'a Str,
}

/// The label sets and the selectors of each bucket.
#[derive(Debug, Default)]
pub(crate) struct Buckets {
    buckets: HashMap<Bucket, Members>,
}

#[derive(Debug, Default)]
struct Members {
    sets: Numbers,
    selectors: Numbers,
}

/// Items with numbers, found by a query that matches them. A `P` is attached to each item.
pub(crate) trait Postings<P>: Default + Send + Sync + 'static {
    type Item: Clone + Eq + Hash + Send + Sync + 'static;
    type Query: Clone + Eq + Hash + Send + Sync + 'static;

    fn get(&self, number: u32) -> Option<&Self::Item>;

    /// Returns the `P` of an item.
    fn attached(&self, number: u32) -> Option<&P>;

    fn attached_mut(&mut self, number: u32) -> Option<&mut P>;

    /// Adds an item or replaces it. Its `P` is a new one.
    fn insert(&mut self, buckets: &mut Buckets, number: u32, item: Self::Item);

    fn remove(&mut self, buckets: &mut Buckets, number: u32);

    /// Calls `found` with the number of each item that matches, in no particular order.
    fn matching(&self, buckets: &Buckets, query: &Self::Query, found: impl FnMut(u32));

    /// Returns the text of a query.
    fn describe(query: &Self::Query) -> String;
}

/// Label sets with numbers, found by a selector.
#[derive(Debug)]
pub(crate) struct LabelPostings<P> {
    /// By number.
    sets: Vec<Option<(LabelSet, P)>>,
}

/// Selectors with numbers, found by a label set.
#[derive(Debug)]
pub(crate) struct SelectorPostings<P> {
    /// By number.
    selections: Vec<Option<Selecting<P>>>,
    len: usize,
    /// The number of selectors for all namespaces, and of those that name no values. Without them, a lookup has
    /// fewer buckets to look at.
    wide: usize,
    loose: usize,
}

/// A selector with its buckets.
#[derive(Debug)]
struct Selecting<P> {
    selection: Selection,
    buckets: Box<[Bucket]>,
    attached: P,
}

impl<P: Default + Send + Sync + 'static> Postings<P> for LabelPostings<P> {
    type Item = LabelSet;
    type Query = Selection;

    fn get(&self, number: u32) -> Option<&LabelSet> {
        self.sets.get(number as usize)?.as_ref().map(|(set, _)| set)
    }

    fn attached(&self, number: u32) -> Option<&P> {
        self.sets.get(number as usize)?.as_ref().map(|(_, attached)| attached)
    }

    fn attached_mut(&mut self, number: u32) -> Option<&mut P> {
        self.sets.get_mut(number as usize)?.as_mut().map(|(_, attached)| attached)
    }

    fn insert(&mut self, buckets: &mut Buckets, number: u32, set: LabelSet) {
        let known = place(&mut self.sets, number);
        // Buckets of both label sets stay as they are.
        if let Some((old, _)) = known {
            buckets_of(old, &mut |bucket| {
                if !bucket.has(&set) {
                    buckets.drop_from(bucket, number, |members| &mut members.sets);
                }
            });
        }
        buckets_of(&set, &mut |bucket| {
            if known.as_ref().is_none_or(|(old, _)| !bucket.has(old)) {
                buckets.of(bucket).sets.add(number);
            }
        });
        *known = Some((set, P::default()));
    }

    fn remove(&mut self, buckets: &mut Buckets, number: u32) {
        let Some((set, _)) = self.sets.get_mut(number as usize).and_then(Option::take) else { return };
        buckets_of(&set, &mut |bucket| buckets.drop_from(bucket, number, |members| &mut members.sets));
    }

    fn matching(&self, buckets: &Buckets, selection: &Selection, mut found: impl FnMut(u32)) {
        let Some(requirements) = selection.selector().requirements() else { return };
        let namespace = selection.namespace();
        let mut with_values = requirements.iter().filter(|one| has_values(one));
        let rarest = match (with_values.next(), with_values.next()) {
            (None, _) => None,
            // A single one needs no count.
            (Some(only), None) => Some(only),
            (Some(first), Some(second)) => {
                let rest = [first, second].into_iter().chain(with_values);
                rest.min_by_key(|requirement| buckets.count(namespace, requirement, |members| &members.sets))
            }
        };
        let mut check = |bucket: BucketRef<'_>| {
            let Some(members) = buckets.buckets.get(&bucket) else { return };
            members.sets.for_each(|number| {
                if self.get(number).is_some_and(|set| selection.matches(set)) {
                    found(number);
                }
            });
        };
        match rarest {
            Some(requirement) => values_of(namespace, requirement).for_each(check),
            None => check(BucketRef::any(namespace)),
        }
    }

    fn describe(selection: &Selection) -> String {
        format!("selector {}", selection.selector())
    }
}

impl<P: Default + Send + Sync + 'static> Postings<P> for SelectorPostings<P> {
    type Item = Selection;
    type Query = LabelSet;

    fn get(&self, number: u32) -> Option<&Selection> {
        self.selections.get(number as usize)?.as_ref().map(|known| &known.selection)
    }

    fn attached(&self, number: u32) -> Option<&P> {
        self.selections.get(number as usize)?.as_ref().map(|known| &known.attached)
    }

    fn attached_mut(&mut self, number: u32) -> Option<&mut P> {
        self.selections.get_mut(number as usize)?.as_mut().map(|known| &mut known.attached)
    }

    fn insert(&mut self, buckets: &mut Buckets, number: u32, selection: Selection) {
        self.remove(buckets, number);
        let chosen = buckets.choose(&selection);
        self.len += 1;
        self.wide += usize::from(selection.namespace().is_none());
        self.loose += usize::from(chosen.iter().any(Bucket::is_any));
        for bucket in &chosen {
            buckets.of(bucket.borrowed()).selectors.add(number);
        }
        *place(&mut self.selections, number) =
            Some(Selecting { selection, buckets: chosen, attached: P::default() });
    }

    fn remove(&mut self, buckets: &mut Buckets, number: u32) {
        let known = self.selections.get_mut(number as usize).and_then(Option::take);
        let Some(known) = known else { return };
        self.len -= 1;
        self.wide -= usize::from(known.selection.namespace().is_none());
        self.loose -= usize::from(known.buckets.iter().any(Bucket::is_any));
        for bucket in &known.buckets {
            buckets.drop_from(bucket.borrowed(), number, |members| &mut members.selectors);
        }
    }

    fn matching(&self, buckets: &Buckets, set: &LabelSet, mut found: impl FnMut(u32)) {
        let mut check = |bucket: BucketRef<'_>| {
            let Some(members) = buckets.buckets.get(&bucket) else { return };
            members.selectors.for_each(|number| {
                if self.get(number).is_some_and(|selection| selection.matches(set)) {
                    found(number);
                }
            });
        };
        let namespaces =
            [(self.wide > 0).then_some(None), (self.len > self.wide).then_some(Some(set.namespace()))];
        for namespace in namespaces.into_iter().flatten() {
            if self.loose > 0 {
                check(BucketRef::any(namespace));
            }
            for (key, value) in set.labels() {
                check(BucketRef { namespace, key, value });
            }
        }
    }

    fn describe(labels: &LabelSet) -> String {
        format!("selectors of {labels:?}")
    }
}

impl<P> Default for LabelPostings<P> {
    fn default() -> Self {
        Self { sets: Vec::new() }
    }
}

impl<P> Default for SelectorPostings<P> {
    fn default() -> Self {
        Self { selections: Vec::new(), len: 0, wide: 0, loose: 0 }
    }
}

impl Buckets {
    /// Returns the buckets of the requirement whose buckets have the fewest selectors. None at all for a selector
    /// of nothing.
    fn choose(&self, selection: &Selection) -> Box<[Bucket]> {
        let Some(requirements) = selection.selector().requirements() else { return Box::default() };
        let namespace = selection.namespace();
        let with_values = requirements.iter().filter(|one| has_values(one));
        let members =
            |requirement: &&Requirement| self.count(namespace, requirement, |known| &known.selectors);
        match with_values.min_by_key(members) {
            Some(requirement) => {
                values_of(namespace, requirement).map(|bucket| Bucket::from(&bucket)).collect()
            }
            None => [Bucket::from(&BucketRef::any(namespace))].into(),
        }
    }

    /// Returns how many members of one kind the buckets of a requirement have.
    fn count(
        &self,
        namespace: Option<&Str>,
        requirement: &Requirement,
        kind: impl Fn(&Members) -> &Numbers,
    ) -> usize {
        let found = values_of(namespace, requirement).filter_map(|bucket| self.buckets.get(&bucket));
        found.map(|members| kind(members).len()).sum()
    }

    /// Returns a bucket for a write.
    fn of(&mut self, bucket: BucketRef<'_>) -> &mut Members {
        match self.buckets.entry_ref(&bucket) {
            EntryRef::Occupied(known) => known.into_mut(),
            EntryRef::Vacant(new) => new.insert_with_key(Bucket::from(&bucket), Members::default()),
        }
    }

    fn drop_from(&mut self, bucket: BucketRef<'_>, number: u32, kind: impl Fn(&mut Members) -> &mut Numbers) {
        let Some(members) = self.buckets.get_mut(&bucket) else { return };
        kind(members).remove(number);
        if members.sets.is_empty() && members.selectors.is_empty() {
            self.buckets.remove(&bucket);
        }
    }
}

/// Returns the place of a number for a write.
fn place<T>(items: &mut Vec<Option<T>>, number: u32) -> &mut Option<T> {
    let at = number as usize;
    if items.len() <= at {
        items.resize_with(at + 1, || None);
    }
    &mut items[at]
}

impl Bucket {
    fn is_any(&self) -> bool {
        self.key.is_empty()
    }

    fn borrowed(&self) -> BucketRef<'_> {
        BucketRef { namespace: self.namespace.as_ref(), key: &self.key, value: &self.value }
    }
}

impl<'a> BucketRef<'a> {
    fn any(namespace: Option<&'a Str>) -> Self {
        Self { namespace, key: const { &Str::EMPTY }, value: const { &Str::EMPTY } }
    }

    /// Whether it is a bucket of a label set.
    fn has(&self, set: &LabelSet) -> bool {
        self.namespace.is_none_or(|namespace| namespace == set.namespace())
            && (self.key.is_empty() || set.labels().get(self.key) == Some(self.value))
    }
}

impl Equivalent<Bucket> for BucketRef<'_> {
    fn equivalent(&self, bucket: &Bucket) -> bool {
        self.key == &bucket.key && self.value == &bucket.value && self.namespace == bucket.namespace.as_ref()
    }
}

impl From<&BucketRef<'_>> for Bucket {
    fn from(bucket: &BucketRef<'_>) -> Self {
        Self { namespace: bucket.namespace.cloned(), key: bucket.key.clone(), value: bucket.value.clone() }
    }
}

/// Whether a requirement names the only values that satisfy it.
fn has_values(requirement: &Requirement) -> bool {
    matches!(requirement.operator(), Operator::In | Operator::Equals | Operator::DoubleEquals)
}

fn values_of<'a>(
    namespace: Option<&'a Str>,
    requirement: &'a Requirement,
) -> impl Iterator<Item = BucketRef<'a>> {
    let values: &[Str] = requirement.values();
    // A value that is named twice must not be found twice.
    let distinct = values.iter().enumerate().filter(|(at, value)| !values[..*at].contains(value));
    distinct.map(move |(_, value)| BucketRef { namespace, key: requirement.key(), value })
}

/// The buckets of a label set: its pairs and "any", each in its namespace and in all of them.
fn buckets_of(set: &LabelSet, with: &mut dyn FnMut(BucketRef<'_>)) {
    for namespace in [None, Some(set.namespace())] {
        with(BucketRef::any(namespace));
        for (key, value) in set.labels() {
            with(BucketRef { namespace, key, value });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(random: &mut fastrand::Rng) -> LabelSet {
        let mut labels = Vec::new();
        for key in ["a", "b", "c"] {
            if random.bool() {
                labels.push((key, random.choice(["1", "2", "3"]).unwrap()));
            }
        }
        let labels = labels.into_iter().map(|(key, value)| (key, Str::from(value)));
        LabelSet::new(labels.collect::<client_rs_machinery::Map<_>>())
            .in_namespace(random.choice(["x", "y", ""]).unwrap())
    }

    fn selection(random: &mut fastrand::Rng) -> Selection {
        let texts =
            ["a=1", "a=1,b=2", "a in (1,2,1),b", "a!=1", "!a", "c notin (1)", "", "a,b=3,c in (1,3)", "a>1"];
        let selection = match random.u8(0..10) {
            0 => Selection::new(client_rs_machinery::labels::Selector::NOTHING),
            _ => Selection::parse(random.choice(texts).unwrap()).unwrap(),
        };
        match random.u8(0..3) {
            0 => selection,
            1 => selection.in_namespace("x"),
            _ => selection.in_namespace("y"),
        }
    }

    /// Both indexes find what a scan finds, each once, after any history.
    #[test]
    fn both_directions_find_what_a_scan_finds() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..200 {
            let (mut sets, mut selectors) =
                (LabelPostings::<()>::default(), SelectorPostings::<()>::default());
            let mut buckets = Buckets::default();
            for _ in 0..60 {
                let number = random.u32(0..12);
                match random.u8(0..6) {
                    0 => sets.remove(&mut buckets, number),
                    1 | 2 => sets.insert(&mut buckets, number, set(&mut random)),
                    3 => selectors.remove(&mut buckets, number),
                    _ => selectors.insert(&mut buckets, number, selection(&mut random)),
                }
                let (by, labels) = (selection(&mut random), set(&mut random));
                let mut found = Vec::new();
                sets.matching(&buckets, &by, |number| found.push(number));
                found.sort_unstable();
                let scan = (0..12).filter(|number| sets.get(*number).is_some_and(|set| by.matches(set)));
                assert_eq!(found, scan.collect::<Vec<_>>(), "{by:?}");
                let mut found = Vec::new();
                selectors.matching(&buckets, &labels, |number| found.push(number));
                found.sort_unstable();
                let scan = (0..12).filter(|at| selectors.get(*at).is_some_and(|one| one.matches(&labels)));
                assert_eq!(found, scan.collect::<Vec<_>>(), "{labels:?}");
            }
        }
    }

    #[test]
    fn removal_frees_the_buckets() {
        let mut random = fastrand::Rng::with_seed(3);
        let (mut sets, mut selectors) = (LabelPostings::<()>::default(), SelectorPostings::<()>::default());
        let mut buckets = Buckets::default();
        for number in 0..100 {
            sets.insert(&mut buckets, number, set(&mut random));
            selectors.insert(&mut buckets, number, selection(&mut random));
        }
        for number in 0..100 {
            sets.remove(&mut buckets, number);
            selectors.remove(&mut buckets, number);
        }
        assert!(buckets.buckets.is_empty() && sets.sets.iter().all(Option::is_none));
        assert!(selectors.selections.iter().all(Option::is_none));
        assert_eq!((selectors.len, selectors.wide, selectors.loose), (0, 0, 0));
    }
}
