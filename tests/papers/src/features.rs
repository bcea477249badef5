//! The table of features: each line is proved, open, or argued.

use std::collections::BTreeSet;

use crate::TextFile;

/// The number of features that may be refused with a reason.
const ARGUED: usize = 12;

/// Lines of the page that no existing test or scenario proves, that give no alternative, or that are too many.
///
/// A table ends in `proved by`, `until then` (open) or `reason, and what to use` (not planned); every other table is a problem. A proof is the name of a test in
/// backticks, or the name of a scenario in quotes.
pub fn problems(page: &TextFile, sources: &[TextFile]) -> Vec<String> {
    let tests: BTreeSet<&str> = sources.iter().flat_map(|file| tests(&file.text)).collect();
    let is_scenario = |name: &str| {
        let plain = format!("scenario!(\"{name}\"");
        let (with_area, end) = (format!(": {name}\""), "scenario!(");
        sources.iter().any(|file| {
            file.text.contains(&plain) || (file.text.contains(end) && file.text.contains(&with_area))
        })
    };
    let (mut problems, mut header, mut proved, mut argued) = (Vec::new(), None, 0, 0);
    for (number, line) in page.text.lines().enumerate() {
        let Some(row) = line.strip_prefix("| ").and_then(|row| row.strip_suffix(" |")) else {
            if !line.starts_with("|---") {
                header = None;
            }
            continue;
        };
        let last = row.rsplit(" | ").next().unwrap_or_default().trim();
        let place = format!("{}:{}", page.path, number + 1);
        match header {
            None => {
                let known = ["proved by", "until then", "reason, and what to use"].contains(&last);
                header = Some(last);
                if !known {
                    problems.push(format!("{place}: a table that ends in {last:?} is not checked"));
                }
            }
            Some("proved by") => {
                proved += 1;
                let named: Vec<&str> = last.split('`').skip(1).step_by(2).collect();
                let quoted: Vec<&str> = last.split('"').skip(1).step_by(2).collect();
                if named.is_empty() && quoted.is_empty() {
                    problems.push(format!("{place}: nothing proves this feature"));
                }
                let unknown = named.iter().filter(|name| !tests.contains(*name));
                problems.extend(unknown.map(|name| format!("{place}: there is no test `{name}`")));
                let unknown = quoted.iter().filter(|name| !is_scenario(name));
                problems.extend(unknown.map(|name| format!("{place}: there is no scenario {name:?}")));
            }
            Some(kind) => {
                argued += usize::from(kind.starts_with("reason"));
                if last.is_empty() {
                    problems.push(format!("{place}: say what to use instead"));
                }
            }
        }
    }
    if proved == 0 {
        problems.push(format!("{}: no feature was found", page.path));
    }
    if argued > ARGUED {
        problems.push(format!("{}: {argued} features are not planned; {ARGUED} may be", page.path));
    }
    problems
}

/// The names of the functions of a source that are tests.
fn tests(text: &str) -> impl Iterator<Item = &str> {
    let attributes = ["#[test]", "#[tokio::test"];
    let starts = attributes.into_iter().flat_map(|attribute| text.match_indices(attribute));
    starts.filter_map(|(at, _)| {
        let (_, rest) = text[at..].split_once("fn ")?;
        rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> TextFile {
        TextFile { path: path.to_owned(), text: text.to_owned() }
    }

    fn of(page: &str) -> Vec<String> {
        let sources = [
            file(
                "a.rs",
                "fn helper() {}\n#[test]\nfn one() {}\n#[tokio::test(start_paused = true)]\nasync fn two() {}",
            ),
            file("b.rs", r#"scenario!("it works", f), scenario!("area: it works too", f)"#),
        ];
        problems(&file("f.md", page), &sources)
    }

    #[test]
    fn each_line_needs_a_proof_that_exists() {
        let head = "| a | proved by |\n|---|---|\n";
        assert_eq!(
            of(&format!("{head}| x | `one`; `two` |\n| y | \"it works\"; \"it works too\" |\n")),
            [""; 0]
        );
        assert_eq!(
            of(&format!("{head}| x | `helper` |\n| y | soon |\n| z | \"works\" |\n")),
            [
                "f.md:3: there is no test `helper`",
                "f.md:4: nothing proves this feature",
                "f.md:5: there is no scenario \"works\""
            ]
        );
    }

    #[test]
    fn open_lines_have_an_alternative_and_few_are_refused() {
        let head = "| a | proved by |\n|---|---|\n| x | `one` |\n\n";
        assert_eq!(of(&format!("{head}| a | until then |\n|---|---|\n| x | a tool |\n")), [""; 0]);
        assert_eq!(of(&format!("{head}| a | when |\n|---|---|\n")).len(), 1);
        let refused = "| x | why |\n".repeat(13);
        let problems = of(&format!("{head}| a | reason, and what to use |\n|---|---|\n{refused}"));
        assert_eq!(problems, ["f.md: 13 features are not planned; 12 may be"]);
        assert_eq!(of(""), ["f.md: no feature was found"]);
    }
}
