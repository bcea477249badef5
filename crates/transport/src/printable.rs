//! Text from outside, made safe for a terminal.

use std::fmt::Write;

/// Returns the text with every character escaped that could control a terminal or hide text: a kubeconfig, or a proxy's
/// response, may come from anyone. Tabs and line ends stay. A single carriage return, which would overwrite the line, is
/// escaped.
pub(crate) fn printable(text: &str) -> String {
    let hidden = |c: char| {
        (c.is_control() && !matches!(c, '\t' | '\n'))
            || matches!(c,
                '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}'
                | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
                | '\u{e000}'..='\u{f8ff}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}'
                | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..)
    };
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let line_end = c == '\r' && rest.peek() == Some(&'\n');
        if hidden(c) && !line_end {
            // Writing to a string can't fail.
            let _ = write!(out, "U+{:04X}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_control_a_terminal_are_escaped() {
        assert_eq!(printable("a\tb\r\nc\n"), "a\tb\r\nc\n");
        assert_eq!(printable("good\rbad\u{1b}[2J\u{9b}x\u{202e}"), "goodU+000DbadU+001B[2JU+009BxU+202E");
        assert_eq!(printable("\u{b}\u{c}\u{8}"), "U+000BU+000CU+0008");
    }
}
