//! Figures: `docs/benchmarks.md` has them, other documents quote it.
//!
//! Blocks of the figures' document are between `<!-- bench NAME -->` and `<!-- end bench NAME -->`. A quote is between
//! `<!-- quote NAME -->` and `<!-- end quote NAME -->`, and each of its table rows is one of the block of that name.

use std::collections::BTreeMap;

/// Blocks by name.
type Blocks<'a> = BTreeMap<&'a str, Vec<&'a str>>;

/// Returns quotes that differ from the figures, and markers that do not match. `path` names the quoting document.
pub fn disagreements(figures: &str, path: &str, quoting: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let blocks = blocks(figures, "bench", "the figures", &mut problems);
    for (name, lines) in self::blocks(quoting, "quote", path, &mut problems) {
        let Some(block) = blocks.get(name) else {
            problems.push(format!("{path}: there are no figures of the name {name}"));
            continue;
        };
        for row in lines.iter().filter(|line| line.starts_with('|')) {
            if !block.contains(row) {
                problems.push(format!("{path}: the figures of {name} have no row {row}"));
            }
        }
    }
    problems
}

/// Returns the texts between markers, by name.
fn blocks<'a>(text: &'a str, kind: &str, path: &str, problems: &mut Vec<String>) -> Blocks<'a> {
    let (mut found, mut open) = (Blocks::new(), None);
    for line in text.lines() {
        let marker =
            line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")).unwrap_or_default();
        let begins = marker.strip_prefix(kind).and_then(|rest| rest.strip_prefix(' '));
        let ends = marker.strip_prefix("end ").and_then(|rest| rest.strip_prefix(kind)).map(str::trim);
        if let Some(name) = begins {
            if open.is_some() || found.insert(name, Vec::new()).is_some() {
                problems.push(format!("{path}: {kind} {name} begins twice"));
            }
            open = Some(name);
        } else if let Some(name) = ends {
            if open != Some(name) {
                problems.push(format!("{path}: {kind} {name} ends and has not begun"));
            }
            open = None;
        } else if let Some(lines) = open.and_then(|name| found.get_mut(name)) {
            lines.push(line);
        }
    }
    if let Some(name) = open {
        problems.push(format!("{path}: {kind} {name} does not end"));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIGURES: &str = "# F\n<!-- bench a -->\n\n| x | 1 |\n| y | 2 |\n<!-- end bench a -->\n| z | 3 |\n";

    #[test]
    fn a_quote_equals_the_figures() {
        let quoting = "text\n<!-- quote a -->\n| y | 2 |\n<!-- end quote a -->\n| any | 9 |\n";
        assert_eq!(disagreements(FIGURES, "R", quoting), Vec::<String>::new());
        let wrong = "<!-- quote a -->\n| y | 3 |\n| z | 3 |\n<!-- end quote a -->\n<!-- quote b -->\n<!-- end quote b -->\n";
        assert_eq!(
            disagreements(FIGURES, "R", wrong),
            [
                "R: the figures of a have no row | y | 3 |",
                "R: the figures of a have no row | z | 3 |",
                "R: there are no figures of the name b",
            ]
        );
    }

    #[test]
    fn markers_match() {
        assert_eq!(disagreements(FIGURES, "R", "<!-- quote a -->\n"), ["R: quote a does not end"]);
        assert_eq!(
            disagreements(FIGURES, "R", "<!-- end quote a -->\n"),
            ["R: quote a ends and has not begun"]
        );
    }
}
