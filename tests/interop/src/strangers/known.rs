//! Lists of tests with reasons: those that are known to fail, and those that are not run.

use anyhow::{Context, Result, ensure};

/// The list: group of tests, test, reason.
#[derive(Debug)]
pub(super) struct Known(Vec<[&'static str; 3]>);

impl Known {
    /// Reads a list: one line for each entry, `group | test | reason`. A `*` in a test stands for any text.
    pub(super) fn of(list: &'static str) -> Result<Self> {
        let mut all: Vec<[&'static str; 3]> = Vec::new();
        for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let mut parts = line.splitn(3, " | ");
            let mut next = || parts.next().filter(|part| !part.trim().is_empty());
            let entry = (next(), next(), next());
            let (Some(group), Some(test), Some(reason)) = entry else {
                return Err(anyhow::anyhow!("{line:?}")).context("an entry is `group | test | reason`");
            };
            ensure!(!all.iter().any(|entry| entry[..2] == [group, test]), "{line:?} is twice in the list");
            all.push([group, test, reason]);
        }
        Ok(Self(all))
    }

    /// The reason of the first entry that matches a test.
    pub(super) fn reason(&self, group: &str, test: &str) -> Option<&'static str> {
        let is_it = |entry: &&[&'static str; 3]| entry[0] == group && matches(entry[1], test);
        self.0.iter().find(is_it).map(|entry| entry[2])
    }

    /// The entries, in order.
    pub(super) fn entries(&self) -> &[[&'static str; 3]] {
        &self.0
    }

    /// Entries that none of these tests (group, name) is the first to match.
    pub(super) fn unused<'a>(
        &self,
        tests: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Vec<[&'static str; 3]> {
        let mut used = vec![false; self.0.len()];
        for (group, test) in tests {
            let found = self.0.iter().position(|entry| entry[0] == group && matches(entry[1], test));
            if let Some(found) = found {
                used[found] = true;
            }
        }
        self.0.iter().zip(used).filter(|(_, used)| !used).map(|(entry, _)| *entry).collect()
    }
}

/// Whether a test is meant by a pattern, in which `*` stands for any text.
pub(super) fn matches(pattern: &str, test: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == test };
    let Some(test) = test.strip_prefix(start) else { return false };
    if rest.is_empty() {
        return true;
    }
    let mut ends = test.char_indices().map(|(at, _)| at).chain([test.len()]);
    ends.any(|at| matches(rest, &test[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_has_a_reason_and_may_stand_for_several_tests() {
        let known =
            Known::of("# note\n\nclient | reads pods | no pods\ncache | lists * | no lists\n").unwrap();
        assert_eq!(known.reason("client", "reads pods"), Some("no pods"));
        assert_eq!(known.reason("client", "reads"), None);
        assert_eq!(known.reason("cache", "lists all"), Some("no lists"));
        assert_eq!(known.reason("client", "lists all"), None);
        assert!(Known::of("client | reads pods\n").is_err());
        assert!(Known::of("client | x | one\nclient | x | two\n").is_err());
        assert_eq!(known.unused([("cache", "lists é")].into_iter()), [["client", "reads pods", "no pods"]]);
    }

    #[test]
    fn a_star_is_any_text() {
        for (pattern, test, expected) in [
            ("a*", "a", true),
            ("*[Conformance]", "x [Conformance]", true),
            ("*[Conformance]", "x [Conformance] y", false),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("*é*", "caché!", true),
            ("a", "ab", false),
        ] {
            assert_eq!(matches(pattern, test), expected, "{pattern} {test}");
        }
    }
}
