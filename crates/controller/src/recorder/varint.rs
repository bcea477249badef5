//! Numbers in few bytes: seven bits per byte, the lowest first.

/// The size of a [`Scratch`].
pub(super) const SCRATCH: usize = 128;
/// As many bytes as most records have at most.
const FEW: usize = 32;
/// The most bytes of a number.
pub(super) const LONGEST: usize = 10;

/// The bytes of a record until they go to its segment. They are in a place of fixed size, so that a number takes few instructions.
///
/// The array is a variable of its own: the compiler keeps the rest in registers then.
pub(super) struct Scratch<'a> {
    bytes: &'a mut [u8; SCRATCH],
    length: usize,
}

impl<'a> Scratch<'a> {
    #[inline]
    pub(super) fn new(bytes: &'a mut [u8; SCRATCH]) -> Self {
        Self { bytes, length: 0 }
    }

    /// Whether there is space for so many bytes. The caller makes sure of it before it appends something.
    #[inline]
    pub(super) fn has_space(&self, bytes: usize) -> bool {
        self.length + bytes <= SCRATCH
    }

    /// Moves the bytes to the end of others.
    #[inline]
    pub(super) fn move_to(&mut self, bytes: &mut Vec<u8>) {
        let (begin, rest) = self.bytes.split_at(FEW);
        let length = bytes.len() + self.length;
        // A copy of a fixed size is no call.
        bytes.extend_from_slice(begin);
        if self.length > FEW {
            bytes.extend_from_slice(&rest[..self.length - FEW]);
        }
        bytes.truncate(length);
        self.length = 0;
    }

    #[inline]
    pub(super) fn push(&mut self, byte: u8) {
        self.bytes[self.length] = byte;
        self.length += 1;
    }

    /// Appends a number. Most take one or two bytes.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "the lowest seven bits")]
    pub(super) fn put(&mut self, number: u64) {
        if number < 0x80 {
            self.push(number as u8);
        } else if number < 0x4000 {
            // The bits above the lowest seven move up by one.
            let both = (number + (number & 0x3f80)) as u16 | 0x80;
            self.bytes[self.length..self.length + 2].copy_from_slice(&both.to_le_bytes());
            self.length += 2;
        } else {
            self.length += put_long(&mut self.bytes[self.length..], number);
        }
    }

    /// Appends a number that may be negative, in few bytes if it is near zero.
    #[inline]
    #[allow(clippy::cast_sign_loss, reason = "the sign goes to the lowest bit")]
    pub(super) fn put_signed(&mut self, number: i64) {
        self.put(((number << 1) ^ (number >> 63)) as u64);
    }
}

/// Writes a number that takes more than two bytes, and returns how many. Apart, so that [`Scratch::put`] is short.
#[inline(never)]
#[allow(clippy::cast_possible_truncation, reason = "the lowest seven bits")]
fn put_long(bytes: &mut [u8], mut number: u64) -> usize {
    let mut length = 0;
    while number >= 0x80 {
        bytes[length] = number as u8 | 0x80;
        number >>= 7;
        length += 1;
    }
    bytes[length] = number as u8;
    length + 1
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

/// Reads what [`Scratch::put_signed`] wrote.
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

    fn put(bytes: &mut Vec<u8>, number: u64) {
        let mut space = [0; SCRATCH];
        let mut out = Scratch::new(&mut space);
        out.put(number);
        out.move_to(bytes);
    }

    fn put_signed(bytes: &mut Vec<u8>, number: i64) {
        let mut space = [0; SCRATCH];
        let mut out = Scratch::new(&mut space);
        out.put_signed(number);
        out.move_to(bytes);
    }

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
        for (number, size) in [(0, 1), (127, 1), (128, 2), (16_383, 2), (16_384, 3), (u64::MAX, LONGEST)] {
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
