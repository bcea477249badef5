//! Which leader a write comes from.

use std::fmt;
use std::str::FromStr;

use client_rs_machinery::Str;

/// A term of leadership: a number that grows with every change of the leader, and who leads.
///
/// A leader may be paused for any time between looking whether it leads and writing; only where it writes to can tell
/// that another has led since. So it sends its token along, and the other side asks a [`Fence`].
///
/// Tokens of one lock grow: a later term has a higher number, or the same number and the same holder. That holds as long
/// as identities are unique. It holds for a lock that is deleted and created again too, whether or not a candidate has seen
/// it: the number of one that is created is at least the seconds since 2020. For that, leaders must not change more than
/// once a second on average, and wall clocks must not be behind by more than the time since the lock was last created. A
/// Lease that client-go creates begins with 0.
///
/// As text it is `<transitions>/<holder>`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FencingToken {
    /// The Lease's `leaseTransitions`: one more with every change of the leader.
    pub transitions: i32,
    /// Who leads.
    pub holder: Str,
}

impl fmt::Display for FencingToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.transitions, self.holder)
    }
}

/// A text that is no fencing token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a fencing token: it is written <transitions>/<holder>")]
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

/// A write of a leader that another has followed since.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{refused} is over: {newest} has written since")]
#[non_exhaustive]
pub struct StaleToken {
    /// The token of the write.
    pub refused: FencingToken,
    /// The newest token that was let in.
    pub newest: FencingToken,
}

/// Lets in the writes of the newest leader only.
///
/// Kept where writes are carried out, and as durable and as atomic as they are: asking and writing must be one step.
/// From the first write of a new leader on, none of an older one gets in; what an older one writes before that is let
/// in, as it must be.
///
/// ```
/// use client_rs_leaderelection::{Fence, FencingToken};
///
/// let (first, second): (FencingToken, FencingToken) = ("3/replica-a".parse()?, "4/replica-b".parse()?);
/// let mut fence = Fence::default();
/// assert!(fence.admit(&first).is_ok());
/// // Another leads, and has written. Then the first one, which was stopped for a while, goes on.
/// assert!(fence.admit(&second).is_ok());
/// assert!(fence.admit(&first).is_err());
/// # Ok::<(), client_rs_leaderelection::ParseTokenError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fence {
    newest: Option<FencingToken>,
}

impl Fence {
    /// A fence that knows of this term already, from where it was kept.
    pub fn at(newest: Option<FencingToken>) -> Self {
        Self { newest }
    }

    /// The newest term that was let in.
    pub fn newest(&self) -> Option<&FencingToken> {
        self.newest.as_ref()
    }

    /// Lets a write in, or says why not.
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
