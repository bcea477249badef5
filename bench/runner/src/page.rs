//! `--write`: the figures of a benchmark, as tables of `docs/benchmarks.md`.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use client_rs_tests_tools::workspace;

/// The tables of one run, as Markdown.
#[derive(Default)]
pub(crate) struct Page {
    tables: Vec<String>,
}

impl Page {
    /// Adds a table. The first column of its head is empty: it names the rows.
    pub(crate) fn table(&mut self, head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
        self.titled_table("", head, rows);
    }

    /// Adds a table whose first column has a title.
    pub(crate) fn titled_table(
        &mut self,
        title: &str,
        head: &[&str],
        rows: impl IntoIterator<Item = Vec<String>>,
    ) {
        let first = format!("| {title} | {} |", head.join(" | ")).replace("|  |", "| |");
        let mut lines = vec![first, format!("|---|{}", "---|".repeat(head.len()))];
        lines.extend(rows.into_iter().map(|row| format!("| {} |", row.join(" | ")).replace("|  |", "| |")));
        self.tables.push(lines.join("\n"));
    }

    /// Writes the tables between the markers of this benchmark, after the command line that measured them.
    pub(crate) fn write(&self, name: &str, arguments: &[String]) -> Result<()> {
        ensure!(!self.tables.is_empty(), "nothing was measured that {name} is to show");
        let path: PathBuf = workspace::root().join("docs/benchmarks.md");
        let page =
            std::fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
        let block = format!("`cargo xtask bench {}`\n\n{}", arguments.join(" "), self.tables.join("\n\n"));
        std::fs::write(&path, replaced(&page, name, &block)?)
            .with_context(|| format!("can't write {}", path.display()))
    }
}

/// The page with another block of this name.
fn replaced(page: &str, name: &str, block: &str) -> Result<String> {
    let (begin, end) = (format!("<!-- bench {name} -->\n"), format!("<!-- end bench {name} -->"));
    let missing = || format!("docs/benchmarks.md has no place for {name}: {} … {end}", begin.trim());
    let (before, rest) = page.split_once(&begin).with_context(missing)?;
    let (_, after) = rest.split_once(&end).with_context(missing)?;
    Ok(format!("{before}{begin}{block}\n{end}{after}"))
}

/// Prints a number with this many digits behind the point, and with separated thousands.
pub(crate) fn number(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    let (sign, text) = text.strip_prefix('-').map_or(("", text.as_str()), |text| ("-", text));
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{sign}{grouped}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_block_between_the_markers_is_replaced() {
        let page = "a\n<!-- bench x -->\nold\n<!-- end bench x -->\nb\n<!-- bench y -->\nkept\n<!-- end bench y -->\n";
        let new = replaced(page, "x", "new").unwrap();
        assert_eq!(new, page.replace("old", "new"));
        assert!(replaced(page, "z", "new").unwrap_err().to_string().contains("no place for z"));
    }

    #[test]
    fn tables_are_markdown() {
        let mut page = Page::default();
        page.table(&["ours", "theirs"], [vec!["CPU, s".into(), "1".into(), String::new()]]);
        assert_eq!(page.tables[0], "| | ours | theirs |\n|---|---|---|\n| CPU, s | 1 | |");
        page.titled_table("late", &["ours"], [vec!["CPU, s".into(), "1".into()]]);
        assert_eq!(page.tables[1], "| late | ours |\n|---|---|\n| CPU, s | 1 |");
    }

    #[test]
    fn thousands_are_apart() {
        assert_eq!(number(1_234_567.0, 0), "1,234,567");
        assert_eq!(number(999.95, 1), "1,000.0");
        assert_eq!(number(-12.5, 1), "-12.5");
        assert_eq!(number(0.17, 2), "0.17");
    }
}
