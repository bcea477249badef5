//! [`RowFlags`]: one bit per row.

/// A set of rows, one bit each.
#[derive(Debug, Default)]
pub(crate) struct RowFlags {
    words: Vec<u64>,
}

impl RowFlags {
    /// Adds a row. Returns whether it was not in the set.
    pub(crate) fn set(&mut self, row: u32) -> bool {
        let (word, bit) = place(row);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    pub(crate) fn has(&self, row: u32) -> bool {
        let (word, bit) = place(row);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    pub(crate) fn clear(&mut self, row: u32) {
        let (word, bit) = place(row);
        if let Some(word) = self.words.get_mut(word) {
            *word &= !bit;
        }
    }
}

fn place(row: u32) -> (usize, u64) {
    (row as usize / 64, 1 << (row % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_set_once() {
        let mut flags = RowFlags::default();
        assert!(!flags.has(70) && flags.set(70) && !flags.set(70) && flags.has(70));
        assert!(!flags.has(6) && flags.set(6));
        flags.clear(70);
        flags.clear(5_000);
        assert!(!flags.has(70) && flags.has(6) && flags.set(70));
    }
}
