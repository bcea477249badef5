//! Sets of indexes, as the status of a job writes them: `0,2-4,7`.

use std::collections::BTreeSet;

/// The numbers of a text, those below `limit` only. Parts that can't be read are left out.
pub(crate) fn parse(text: &str, limit: i32) -> BTreeSet<i32> {
    let mut all = BTreeSet::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (Ok(first), Ok(last)) = (first.trim().parse::<i32>(), last.trim().parse::<i32>()) else {
            continue;
        };
        all.extend(first.max(0)..=last.min(limit - 1));
    }
    all
}

/// The text of a set: runs of three or more have their first and last number only.
pub(crate) fn format(all: &BTreeSet<i32>) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut numbers = all.iter().copied().peekable();
    while let Some(first) = numbers.next() {
        let mut last = first;
        while let Some(next) = numbers.next_if_eq(&(last + 1)) {
            last = next;
        }
        match last - first {
            0 => parts.push(first.to_string()),
            1 => parts.push(format!("{first},{last}")),
            _ => parts.push(format!("{first}-{last}")),
        }
    }
    parts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_are_written_and_read() {
        for text in ["", "0", "0,1", "0-2", "0,1,3-5,7", "1,3,5"] {
            assert_eq!(format(&parse(text, 10)), text);
        }
        assert_eq!(format(&parse("0-9,x,3-", 4)), "0-3");
        assert!(parse("", 3).is_empty());
    }
}
