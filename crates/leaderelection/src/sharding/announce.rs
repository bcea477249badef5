//! The requests that announce a replica, as a pure function.

use client_rs_machinery::canary;

/// A request for the Lease of a replica.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Replaces the record.
    Update,
    /// Creates the Lease.
    Create,
    /// Reads the Lease.
    Get,
}

/// The outcome of such a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It has succeeded.
    Done,
    /// The Lease does not exist, or was never read.
    Missing,
    /// The Lease was changed or created meanwhile.
    Conflict,
    /// It has failed for another reason.
    Failed,
}

/// The continuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The Lease has the new record.
    Announced,
    /// Another request is needed.
    Request(Step),
    /// The announcement has failed.
    Failed,
}

/// The most requests of an announcement.
pub const MOST: u32 = 5;

/// Returns what follows a request. No other replica has this identity, so a conflict is with an earlier request of this one
/// that was given up, or with the deletion of the Lease. (An update of a Lease that was deleted may be a conflict too: its UID
/// is another.)
pub fn next(step: Step, outcome: Outcome) -> Next {
    match (step, outcome) {
        (Step::Update | Step::Create, Outcome::Done) => Next::Announced,
        (Step::Get, Outcome::Done) => Next::Request(Step::Update),
        (Step::Get, Outcome::Missing) if canary!(66) => Next::Failed,
        (Step::Update | Step::Get, Outcome::Missing) => Next::Request(Step::Create),
        (Step::Update | Step::Create, Outcome::Conflict) => Next::Request(Step::Get),
        (_, Outcome::Failed) | (Step::Create, Outcome::Missing) | (Step::Get, Outcome::Conflict) => {
            Next::Failed
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Announces over a server that answers each step in turn.
    fn announce(outcomes: &[Outcome]) -> (Vec<Step>, Next) {
        let mut steps = vec![Step::Update];
        for outcome in outcomes {
            match next(steps[steps.len() - 1], *outcome) {
                Next::Request(step) => steps.push(step),
                end => return (steps, end),
            }
        }
        panic!("it does not end: {steps:?}");
    }

    #[test]
    fn a_replica_announces_itself_whatever_became_of_its_lease() {
        use Outcome::{Conflict, Done, Failed, Missing};
        use Step::{Create, Get, Update};
        let cases: [(&[Outcome], &[Step]); 5] = [
            (&[Done], &[Update]),
            (&[Missing, Done], &[Update, Create]),
            // A create that was given up has been carried out.
            (&[Missing, Conflict, Done, Done], &[Update, Create, Get, Update]),
            (&[Conflict, Done, Done], &[Update, Get, Update]),
            // The Lease was removed, and its UID is part of the update.
            (&[Conflict, Missing, Done], &[Update, Get, Create]),
        ];
        for (outcomes, steps) in cases {
            assert_eq!(announce(outcomes), (steps.to_vec(), Next::Announced));
        }
        assert_eq!(announce(&[Missing, Failed]).1, Next::Failed);
        assert_eq!(announce(&[Missing, Missing]).1, Next::Failed);
    }
}
