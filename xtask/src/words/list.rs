//! The committed list: phrases, skipped paths, and what each folder may still have.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use regex::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};

/// A phrase that is not to be used.
pub(super) struct Phrase {
    /// As the list has it.
    pub(super) written: String,
    pub(super) pattern: Regex,
    pub(super) suggestion: String,
    /// Findings whose text matches this do not count.
    pub(super) exception: Option<Regex>,
    /// Whether only comments and rustdoc are searched for it.
    pub(super) comments_only: bool,
}

pub(super) struct List {
    pub(super) phrases: Vec<Phrase>,
    /// All phrases at once: most passages have none.
    any: RegexSet,
    skipped: Vec<String>,
    /// The number of findings that each folder may have.
    pub(super) allowed: BTreeMap<String, usize>,
}

impl List {
    pub(super) fn parse(text: &str) -> Result<Self> {
        let mut phrases = Vec::new();
        let mut sources = Vec::new();
        let mut skipped = Vec::new();
        let mut allowed = BTreeMap::new();
        let mut section = "";
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let place = || format!("line {}: {line}", number + 1);
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                section = name;
                continue;
            }
            match section {
                "phrases" => {
                    let (phrase, source) = phrase(line).with_context(place)?;
                    phrases.push(phrase);
                    sources.push(source);
                }
                "skipped" => skipped.push(line.to_owned()),
                "allowed" => {
                    let (folder, count) = line.rsplit_once(' ').with_context(place)?;
                    allowed.insert(folder.trim().to_owned(), count.parse().with_context(place)?);
                }
                _ => bail!("{}: expected a section [phrases], [skipped] or [allowed]", place()),
            }
        }
        let any = RegexSetBuilder::new(sources).case_insensitive(true).unicode(false).build()?;
        Ok(Self { phrases, any, skipped, allowed })
    }

    /// The phrases that a text has.
    pub(super) fn matching(&self, text: &str) -> impl Iterator<Item = usize> {
        self.any.matches(text).into_iter()
    }

    pub(super) fn skips(&self, file: &str) -> bool {
        self.skipped.iter().any(|path| super::is_within(file, path))
    }

    /// The folder that a file counts for: the longest one that has a line. `.` has the files at the root.
    pub(super) fn folder(&self, file: &str) -> Option<&str> {
        if !file.contains('/') {
            return self.allowed.contains_key(".").then_some(".");
        }
        let folders = self.allowed.keys().filter(|folder| super::is_within(file, folder));
        folders.max_by_key(|folder| folder.len()).map(String::as_str)
    }
}

/// Reads `pattern => suggestion`, and returns the regular expression's source too.
fn phrase(line: &str) -> Result<(Phrase, String)> {
    let (written, suggestion) = line.split_once(" => ").context("expected `pattern => suggestion`")?;
    let bare = written.strip_prefix("comment: ");
    let (wanted, exception) = match bare.unwrap_or(written).split_once(" unless ") {
        Some((wanted, exception)) => (wanted, Some(compile(&source(exception))?)),
        None => (bare.unwrap_or(written), None),
    };
    let source = source(wanted);
    let phrase = Phrase {
        written: written.to_owned(),
        pattern: compile(&source)?,
        exception,
        suggestion: suggestion.to_owned(),
        comments_only: bare.is_some(),
    };
    Ok((phrase, source))
}

fn compile(source: &str) -> Result<Regex> {
    // Unicode's word boundaries would take a hundred times as long, and the phrases are English.
    Ok(RegexBuilder::new(source).case_insensitive(true).unicode(false).build()?)
}

/// Whole words only, and a space also matches the end of a line, but not of a paragraph. `^` is the start of the passage.
fn source(written: &str) -> String {
    let spaced = written.replace(' ', r"[ \t]*[ \t\n][ \t]*");
    match spaced.strip_prefix('^') {
        Some(rest) => format!(r"\A\s*(?:{rest})\b"),
        None => format!(r"\b(?:{spaced})\b"),
    }
}

/// The list's text with the numbers of `[allowed]` lowered to `counts` where these are less.
pub(super) fn lower(text: &str, counts: &BTreeMap<String, usize>) -> String {
    let mut in_allowed = false;
    let mut lowered = String::with_capacity(text.len());
    for line in text.lines() {
        if line.starts_with('[') {
            in_allowed = line == "[allowed]";
        }
        let parts = line.rsplit_once(' ').filter(|_| in_allowed && !line.starts_with('#'));
        let less = parts.and_then(|(folder, number)| {
            let count = *counts.get(folder.trim())?;
            (count < number.parse().ok()?).then(|| format!("{folder} {count}"))
        });
        lowered.push_str(less.as_deref().unwrap_or(line));
        lowered.push('\n');
    }
    lowered
}
