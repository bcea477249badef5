//! The claims of the demo, and whether they held.

/// Claims, in the order in which they were looked at.
#[derive(Debug, Default)]
pub(super) struct Claims(Vec<(String, bool)>);

impl Claims {
    pub(super) fn check(&mut self, claim: impl Into<String>, holds: bool) {
        self.0.push((claim.into(), holds));
    }

    pub(super) fn all_hold(&self) -> bool {
        !self.0.is_empty() && self.0.iter().all(|(_, holds)| *holds)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, bool)> {
        self.0.iter().map(|(claim, holds)| (claim.as_str(), *holds))
    }
}
