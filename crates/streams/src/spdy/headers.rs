//! Names and values, and how they are compressed.

use std::fmt;
use std::sync::LazyLock;

use bytes::{Buf, BufMut};
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

use super::dictionary::dictionary;
use crate::ProtocolError;

/// The headers that a stream is opened with. Names are lower case on the wire; lookup ignores case.
///
/// ```
/// # use client_rs_streams::spdy::Headers;
/// let headers = Headers::from([("streamType", "data"), ("port", "8080")]);
/// assert_eq!(headers.get("streamtype"), Some("data"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers(Vec<(String, String)>);

impl Headers {
    /// The value of this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Adds one.
    pub fn push(&mut self, name: &str, value: impl Into<String>) {
        self.0.push((name.to_ascii_lowercase(), value.into()));
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl<const N: usize> From<[(&str, &str); N]> for Headers {
    fn from(pairs: [(&str, &str); N]) -> Self {
        let mut headers = Self::default();
        for (name, value) in pairs {
            headers.push(name, value);
        }
        headers
    }
}

static DICTIONARY: LazyLock<Vec<u8>> = LazyLock::new(dictionary);

/// More than this, unpacked, is no header of Kubernetes'.
const MAX_BLOCK: usize = 64 * 1024;
const MAX_COUNT: u32 = 100;

/// Packs the headers of one direction of a connection: each block is compressed against all before.
pub(super) struct Packer(Compress);

impl Packer {
    pub(super) fn new() -> Self {
        let mut compress = Compress::new(Compression::best(), true);
        let set = compress.set_dictionary(&DICTIONARY);
        debug_assert!(set.is_ok(), "a new compressor takes a dictionary");
        Self(compress)
    }

    pub(super) fn pack(&mut self, headers: &Headers) -> Vec<u8> {
        let mut plain = Vec::new();
        plain.put_u32(length(headers.0.len()));
        for (name, value) in &headers.0 {
            for text in [name, value] {
                plain.put_u32(length(text.len()));
                plain.put_slice(text.as_bytes());
            }
        }
        let mut packed = Vec::with_capacity(plain.len() + 64);
        let before = self.0.total_in();
        loop {
            let done = usize::try_from(self.0.total_in() - before).unwrap_or(usize::MAX);
            let rest = plain.get(done..).unwrap_or_default();
            let failed = self.0.compress_vec(rest, &mut packed, FlushCompress::Sync).is_err();
            let done = usize::try_from(self.0.total_in() - before).unwrap_or(usize::MAX);
            // Full to the brim: there may be more to come.
            let whole = done >= plain.len() && packed.len() < packed.capacity();
            if failed || whole {
                return packed;
            }
            packed.reserve(256);
        }
    }
}

fn length(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Unpacks the headers of one direction of a connection.
pub(super) struct Unpacker(Decompress);

impl Unpacker {
    pub(super) fn new() -> Self {
        Self(Decompress::new(true))
    }

    pub(super) fn unpack(&mut self, packed: &[u8]) -> Result<Headers, ProtocolError> {
        let mut plain = Vec::with_capacity(1024);
        let begin = self.0.total_in();
        loop {
            let done = usize::try_from(self.0.total_in() - begin).unwrap_or(usize::MAX);
            let rest = packed.get(done..).unwrap_or_default();
            let (read, made) = (self.0.total_in(), plain.len());
            match self.0.decompress_vec(rest, &mut plain, FlushDecompress::Sync) {
                Err(error) if error.needs_dictionary().is_some() => {
                    self.0.set_dictionary(&DICTIONARY).map_err(|_| bad("headers of another dictionary"))?;
                    continue;
                }
                Err(_) => return Err(bad("headers that can't be unpacked")),
                Ok(Status::StreamEnd) => return Err(bad("headers that end the compressed stream")),
                Ok(Status::Ok | Status::BufError) => {}
            }
            if plain.len() == plain.capacity() {
                if plain.len() >= MAX_BLOCK {
                    return Err(bad(format!("headers of more than {MAX_BLOCK} bytes")));
                }
                plain.reserve(plain.len());
                continue;
            }
            let done = usize::try_from(self.0.total_in() - begin).unwrap_or(usize::MAX);
            if done >= packed.len() {
                return parse(&plain);
            }
            if self.0.total_in() == read && plain.len() == made {
                return Err(bad("headers that can't be unpacked"));
            }
        }
    }
}

fn parse(mut plain: &[u8]) -> Result<Headers, ProtocolError> {
    let mut headers = Headers::default();
    let count = plain.try_get_u32().map_err(|_| short())?;
    if count > MAX_COUNT {
        return Err(bad(format!("{count} headers")));
    }
    for _ in 0..count {
        let (name, value) = (text(&mut plain)?, text(&mut plain)?);
        if name.is_empty() || name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Err(bad("a header's name that is empty or not in lower case"));
        }
        headers.0.push((name, value));
    }
    Ok(headers)
}

fn text(plain: &mut &[u8]) -> Result<String, ProtocolError> {
    let length = usize::try_from(plain.try_get_u32().map_err(|_| short())?).map_err(|_| short())?;
    let (text, rest) = plain.split_at_checked(length).ok_or_else(short)?;
    *plain = rest;
    // A zero byte separates several values of one name; nothing here has several.
    Ok(String::from_utf8_lossy(text).into_owned())
}

fn short() -> ProtocolError {
    bad("headers that break off")
}

fn bad(what: impl Into<String>) -> ProtocolError {
    ProtocolError::new("SPDY", what)
}

impl fmt::Debug for Packer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Packer")
    }
}

impl fmt::Debug for Unpacker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Unpacker")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_packed_against_those_before() {
        let (mut packer, mut unpacker) = (Packer::new(), Unpacker::new());
        let mut sizes = Vec::new();
        for port in ["8080", "8080", "9090", "8080"] {
            let headers = Headers::from([("streamType", "data"), ("port", port), ("requestID", "17")]);
            let block = packer.pack(&headers);
            sizes.push(block.len());
            assert_eq!(unpacker.unpack(&block).unwrap(), headers);
        }
        assert!(sizes[1] < sizes[0], "{sizes:?}");
        let none = packer.pack(&Headers::default());
        assert_eq!(unpacker.unpack(&none).unwrap(), Headers::default());
    }

    #[test]
    fn a_large_block_goes_through_and_a_huge_one_does_not() {
        let (mut packer, mut unpacker) = (Packer::new(), Unpacker::new());
        let mut seed = 7_u32;
        let mut noise = |length: usize| -> String {
            let next = || {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                char::from(b'a' + u8::try_from(seed >> 24).unwrap() % 26)
            };
            std::iter::repeat_with(next).take(length).collect()
        };
        let large = Headers::from([("x", noise(20_000).as_str())]);
        assert_eq!(unpacker.unpack(&packer.pack(&large)).unwrap(), large);
        let bomb = Headers::from([("x", "a".repeat(1 << 20).as_str())]);
        let error = unpacker.unpack(&packer.pack(&bomb)).unwrap_err();
        assert!(error.what.contains("more than"), "{error}");
    }

    #[test]
    fn garbage_is_an_error() {
        for garbage in [&b""[..], b"\x78", b"\x78\xbb", b"hello, world", &[0xff; 300]] {
            assert!(Unpacker::new().unpack(garbage).is_err(), "{garbage:?}");
        }
        assert!(parse(&[0, 0, 0, 1, 0, 0, 0, 9, b'a']).is_err());
        assert!(parse(&[0xff; 8]).is_err());
        assert!(parse(&[0, 0, 0, 1, 0, 0, 0, 1, b'A', 0, 0, 0, 0]).is_err());
    }
}
