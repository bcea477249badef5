//! Helpers for texts.

/// Returns the longest prefix of at most `most` bytes that ends at a character boundary.
pub(crate) fn beginning(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_stay_whole() {
        assert_eq!([0, 1, 2, 3, 4, 9].map(|most| beginning("aß€", most)), ["", "a", "a", "aß", "aß", "aß€"]);
    }
}
