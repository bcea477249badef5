//! Ids of scenarios that sources cite: in names of functions (`t1_2_13_…`) and as they are (`T1.2-13`).

use std::collections::{BTreeMap, BTreeSet};

use crate::TextFile;
use crate::catalogue::Scenarios;

/// Where each id is cited: file and line.
pub type Citations = BTreeMap<String, Vec<String>>;

/// All citations of these sources.
pub fn citations(files: &[TextFile]) -> Citations {
    let mut found = Citations::new();
    for file in files {
        for (number, line) in file.text.lines().enumerate() {
            let mut ids = if line.contains('T') { ids_in_text(line) } else { Vec::new() };
            ids.extend(functions(line).flat_map(ids_in_name));
            for id in ids {
                found.entry(id).or_default().push(format!("{}:{}", file.path, number + 1));
            }
        }
    }
    found
}

/// Ids that are cited and that the catalogue does not have, scenarios that nothing covers, and scenarios that name a test
/// which does not exist.
pub fn disagreements(scenarios: &Scenarios, citations: &Citations, sources: &[TextFile]) -> Vec<String> {
    let mut problems = Vec::new();
    for (id, places) in citations {
        if !scenarios.contains_key(id) {
            problems.push(format!("{}: {id} is not in docs/semantics", places[0]));
        }
    }
    let functions: BTreeSet<&str> = sources.iter().flat_map(|file| functions(&file.text)).collect();
    for (id, scenario) in scenarios {
        let place = &scenario.place;
        if !citations.contains_key(id) && scenario.covered_by.is_empty() && !scenario.has_reason {
            problems
                .push(format!("{place}: no test cites {id}, and it says neither what covers it nor why not"));
        }
        for test in &scenario.covered_by {
            let exists = if test.contains(' ') {
                let quoted = format!("\"{test}\"");
                sources.iter().any(|file| file.text.contains(&quoted))
            } else {
                functions.contains(test.as_str())
            };
            if !exists {
                problems.push(format!("{place}: {id} names the test `{test}`, which does not exist"));
            }
        }
    }
    problems
}

/// The ids in the name of a function: `t1_2_13_…`, `t7_04_…`, several (`…_t5_1_05_…`), and further ones of the same
/// section (`t5_9_10_and_11_…`).
fn ids_in_name(name: &str) -> Vec<String> {
    let parts: Vec<&str> = name.split('_').collect();
    let part = |at: usize| parts.get(at).copied().unwrap_or_default();
    let (mut ids, mut at) = (Vec::new(), 0);
    while at < parts.len() {
        let chapter = part(at).strip_prefix('t').filter(|digits| is_number(digits));
        at += 1;
        let Some(chapter) = chapter else { continue };
        let section = if is_number(part(at)) && is_two_digits(part(at + 1)) {
            at += 1;
            format!("T{chapter}.{}", part(at - 1))
        } else {
            format!("T{chapter}")
        };
        if is_two_digits(part(at)) {
            ids.push(format!("{section}-{}", part(at)));
            at += 1;
            while part(at) == "and" && is_two_digits(part(at + 1)) {
                ids.push(format!("{section}-{}", part(at + 1)));
                at += 2;
            }
        }
    }
    ids
}

/// The ids in a text: `T1.2-13`, `T7-04`.
fn ids_in_text(text: &str) -> Vec<String> {
    let id_characters = |character: char| character.is_ascii_alphanumeric() || matches!(character, '.' | '-');
    let tokens = text.split(|character| !id_characters(character) && character != '_');
    let ids = tokens.filter_map(|token| {
        let token = token.trim_matches(['.', '-']);
        let (section, number) = token.strip_prefix('T')?.split_once('-')?;
        let (chapter, part) = section.split_once('.').unwrap_or((section, "0"));
        (is_number(chapter) && is_number(part) && is_two_digits(number)).then(|| token.to_owned())
    });
    ids.collect()
}

/// The names of the functions that a source defines.
pub(crate) fn functions(text: &str) -> impl Iterator<Item = &str> {
    text.split("fn ").skip(1).filter_map(|rest| words(rest).next())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_ascii_alphanumeric() && character != '_')
        .filter(|word| !word.is_empty())
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_two_digits(text: &str) -> bool {
    text.len() == 2 && is_number(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Scenario;

    #[test]
    fn names_cite_one_or_several() {
        assert_eq!(ids_in_name("t1_2_13_internal_errors"), ["T1.2-13"]);
        assert_eq!(ids_in_name("t7_04_coordinated"), ["T7-04"]);
        assert_eq!(ids_in_name("t1_10_03_a_panic"), ["T1.10-03"]);
        assert_eq!(ids_in_name("t7_10_2_replicas"), ["T7-10"]);
        assert_eq!(ids_in_name("t5_1_04_t5_1_05_any_other_failure"), ["T5.1-04", "T5.1-05"]);
        assert_eq!(ids_in_name("t5_9_10_and_11_typed_fixtures"), ["T5.9-10", "T5.9-11"]);
        assert_eq!(ids_in_name("t3_8_05_and_t3_8_07_a_transport"), ["T3.8-05", "T3.8-07"]);
        assert_eq!(ids_in_name("a_test_of_t2_1"), Vec::<String>::new());
    }

    #[test]
    fn texts_cite_ids_as_they_are() {
        assert_eq!(
            ids_in_text("// T1.11-20. Differs; see [T4.5-07] and T7-04."),
            ["T1.11-20", "T4.5-07", "T7-04"]
        );
        assert_eq!(ids_in_text("at 2026-01-01T10-00, XT1.2-13, T1.2-1, T1.2, t2-1"), Vec::<String>::new());
    }

    #[test]
    fn disagreements_are_reported() {
        let source = |text: &str| TextFile { path: "a.rs".into(), text: text.into() };
        let sources =
            [source("fn t1_2_01_a() {}\nfn t1_2_99_b() {}\nfn other() {}\nscenario!(\"it works\", x)")];
        let scenario = |covered_by: &[&str], has_reason| Scenario {
            place: "s.md:1".into(),
            covered_by: covered_by.iter().map(|&test| test.to_owned()).collect(),
            has_reason,
        };
        let scenarios = Scenarios::from([
            ("T1.2-01".into(), scenario(&[], false)),
            ("T1.2-02".into(), scenario(&["other", "it works"], false)),
            ("T1.2-03".into(), scenario(&[], true)),
            ("T1.2-04".into(), scenario(&[], false)),
            ("T1.2-05".into(), scenario(&["gone", "it fails"], false)),
        ]);
        assert_eq!(
            disagreements(&scenarios, &citations(&sources), &sources),
            [
                "a.rs:2: T1.2-99 is not in docs/semantics",
                "s.md:1: no test cites T1.2-04, and it says neither what covers it nor why not",
                "s.md:1: T1.2-05 names the test `gone`, which does not exist",
                "s.md:1: T1.2-05 names the test `it fails`, which does not exist",
            ]
        );
    }
}
