//! Regular expressions with the meaning that they have in Go.

use regex::Regex;

/// Compiles an expression; the error is Go's.
pub(crate) fn compile(text: &str) -> Result<Regex, String> {
    Regex::new(&translated(text)).map_err(|_| go_error(text))
}

/// The same expression in this crate's syntax. Both are of RE2's family: what differs is the classes, which in Go know
/// ASCII only, a few characters inside brackets, and quoting.
fn translated(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut class = false;
    let mut class_start = false;
    let mut chars = text.chars().peekable();
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
                        let rest: String = chars.by_ref().collect();
                        let (quoted, after) = rest.split_once(r"\E").unwrap_or((&rest, ""));
                        out.push_str(&regex::escape(quoted));
                        out.push_str(&translated(after));
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
                if chars.peek() == Some(&'^') {
                    out.push('^');
                    chars.next();
                }
            }
            '[' if chars.peek() == Some(&':') => {
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

/// What Go says of an expression that it can't read: for the mistakes that people make.
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
            let compiled = compile(pattern).unwrap();
            assert!(compiled.is_match(yes), "{pattern} {yes}");
            assert!(!compiled.is_match(no), "{pattern} {no}");
        }
    }

    #[test]
    fn errors_are_gos() {
        assert_eq!(compile("[a").unwrap_err(), "error parsing regexp: missing closing ]: `[a`");
        assert_eq!(compile("(a").unwrap_err(), "error parsing regexp: missing closing ): `(a`");
        assert_eq!(
            compile("(?!a)").unwrap_err(),
            "error parsing regexp: invalid or unsupported Perl syntax: `(?!`"
        );
    }
}
