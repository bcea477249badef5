//! The selection of specs.

use anyhow::Result;

use super::super::known::Known;
use super::super::results::{Outcome, Test};

/// The name of the suite: Ginkgo matches expressions against it and the spec's name.
const SUITE: &str = "Kubernetes e2e suite";
/// Specs that Kubernetes itself leaves out by default: they are unreliable, or need features that a cluster may not have.
const OPTIONAL: &str = r"\[Flaky\]|\[Feature:.+\]";

/// A spec by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spec<'a> {
    /// `api-machinery` of `[sig-api-machinery]`.
    pub(super) group: &'a str,
    /// The name without the group.
    pub(super) name: &'a str,
}

impl<'a> Spec<'a> {
    pub(super) fn of(name: &'a str) -> Option<Self> {
        let (group, name) = name.strip_prefix("[sig-")?.split_once("] ")?;
        Some(Self { group, name })
    }

    pub(super) fn is_conformance(&self) -> bool {
        self.name.contains("[Conformance]")
    }
}

/// The specs to run.
#[derive(Debug)]
pub(super) struct Selection {
    /// Regular expressions: a spec that matches one of them is run.
    pub(super) focus: Vec<String>,
    /// Specs that need containers or a kubelet.
    pub(super) excluded: Known,
}

impl Selection {
    /// The specs that were asked for, or those of the groups.
    pub(super) fn read(focus: &[String], groups: &[&str]) -> Result<Self> {
        let focus = match focus {
            [] => groups.iter().map(|group| format!(r"\[sig-{group}\]")).collect(),
            given => given.to_vec(),
        };
        Ok(Self { focus, excluded: Known::of(include_str!("excluded.txt"))? })
    }

    /// Regular expressions of specs that are not run.
    pub(super) fn skip(&self) -> Vec<String> {
        let excluded = self.excluded.entries().iter().map(|[group, name, _]| {
            let name: Vec<String> = name.split('*').map(escaped).collect();
            format!(r"^{SUITE} \[sig-{group}\] {}$", name.join(".*"))
        });
        std::iter::once(OPTIONAL.to_owned()).chain(excluded).collect()
    }
}

/// Regular expressions of the specs that failed, and are not excluded.
pub(super) fn failed(tests: &[Test], excluded: &Known) -> Vec<String> {
    let failed = tests.iter().filter(|test| matches!(test.outcome, Outcome::Failed(_)));
    let specs = failed.filter(|test| {
        Spec::of(&test.name).is_some_and(|spec| excluded.reason(spec.group, spec.name).is_none())
    });
    specs.map(|test| format!("^{SUITE} {}$", escaped(&test.name))).collect()
}

/// A text as a regular expression that matches it.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if !character.is_alphanumeric() && character != ' ' {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_is_a_group_and_a_name() {
        let spec = Spec::of("[sig-auth] Certificates API [Privileged] works [Conformance]").unwrap();
        assert_eq!((spec.group, spec.is_conformance()), ("auth", true));
        assert_eq!(spec.name, "Certificates API [Privileged] works [Conformance]");
        assert_eq!(Spec::of("SynchronizedBeforeSuite"), None);
    }

    #[test]
    fn failed_specs_are_found_by_their_whole_names() {
        let test = |name: &str, outcome| Test { name: name.to_owned(), outcome };
        let failed_one = || Outcome::Failed(String::new());
        let tests = [
            test("[sig-auth] a", failed_one()),
            test("[sig-auth] b", Outcome::Passed),
            test("[sig-auth] pods", failed_one()),
            test("BeforeSuite", failed_one()),
        ];
        let excluded = Known::of("auth | pods | no pods\n").unwrap();
        assert_eq!(failed(&tests, &excluded), [r"^Kubernetes e2e suite \[sig\-auth\] a$"]);
    }

    #[test]
    fn entries_of_the_list_are_expressions_for_whole_names() {
        let excluded = Known::of("auth | runs (a|b) * [x] | no pods\n").unwrap();
        let selection = Selection { focus: Vec::new(), excluded };
        let expected = r"^Kubernetes e2e suite \[sig-auth\] runs \(a\|b\) .* \[x\]$";
        assert_eq!(selection.skip(), [OPTIONAL, expected]);
    }
}
