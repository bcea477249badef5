//! Public types that will grow: a new option or a new error must not break a program that compiles today.
//!
//! A public struct whose name ends in `Options` is made by the macro `options!`, or is `#[non_exhaustive]` and has a setter
//! `with_…` for each field. A public error enum is `#[non_exhaustive]`.

use crate::TextFile;

/// Returns the items of a source file that cannot grow.
pub fn closed(file: &TextFile) -> Vec<String> {
    let lines: Vec<&str> = file.text.lines().collect();
    let mut problems = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let open = attributes(&lines[..at]).any(|attribute| attribute == "#[non_exhaustive]");
        let mut say =
            |name: &str, what: &str| problems.push(format!("{}:{}: {name} {what}", file.path, at + 1));
        if let Some(name) = declared(line, "pub struct ").filter(|name| name.ends_with("Options")) {
            if !open {
                say(name, "is not #[non_exhaustive]: define it by `options!`");
            }
            for field in fields(&lines[at + 1..]) {
                if !file.text.contains(&format!("pub fn with_{field}(")) {
                    say(name, &format!("has no setter with_{field}"));
                }
            }
        }
        let is_error = |name: &&str| {
            let is_derive = |line: &str| line.starts_with("#[derive(") && line.contains("Error");
            let derived = || attributes(&lines[..at]).any(is_derive);
            name.ends_with("Error") || name.ends_with("ErrorKind") || derived()
        };
        if let Some(name) = declared(line, "pub enum ").filter(is_error)
            && !open
        {
            say(name, "is an error and not #[non_exhaustive]");
        }
    }
    problems
}

/// The name of what a line at the outermost level declares. What `options!` declares is inside of it.
fn declared<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    let rest = line.strip_prefix(keyword)?;
    rest.split(|char: char| !char.is_alphanumeric()).next()
}

/// The attributes and comments directly above a line.
fn attributes<'a>(above: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    above.iter().rev().copied().take_while(|line| line.starts_with("#[") || line.starts_with("//"))
}

/// The public fields of the struct that begins above.
fn fields<'a>(below: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    let body = below.iter().take_while(|line| !line.starts_with('}'));
    body.filter_map(|line| line.strip_prefix("    pub ")?.split_once(':').map(|(name, _)| name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<String> {
        closed(&TextFile { path: "a.rs".to_owned(), text: text.to_owned() })
    }

    #[test]
    fn options_by_the_macro_or_with_all_setters_can_grow() {
        assert_eq!(
            of("options! {\n    pub struct AOptions {\n        pub a: u8 => with_a,\n    }\n}\n"),
            [""; 0]
        );
        let by_hand = "#[non_exhaustive]\n/// Text.\npub struct AOptions<K> {\n    pub a: K,\n}\n";
        assert_eq!(of(&format!("{by_hand}    pub fn with_a(mut self)")), [""; 0]);
        assert_eq!(of(by_hand), ["a.rs:3: AOptions has no setter with_a"]);
        assert_eq!(of("pub struct B {\n    pub a: u8,\n}\npub(crate) struct COptions {}\n"), [""; 0]);
        assert_eq!(
            of("pub struct AOptions {}"),
            ["a.rs:1: AOptions is not #[non_exhaustive]: define it by `options!`"]
        );
    }

    #[test]
    fn errors_can_grow() {
        assert_eq!(of("#[derive(Debug, thiserror::Error)]\n#[non_exhaustive]\npub enum A {}"), [""; 0]);
        assert_eq!(of("pub enum Choice {}\n"), [""; 0]);
        assert_eq!(
            of("#[derive(thiserror::Error)]\npub enum A {}"),
            ["a.rs:2: A is an error and not #[non_exhaustive]"]
        );
        assert_eq!(of("\npub enum AError {}"), ["a.rs:2: AError is an error and not #[non_exhaustive]"]);
    }
}
