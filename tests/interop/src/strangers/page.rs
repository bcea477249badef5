//! docs/fidelity.md: the results of the suites, each between two marks.

use std::path::PathBuf;

use anyhow::{Context, Result};
use client_rs_tests_tools::workspace;

/// Replaces the results of one suite.
pub(super) fn write(suite: &str, results: &str) -> Result<()> {
    let path = path();
    let text = std::fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
    let text = replaced(&text, suite, results)
        .with_context(|| format!("{} has no marks of {suite}", path.display()))?;
    std::fs::write(&path, text).with_context(|| format!("can't write {}", path.display()))
}

fn path() -> PathBuf {
    workspace::root().join("docs/fidelity.md")
}

fn replaced(page: &str, suite: &str, results: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- {suite} -->\n"), format!("<!-- end {suite} -->\n"));
    let (before, rest) = page.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}{results}{end}{after}"))
}

/// A text as a cell of a table.
pub(super) fn cell(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_results_of_the_suite_are_replaced() {
        let page = "# F\n<!-- a -->\nold\n<!-- end a -->\n<!-- b -->\nkept\n<!-- end b -->\nend\n";
        let expected = "# F\n<!-- a -->\nnew\n<!-- end a -->\n<!-- b -->\nkept\n<!-- end b -->\nend\n";
        assert_eq!(replaced(page, "a", "new\n").as_deref(), Some(expected));
        assert_eq!(replaced(page, "c", "new\n"), None);
    }

    #[test]
    fn the_page_has_marks_for_each_suite() {
        let page = std::fs::read_to_string(path()).unwrap();
        for suite in ["controller-runtime", "e2e"] {
            assert!(replaced(&page, suite, "").is_some(), "{suite}");
        }
    }
}
