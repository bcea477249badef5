//! The catalogue of scenarios, `docs/semantics`.

use std::collections::BTreeMap;

use crate::TextFile;

/// The attributes of a scenario in the catalogue, without its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scenario {
    /// Where it is: file and line.
    pub place: String,
    /// The tests or conformance scenarios that cover it, as `Covered by:` names them.
    pub covered_by: Vec<String>,
    /// Whether it has a reason for the missing test: `Not applicable:` or `Not tested:`.
    pub has_reason: bool,
}

/// Scenarios by id.
pub type Scenarios = BTreeMap<String, Scenario>;

/// Reads all scenarios; mistakes in the catalogue itself go to `problems`.
pub fn scenarios(files: &[TextFile], problems: &mut Vec<String>) -> Scenarios {
    let mut found = Scenarios::new();
    for file in files {
        let (mut section, mut last) = (String::new(), None);
        for (number, line) in file.text.lines().enumerate() {
            let place = format!("{}:{}", file.path, number + 1);
            if let Some(heading) = line.strip_prefix("# ").or_else(|| line.strip_prefix("## ")) {
                heading.split(' ').next().unwrap_or_default().trim_end_matches('.').clone_into(&mut section);
            }
            if let Some(rest) = line.strip_prefix("- **[T") {
                let Some((id, _)) = rest.split_once("]** ") else {
                    problems.push(format!("{place}: a scenario without an id and a text"));
                    continue;
                };
                let id = format!("T{id}");
                if id.rsplit_once('-').is_none_or(|(of, _)| of.trim_start_matches('T') != section) {
                    problems.push(format!("{place}: {id} is not in its own section"));
                }
                let scenario = Scenario { place: place.clone(), ..Scenario::default() };
                if let Some(other) = found.insert(id.clone(), scenario) {
                    problems.push(format!("{place}: {id} is at {} already", other.place));
                }
                last = Some(id);
            } else if let Some(note) = line.strip_prefix("  - ") {
                if let Some(scenario) = last.as_ref().and_then(|id| found.get_mut(id)) {
                    read_note(note, scenario);
                }
            } else {
                last = None;
            }
        }
    }
    found
}

fn read_note(note: &str, scenario: &mut Scenario) {
    if let Some(covered) = note.strip_prefix("Covered by: ") {
        let covered = covered.split("Not tested: ").next().unwrap_or_default();
        scenario.covered_by.extend(covered.split('`').skip(1).step_by(2).map(str::to_owned));
    }
    let reason = ["Not applicable: ", "Not tested: "].into_iter().find_map(|word| note.split_once(word));
    scenario.has_reason |= reason.is_some_and(|(_, why)| !why.trim().is_empty());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Scenarios, Vec<String>) {
        let mut problems = Vec::new();
        let file = TextFile { path: "a.md".into(), text: text.into() };
        (scenarios(&[file], &mut problems), problems)
    }

    #[test]
    fn scenarios_have_notes() {
        let (found, problems) = read(
            "# 1. Things\n## 1.2 Parts\n- a rule\n  - **Difference:** none\n- **[T1.2-01]** one\n- **[T1.2-02]** two\n\
             \x20 - Covered by: `fn_name` and conformance `a sentence` (why).\n- **[T1.2-03]** three\n  - Not tested: no.\n",
        );
        assert_eq!(problems, Vec::<String>::new());
        assert_eq!(found.keys().collect::<Vec<_>>(), ["T1.2-01", "T1.2-02", "T1.2-03"]);
        assert_eq!(found["T1.2-02"].covered_by, ["fn_name", "a sentence"]);
        assert!(!found["T1.2-02"].has_reason && found["T1.2-03"].has_reason);
        assert_eq!(found["T1.2-01"], Scenario { place: "a.md:5".into(), ..Scenario::default() });
    }

    #[test]
    fn ids_are_unique_and_in_their_section() {
        let (_, problems) =
            read("# 7. Lead\n- **[T7-01]** a\n- **[T7-01]** b\n- **[T8.1-01]** c\n- **[T7-02] d\n");
        assert_eq!(
            problems,
            [
                "a.md:3: T7-01 is at a.md:2 already",
                "a.md:4: T8.1-01 is not in its own section",
                "a.md:5: a scenario without an id and a text",
            ]
        );
    }
}
