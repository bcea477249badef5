//! The tests of controller-runtime that are known to fail, each with its reason.

use anyhow::{Context, Result, ensure};

use super::Suite;

const LIST: &str = include_str!("known.txt");

/// The list: package, test, reason.
#[derive(Debug)]
pub(super) struct Known(Vec<[&'static str; 3]>);

impl Known {
    pub(super) fn read() -> Result<Self> {
        Self::of(LIST)
    }

    fn of(list: &'static str) -> Result<Self> {
        let mut all = Vec::new();
        for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let mut parts = line.splitn(3, " | ");
            let mut next = || parts.next().filter(|part| !part.trim().is_empty());
            let entry = (next(), next(), next());
            let (Some(package), Some(test), Some(reason)) = entry else {
                return Err(anyhow::anyhow!("{line:?}"))
                    .context("a known failure is `package | test | reason`");
            };
            let entry = [package, test, reason];
            ensure!(!all.contains(&entry), "{line:?} is twice in the list");
            all.push(entry);
        }
        Ok(Self(all))
    }

    /// Why a test fails, if it is known to. A test of the list that ends in `*` stands for all that begin like it.
    pub(super) fn reason(&self, package: &str, test: &str) -> Option<&'static str> {
        let is_it = |entry: &&[&'static str; 3]| entry[0] == package && matches(entry[1], test);
        self.0.iter().find(is_it).map(|entry| entry[2])
    }

    /// The entries, in order.
    pub(super) fn entries(&self) -> &[[&'static str; 3]] {
        &self.0
    }

    /// Entries that no test of the packages matches.
    pub(super) fn unused(&self, suites: &[Suite]) -> Vec<(&'static str, &'static str)> {
        let used = |[package, test, _]: &&[&'static str; 3]| {
            let mut of = suites.iter().filter(|suite| suite.package == *package);
            of.any(|suite| suite.results.tests.iter().any(|found| matches(test, &found.name)))
        };
        self.0.iter().filter(|entry| !used(entry)).map(|entry| (entry[0], entry[1])).collect()
    }
}

fn matches(pattern: &str, test: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == test, |start| test.starts_with(start))
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
        assert!(Known::read().is_ok());
    }
}
