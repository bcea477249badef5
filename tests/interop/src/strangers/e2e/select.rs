//! The selection of specs.

use anyhow::{Context, Result, ensure};

use super::super::known::{self, Known};
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

    /// Whether Kubernetes itself leaves it out by default.
    fn is_optional(&self) -> bool {
        self.name.contains("[Flaky]") || self.name.contains("[Feature:")
    }
}

/// The specs to run.
#[derive(Debug)]
pub(super) struct Selection {
    /// Regular expressions: a spec that matches one of them is run.
    pub(super) focus: Vec<String>,
    /// Specs that need containers or a kubelet.
    pub(super) excluded: Known,
    /// Specs of other groups that are run, as (group, name). The rest of these groups is not.
    pub(super) others: Vec<[&'static str; 2]>,
}

impl Selection {
    /// The specs that were asked for, or those of the groups and the list of others.
    pub(super) fn read(focus: &[String], groups: &[&str]) -> Result<Self> {
        let others = others(include_str!("others.txt"))?;
        let focus = match focus {
            [] => {
                let groups = groups.iter().map(|group| format!(r"\[sig-{group}\]"));
                groups.chain(others.iter().map(|[group, name]| expression(group, name))).collect()
            }
            given => given.to_vec(),
        };
        Ok(Self { focus, excluded: Known::of(include_str!("excluded.txt"))?, others })
    }

    /// The groups in the list of others.
    pub(super) fn other_groups(&self) -> Vec<&'static str> {
        let mut groups: Vec<&str> = self.others.iter().map(|[group, _]| *group).collect();
        groups.dedup();
        groups
    }

    /// Whether a spec is left out: it is in the list of those, or not in the list of other groups' specs.
    pub(super) fn leaves_out(&self, spec: &Spec<'_>) -> bool {
        let mut of_group = self.others.iter().filter(|[group, _]| *group == spec.group).peekable();
        let is_other = of_group.peek().is_some() && !spec.is_optional();
        self.excluded.reason(spec.group, spec.name).is_some()
            || (is_other && !of_group.any(|[_, name]| known::matches(name, spec.name)))
    }

    /// Entries of the list of others that no spec matches.
    pub(super) fn unused(&self, specs: &[Spec<'_>]) -> Vec<[&'static str; 2]> {
        let is_used = |[group, name]: &[&str; 2]| {
            specs.iter().any(|spec| spec.group == *group && known::matches(name, spec.name))
        };
        self.others.iter().filter(|entry| !is_used(entry)).copied().collect()
    }

    /// Regular expressions of specs that are not run.
    pub(super) fn skip(&self) -> Vec<String> {
        let excluded = self.excluded.entries().iter().map(|[group, name, _]| expression(group, name));
        std::iter::once(OPTIONAL.to_owned()).chain(excluded).collect()
    }
}

/// Reads the list of other groups' specs: `group | spec`, groups in order.
fn others(list: &'static str) -> Result<Vec<[&'static str; 2]>> {
    let lines = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let entries = lines.map(|line| line.split_once(" | ").map(|(group, name)| [group, name]).context(line));
    let entries = entries.collect::<Result<Vec<_>>>().context("an entry is `group | spec`")?;
    ensure!(entries.is_sorted_by_key(|[group, _]| *group), "the groups of the list are not in order");
    Ok(entries)
}

/// A regular expression of the specs of an entry, in which `*` stands for any text.
fn expression(group: &str, name: &str) -> String {
    let name: Vec<String> = name.split('*').map(escaped).collect();
    format!(r"^{SUITE} \[sig-{group}\] {}$", name.join(".*"))
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
        let selection = Selection { focus: Vec::new(), excluded, others: Vec::new() };
        let expected = r"^Kubernetes e2e suite \[sig-auth\] runs \(a\|b\) .* \[x\]$";
        assert_eq!(selection.skip(), [OPTIONAL, expected]);
    }

    #[test]
    fn of_other_groups_only_the_specs_of_a_list_are_run() {
        let excluded = Known::of("node | a 2 | no pods\n").unwrap();
        let others = others("node | a *\nnode | b\nstorage | c\n").unwrap();
        let selection = Selection { focus: Vec::new(), excluded, others };
        assert_eq!(selection.other_groups(), ["node", "storage"]);
        let left_out = |name: &str| selection.leaves_out(&Spec::of(name).unwrap());
        for (name, expected) in [
            ("[sig-node] a 1", false),
            ("[sig-node] a 2", true),
            ("[sig-node] b", false),
            ("[sig-node] runs", true),
            // Kubernetes leaves it out, so it does not count.
            ("[sig-node] runs [Feature:x]", false),
            ("[sig-auth] all", false),
        ] {
            assert_eq!(left_out(name), expected, "{name}");
        }
        let specs = [Spec::of("[sig-node] a 1").unwrap(), Spec::of("[sig-node] b").unwrap()];
        assert_eq!(selection.unused(&specs), [["storage", "c"]]);
        assert!(super::others("b | x\na | y\n").is_err() && super::others("b\n").is_err());
    }
}
