//! Numbers in few bytes: seven bits per byte, the lowest first.

/// Appends a number. Most take one or two bytes.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "the lowest seven bits")]
pub(super) fn put(bytes: &mut Vec<u8>, number: u64) {
    if number < 0x80 {
        bytes.push(number as u8);
    } else if number < 0x4000 {
        bytes.extend_from_slice(&[number as u8 | 0x80, (number >> 7) as u8]);
    } else {
        put_long(bytes, number);
    }
}

/// Appends a number that takes more than two bytes. Apart, so that [`put`] is short.
#[inline(never)]
#[allow(clippy::cast_possible_truncation, reason = "the lowest seven bits")]
fn put_long(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Appends a number that may be negative, in few bytes if it is near zero.
#[inline]
#[allow(clippy::cast_sign_loss, reason = "the sign goes to the lowest bit")]
pub(super) fn put_signed(bytes: &mut Vec<u8>, number: i64) {
    put(bytes, ((number << 1) ^ (number >> 63)) as u64);
}

/// Reads a number at a position and moves the position; `None` if the bytes end too early.
#[inline]
pub(super) fn get(bytes: &[u8], position: &mut usize) -> Option<u64> {
    let (mut number, mut shift) = (0_u64, 0_u32);
    loop {
        let byte = *bytes.get(*position)?;
        *position += 1;
        number |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some(number);
        }
        shift += 7;
    }
}

/// Reads what [`put_signed`] wrote.
#[inline]
#[allow(clippy::cast_possible_wrap, reason = "the sign is in the lowest bit")]
pub(super) fn get_signed(bytes: &[u8], position: &mut usize) -> Option<i64> {
    let number = get(bytes, position)?;
    Some((number >> 1) as i64 ^ -((number & 1) as i64))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_come_back(number: u64, signed: i64) {
            let mut bytes = Vec::new();
            put(&mut bytes, number);
            put_signed(&mut bytes, signed);
            let mut position = 0;
            prop_assert_eq!(get(&bytes, &mut position), Some(number));
            prop_assert_eq!(get_signed(&bytes, &mut position), Some(signed));
            prop_assert_eq!(position, bytes.len());
            prop_assert_eq!(get(&bytes, &mut position), None);
        }

        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>) {
            let mut position = 0;
            while get_signed(&bytes, &mut position).is_some() {}
            prop_assert!(position <= bytes.len());
        }
    }

    #[test]
    fn small_numbers_take_one_byte() {
        for (number, size) in [(0, 1), (127, 1), (128, 2), (16_383, 2), (16_384, 3), (u64::MAX, 10)] {
            let mut bytes = Vec::new();
            put(&mut bytes, number);
            assert_eq!(bytes.len(), size, "{number}");
        }
        for (number, size) in [(0, 1), (-64, 1), (63, 1), (64, 2)] {
            let mut bytes = Vec::new();
            put_signed(&mut bytes, number);
            assert_eq!(bytes.len(), size, "{number}");
        }
    }
}
