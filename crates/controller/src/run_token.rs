//! [`RunToken`]: the cancellation token of a run.

use std::sync::{Arc, OnceLock};

use tokio_util::sync::CancellationToken;

/// The cancellation token of a run: a child of the term's, made when it is first needed. Most runs never wait for it.
#[derive(Clone, Debug)]
pub(crate) struct RunToken {
    term: CancellationToken,
    own: Arc<OnceLock<CancellationToken>>,
}

impl RunToken {
    pub(crate) fn new(term: &CancellationToken) -> Self {
        Self { term: term.clone(), own: Arc::default() }
    }

    /// The token of the term, which ends all its runs.
    pub(crate) fn term(&self) -> &CancellationToken {
        &self.term
    }

    /// The token of this run, the same for all clones.
    pub(crate) fn own(&self) -> &CancellationToken {
        self.own.get_or_init(|| self.term.child_token())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_a_token_that_ends_with_the_term_and_does_not_end_it() {
        let term = CancellationToken::new();
        let (run, other) = (RunToken::new(&term), RunToken::new(&term));
        let clone = run.clone();
        run.own().cancel();
        assert!(clone.own().is_cancelled());
        assert!(!term.is_cancelled() && !other.own().is_cancelled());
        term.cancel();
        assert!(other.own().is_cancelled() && RunToken::new(&term).own().is_cancelled());
    }
}
