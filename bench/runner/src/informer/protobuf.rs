//! The part of protobuf that is needed to edit a recorded event.

use crate::list::varint;

/// The first bytes of every object that names its kind.
const MAGIC: &[u8] = b"k8s\0";

/// Replaces the text at the end of a path of field numbers (each below 16) in a message; returns the message and the
/// place of the new text. Messages on the path may be wrapped with the magic number before them.
pub(super) fn replaced(message: &[u8], path: &[u8], text: &[u8]) -> Option<(Vec<u8>, usize)> {
    let Some((&number, rest)) = path.split_first() else { return Some((text.to_vec(), 0)) };
    let inner = message.strip_prefix(MAGIC);
    let start = if inner.is_some() { MAGIC.len() } else { 0 };
    let (before, content, after) = split(inner.unwrap_or(message), number)?;
    let (content, offset) = replaced(content, rest, text)?;
    let mut out = message.get(..start)?.to_vec();
    out.extend_from_slice(before);
    put(&mut out, number, &content);
    let offset = out.len() - content.len() + offset;
    out.extend_from_slice(after);
    Some((out, offset))
}

/// Returns the content at the end of a path, which has the form of [`replaced`]'s.
pub(super) fn found<'a>(message: &'a [u8], path: &[u8]) -> Option<&'a [u8]> {
    let Some((&number, rest)) = path.split_first() else { return Some(message) };
    let (_, content, _) = split(message.strip_prefix(MAGIC).unwrap_or(message), number)?;
    found(content, rest)
}

/// Appends a field that holds bytes.
pub(super) fn put(out: &mut Vec<u8>, number: u8, content: &[u8]) {
    out.push(number << 3 | 2);
    varint(out, content.len());
    out.extend_from_slice(content);
}

/// An object as the server wraps it: the magic number, its kind, its bytes.
pub(super) fn wrapped(api_version: &str, kind: &str, object: &[u8]) -> Vec<u8> {
    let mut type_meta = Vec::new();
    put(&mut type_meta, 1, api_version.as_bytes());
    put(&mut type_meta, 2, kind.as_bytes());
    let mut out = MAGIC.to_vec();
    for (number, part) in [(1, &type_meta[..]), (2, object), (3, b""), (4, b"")] {
        put(&mut out, number, part);
    }
    out
}

/// Splits a message at the first field of this number, which must hold bytes: before it, its content, and behind it.
fn split(message: &[u8], number: u8) -> Option<(&[u8], &[u8], &[u8])> {
    let mut at = 0;
    loop {
        let (tag, behind_tag) = read_varint(message, at)?;
        let (start, end) = match tag & 7 {
            0 => (behind_tag, read_varint(message, behind_tag)?.1),
            1 => (behind_tag, behind_tag + 8),
            2 => {
                let (length, start) = read_varint(message, behind_tag)?;
                (start, start.checked_add(length)?)
            }
            5 => (behind_tag, behind_tag + 4),
            _ => return None,
        };
        if tag == usize::from(number) << 3 | 2 {
            return Some((message.get(..at)?, message.get(start..end)?, message.get(end..)?));
        }
        at = end;
    }
}

fn read_varint(bytes: &[u8], mut at: usize) -> Option<(usize, usize)> {
    let (mut value, mut shift) = (0_usize, 0);
    loop {
        let byte = *bytes.get(at)?;
        at += 1;
        value |= usize::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some((value, at));
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_deep_inside_is_replaced() {
        // 2: { 1: "k8s\0" { 1: {}, 2: { 6: "12" } } }, with a number before.
        let mut metadata = vec![0x38, 0x05];
        put(&mut metadata, 6, b"12");
        let object = wrapped("v1", "Pod", &metadata);
        let mut extension = Vec::new();
        put(&mut extension, 1, &object);
        let mut event = Vec::new();
        put(&mut event, 1, b"ADDED");
        put(&mut event, 2, &extension);
        let text = [b'7'; 200];
        let (edited, at) = replaced(&event, &[2, 1, 2, 6], &text).unwrap();
        assert_eq!(edited[at..at + 200], text);
        let (back, _) = replaced(&edited, &[2, 1, 2, 6], b"12").unwrap();
        assert_eq!(back, event);
        assert_eq!(replaced(&event, &[2, 1, 3, 6], b"x"), None);
        assert_eq!(replaced(&event[..5], &[2], b"x"), None);
    }
}
