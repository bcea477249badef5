//! Descriptions as doc comments without code that rustdoc would run.
//!
//! rustdoc compiles and runs every code block that is not marked as another language: fenced ones, and those that are
//! indented by four columns. Descriptions are not trusted. So all code in them becomes a closed block of `text` at the
//! beginning of a line, with empty lines around it. Outside of these blocks no text can begin a code block, and there is no
//! HTML, because fences inside HTML are ignored. Other Markdown stays.

use std::fmt::Write as _;

/// Writes a description as a doc comment, with the allowed values of a field if it is an enumeration.
pub(crate) fn write(out: &mut String, text: &str, values: &[String], indent: &str) {
    let mut lines = lines(text);
    if !values.is_empty() {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let values: Vec<String> = values.iter().map(|value| code_span(value)).collect();
        lines.push(format!("One of {}.", values.join(", ")));
    }
    for line in lines {
        let space = if line.is_empty() { "" } else { " " };
        let _ = writeln!(out, "{indent}///{space}{line}");
    }
}

/// A description for an attribute that becomes documentation later: the same text, as one string.
pub(crate) fn plain(text: &str) -> String {
    lines(text).join("\n")
}

fn lines(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n");
    let source: Vec<String> = text
        .split(['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'])
        .map(|line| line.replace(is_hidden, "").trim_end().to_owned())
        .collect();
    let mut lines: Vec<String> = Vec::new();
    let (mut at, mut in_list) = (0, false);
    while let Some(line) = source.get(at) {
        at += 1;
        let after_blank = lines.last().is_none_or(String::is_empty);
        if let Some(fence) = Fence::opened_by(line) {
            let length = source[at..].iter().take_while(|line| !fence.is_closed_by(line)).count();
            block(&mut lines, source[at..at + length].iter().map(|line| without_indent(line, fence.indent)));
            at += length + 1;
        } else if after_blank && indent_of(line) >= 4 && !in_list && !begins_item(line.trim_start()) {
            let is_code = |line: &&String| line.is_empty() || indent_of(line) >= 4;
            let length = source[at..].iter().take_while(is_code).count();
            block(&mut lines, source[at - 1..at + length].iter().map(|line| without_indent(line, 4)));
            at += length;
        } else {
            if !line.is_empty() {
                let item = begins_item(line.trim_start());
                in_list = item || (in_list && indent_of(line) > 0);
            }
            lines.push(prose(line));
        }
    }
    let begin = lines.iter().take_while(|line| line.is_empty()).count();
    lines.drain(..begin);
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// Characters that the compiler refuses in comments, or that are displayed as something else.
fn is_hidden(c: char) -> bool {
    (c.is_control() && c != '\t') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Writes a code block of `text` with any content.
fn block<'l>(lines: &mut Vec<String>, code: impl Iterator<Item = &'l str>) {
    let mut code: Vec<&str> = code.collect();
    while code.last().is_some_and(|line| line.is_empty()) {
        code.pop();
    }
    let longest = code.iter().flat_map(|line| line.split(|c| c != '`')).map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    if lines.last().is_some_and(|line| !line.is_empty()) {
        lines.push(String::new());
    }
    lines.push(format!("{fence}text"));
    lines.extend(code.into_iter().map(str::to_owned));
    lines.push(fence);
    lines.push(String::new());
}

/// The beginning of a code block.
struct Fence {
    mark: char,
    length: usize,
    indent: usize,
}

impl Fence {
    /// Also inside a list item or a quotation.
    fn opened_by(line: &str) -> Option<Self> {
        let (indent, rest) = behind_markers(line);
        let mark = rest.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let length = rest.chars().take_while(|c| *c == mark).count();
        // Backticks that are closed on the same line are a code span.
        let opens = length >= 3 && (mark == '~' || !rest[length..].contains('`'));
        opens.then_some(Self { mark, length, indent })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let rest = behind_markers(line).1.trim_end();
        rest.len() >= self.length && rest.chars().all(|c| c == self.mark)
    }
}

/// The text after the markers of lists and quotations, and its indentation.
fn behind_markers(line: &str) -> (usize, &str) {
    let rest = line.trim_start_matches(|c: char| " \t>-+*.)".contains(c) || c.is_ascii_digit());
    (line.len() - rest.len(), rest)
}

fn begins_item(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let mark =
        rest.strip_prefix(if rest.len() < line.len() { ['.', ')'].as_slice() } else { &['-', '+', '*'] });
    mark.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// The indentation of a line in columns.
fn indent_of(line: &str) -> usize {
    let space = line.chars().take_while(|c| matches!(c, ' ' | '\t'));
    space.fold(0, |column, c| if c == '\t' { column / 4 * 4 + 4 } else { column + 1 })
}

/// The line with this many columns of indentation removed.
fn without_indent(line: &str, columns: usize) -> &str {
    let mut rest = line;
    let mut left = columns;
    while left > 0 {
        let (shorter, width) = match rest.strip_prefix(' ') {
            Some(shorter) => (shorter, 1),
            None => match rest.strip_prefix('\t') {
                Some(shorter) => (shorter, 4),
                None => break,
            },
        };
        rest = shorter;
        left = left.saturating_sub(width);
    }
    rest
}

/// A line that begins no code block and no HTML, and closes all of its code spans.
fn prose(line: &str) -> String {
    let indent = indent_of(line).min(3);
    // Several spaces become one. After the marker of a list or a quotation five spaces would begin a code block.
    let words: Vec<&str> = line.split([' ', '\t']).filter(|word| !word.is_empty()).collect();
    let line = words.join(" ");
    let mut out = " ".repeat(if line.is_empty() { 0 } else { indent });
    let mut rest = line.as_str();
    // A footnote may contain blocks.
    if behind_markers(rest).1.starts_with("[^") {
        let (before, _) = behind_markers(rest);
        out.push_str(&rest[..before]);
        out.push('\\');
        rest = &rest[before..];
    }
    while let Some(c) = rest.chars().next() {
        let run = rest.chars().take_while(|other| *other == c).count();
        match c {
            '`' => {
                let code = if run < 3 { span(rest, run) } else { None };
                match code {
                    Some(length) => out.push_str(&rest[..length]),
                    None => out.push_str(&"\\`".repeat(run)),
                }
                rest = &rest[code.unwrap_or(run)..];
            }
            '~' if run >= 3 => {
                out.push_str(&"\\~".repeat(run));
                rest = &rest[run..];
            }
            // Backslashes before a backtick are escaped, all of them, so that the backtick means what it means without them.
            '\\' if rest[run..].starts_with('`') => {
                out.push_str(&"\\\\".repeat(run));
                rest = &rest[run..];
            }
            '<' if begins_html(&rest[1..]) => {
                out.push_str("&lt;");
                rest = &rest[1..];
            }
            c => {
                out.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    out
}

/// The length of the code span at the start of the text. It ends with as many backticks as it begins with, and contains
/// neither backticks nor a fence.
fn span(text: &str, run: usize) -> Option<usize> {
    let end = run + text[run..].find('`')?;
    let closing = text[end..].chars().take_while(|c| *c == '`').count();
    let inside = &text[run..end];
    (closing == run && !inside.is_empty() && !inside.contains("~~~")).then_some(end + run)
}

/// Whether the text after a `<` makes it HTML. Links in angle brackets are not HTML.
fn begins_html(rest: &str) -> bool {
    let is_link = ["http://", "https://"].iter().any(|scheme| rest.starts_with(scheme));
    rest.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')) && !is_link
}

/// A value as a code span, or as plain text if it can't be one.
fn code_span(value: &str) -> String {
    let plain = !value.trim().is_empty() && value.trim() == value && !value.contains(['`', '\t']);
    let breaks = |c: char| c.is_control() || is_hidden(c) || matches!(c, '\u{2028}' | '\u{2029}');
    if plain && !value.contains(breaks) {
        return format!("`{value}`");
    }
    let mut out = String::new();
    for c in format!("{value:?}").chars() {
        if c.is_ascii_punctuation() {
            let _ = write!(out, "&#{};", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comment(text: &str) -> String {
        let mut out = String::new();
        write(&mut out, text, &[], "");
        out.lines().map(|line| line.strip_prefix("///").unwrap().strip_prefix(' ').unwrap_or("")).fold(
            String::new(),
            |mut all, line| {
                if !all.is_empty() {
                    all.push('\n');
                }
                all.push_str(line);
                all
            },
        )
    }

    #[test]
    fn ordinary_markdown_stays_as_it_is() {
        let text = "The `size` of **it**, see [docs](https://a.b) or <https://c.d>.\n\n1. one\n   more\n2. two\n\n- a\n  - b\n\n| x | y |\n|---|---|\n| 1 | a < b |";
        assert_eq!(comment(text), text);
    }

    #[test]
    fn code_becomes_a_block_of_text() {
        assert_eq!(
            comment("Such as:\n```\nfn main() {}\n```\nEnd"),
            "Such as:\n\n```text\nfn main() {}\n```\n\nEnd"
        );
        assert_eq!(comment("```rust\na\n"), "```text\na\n```");
        assert_eq!(comment("~~~\n```\na\n~~~"), "````text\n```\na\n````");
        assert_eq!(comment("> ```\n> a\n> ```"), "```text\n> a\n```");
        assert_eq!(
            comment("Like so:\n\n\tspec:\n\t  a: 1\n\nEnd"),
            "Like so:\n\n```text\nspec:\n  a: 1\n```\n\nEnd"
        );
        assert_eq!(comment("    a"), "```text\na\n```");
        assert_eq!(comment("-     a"), "- a");
        assert_eq!(comment("- x\n\n      a"), "- x\n\n   a");
    }

    #[test]
    fn constructs_that_would_hide_a_fence_become_text() {
        assert_eq!(comment("<!--\n```\n-->\n```\nevil()"), "&lt;!--\n\n```text\n-->\n```\n\nevil()");
        assert_eq!(comment("[^1]: ~~~"), "\\[^1]: \\~\\~\\~");
        assert_eq!(comment("a ```b``` c ` d"), "a \\`\\`\\`b\\`\\`\\` c \\` d");
        assert_eq!(comment("\\`<b>`"), "\\\\`<b>`");
        assert_eq!(comment("\\\\` a"), "\\\\\\\\\\` a");
        assert_eq!(comment("a\u{2028}b\rc\u{202e}d\u{1b}[0m"), "a\nb\ncd[0m");
    }

    #[test]
    fn values_are_code_or_plain_text() {
        let values = ["a", "b c", "", "`", "x\n```\ny"].map(str::to_owned);
        let mut out = String::new();
        write(&mut out, "What.\n```\na", &values, "");
        let expected = "/// What.\n///\n/// ```text\n/// a\n/// ```\n///\n/// One of `a`, `b c`, &#34;&#34;, \
                        &#34;&#96;&#34;, &#34;x&#92;n&#96;&#96;&#96;&#92;ny&#34;.\n";
        assert_eq!(out, expected);
    }
}
