//! The versions of a store, and their comparison.

use std::cmp::Ordering;

use client_rs_machinery::{Str, compare_resource_versions};

use crate::Coverage;

/// The versions of a store: one, or one per namespace if several reflectors fill it.
#[derive(Clone, Debug, Default)]
pub(super) struct Versions {
    all: Str,
    namespaces: Vec<(Str, Str)>,
    /// The last bookmark of each part. A part without one since its last list has no entry.
    bookmarks: Vec<(Coverage, Marked)>,
    /// The version of the last list of each part.
    lists: Vec<(Coverage, Str)>,
}

/// A bookmark, and the version that the part had before it.
#[derive(Clone, Debug)]
struct Marked {
    before: Str,
    at: Str,
}

/// A resourceVersion that can be compared: a decimal number of any length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numeric(Str);

impl Versions {
    /// Returns the version of the reflector that covers everything.
    pub(super) fn all(&self) -> &Str {
        &self.all
    }

    /// Returns the version of the reflector that covers this namespace.
    pub(super) fn of(&self, namespace: &str) -> &Str {
        let own = self.namespaces.iter().find(|(known, _)| known == namespace);
        own.map_or(&self.all, |(_, version)| version)
    }

    /// Sets the version of a part to that of a list.
    pub(super) fn set(&mut self, coverage: &Coverage, version: Str) {
        self.bookmarks.retain(|(part, _)| part != coverage);
        match self.lists.iter_mut().find(|(part, _)| part == coverage) {
            Some((_, last)) => *last = version.clone(),
            None => self.lists.push((coverage.clone(), version.clone())),
        }
        self.put(coverage, version);
    }

    /// Returns the version of the last list of the part that covers this namespace, if it had one.
    pub(super) fn listed(&self, namespace: &str) -> Option<&Str> {
        let coverage = self.coverage(namespace);
        self.lists.iter().find(|(part, _)| *part == coverage).map(|(_, version)| version)
    }

    /// Sets the version of a part to that of a bookmark: nothing has changed.
    pub(super) fn mark(&mut self, coverage: &Coverage, version: Str) {
        let before = self.part(coverage).clone();
        match self.bookmarks.iter_mut().find(|(part, _)| part == coverage) {
            // Nothing has changed since the bookmark before.
            Some((_, last)) if last.at == before => last.at = version.clone(),
            Some((_, last)) => *last = Marked { before, at: version.clone() },
            None => self.bookmarks.push((coverage.clone(), Marked { before, at: version.clone() })),
        }
        self.put(coverage, version);
    }

    /// Returns the version of the newest list or change of a part. Bookmarks do not count.
    pub(super) fn changed(&self, coverage: &Coverage) -> &Str {
        let version = self.part(coverage);
        let marked = self.bookmarks.iter().find(|(part, last)| part == coverage && last.at == *version);
        marked.map_or(version, |(_, last)| &last.before)
    }

    fn part(&self, coverage: &Coverage) -> &Str {
        match coverage {
            Coverage::All => &self.all,
            Coverage::Namespace(namespace) => self.of(namespace),
        }
    }

    fn put(&mut self, coverage: &Coverage, version: Str) {
        match coverage {
            Coverage::All => self.all = version,
            Coverage::Namespace(namespace) => {
                match self.namespaces.iter_mut().find(|(known, _)| known == namespace) {
                    Some(known) => known.1 = version,
                    None => self.namespaces.push((namespace.clone(), version)),
                }
            }
        }
    }

    /// Records the version of an object of this namespace.
    pub(super) fn seen(&mut self, namespace: &str, version: &str) {
        if version.is_empty() {
            return;
        }
        // Once namespaces have versions of their own, the whole has none.
        if self.namespaces.is_empty() {
            self.all = version.into();
        } else if let Some(known) = self.namespaces.iter_mut().find(|(known, _)| known == namespace) {
            known.1 = version.into();
        }
    }

    /// Does the work of [`seen`](Self::seen), but never goes back: a lower version changes nothing.
    pub(super) fn advance(&mut self, namespace: &str, version: &str) {
        let back = match (Numeric::parse(version), Numeric::parse(self.of(namespace))) {
            (Some(new), Some(known)) => new < known,
            _ => false,
        };
        if !back {
            self.seen(namespace, version);
        }
    }

    /// Returns the part whose version covers this namespace.
    pub(super) fn coverage(&self, namespace: &str) -> Coverage {
        match self.namespaces.iter().find(|(known, _)| known == namespace) {
            Some((known, _)) => Coverage::Namespace(known.clone()),
            None => Coverage::All,
        }
    }

    /// Iterates over the parts with their versions.
    pub(super) fn parts(&self) -> impl Iterator<Item = (Coverage, &Str)> {
        let namespaces = self.namespaces.iter();
        let namespaces = namespaces.map(|(name, version)| (Coverage::Namespace(name.clone()), version));
        std::iter::once((Coverage::All, &self.all)).chain(namespaces)
    }
}

impl Numeric {
    /// Parses a number without leading zeros; `None` for any other text.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        compare_resource_versions(text, "0").map(|_| Self(text.into()))
    }

    /// Returns the next number; `None` if it is too large.
    pub(crate) fn next(&self) -> Option<Self> {
        let next = self.0.parse::<u128>().ok()?.checked_add(1)?;
        Some(Self(next.to_string().into()))
    }
}

impl Ord for Numeric {
    fn cmp(&self, other: &Self) -> Ordering {
        // Both are numbers without leading zeros.
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Numeric {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn compares_as_numbers(a in any::<u128>(), b in any::<u128>()) {
            let numeric = |number: u128| Numeric::parse(&number.to_string()).unwrap();
            prop_assert_eq!(numeric(a).cmp(&numeric(b)), a.cmp(&b));
        }
    }

    #[test]
    fn only_numbers_compare() {
        for text in ["", "a", "1a", "01", "-1", "1.0", " 1", "٣"] {
            assert_eq!(Numeric::parse(text), None, "{text}");
        }
        assert!(Numeric::parse("99999999999999999999999999999999999999999999") > Numeric::parse("100"));
    }

    #[test]
    fn each_namespace_has_its_own_version_once_one_has() {
        let mut versions = Versions::default();
        versions.seen("a", "1");
        assert_eq!((versions.all().as_str(), versions.of("a").as_str()), ("1", "1"));
        versions.set(&Coverage::Namespace("a".into()), "2".into());
        versions.seen("b", "9");
        versions.seen("a", "3");
        versions.seen("a", "");
        assert_eq!(
            (versions.all().as_str(), versions.of("a").as_str(), versions.of("b").as_str()),
            ("1", "3", "1")
        );
        assert_eq!(versions.parts().count(), 2);
    }

    #[test]
    fn the_version_of_the_last_list_stays_until_the_next_list() {
        let mut versions = Versions::default();
        assert_eq!(versions.listed("a"), None);
        versions.set(&Coverage::All, "5".into());
        versions.seen("a", "7");
        versions.mark(&Coverage::All, "9".into());
        assert_eq!(versions.listed("a").map(Str::as_str), Some("5"));
        // After a restore it goes back.
        versions.set(&Coverage::All, "3".into());
        assert_eq!(versions.listed("a").map(Str::as_str), Some("3"));
        versions.set(&Coverage::Namespace("a".into()), "8".into());
        let listed = |namespace| versions.listed(namespace).map(Str::as_str);
        assert_eq!((listed("a"), listed("b")), (Some("8"), Some("3")));
    }

    #[test]
    fn bookmarks_are_not_changes() {
        for part in [Coverage::All, Coverage::Namespace("a".into())] {
            let mut versions = Versions::default();
            versions.set(&part, "1".into());
            assert_eq!(versions.changed(&part), "1", "a list");
            for bookmark in ["5", "9"] {
                versions.mark(&part, bookmark.into());
                assert_eq!(
                    (versions.part(&part).as_str(), versions.changed(&part).as_str()),
                    (bookmark, "1")
                );
            }
            versions.seen("a", "10");
            assert_eq!(versions.changed(&part), "10", "an event");
            versions.mark(&part, "12".into());
            assert_eq!(versions.changed(&part), "10");
            // After a break, the list may have other content at the version of the bookmark.
            versions.set(&part, "12".into());
            assert_eq!(versions.changed(&part), "12");
        }
    }
}
