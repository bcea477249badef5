//! Links and paths in documents.

use crate::TextFile;

/// The files of this repository on the forge. Chapters of the guide link to files outside of it in this form, because a link of a built book must
/// not leave the book.
const FORGE: &str = "https://github.com/client-rs/client-rs/blob/main/";

/// Returns links of a document to files of this repository that do not exist, and paths in backticks that do not exist. `has` returns
/// whether a path from the root exists, `read` returns a document's text.
pub fn broken(
    file: &TextFile,
    has: impl Fn(&str) -> bool,
    read: impl Fn(&str) -> Option<String>,
) -> Vec<String> {
    let mut problems = Vec::new();
    for (number, line) in prose(&file.text) {
        let place = format!("{}:{number}", file.path);
        for target in links(line) {
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = match path.strip_prefix(FORGE) {
                Some(path) => path.to_owned(),
                None if path.is_empty() => file.path.clone(),
                None => resolved(&file.path, path),
            };
            if !has(&path) {
                problems.push(format!("{place}: the link {target} leads nowhere"));
            } else if !anchor.is_empty()
                && !read(&path).is_some_and(|text| anchors(&text).any(|it| it == anchor))
            {
                problems.push(format!("{place}: {path} has no heading #{anchor}"));
            }
        }
        for path in paths(line) {
            if !has(path) {
                problems.push(format!("{place}: there is no {path}"));
            }
        }
    }
    problems
}

/// The lines outside fenced code, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        (!fenced && !fence).then_some((index + 1, line))
    })
}

/// The targets of a line's links and images that are files of this repository.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let outside_code = line.split('`').step_by(2);
    outside_code
        .flat_map(|text| text.split("](").skip(1))
        .chain(line.split("`](").skip(1))
        .filter_map(|rest| rest.split(')').next())
        .filter(|target| target.starts_with(FORGE) || !target.contains("://"))
        .filter(|target| !target.starts_with("mailto:") && !target.is_empty())
}

/// Returns the paths from the root that a line has in backticks: they begin with one of our folders.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    const FOLDERS: [&str; 10] = [
        "crates/",
        "tests/",
        "xtask/",
        "bench/",
        "docs/",
        "hack/",
        "fuzz/",
        "examples/",
        "operators/",
        "schema/",
    ];
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "/._-".contains(character);
    line.split('`').skip(1).step_by(2).filter(move |code| {
        FOLDERS.iter().any(|folder| code.starts_with(folder)) && code.chars().all(is_plain)
    })
}

/// A relative path, seen from a file, as one from the root.
fn resolved(from: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns the anchors that a forge generates for a document's headings.
fn anchors(text: &str) -> impl Iterator<Item = String> {
    prose(text).filter(|(_, line)| line.starts_with('#')).map(|(_, line)| {
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        let kept =
            heading.chars().filter(|&character| character.is_alphanumeric() || " -_".contains(character));
        kept.map(|character| if character == ' ' { '-' } else { character }).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Vec<String> {
        let file = TextFile { path: "docs/a.md".into(), text: text.into() };
        let has = |path: &str| ["docs/a.md", "docs/b.md", "README.md", "crates/x"].contains(&path);
        broken(&file, has, |path| (path == "docs/b.md").then(|| "# One, two: three\n".to_owned()))
    }

    #[test]
    fn links_lead_somewhere() {
        let good = "[a](b.md#one-two-three) ![x](../README.md) [`c`](b.md) [h](https://x) `[no](link)`\n```\n[n](n)\n```\n";
        assert_eq!(check(good), Vec::<String>::new());
        assert_eq!(
            check("[a](c.md)\n[b](b.md#four)"),
            ["docs/a.md:1: the link c.md leads nowhere", "docs/a.md:2: docs/b.md has no heading #four"]
        );
    }

    #[test]
    fn links_to_the_forge_are_links_to_files() {
        let forge = |path: &str| format!("[a]({FORGE}{path})");
        assert_eq!(check(&forge("docs/b.md#one-two-three")), Vec::<String>::new());
        let gone = format!("docs/a.md:1: the link {FORGE}docs/c.md leads nowhere");
        assert_eq!(check(&forge("docs/c.md")), [gone]);
        assert_eq!(check(&forge("docs/b.md#four")), ["docs/a.md:1: docs/b.md has no heading #four"]);
    }

    #[test]
    fn paths_exist() {
        assert_eq!(check("`crates/x` `crates/*/y` `crates/y::z` `x/y`"), Vec::<String>::new());
        assert_eq!(check("see `crates/gone`"), ["docs/a.md:1: there is no crates/gone"]);
    }
}
