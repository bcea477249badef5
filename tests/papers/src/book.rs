//! The guide as a book: `docs/guide/SUMMARY.md` lists its chapters, and crates run their programs.

use crate::TextFile;

const FOLDER: &str = "docs/guide/";

/// Returns chapters that the summary does not list or lists twice, entries without a chapter, chapters without a title, and chapters
/// with programs that no crate includes in its documentation tests. `chapters` are the Markdown files of the guide, the summary
/// among them; `sources` are those of the crates.
pub fn problems(chapters: &[TextFile], sources: &[TextFile]) -> Vec<String> {
    let Some(summary) = chapters.iter().find(|file| file.path == format!("{FOLDER}SUMMARY.md")) else {
        return vec![format!("there is no {FOLDER}SUMMARY.md")];
    };
    let listed: Vec<&str> = entries(&summary.text).collect();
    let mut problems = Vec::new();
    for chapter in chapters.iter().filter(|file| file.path != summary.path) {
        let name = chapter.path.trim_start_matches(FOLDER);
        match listed.iter().filter(|entry| **entry == name).count() {
            0 => problems.push(format!("{} does not list {name}", summary.path)),
            1 => {}
            _ => problems.push(format!("{} lists {name} more than once", summary.path)),
        }
        if !chapter.text.starts_with("# ") {
            problems.push(format!("{} does not begin with its title", chapter.path));
        }
        let include = format!("include_str!(\"../../../{}\")", chapter.path);
        if has_program(&chapter.text) && !sources.iter().any(|source| source.text.contains(&include)) {
            problems
                .push(format!("{}: no crate runs its programs (crates/client-rs/src/lib.rs)", chapter.path));
        }
    }
    for entry in listed {
        if !chapters.iter().any(|file| file.path.trim_start_matches(FOLDER) == entry) {
            problems.push(format!("{} lists {entry}, which does not exist", summary.path));
        }
    }
    problems
}

/// The targets of the links of a summary.
fn entries(summary: &str) -> impl Iterator<Item = &str> {
    summary.lines().filter_map(|line| line.split_once("](")?.1.split(')').next())
}

fn has_program(text: &str) -> bool {
    text.lines().any(|line| {
        line.trim_start()
            .strip_prefix("```")
            .is_some_and(|language| language.split(',').next() == Some("rust"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> TextFile {
        TextFile { path: path.into(), text: text.into() }
    }

    #[test]
    fn every_chapter_is_listed_once_and_its_programs_run() {
        let chapters = [
            file("docs/guide/SUMMARY.md", "# Summary\n\n[I](README.md)\n- [A](a.md)\n"),
            file("docs/guide/README.md", "# I\n"),
            file("docs/guide/a.md", "# A\n```rust\n```\n"),
        ];
        let sources = [file("crates/x/src/lib.rs", "#[doc = include_str!(\"../../../docs/guide/a.md\")]")];
        assert_eq!(problems(&chapters, &sources), Vec::<String>::new());
        assert_eq!(
            problems(&chapters, &[]),
            ["docs/guide/a.md: no crate runs its programs (crates/client-rs/src/lib.rs)"]
        );
    }

    #[test]
    fn chapters_and_entries_match() {
        let chapters = [
            file("docs/guide/SUMMARY.md", "[A](a.md)\n[A](a.md)\n[C](c.md)\n"),
            file("docs/guide/a.md", "# A\n"),
            file("docs/guide/b.md", "text\n"),
        ];
        assert_eq!(
            problems(&chapters, &[]),
            [
                "docs/guide/SUMMARY.md lists a.md more than once",
                "docs/guide/SUMMARY.md does not list b.md",
                "docs/guide/b.md does not begin with its title",
                "docs/guide/SUMMARY.md lists c.md, which does not exist",
            ]
        );
        assert_eq!(problems(&chapters[1..], &[]), ["there is no docs/guide/SUMMARY.md"]);
    }
}
