//! The few elements of DER that keys and certificates need.

pub(crate) const BOOLEAN: u8 = 0x01;
pub(crate) const INTEGER: u8 = 0x02;
pub(crate) const BIT_STRING: u8 = 0x03;
pub(crate) const OCTET_STRING: u8 = 0x04;
pub(crate) const OBJECT_ID: u8 = 0x06;
pub(crate) const UTF8_STRING: u8 = 0x0c;
pub(crate) const UTC_TIME: u8 = 0x17;
pub(crate) const GENERALIZED_TIME: u8 = 0x18;
pub(crate) const SEQUENCE: u8 = 0x30;
pub(crate) const SET: u8 = 0x31;

/// A value in DER.
pub(crate) fn written(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len();
    let mut all = vec![tag];
    match u8::try_from(length) {
        Ok(short) if short < 0x80 => all.push(short),
        _ => {
            let bytes = length.to_be_bytes();
            let bytes = &bytes[bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len())..];
            all.push(0x80 | u8::try_from(bytes.len()).unwrap_or(0));
            all.extend(bytes);
        }
    }
    all.extend(content);
    all
}

/// A sequence of values in DER.
pub(crate) fn sequence(parts: &[&[u8]]) -> Vec<u8> {
    written(SEQUENCE, &parts.concat())
}

/// The content of a value in DER that has this tag, and the bytes behind it.
pub(crate) fn read(tag: u8, der: &[u8]) -> Option<(&[u8], &[u8])> {
    let (&[found, first], rest) = der.split_first_chunk::<2>()?;
    if found != tag {
        return None;
    }
    if first < 0x80 {
        return rest.split_at_checked(usize::from(first));
    }
    let (length, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
    if length.len() > 4 {
        return None;
    }
    let length = length.iter().fold(0_usize, |length, byte| length << 8 | usize::from(*byte));
    rest.split_at_checked(length)
}

/// A whole value in DER that has this tag, with its tag and length, and the bytes behind it.
pub(crate) fn read_whole(tag: u8, der: &[u8]) -> Option<(&[u8], &[u8])> {
    let (_, rest) = read(tag, der)?;
    der.split_at_checked(der.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_and_written() {
        for der in [
            &[][..],
            &[0x30],
            &[0x30, 5, 1],
            &[0x30, 0x84, 0xff, 0xff, 0xff, 0xff],
            &[0x30, 0x89],
            &[0x31, 0],
        ] {
            assert_eq!(read(SEQUENCE, der), None, "{der:?}");
        }
        let long = written(SEQUENCE, &[7; 300]);
        assert_eq!(read(SEQUENCE, &long), Some((&[7; 300][..], &[][..])));
        let two = [long.as_slice(), &[1, 2]].concat();
        assert_eq!(read_whole(SEQUENCE, &two), Some((long.as_slice(), &[1, 2][..])));
        assert_eq!(sequence(&[&[1], &[2, 3]]), [0x30, 3, 1, 2, 3]);
    }
}
