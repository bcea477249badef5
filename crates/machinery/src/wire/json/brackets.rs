//! The stack of open brackets.

/// How deep a value may nest; the API server's own limit.
pub(crate) const MAX_NESTING: usize = 10_000;

/// The brackets that are open, a bit each: one for `{`, none for `[`. Text seldom nests deeper than a word has bits.
#[derive(Debug, Default)]
pub(super) struct Brackets {
    /// The innermost ones, up to 64; the lowest bit is the innermost.
    bits: u64,
    depth: usize,
    /// Those around them, 64 in each.
    outer: Vec<u64>,
}

impl Brackets {
    #[inline]
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    #[inline]
    pub(super) fn push(&mut self, is_object: bool) {
        if self.depth.is_multiple_of(64) && self.depth > 0 {
            self.outer.push(self.bits);
        }
        self.bits = self.bits << 1 | u64::from(is_object);
        self.depth += 1;
    }

    /// Whether the innermost one is an object's; nothing where none is open.
    #[inline]
    pub(super) fn innermost(&self) -> Option<bool> {
        (self.depth > 0).then_some(self.bits & 1 == 1)
    }

    /// Closes the innermost one, if any is open.
    #[inline]
    pub(super) fn pop(&mut self) {
        let Some(depth) = self.depth.checked_sub(1) else { return };
        self.depth = depth;
        self.bits >>= 1;
        if depth.is_multiple_of(64) && depth > 0 {
            self.bits = self.outer.pop().unwrap_or_default();
        }
    }

    pub(super) fn clear(&mut self) {
        self.bits = 0;
        self.depth = 0;
        self.outer.clear();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn as_a_plain_stack(steps in prop::collection::vec(prop::option::weighted(0.7, any::<bool>()), 0..600)) {
            let (mut brackets, mut plain) = (Brackets::default(), Vec::new());
            for step in steps {
                if let Some(is_object) = step {
                    brackets.push(is_object);
                    plain.push(is_object);
                } else {
                    brackets.pop();
                    plain.pop();
                }
                prop_assert_eq!(brackets.innermost(), plain.last().copied());
                prop_assert_eq!(brackets.depth(), plain.len());
            }
        }
    }
}
