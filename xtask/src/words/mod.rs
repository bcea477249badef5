//! `cargo xtask words`: finds phrases that CONTRIBUTING.md's vocabulary replaces by plain terms.
//!
//! `words.txt` at the root lists the phrases, each with a suggestion, and how many each folder may still have. A number
//! there may only fall. The check reads Markdown, Rust comments, rustdoc, string literals and names of test functions, and
//! the comments of TOML, Go and shell files. It ignores code: `inline code`, code blocks and everything else in a source.

mod list;
mod prose;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use client_rs_tests_tools::workspace;
use list::{List, Phrase};
use prose::{Kind, Passage};

/// The committed list, at the root of the workspace.
const FILE: &str = "words.txt";

/// Find phrases that the vocabulary in CONTRIBUTING.md replaces.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print every finding in these files and folders instead of checking
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    /// Print how often each phrase occurs instead of checking
    #[arg(long)]
    by_phrase: bool,
    /// Lower the numbers in `words.txt` to what was found; it never raises one
    #[arg(long)]
    write: bool,
}

/// An occurrence of a phrase.
struct Finding {
    file: String,
    line: usize,
    text: String,
    /// The phrase's place in the list.
    phrase: usize,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let root = workspace::root();
    let text = std::fs::read_to_string(root.join(FILE)).with_context(|| format!("can't read {FILE}"))?;
    let list = List::parse(&text).context(FILE)?;
    let findings = search(&root, &list)?;
    if !args.paths.is_empty() {
        let within = |finding: &&Finding| args.paths.iter().any(|path| is_within(&finding.file, path));
        let chosen: Vec<&Finding> = findings.iter().filter(within).collect();
        for finding in &chosen {
            println!("{}", describe(finding, &list.phrases));
        }
        println!("words: {} found", chosen.len());
        return Ok(ExitCode::SUCCESS);
    }
    if args.by_phrase {
        print_by_phrase(&findings, &list);
        return Ok(ExitCode::SUCCESS);
    }
    let counts = counts(&findings, &list)?;
    if args.write {
        let lowered = list::lower(&text, &counts);
        std::fs::write(root.join(FILE), lowered).with_context(|| format!("can't write {FILE}"))?;
    }
    Ok(report(&findings, &list, &counts))
}

/// Prints the findings of folders that have too many, then the number of each folder.
fn report(findings: &[Finding], list: &List, counts: &BTreeMap<String, usize>) -> ExitCode {
    let is_over = |folder: &str| counts[folder] > list.allowed[folder];
    for finding in findings {
        if list.folder(&finding.file).is_some_and(is_over) {
            println!("{}", describe(finding, &list.phrases));
        }
    }
    println!("{:>6} {:>8}  folder", "found", "allowed");
    for (folder, allowed) in &list.allowed {
        println!("{:>6} {allowed:>8}  {folder}", counts[folder]);
    }
    let failed = list.allowed.keys().filter(|folder| is_over(folder)).count();
    if failed > 0 {
        println!(
            "rewrite the sentences above (CONTRIBUTING.md, Vocabulary); `cargo xtask words PATH` lists a folder"
        );
    }
    println!("words: {} passed, {failed} failed", list.allowed.len() - failed);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print_by_phrase(findings: &[Finding], list: &List) {
    let mut counts = vec![0_usize; list.phrases.len()];
    for finding in findings {
        counts[finding.phrase] += 1;
    }
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(counts[at]));
    for at in order {
        println!("{:>6}  {}", counts[at], list.phrases[at].written);
    }
}

fn describe(finding: &Finding, phrases: &[Phrase]) -> String {
    let Finding { file, line, text, phrase } = finding;
    format!("{file}:{line}: \"{text}\": {}", phrases[*phrase].suggestion)
}

/// How many findings each folder of the list has.
fn counts(findings: &[Finding], list: &List) -> Result<BTreeMap<String, usize>> {
    let mut counts: BTreeMap<String, usize> = list.allowed.keys().map(|folder| (folder.clone(), 0)).collect();
    for finding in findings {
        let Some(folder) = list.folder(&finding.file) else {
            bail!("{FILE}: no line for the folder of {}: add one to [allowed]", finding.file);
        };
        *counts.entry(folder.to_owned()).or_default() += 1;
    }
    Ok(counts)
}

/// Searches every file that git tracks and the list does not skip.
fn search(root: &Path, list: &List) -> Result<Vec<Finding>> {
    let output = std::process::Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(root)
        .output()
        .context("can't run git")?;
    if !output.status.success() {
        bail!("git ls-files failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    let files = String::from_utf8(output.stdout).context("git ls-files")?;
    let mut findings = Vec::new();
    for file in files.split('\0').filter(|file| !list.skips(file)) {
        let Some(kind) = prose::Format::of(file) else { continue };
        // A tracked file may be deleted in the work tree.
        let Ok(text) = std::fs::read_to_string(root.join(file)) else { continue };
        for passage in prose::passages(kind, &text) {
            find(file, &passage, list, &mut findings);
        }
    }
    Ok(findings)
}

/// Adds the phrases of one passage. Findings do not overlap: the phrase that is listed first wins.
fn find(file: &str, passage: &Passage, list: &List, findings: &mut Vec<Finding>) {
    let mut taken: Vec<std::ops::Range<usize>> = Vec::new();
    for at in list.matching(&passage.text) {
        let phrase = &list.phrases[at];
        if phrase.comments_only && !matches!(passage.kind, Kind::Rustdoc | Kind::Comment) {
            continue;
        }
        for found in phrase.pattern.find_iter(&passage.text) {
            let range = found.range();
            let is_exception =
                phrase.exception.as_ref().is_some_and(|except| except.is_match(found.as_str()));
            if is_exception || taken.iter().any(|other| other.start < range.end && range.start < other.end) {
                continue;
            }
            let line = passage.line + passage.text[..range.start].matches('\n').count();
            let text = found.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
            findings.push(Finding { file: file.to_owned(), line, text, phrase: at });
            taken.push(range);
        }
    }
}

/// Whether a file is `path` or below it.
fn is_within(file: &str, path: &str) -> bool {
    let path = path.trim_start_matches("./").trim_end_matches('/');
    file.strip_prefix(path).is_some_and(|rest| path.is_empty() || rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "[phrases]\nis told => is notified\nanew => again\ncomment: ^What => begin with a noun\nno [a-z]+ unless no longer => not a\n\
                        [skipped]\nlib/generated\n[allowed]\n. 0\nlib 2\nlib/inner 0\n";

    fn found(file: &str, text: &str) -> Vec<String> {
        let list = List::parse(LIST).unwrap();
        let mut findings = Vec::new();
        for passage in prose::passages(prose::Format::of(file).unwrap(), text) {
            find(file, &passage, &list, &mut findings);
        }
        findings.iter().map(|finding| describe(finding, &list.phrases)).collect()
    }

    #[test]
    fn prints_place_phrase_and_suggestion() {
        let text = "fn f() {}\n\n/// A handler is\n/// told of it.\nfn g() {}";
        assert_eq!(found("lib/a.rs", text), ["lib/a.rs:3: \"is told\": is notified"]);
        assert_eq!(found("a.md", "Begin\n\nAnew."), ["a.md:3: \"Anew\": again"]);
    }

    #[test]
    fn code_is_ignored() {
        assert_eq!(found("a.md", "`anew` and\n```\nanew\n```\n"), [""; 0]);
        assert_eq!(found("lib/a.rs", "/// ```\n/// anew();\n/// ```\nfn anew() { anew(); }"), [""; 0]);
    }

    #[test]
    fn strings_comments_and_test_names_are_read() {
        assert_eq!(found("lib/a.rs", "bail!(\"try it anew\");").len(), 1);
        assert_eq!(found("lib/a.rs", "let x = 1; // begins anew").len(), 1);
        assert_eq!(found("lib/a.rs", "fn the_handler_is_told_of_it() {}").len(), 1);
        assert_eq!(found("lib/a.toml", "a = 1 # begins anew\nb = \"anew\"").len(), 1);
    }

    #[test]
    fn a_phrase_of_comments_is_looked_for_at_their_start_only() {
        assert_eq!(found("lib/a.rs", "/// What it is.\n///\n/// What else.\nfn f() {}").len(), 1);
        assert_eq!(found("lib/a.rs", "// What it is.\nfn f() { g(\"What is it\") }").len(), 1);
        assert_eq!(found("a.md", "What you need").len(), 0);
    }

    #[test]
    fn an_exception_is_not_a_finding() {
        assert_eq!(found("a.md", "It is no file, and no longer open."), ["a.md:1: \"no file\": not a"]);
    }

    #[test]
    fn a_file_counts_for_the_longest_folder_that_has_a_line() {
        let list = List::parse(LIST).unwrap();
        assert_eq!(list.folder("lib/a.rs"), Some("lib"));
        assert_eq!(list.folder("lib/inner/a.rs"), Some("lib/inner"));
        assert_eq!(list.folder("README.md"), Some("."));
        assert_eq!(list.folder("other/a.rs"), None);
        assert!(list.skips("lib/generated/a.rs") && !list.skips("lib/generated.rs"));
    }

    #[test]
    fn writing_lowers_numbers_and_raises_none() {
        let counts = [("lib", 1), ("lib/inner", 7)].map(|(folder, count)| (folder.to_owned(), count));
        let written = list::lower(LIST, &counts.into());
        assert!(written.contains("\nlib 1\nlib/inner 0\n"), "{written}");
        assert!(written.starts_with("[phrases]\nis told => is notified\n"));
    }

    #[test]
    fn the_committed_list_is_read_and_each_folder_has_a_line() {
        let root = workspace::root();
        let list = List::parse(&std::fs::read_to_string(root.join(FILE)).unwrap()).unwrap();
        counts(&search(&root, &list).unwrap(), &list).unwrap();
    }
}
