//! PEM blocks, read as Go's `encoding/pem` does it: text between blocks and malformed blocks are skipped.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// A block of PEM text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The type, such as `CERTIFICATE`.
    pub(super) label: String,
    pub(super) has_headers: bool,
    pub(super) content: Vec<u8>,
}

/// The blocks of a text.
pub(super) fn blocks(text: &str) -> impl Iterator<Item = Block> {
    let mut lines = text.lines().map(str::trim_end);
    std::iter::from_fn(move || {
        while let Some(line) = lines.next() {
            let Some(label) = line.strip_prefix("-----BEGIN ").and_then(|rest| rest.strip_suffix("-----"))
            else {
                continue;
            };
            let end = format!("-----END {label}-----");
            // A block that does not end is skipped, and the next one begins after its first line.
            let mut rest = lines.clone();
            let body: Vec<&str> = rest.by_ref().take_while(|line| *line != end).collect();
            let closed = lines.clone().any(|line| line == end);
            if !closed {
                continue;
            }
            let headers = body.iter().take_while(|line| line.contains(':')).count();
            let encoded: String = body[headers..].concat();
            let Ok(content) = STANDARD.decode(encoded.trim()) else { continue };
            lines = rest;
            return Some(Block { label: label.to_owned(), has_headers: headers > 0, content });
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_blocks_are_skipped() {
        let text = "x\n-----BEGIN A-----\nAA==\n-----END A-----\n-----BEGIN B-----\n!!\n-----END B-----\n\
                    -----BEGIN C-----\n-----BEGIN D-----\nk: v\n\nAQ==\n-----END D-----\n";
        let found: Vec<Block> = blocks(text).collect();
        let block = |label: &str, has_headers, content: &[u8]| Block {
            label: label.to_owned(),
            has_headers,
            content: content.to_vec(),
        };
        assert_eq!(found, [block("A", false, &[0]), block("D", true, &[1])]);
    }
}
