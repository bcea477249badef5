//! The few parts of DER that the libraries of keys and certificates do not cover: keys in the formats of OpenSSL, and subjects with several
//! organizations.

pub(super) const INTEGER: u8 = 0x02;
pub(super) const BIT_STRING: u8 = 0x03;
pub(super) const OCTET_STRING: u8 = 0x04;
pub(super) const NULL: u8 = 0x05;
pub(super) const OID: u8 = 0x06;
pub(super) const UTF8_STRING: u8 = 0x0c;
pub(super) const SEQUENCE: u8 = 0x30;
pub(super) const SET: u8 = 0x31;

/// One element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Element<'a> {
    pub(super) tag: u8,
    pub(super) content: &'a [u8],
    /// The element with its tag and length.
    pub(super) whole: &'a [u8],
}

/// Returns the elements that follow each other. `None` if the bytes are not DER.
pub(super) fn elements(mut bytes: &[u8]) -> Option<Vec<Element<'_>>> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let (element, rest) = first(bytes)?;
        found.push(element);
        bytes = rest;
    }
    Some(found)
}

fn first(bytes: &[u8]) -> Option<(Element<'_>, &[u8])> {
    let (&tag, rest) = bytes.split_first()?;
    let (&length, rest) = rest.split_first()?;
    let (length, rest) = match length {
        0..=0x7f => (usize::from(length), rest),
        0x81..=0x84 => {
            let (digits, rest) = rest.split_at_checked(usize::from(length & 0x7f))?;
            (digits.iter().fold(0, |sum: usize, digit| (sum << 8) | usize::from(*digit)), rest)
        }
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((Element { tag, content, whole: &bytes[..bytes.len() - rest.len()] }, rest))
}

/// Returns an element with this content.
pub(super) fn element(tag: u8, content: &[&[u8]]) -> Vec<u8> {
    let length: usize = content.iter().map(|part| part.len()).sum();
    let mut bytes = vec![tag];
    if let Ok(length @ 0..=0x7f) = u8::try_from(length) {
        bytes.push(length);
    } else {
        let digits = length.to_be_bytes();
        let zeros = digits.iter().take_while(|digit| **digit == 0).count();
        let digits = &digits[zeros..];
        bytes.push(0x80 | u8::try_from(digits.len()).unwrap_or(0x7f));
        bytes.extend_from_slice(digits);
    }
    bytes.extend(content.iter().flat_map(|part| part.iter()));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_every_length_are_read_as_written() {
        for length in [0, 1, 127, 128, 255, 256, 65_535, 65_536, 1 << 20] {
            let content = vec![7; length];
            let bytes = [element(OCTET_STRING, &[&content]), element(NULL, &[])].concat();
            let found = elements(&bytes).unwrap();
            assert_eq!(found.len(), 2);
            assert_eq!((found[0].tag, found[0].content), (OCTET_STRING, content.as_slice()));
            assert_eq!((found[1].tag, found[1].whole), (NULL, [5, 0].as_slice()));
        }
    }

    #[test]
    fn bytes_that_are_not_der_are_refused() {
        for bytes in
            [&[0x30][..], &[0x30, 1], &[0x30, 0x80], &[0x30, 0x82, 1], &[0x30, 0x85, 0, 0, 0, 0, 1, 0]]
        {
            assert_eq!(elements(bytes), None, "{bytes:?}");
        }
    }
}
