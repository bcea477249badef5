//! Promises and the tests that hold them: tables whose header ends in `held by`.

use std::collections::BTreeSet;

use crate::TextFile;
use crate::citations::functions;

/// Rows of a document's `held by` tables that name no test, or a test that does not exist.
pub fn missing(document: &TextFile, sources: &[TextFile]) -> Vec<String> {
    let tests: BTreeSet<&str> = sources.iter().flat_map(|file| functions(&file.text)).collect();
    let (mut problems, mut in_table) = (Vec::new(), false);
    for (number, line) in document.text.lines().enumerate() {
        let Some(row) = line.strip_prefix('|').and_then(|row| row.trim_end().strip_suffix('|')) else {
            in_table = false;
            continue;
        };
        let last = row.rsplit('|').next().unwrap_or_default().trim();
        if last == "held by" {
            in_table = true;
        } else if in_table && !last.starts_with("---") {
            let place = format!("{}:{}", document.path, number + 1);
            let named: Vec<&str> = last.split('`').skip(1).step_by(2).collect();
            if named.is_empty() {
                problems.push(format!("{place}: no test holds this promise"));
            }
            let unknown = named.iter().filter(|name| !tests.contains(*name));
            problems.extend(unknown.map(|name| format!("{place}: there is no test `{name}`")));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> TextFile {
        TextFile { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn rows_without_a_test_and_tests_that_do_not_exist_are_found() {
        let sources = [file("a.rs", "#[test]\nfn it_holds() {}")];
        let page = "| x | y |\n|---|---|\n| 1 | `free` |\n\n| promise | held by |\n|---|---|\n| a | `it_holds` |\n| b | |\n| c | `it_holds`, `gone` |\n";
        assert_eq!(
            missing(&file("p.md", page), &sources),
            ["p.md:8: no test holds this promise", "p.md:9: there is no test `gone`"]
        );
    }
}
