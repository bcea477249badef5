//! Regular expressions with the semantics of Go.

use regex::{Error, Regex, RegexBuilder};

use crate::text::beginning;

/// The maximum length of an expression in bytes. Go has no such limit; this is more than people write.
const MAX_LENGTH: usize = 32 << 10;
/// The maximum size of a compiled expression in bytes, and of its cache.
const MAX_SIZE: usize = 1 << 20;

/// Compiles an expression; the error has Go's message. An expression that is longer than 32 KiB, or takes more than 1
/// MiB when it is compiled, is too large.
pub fn pattern(text: &str) -> Result<Regex, String> {
    if text.len() > MAX_LENGTH {
        return Err(TOO_LARGE.to_owned());
    }
    if let Some(count) = too_often(text) {
        return Err(format!("error parsing regexp: invalid repeat count: `{count}`"));
    }
    let mut builder = RegexBuilder::new(&translated(text));
    builder.size_limit(MAX_SIZE).dfa_size_limit(MAX_SIZE);
    builder.build().map_err(|error| match error {
        Error::CompiledTooBig(_) => TOO_LARGE.to_owned(),
        _ => go_error(text),
    })
}

const TOO_LARGE: &str = "error parsing regexp: expression too large";

/// Estimates the nanoseconds that the compilation of an expression takes, from its length, its repetitions, and the
/// large classes that it names.
pub(crate) fn pattern_steps(text: &str) -> u64 {
    /// The time to find out that an expression is too large.
    const MOST: u64 = 2_000_000;
    let text = beginning(text, MAX_LENGTH);
    let mut steps = 1_000 + 20 * text.len() as u64;
    for class in [r"\p", r"\P", "(?i", "(?s"] {
        steps = steps.saturating_add(50_000 * text.matches(class).count() as u64);
    }
    for (at, _) in text.match_indices('{') {
        let counts = text[at + 1..].split('}').next().unwrap_or_default();
        let most = counts.split(',').filter_map(|count| count.parse::<u64>().ok()).max();
        let Some(most) = most.filter(|most| *most > 1) else { continue };
        // The repeated part is a group, or a class that may be large, or a letter.
        let repeated = &text[..at];
        steps = if repeated.ends_with(')') || text.contains(r"\p") || text.contains(r"\P") {
            steps.saturating_mul(most)
        } else {
            steps.saturating_add(200 * most)
        };
    }
    steps.min(MOST)
}

/// Translates an expression to the syntax of the `regex` crate. Both descend from RE2. They differ in the classes,
/// which know only ASCII in Go, in a few characters inside brackets, and in quoting.
fn translated(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut class = false;
    let mut class_start = false;
    let mut chars = text.chars();
    while let Some(at) = chars.next() {
        let started = std::mem::take(&mut class_start);
        match at {
            '\\' => {
                let escaped = chars.next();
                match (escaped, class) {
                    (Some('d'), false) => out.push_str("[0-9]"),
                    (Some('d'), true) => out.push_str("0-9"),
                    (Some('D'), false) => out.push_str("[^0-9]"),
                    (Some('w'), false) => out.push_str("[0-9A-Za-z_]"),
                    (Some('w'), true) => out.push_str("0-9A-Za-z_"),
                    (Some('W'), false) => out.push_str("[^0-9A-Za-z_]"),
                    (Some('s'), false) => out.push_str(r"[\t\n\x0c\r ]"),
                    (Some('s'), true) => out.push_str(r"\t\n\x0c\r "),
                    (Some('S'), false) => out.push_str(r"[^\t\n\x0c\r ]"),
                    (Some('b'), false) => out.push_str(r"(?-u:\b)"),
                    (Some('B'), false) => out.push_str(r"(?-u:\B)"),
                    (Some('Q'), false) => {
                        let rest = chars.as_str();
                        let (quoted, after) = rest.split_once(r"\E").unwrap_or((rest, ""));
                        out.push_str(&regex::escape(quoted));
                        chars = after.chars();
                    }
                    (Some(plain @ ('<' | '>')), _) => out.push(plain),
                    (Some(other), _) => {
                        out.push('\\');
                        out.push(other);
                    }
                    (None, _) => out.push('\\'),
                }
            }
            '[' if !class => {
                class = true;
                class_start = true;
                out.push('[');
                if chars.as_str().starts_with('^') {
                    out.push('^');
                    chars.next();
                }
            }
            '[' if chars.as_str().starts_with(':') => {
                // A class by name.
                out.push('[');
                for inner in chars.by_ref() {
                    out.push(inner);
                    if inner == ']' {
                        break;
                    }
                }
            }
            ']' if class && started => out.push_str(r"\]"),
            ']' if class => {
                class = false;
                out.push(']');
            }
            '[' | '&' | '~' if class => {
                out.push('\\');
                out.push(at);
            }
            other => out.push(other),
        }
    }
    out
}

/// Returns a repetition of more than a thousand times, which Go refuses.
fn too_often(text: &str) -> Option<&str> {
    let mut rest = text;
    while let Some(open) = rest.find(['{', '\\']) {
        if rest[open..].starts_with('\\') {
            rest = rest[open + 1..].strip_prefix(|_: char| true).unwrap_or_default();
            continue;
        }
        let close = open + rest[open..].find('}')?;
        let inner = &rest[open + 1..close];
        let counts = inner.split(',').all(|count| count.bytes().all(|digit| digit.is_ascii_digit()));
        let many = |count: &str| count.trim_start_matches('0').len() > 3 && count.parse() != Ok(1000);
        if counts && inner.split(',').any(many) {
            return Some(&rest[open..=close]);
        }
        rest = &rest[open + 1..];
    }
    None
}

/// Returns Go's message for a malformed expression: for common mistakes.
fn go_error(text: &str) -> String {
    let error = |what: &str, shown: &str| format!("error parsing regexp: {what}: `{shown}`");
    let (mut depth, mut class, mut escaped) = (0_i32, None, false);
    for (index, at) in text.char_indices() {
        match at {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            ']' => class = None,
            _ if class.is_some() => {}
            '[' => class = Some(index),
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth < 0 {
                    return error("unexpected )", text);
                }
            }
            _ => {}
        }
    }
    if let Some(from) = class {
        return error("missing closing ]", &text[from..]);
    }
    if let Some(at) = text.find("(?")
        && let Some(sort @ ('=' | '!' | '<')) = text[at + 2..].chars().next()
    {
        let shown: String = text[at..].chars().take(if sort == '<' { 4 } else { 3 }).collect();
        return error("invalid or unsupported Perl syntax", &shown);
    }
    if escaped {
        return error("trailing backslash at end of expression", "");
    }
    if depth > 0 {
        return error("missing closing )", text);
    }
    if let Some(first @ ('*' | '+' | '?')) = text.chars().next() {
        return error("missing argument to repetition operator", &first.to_string());
    }
    error("invalid escape sequence", text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_gos() {
        for (pattern, yes, no) in [
            (r"^\d+$", "12", "\u{663}"),
            (r"^[\w-]+$", "a-b_1", "é"),
            (r"^[a[b]$", "[", "c"),
            (r"^[]a]$", "]", "b"),
            (r"^\Qa.b\E$", "a.b", "axb"),
            (r"^[[:alpha:]]+$", "abc", "1"),
            (r"^[a&&b]$", "&", "c"),
            (r"^\\d$", "\\d", "1"),
            (r"a\.b", "xa.by", "axb"),
        ] {
            let compiled = super::pattern(pattern).unwrap();
            assert!(compiled.is_match(yes), "{pattern} {yes}");
            assert!(!compiled.is_match(no), "{pattern} {no}");
        }
    }

    #[test]
    fn errors_are_gos() {
        assert_eq!(pattern("[a").unwrap_err(), "error parsing regexp: missing closing ]: `[a`");
        assert_eq!(pattern("(a").unwrap_err(), "error parsing regexp: missing closing ): `(a`");
        assert_eq!(
            pattern("a{2,1001}").unwrap_err(),
            "error parsing regexp: invalid repeat count: `{2,1001}`"
        );
        assert!(pattern(r"a{1000}\{1001\}").is_ok());
        assert_eq!(
            pattern("(?!a)").unwrap_err(),
            "error parsing regexp: invalid or unsupported Perl syntax: `(?!`"
        );
    }
}
