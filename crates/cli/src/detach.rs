//! The keys that end an attachment and leave the process alone.

/// Finds the detach keys in the typed input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DetachKeys {
    keys: Vec<u8>,
    /// So many of them were typed, and nothing since; they are passed on if another key comes.
    typed: usize,
}

impl DetachKeys {
    /// Reads keys as they are named: `ctrl-p,ctrl-q`, single characters, `DEL`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let keys = text.split(',').map(key).collect::<Option<Vec<u8>>>();
        keys.map(|keys| Self { keys, typed: 0 })
            .ok_or_else(|| format!("could not bind detach keys: {text:?}"))
    }

    /// The typed bytes to pass on, and whether the key sequence is complete: the rest is dropped then.
    pub(crate) fn pass(&mut self, typed: &[u8]) -> (Vec<u8>, bool) {
        let mut passed = Vec::with_capacity(typed.len());
        for byte in typed {
            let mut held = self.keys[..self.typed].to_vec();
            held.push(*byte);
            // The beginning may have been a false one, with the true one in it.
            while !self.keys.starts_with(&held) {
                passed.push(held.remove(0));
            }
            self.typed = held.len();
            if self.typed == self.keys.len() {
                return (passed, true);
            }
        }
        (passed, false)
    }
}

fn key(name: &str) -> Option<u8> {
    if name == "DEL" {
        return Some(127);
    }
    match (name.as_bytes(), name.strip_prefix("ctrl-").map(str::as_bytes)) {
        ([byte], _) => Some(*byte),
        (_, Some([byte @ b'a'..=b'z'])) => Some(byte - b'a' + 1),
        (_, Some([byte @ (b'@' | b'[' | b'\\' | b']' | b'^' | b'_')])) => Some(byte - b'@'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_names() {
        let keys = |text| DetachKeys::parse(text).map(|keys| keys.keys);
        assert_eq!(keys("ctrl-p,ctrl-q"), Ok(vec![16, 17]));
        assert_eq!(keys("ctrl-@,ctrl-\\,ctrl-_,DEL,x"), Ok(vec![0, 28, 31, 127, b'x']));
        for bad in ["", "ctrl-", "ctrl-1", "ctrl-P", "f1", "a,,b"] {
            assert!(keys(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn all_keys_in_a_row_detach_and_everything_else_is_passed_on() {
        let mut keys = DetachKeys::parse("ctrl-p,ctrl-p,ctrl-q").unwrap();
        assert_eq!(keys.pass(b"ab\x10"), (b"ab".to_vec(), false));
        assert_eq!(keys.pass(b"c"), (b"\x10c".to_vec(), false));
        assert_eq!(keys.pass(b"\x10"), (Vec::new(), false));
        assert_eq!(keys.pass(b"\x10"), (Vec::new(), false));
        // One too many: the first was not meant.
        assert_eq!(keys.pass(b"\x10"), (b"\x10".to_vec(), false));
        assert_eq!(keys.pass(b"\x11lost"), (Vec::new(), true));
    }
}
