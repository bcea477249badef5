//! Lists that live for one epoch.

/// A list with room for more items than this is dropped.
const KEPT: usize = 64;

/// Returns an empty list for the next epoch. It has the memory of this one, unless that is large: after an epoch with many changes,
/// small ones would keep it for nothing.
pub(crate) fn emptied<T>(mut list: Vec<T>) -> Vec<T> {
    if list.capacity() > KEPT {
        return Vec::new();
    }
    list.clear();
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_small_lists_keep_their_memory() {
        assert_eq!(emptied(Vec::<u32>::with_capacity(10_000)).capacity(), 0);
        let mut list = Vec::with_capacity(8);
        list.push(1);
        let list = emptied(list);
        assert!(list.is_empty() && list.capacity() >= 8);
    }
}
