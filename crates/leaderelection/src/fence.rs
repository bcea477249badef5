//! Fencing tokens: the leader of a write.

use std::fmt;
use std::str::FromStr;

use client_rs_machinery::Str;

/// The identity of a term of leadership: a number that grows with every change of the leader, and the leader.
///
/// A leader may be paused for any time between its check that it leads and its write. Only the receiver of the write can
/// know that another leader has written since. So the leader sends its token with the write, and the receiver compares it
/// with a [`Fence`]. You need it for writes to systems other than the API server; there, conflicts on `resourceVersion` and
/// the [write gate](crate::LeaderElector::gated) are usually enough.
///
/// The tokens of one lock grow: a later term has a higher number, or the same number and the same holder. That requires unique
/// identities. It also holds for a lock that is deleted and created again, whether or not a candidate has seen it: the number
/// of a new lock is at least the seconds since 2020. That requires that leaders change at most once per second on average,
/// and that wall clocks are not behind by more than the time since the lock was last created. A Lease that client-go creates
/// begins with 0.
///
/// As text it is `<transitions>/<holder>`.
///
/// ```
/// use client_rs_leaderelection::FencingToken;
///
/// let token = FencingToken { transitions: 7, holder: "replica-a".into() };
/// // Sent with a write, for example in a header, and parsed by the receiver.
/// assert_eq!(token.to_string().parse(), Ok(token));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FencingToken {
    /// The Lease's `leaseTransitions`: one more with every change of the leader.
    pub transitions: i32,
    /// The identity of the leader.
    pub holder: Str,
}

impl fmt::Display for FencingToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.transitions, self.holder)
    }
}

/// The error for a text that is not a fencing token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a fencing token: expected <transitions>/<holder>")]
pub struct ParseTokenError;

impl FromStr for FencingToken {
    type Err = ParseTokenError;

    fn from_str(text: &str) -> Result<Self, ParseTokenError> {
        let (transitions, holder) = text.split_once('/').ok_or(ParseTokenError)?;
        let transitions = transitions.parse().map_err(|_| ParseTokenError)?;
        if holder.is_empty() {
            return Err(ParseTokenError);
        }
        Ok(Self { transitions, holder: holder.into() })
    }
}

/// The error for a write of an old leader: a newer one has already written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{refused} is over: {newest} has written since")]
#[non_exhaustive]
pub struct StaleToken {
    /// The token of the write.
    pub refused: FencingToken,
    /// The newest token that was admitted.
    pub newest: FencingToken,
}

/// Admits only writes of the newest leader.
///
/// Keep it where the writes are carried out. It must be as durable as they are, and the check and the write must be one atomic
/// step: a database stores the newest token in the same transaction. After the first write of a new leader, no write of an
/// older one is admitted. Writes of an older one before that are admitted.
///
/// ```
/// use client_rs_leaderelection::{Fence, FencingToken};
///
/// let (first, second): (FencingToken, FencingToken) = ("3/replica-a".parse()?, "4/replica-b".parse()?);
/// let mut fence = Fence::default();
/// assert!(fence.admit(&first).is_ok());
/// // Another replica leads and has written. Then the first one continues, after a pause.
/// assert!(fence.admit(&second).is_ok());
/// assert!(fence.admit(&first).is_err());
/// # Ok::<(), client_rs_leaderelection::ParseTokenError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fence {
    newest: Option<FencingToken>,
}

impl Fence {
    /// A fence that already knows this term, from storage.
    ///
    /// ```
    /// use client_rs_leaderelection::Fence;
    ///
    /// let stored = Some("4/replica-b".parse()?);
    /// let mut fence = Fence::at(stored);
    /// assert!(fence.admit(&"3/replica-a".parse()?).is_err());
    /// # Ok::<(), client_rs_leaderelection::ParseTokenError>(())
    /// ```
    pub fn at(newest: Option<FencingToken>) -> Self {
        Self { newest }
    }

    /// The newest term that was admitted.
    pub fn newest(&self) -> Option<&FencingToken> {
        self.newest.as_ref()
    }

    /// Admits a write of this term.
    ///
    /// # Errors
    ///
    /// [`StaleToken`] if a newer term has already written.
    pub fn admit(&mut self, token: &FencingToken) -> Result<(), StaleToken> {
        match &self.newest {
            Some(newest)
                if token.transitions < newest.transitions
                    || (token.transitions == newest.transitions && token.holder != newest.holder) =>
            {
                Err(StaleToken { refused: token.clone(), newest: newest.clone() })
            }
            _ => {
                self.newest = Some(token.clone());
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_newest_leader_gets_in() {
        let token = |transitions, holder: &str| FencingToken { transitions, holder: holder.into() };
        let mut fence = Fence::default();
        assert!(fence.admit(&token(3, "a")).is_ok());
        assert!(fence.admit(&token(3, "a")).is_ok());
        assert!(fence.admit(&token(3, "b")).is_err());
        assert!(fence.admit(&token(5, "b")).is_ok());
        let stale = fence.admit(&token(4, "a")).unwrap_err();
        assert_eq!(stale.to_string(), "4/a is over: 5/b has written since");
        assert_eq!(Fence::at(fence.newest().cloned()), fence);
    }

    #[test]
    fn tokens_are_text() {
        let token: FencingToken = "7/host_x/y".parse().unwrap();
        assert_eq!((token.transitions, token.holder.as_str()), (7, "host_x/y"));
        assert_eq!(token.to_string(), "7/host_x/y");
        for bad in ["", "7", "7/", "x/y", "99999999999/a"] {
            assert_eq!(bad.parse::<FencingToken>(), Err(ParseTokenError), "{bad}");
        }
    }
}
