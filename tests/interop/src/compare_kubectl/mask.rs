//! Masks ages, which grow while one tool waits for the other.

use std::fmt::Write as _;

/// The text with `AGE` in place of every age. A column keeps its width.
pub(super) fn ages(text: &str) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        let mut before = ' ';
        while let Some(c) = rest.chars().next() {
            if !before.is_alphanumeric()
                && !matches!(before, '.' | '-' | ':' | '/')
                && let Some(length) = age(rest)
            {
                let after = &rest[length..];
                let spaces = after.len() - after.trim_start_matches(' ').len();
                let end = after.trim_start_matches(' ').is_empty() || after.trim_start_matches(' ') == "\n";
                let width = match spaces {
                    _ if end => 3,
                    0 | 1 => 3 + spaces,
                    _ => (length + spaces).max(4),
                };
                let _ = write!(out, "{:<width$}", "AGE");
                rest = &after[spaces..];
                before = ' ';
                continue;
            }
            out.push(c);
            before = c;
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// How long the age is that the text begins with: `5s`, `3m12s`, `2y5d`.
fn age(text: &str) -> Option<usize> {
    let mut at = 0;
    for _ in 0..2 {
        let digits = text[at..].bytes().take_while(u8::is_ascii_digit).count();
        match text.as_bytes().get(at + digits) {
            Some(b's' | b'm' | b'h' | b'd' | b'y') if digits > 0 => at += digits + 1,
            _ => break,
        }
    }
    let ended = text[at..].chars().next().is_none_or(|c| c.is_whitespace() || matches!(c, ')' | ','));
    (at > 0 && ended).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_keep_their_width_and_names_are_no_ages() {
        assert_eq!(ages("web   9s    x\n"), ages("web   10s   x\n"));
        assert_eq!(ages("web   9s\n"), "web   AGE\n");
        assert_eq!(ages("web-5s 10s\n"), "web-5s AGE\n");
        assert_eq!(ages("1m (x3 over 2m5s)"), "AGE (x3 over AGE)");
        assert_eq!(ages("5stars 100m\n"), "5stars AGE\n");
    }
}
