//! Files of length-prefixed records, as `bench/go/internal/records` writes them.

use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// The records of one file.
#[derive(Default)]
pub(crate) struct Records {
    bytes: Vec<u8>,
    places: Vec<Range<usize>>,
}

impl Records {
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        let mut places = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let Some((length, _)) = bytes[at..].split_first_chunk::<4>() else {
                bail!("{}: cut off in a length", path.display());
            };
            let start = at + 4;
            at = start + u32::from_le_bytes(*length) as usize;
            if at > bytes.len() {
                bail!("{}: cut off in a record", path.display());
            }
            places.push(start..at);
        }
        Ok(Self { bytes, places })
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.places.iter().map(|place| &self.bytes[place.clone()])
    }
}
