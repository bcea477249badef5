//! Excerpts: code blocks of documents that are parts of a source file, which tests compile and run.
//!
//! A block below a line `<!-- from PATH -->` is a run of lines of that file, with less indentation. A line with only `// …` leaves lines out.

use crate::TextFile;

/// Returns the blocks of a document that are not parts of their files. `read` returns the text of a file, or `None`.
pub fn stale(document: &TextFile, read: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let lines: Vec<&str> = document.text.lines().collect();
    let mut problems = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(path) = line.strip_prefix("<!-- from ").and_then(|rest| rest.strip_suffix(" -->")) else {
            continue;
        };
        let place = format!("{}:{}", document.path, at + 1);
        let Some(source) = read(path) else {
            problems.push(format!("{place}: {path} does not exist"));
            continue;
        };
        let block = lines[at + 1..].iter().skip_while(|line| line.is_empty());
        let mut block =
            block.skip_while(|line| line.starts_with("```")).take_while(|line| **line != "```").peekable();
        if block.peek().is_none() {
            problems.push(format!("{place}: no code block follows"));
        }
        let block: Vec<&str> = block.map(|line| line.trim()).collect();
        let source: Vec<&str> = source.lines().map(str::trim).collect();
        let mut from = 0;
        for part in block.split(|line| *line == "// …").filter(|part| !part.is_empty()) {
            let Some(found) = source[from..].windows(part.len()).position(|window| window == part) else {
                problems.push(format!("{place}: {path} does not have these lines: {}", part[0]));
                break;
            };
            from += found + part.len();
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        let source = "fn a() {\n    one();\n    two();\n}\n\nfn b() {\n    three();\n}\n";
        let document = TextFile { path: "d.md".into(), text: text.into() };
        stale(&document, |path| (path == "src/a.rs").then(|| source.to_owned()))
    }

    #[test]
    fn a_block_is_a_part_of_its_file() {
        let good = "text\n\n<!-- from src/a.rs -->\n```rs\none();\ntwo();\n```\n\n<!-- from src/a.rs -->\n\n```rs\nfn a() {\n    // …\n}\n// …\n    three();\n```\n";
        assert_eq!(problems(good), [""; 0]);
    }

    #[test]
    fn a_changed_file_an_unknown_file_and_a_missing_block_are_found() {
        assert_eq!(
            problems("<!-- from src/a.rs -->\n```rs\none();\nthree();\n```\n<!-- from src/c.rs -->\n"),
            ["d.md:1: src/a.rs does not have these lines: one();", "d.md:6: src/c.rs does not exist"]
        );
        assert_eq!(problems("<!-- from src/a.rs -->\n"), ["d.md:1: no code block follows"]);
        // In another order.
        assert_eq!(problems("<!-- from src/a.rs -->\n```rs\nthree();\n// …\none();\n```\n").len(), 1);
    }
}
