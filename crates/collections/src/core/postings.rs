//! Two indexes for joins by label selector: label sets found by a selector, and selectors found by a label set.
//!
//! Both are buckets by one label pair and namespace. A label set is in a bucket for each of its pairs. A selector
//! is in the buckets of one of its requirements only, so a lookup of a label set finds it at most once.

use std::hash::Hash;

use client_rs_machinery::Str;
use client_rs_machinery::hash::HashMap;
use client_rs_machinery::labels::{Operator, Requirement};
use hashbrown::Equivalent;

use super::small_set::SmallSet;
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

type Buckets = HashMap<Bucket, SmallSet<u32>>;

/// Items with numbers, found by a query that matches them.
pub(crate) trait Postings: Default + Send + Sync + 'static {
    type Item: Clone + PartialEq + Send + Sync + 'static;
    type Query: Clone + Eq + Hash + Send + Sync + 'static;

    fn get(&self, number: u32) -> Option<&Self::Item>;

    fn insert(&mut self, number: u32, item: Self::Item);

    fn remove(&mut self, number: u32);

    /// Calls `found` with the number of each item that matches, in no particular order.
    fn matching(&self, query: &Self::Query, found: impl FnMut(u32));

    /// Returns the text of a query.
    fn describe(query: &Self::Query) -> String;
}

/// Label sets with numbers, found by a selector.
#[derive(Debug, Default)]
pub(crate) struct LabelPostings {
    /// By number.
    sets: Vec<Option<LabelSet>>,
    buckets: Buckets,
}

/// Selectors with numbers, found by a label set.
#[derive(Debug, Default)]
pub(crate) struct SelectorPostings {
    /// By number, each with its buckets.
    selections: Vec<Option<(Selection, Box<[Bucket]>)>>,
    len: usize,
    buckets: Buckets,
    /// The number of selectors for all namespaces, and of those that name no values. Without them, a lookup has
    /// fewer buckets to look at.
    wide: usize,
    loose: usize,
}

impl Postings for LabelPostings {
    type Item = LabelSet;
    type Query = Selection;

    fn get(&self, number: u32) -> Option<&LabelSet> {
        self.sets.get(number as usize)?.as_ref()
    }

    fn insert(&mut self, number: u32, set: LabelSet) {
        self.remove(number);
        buckets_of(&set, &mut |bucket| {
            if let Some(numbers) = self.buckets.get_mut(&bucket) {
                numbers.add(number);
            } else {
                self.buckets.insert(Bucket::from(&bucket), SmallSet::One(number));
            }
        });
        *place(&mut self.sets, number) = Some(set);
    }

    fn remove(&mut self, number: u32) {
        let Some(set) = self.sets.get_mut(number as usize).and_then(Option::take) else { return };
        buckets_of(&set, &mut |bucket| drop_from(&mut self.buckets, bucket, number));
    }

    fn matching(&self, selection: &Selection, mut found: impl FnMut(u32)) {
        let Some(requirements) = selection.selector().requirements() else { return };
        let namespace = selection.namespace();
        let mut with_values = requirements.iter().filter(|one| has_values(one));
        let rarest = match (with_values.next(), with_values.next()) {
            (None, _) => None,
            // A single one needs no count.
            (Some(only), None) => Some(only),
            (Some(first), Some(second)) => {
                let rest = [first, second].into_iter().chain(with_values);
                rest.min_by_key(|requirement| count(&self.buckets, namespace, requirement))
            }
        };
        let mut check = |bucket: BucketRef<'_>| {
            let Some(numbers) = self.buckets.get(&bucket) else { return };
            numbers.for_each(|number| {
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

impl Postings for SelectorPostings {
    type Item = Selection;
    type Query = LabelSet;

    fn get(&self, number: u32) -> Option<&Selection> {
        self.selections.get(number as usize)?.as_ref().map(|(selection, _)| selection)
    }

    fn insert(&mut self, number: u32, selection: Selection) {
        self.remove(number);
        let buckets = self.choose(&selection);
        self.len += 1;
        self.wide += usize::from(selection.namespace().is_none());
        self.loose += usize::from(buckets.iter().any(Bucket::is_any));
        for bucket in &buckets {
            self.buckets.entry(bucket.clone()).or_default().add(number);
        }
        *place(&mut self.selections, number) = Some((selection, buckets));
    }

    fn remove(&mut self, number: u32) {
        let known = self.selections.get_mut(number as usize).and_then(Option::take);
        let Some((selection, buckets)) = known else { return };
        self.len -= 1;
        self.wide -= usize::from(selection.namespace().is_none());
        self.loose -= usize::from(buckets.iter().any(Bucket::is_any));
        for bucket in &buckets {
            drop_from(&mut self.buckets, bucket.borrowed(), number);
        }
    }

    fn matching(&self, set: &LabelSet, mut found: impl FnMut(u32)) {
        let mut check = |bucket: BucketRef<'_>| {
            let Some(numbers) = self.buckets.get(&bucket) else { return };
            numbers.for_each(|number| {
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

impl SelectorPostings {
    /// Returns the buckets of the requirement whose buckets have the fewest selectors. None at all for a selector
    /// of nothing.
    fn choose(&self, selection: &Selection) -> Box<[Bucket]> {
        let Some(requirements) = selection.selector().requirements() else { return Box::default() };
        let namespace = selection.namespace();
        let with_values = requirements.iter().filter(|one| has_values(one));
        match with_values.min_by_key(|requirement| count(&self.buckets, namespace, requirement)) {
            Some(requirement) => {
                values_of(namespace, requirement).map(|bucket| Bucket::from(&bucket)).collect()
            }
            None => [Bucket::from(&BucketRef::any(namespace))].into(),
        }
    }
}

/// Returns how many members the buckets of a requirement have.
fn count(buckets: &Buckets, namespace: Option<&Str>, requirement: &Requirement) -> usize {
    let found = values_of(namespace, requirement);
    found.map(|bucket| buckets.get(&bucket).map_or(0, SmallSet::len)).sum()
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

fn drop_from(buckets: &mut Buckets, bucket: BucketRef<'_>, number: u32) {
    let Some(numbers) = buckets.get_mut(&bucket) else { return };
    numbers.remove(number);
    if numbers.is_empty() {
        buckets.remove(&bucket);
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
            let (mut sets, mut selectors) = (LabelPostings::default(), SelectorPostings::default());
            for _ in 0..60 {
                let number = random.u32(0..12);
                match random.u8(0..6) {
                    0 => sets.remove(number),
                    1 | 2 => sets.insert(number, set(&mut random)),
                    3 => selectors.remove(number),
                    _ => selectors.insert(number, selection(&mut random)),
                }
                let (by, labels) = (selection(&mut random), set(&mut random));
                let mut found = Vec::new();
                sets.matching(&by, |number| found.push(number));
                found.sort_unstable();
                let scan = (0..12).filter(|number| sets.get(*number).is_some_and(|set| by.matches(set)));
                assert_eq!(found, scan.collect::<Vec<_>>(), "{by:?}");
                let mut found = Vec::new();
                selectors.matching(&labels, |number| found.push(number));
                found.sort_unstable();
                let scan = (0..12).filter(|at| selectors.get(*at).is_some_and(|one| one.matches(&labels)));
                assert_eq!(found, scan.collect::<Vec<_>>(), "{labels:?}");
            }
        }
    }

    #[test]
    fn removal_frees_the_buckets() {
        let mut random = fastrand::Rng::with_seed(3);
        let (mut sets, mut selectors) = (LabelPostings::default(), SelectorPostings::default());
        for number in 0..100 {
            sets.insert(number, set(&mut random));
            selectors.insert(number, selection(&mut random));
        }
        for number in 0..100 {
            sets.remove(number);
            selectors.remove(number);
        }
        assert!(sets.buckets.is_empty() && sets.sets.iter().all(Option::is_none));
        assert!(selectors.buckets.is_empty() && selectors.selections.iter().all(Option::is_none));
        assert_eq!((selectors.len, selectors.wide, selectors.loose), (0, 0, 0));
    }
}
