//! The prose of a file: what a person reads, without the code around it.

/// How a file's prose is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Format {
    Markdown,
    Rust,
    /// Comments behind `//`.
    Go,
    /// Comments behind `#`: TOML, YAML, shell.
    Hash,
}

impl Format {
    /// By the file's name; `None` for files without prose.
    pub(super) fn of(file: &str) -> Option<Self> {
        let name = file.rsplit('/').next().unwrap_or(file);
        match name.rsplit_once('.').map_or(name, |(_, ending)| ending) {
            "md" => Some(Self::Markdown),
            "rs" => Some(Self::Rust),
            "go" => Some(Self::Go),
            "toml" | "yml" | "sh" | "run" => Some(Self::Hash),
            _ => None,
        }
    }
}

/// Where prose stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Document,
    Rustdoc,
    Comment,
    Literal,
    /// The name of a function, as words.
    Name,
}

/// A run of prose: a paragraph, or a block of comments. Code in it is blanked.
#[derive(Debug)]
pub(super) struct Passage {
    pub(super) kind: Kind,
    /// The line that it begins on, from 1.
    pub(super) line: usize,
    pub(super) text: String,
}

/// Names with fewer words are not sentences.
const WORDS_OF_A_SENTENCE: usize = 4;

pub(super) fn passages(format: Format, text: &str) -> Vec<Passage> {
    match format {
        Format::Markdown => vec![passage(Kind::Document, 1, text)],
        Format::Rust => rust(text),
        Format::Go => comments(text, "//"),
        Format::Hash => comments(text, "#"),
    }
}

fn passage(kind: Kind, line: usize, text: &str) -> Passage {
    Passage { kind, line, text: without_code(text) }
}

/// Comments of languages whose strings are not read: from the mark, at the start of a line or behind a space.
fn comments(text: &str, mark: &str) -> Vec<Passage> {
    let mut blocks = Blocks::default();
    let behind_space = format!(" {mark} ");
    for (number, line) in text.lines().enumerate() {
        let comment = line
            .trim_start()
            .strip_prefix(mark)
            .or_else(|| line.split_once(&behind_space).map(|(_, comment)| comment));
        if let Some(comment) = comment {
            blocks.add(Kind::Comment, number + 1, comment);
        }
    }
    blocks.finish()
}

/// Comments, string literals and names of functions, by a small lexer.
fn rust(text: &str) -> Vec<Passage> {
    let bytes = text.as_bytes();
    let mut blocks = Blocks::default();
    let mut line = 1;
    let mut at = 0;
    let mut previous = "";
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = text[at..].find('\n').map_or(bytes.len(), |length| at + length);
                let comment = &text[start + 2..at];
                match comment.strip_prefix(['/', '!']) {
                    Some(rustdoc) => blocks.add(Kind::Rustdoc, line, rustdoc),
                    None => blocks.add(Kind::Comment, line, comment),
                }
            }
            b'"' => {
                at = end_of_string(bytes, at);
                blocks.add_alone(Kind::Literal, line, &text[start..at]);
            }
            b'r' if is_raw(bytes, at) => {
                at = end_of_raw(text, at + 1);
                blocks.add_alone(Kind::Literal, line, &text[start..at]);
            }
            b'\'' => at = end_of_quote(text, at),
            first if first == b'_' || first.is_ascii_alphabetic() => {
                let length = text[at..].find(|next: char| next != '_' && !next.is_alphanumeric());
                at = length.map_or(bytes.len(), |length| at + length);
                let name = &text[start..at];
                if previous == "fn" && name.split('_').count() >= WORDS_OF_A_SENTENCE {
                    blocks.add_alone(Kind::Name, line, &name.replace('_', " "));
                }
                previous = name;
            }
            _ => at += 1,
        }
        // A multi-byte character outside of strings and comments is passed byte by byte.
        line += bytes[start..at].iter().map(|&byte| usize::from(byte == b'\n')).sum::<usize>();
    }
    blocks.finish()
}

/// Joins the lines of comments that follow each other, so that a phrase may go over the end of a line.
#[derive(Default)]
struct Blocks {
    done: Vec<Passage>,
    open: Option<(Kind, usize, String)>,
}

impl Blocks {
    fn add(&mut self, kind: Kind, line: usize, text: &str) {
        match &mut self.open {
            Some((open, first, block))
                if *open == kind && *first + block.matches('\n').count() + 1 == line =>
            {
                block.push('\n');
                block.push_str(text);
            }
            _ => {
                self.close();
                self.open = Some((kind, line, text.to_owned()));
            }
        }
    }

    fn add_alone(&mut self, kind: Kind, line: usize, text: &str) {
        if text.contains(' ') {
            self.done.push(passage(kind, line, text));
        }
    }

    fn close(&mut self) {
        if let Some((kind, line, block)) = self.open.take() {
            self.done.push(passage(kind, line, &block));
        }
    }

    fn finish(mut self) -> Vec<Passage> {
        self.close();
        self.done
    }
}

/// Blanks code blocks and `inline code`; keeps every line.
fn without_code(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut in_block = false;
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
            result.push('\n');
        } else if in_block {
            result.push('\n');
        } else {
            let mut parts = line.split('`').peekable();
            let mut is_code = false;
            while let Some(part) = parts.next() {
                // Without a second mark it is no code.
                if is_code && parts.peek().is_some() {
                    result.push_str("``");
                } else {
                    result.push_str(part);
                }
                is_code = !is_code;
            }
        }
    }
    result
}

fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    at += 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn is_raw(bytes: &[u8], at: usize) -> bool {
    let marks = bytes[at + 1..].iter().take_while(|&&byte| byte == b'#').count();
    bytes.get(at + 1 + marks) == Some(&b'"')
}

fn end_of_raw(text: &str, at: usize) -> usize {
    let marks = text[at..].bytes().take_while(|&byte| byte == b'#').count();
    let end = format!("\"{}", "#".repeat(marks));
    text[at + marks + 1..].find(&end).map_or(text.len(), |length| at + marks + 1 + length + end.len())
}

/// Behind a character or a lifetime's mark.
fn end_of_quote(text: &str, at: usize) -> usize {
    let rest = &text[at + 1..];
    if rest.starts_with('\\') {
        return rest.get(2..).and_then(|rest| rest.find('\'')).map_or(text.len(), |length| at + 4 + length);
    }
    let first = rest.chars().next().map_or(0, char::len_utf8);
    if rest[first..].starts_with('\'') { at + 2 + first } else { at + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(format: Format, text: &str) -> Vec<(Kind, usize, String)> {
        let found = passages(format, text);
        found.into_iter().map(|passage| (passage.kind, passage.line, passage.text)).collect()
    }

    #[test]
    fn the_prose_of_a_source_has_its_lines() {
        let text =
            "//! One\n//! two.\n\nfn f<'a>(c: char) {\n    let s = \"a b\"; // why\n    if c == '\"' {}\n}\n";
        let expected = [
            (Kind::Rustdoc, 1, " One\n two.".to_owned()),
            (Kind::Literal, 5, "\"a b\"".to_owned()),
            (Kind::Comment, 5, " why".to_owned()),
        ];
        let mut found = read(Format::Rust, text);
        found.sort_by_key(|(kind, line, _)| (*line, *kind == Kind::Comment));
        assert_eq!(found, expected);
    }

    #[test]
    fn raw_strings_and_escapes_end_where_they_end() {
        let text = "let a = r#\"a \" b\"#; let b = \"c \\\" d\"; let c = '\\''; // e f";
        let kinds: Vec<Kind> = read(Format::Rust, text).into_iter().map(|(kind, ..)| kind).collect();
        assert_eq!(kinds, [Kind::Literal, Kind::Literal, Kind::Comment]);
    }

    #[test]
    fn a_mark_in_a_string_is_not_a_comment_of_toml() {
        assert_eq!(read(Format::Hash, "a = \"b#c\" # d e\n"), [(Kind::Comment, 1, "d e".to_owned())]);
    }
}
