//! Hashes of pod templates, as they are in the names of replica sets and revisions.

/// A hash of some bytes, the same in every process. A template whose hash is taken gets another one by `collisions`.
pub(crate) fn hash(bytes: &[u8], collisions: Option<i32>) -> String {
    /// No vowels, and nothing that looks like another: a name spells no word.
    const LETTERS: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let more = collisions.map(i32::to_le_bytes);
    for byte in bytes.iter().chain(more.iter().flatten()) {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    let mut text = String::new();
    for _ in 0..10 {
        text.push(char::from(LETTERS[usize::try_from(hash % 27).unwrap_or(0)]));
        hash /= 27;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collision_gives_another_hash() {
        assert_eq!(hash(b"a", None), hash(b"a", None));
        assert_ne!(hash(b"a", None), hash(b"b", None));
        assert_ne!(hash(b"a", None), hash(b"a", Some(1)));
        assert_ne!(hash(b"a", Some(1)), hash(b"a", Some(2)));
    }
}
