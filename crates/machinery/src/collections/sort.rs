//! A stable sort that compiles to little code.

use std::cmp::Ordering;

/// Sorts like [`slice::sort_by_key`]: stable, in O(n log n) comparisons. Compiles to a few instructions per type instead of
/// a whole sort, so use it where speed matters less than the size of the program.
///
/// It allocates one word per element, and calls `key` through a pointer. If `key` or its comparison panics, the elements are
/// unchanged.
///
/// ```
/// use client_rs_machinery::collections::sort_by_key;
///
/// let mut names = ["web-10", "web-2", "db"];
/// sort_by_key(&mut names, |name| name.len());
/// assert_eq!(names, ["db", "web-2", "web-10"]);
/// ```
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    let mut order = order_of(items.len(), &mut |left, right| key(&items[left]).cmp(&key(&items[right])));
    // Each cycle of the permutation is moved once. A place that is done points to itself.
    for start in 0..items.len() {
        let mut place = start;
        loop {
            let from = std::mem::replace(&mut order[place], place);
            if from == start {
                break;
            }
            items.swap(place, from);
            place = from;
        }
    }
}

/// For each place, the index of the element that belongs there.
#[inline(never)]
fn order_of(length: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..length).collect();
    order.sort_by(|left, right| compare(*left, *right));
    order
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_sorts_as_the_standard_library_does(keys in prop::collection::vec(0u8..20, 0..200)) {
            let mut ours: Vec<(u8, usize)> = keys.into_iter().enumerate().map(|(place, key)| (key, place)).collect();
            let mut expected = ours.clone();
            sort_by_key(&mut ours, |(key, _)| *key);
            expected.sort_by_key(|(key, _)| *key);
            prop_assert_eq!(ours, expected);
        }
    }

    #[test]
    fn a_panic_leaves_the_elements_as_they_were() {
        let mut items = vec![3, 1, 2];
        let sorted = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            sort_by_key(&mut items, |item| if *item == 2 { panic!("two") } else { *item });
        }));
        assert!(sorted.is_err());
        assert_eq!(items, [3, 1, 2]);
    }
}
