//! [`Marked`]: the rows that a node has to compute.

/// Up to this many rows are found by a search of the list.
const FEW: usize = 16;

/// Rows, each once. A flag for each row is used only while there are many: most epochs mark a few, and touch no other memory.
#[derive(Debug, Default)]
pub(crate) struct Marked {
    list: Vec<u32>,
    /// One bit per row. All are clear unless the list has more than `FEW` rows.
    flags: Vec<u64>,
}

impl Marked {
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Adds a row, if it is not marked yet.
    pub(crate) fn add(&mut self, row: u32) {
        if self.has(row) {
            return;
        }
        self.list.push(row);
        match self.list.len().cmp(&(FEW + 1)) {
            std::cmp::Ordering::Less => {}
            std::cmp::Ordering::Equal => {
                for row in &self.list {
                    flag(&mut self.flags, *row);
                }
            }
            std::cmp::Ordering::Greater => flag(&mut self.flags, row),
        }
    }

    pub(crate) fn has(&self, row: u32) -> bool {
        if self.list.len() <= FEW {
            return self.list.contains(&row);
        }
        let (word, bit) = place(row);
        self.flags.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Takes all rows, in their order.
    pub(crate) fn take(&mut self) -> Vec<u32> {
        let mut list = std::mem::take(&mut self.list);
        list.sort_unstable();
        if list.len() > FEW {
            for row in &list {
                let (word, bit) = place(*row);
                self.flags[word] &= !bit;
            }
        }
        list
    }

    /// Keeps the memory of a list for the next epoch.
    pub(crate) fn reuse(&mut self, list: Vec<u32>) {
        self.list = list;
    }
}

fn flag(flags: &mut Vec<u64>, row: u32) {
    let (word, bit) = place(row);
    if flags.len() <= word {
        flags.resize(word + 1, 0);
    }
    flags[word] |= bit;
}

fn place(row: u32) -> (usize, u64) {
    (row as usize / 64, 1 << (row % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_marked_once() {
        for many in [1, 15, 16, 17, 18, 200] {
            let mut marked = Marked::default();
            for _ in 0..2 {
                for row in (0..many).rev().chain(0..many) {
                    marked.add(3 * row);
                    assert!(marked.has(3 * row) && !marked.has(3 * row + 1));
                }
                assert_eq!(marked.len(), many as usize);
                let list = marked.take();
                assert_eq!(list, (0..many).map(|row| 3 * row).collect::<Vec<_>>());
                assert!(marked.flags.iter().all(|word| *word == 0) && !marked.has(0));
            }
        }
    }
}
