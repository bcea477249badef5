//! PEM, as Go's `encoding/pem` reads it: text between blocks and malformed blocks are skipped.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// A block of PEM text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// The type, such as `CERTIFICATE`.
    pub(crate) label: String,
    pub(crate) has_headers: bool,
    pub(crate) content: Vec<u8>,
}

/// The blocks of a text. It takes time in proportion to the text.
pub(crate) fn blocks(text: &str) -> impl Iterator<Item = Block> {
    let mut lines = text.lines().map(str::trim_end);
    std::iter::from_fn(move || {
        // A block begins at the last line that can begin it, and ends at the first that can end it.
        let mut open: Option<(&str, Vec<&str>)> = None;
        for line in lines.by_ref() {
            if let Some(label) = label(line, "-----BEGIN ") {
                open = Some((label, Vec::new()));
            } else if let Some(end) = label(line, "-----END ") {
                let found = open.take().filter(|(label, _)| *label == end);
                if let Some(block) = found.and_then(|(label, body)| block(label, &body)) {
                    return Some(block);
                }
            } else if let Some((_, body)) = &mut open {
                body.push(line);
            }
        }
        None
    })
}

fn label<'l>(line: &'l str, start: &str) -> Option<&'l str> {
    line.strip_prefix(start)?.strip_suffix("-----")
}

fn block(label: &str, body: &[&str]) -> Option<Block> {
    let headers = body.iter().take_while(|line| line.contains(':')).count();
    let encoded: String =
        body[headers..].iter().flat_map(|line| line.chars()).filter(|one| !one.is_whitespace()).collect();
    let content = STANDARD.decode(encoded).ok()?;
    Some(Block { label: label.to_owned(), has_headers: headers > 0, content })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_blocks_are_skipped() {
        let text = "x\n-----BEGIN A-----\nAA==\n-----END A-----\n-----BEGIN B-----\n!!\n-----END B-----\n\
                    -----BEGIN C-----\n-----BEGIN D-----\nk: v\n\nAQ ==\n-----END D-----\n-----BEGIN E-----\nAA==\n\
                    -----END F-----\n-----END E-----\n-----BEGIN G-----\nAA==\n";
        let found: Vec<Block> = blocks(text).collect();
        let block = |label: &str, has_headers, content: &[u8]| Block {
            label: label.to_owned(),
            has_headers,
            content: content.to_vec(),
        };
        assert_eq!(found, [block("A", false, &[0]), block("D", true, &[1])]);
    }
}
