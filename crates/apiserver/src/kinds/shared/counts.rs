//! The counts in the status of workloads.

use client_rs_machinery::{FieldError, Json, Unstructured};

use crate::kinds::rules::Errors;
use crate::kinds::shared::checks::{at, not_negative};

/// The rules for the counts of a kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    /// The counts that are not negative.
    pub(crate) all: &'static [&'static str],
    /// Those that are at most `replicas`.
    pub(crate) of_replicas: &'static [&'static str],
    /// The name of the ready replicas in the error about more available ones.
    pub(crate) ready: &'static str,
}

impl Counts {
    /// The counts of replica sets and replication controllers.
    pub(crate) const OF_REPLICA_SET: Self = Self {
        all: &[
            "replicas",
            "fullyLabeledReplicas",
            "readyReplicas",
            "availableReplicas",
            "observedGeneration",
            "terminatingReplicas",
        ],
        of_replicas: &["fullyLabeledReplicas", "readyReplicas", "availableReplicas"],
        ready: "readyReplicas",
    };

    /// Validates a change of the status.
    pub(crate) fn check(&self, new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
        let (new, old) = (at(new, "status"), at(old, "status"));
        not_negative(new, "status", self.all, errors);
        let count = |status: &Json, field: &str| status[field].as_i64().unwrap_or(0);
        let mut limit = |field: &str, most: &str, name: &str| {
            let value = count(new, field);
            if value > count(new, most) {
                let why = format!("cannot be greater than {name}");
                errors.push(FieldError::invalid_json(format!("status.{field}"), value.to_string(), why));
            }
        };
        for field in self.of_replicas {
            limit(field, "replicas", "status.replicas");
        }
        if self.of_replicas.contains(&"availableReplicas") {
            limit("availableReplicas", "readyReplicas", self.ready);
        }
        let collisions = count(new, "collisionCount");
        let fewer = collisions < count(old, "collisionCount") || new["collisionCount"].is_null();
        if self.all.contains(&"collisionCount") && !old["collisionCount"].is_null() && fewer {
            let why = "cannot be decremented";
            errors.push(FieldError::invalid_json("status.collisionCount", collisions.to_string(), why));
        }
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn counts_have_limits() {
        let counts = Counts {
            all: &["replicas", "readyReplicas", "collisionCount"],
            of_replicas: &["readyReplicas", "availableReplicas"],
            ready: "readyReplicas",
        };
        let object = |status: Json| Unstructured::try_from(json!({"status": status})).unwrap();
        let found = |new: Json, old: Json| {
            let mut errors = Vec::new();
            counts.check(&object(new), &object(old), &mut errors);
            errors.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(
            found(json!({"replicas": 2, "readyReplicas": 2, "availableReplicas": 1}), json!({})),
            [""; 0]
        );
        assert_eq!(
            found(json!({"replicas": -1, "collisionCount": 0}), json!({"collisionCount": 1})),
            [
                "status.replicas: Invalid value: -1: must be greater than or equal to 0",
                "status.readyReplicas: Invalid value: 0: cannot be greater than status.replicas",
                "status.availableReplicas: Invalid value: 0: cannot be greater than status.replicas",
                "status.collisionCount: Invalid value: 0: cannot be decremented",
            ]
        );
        assert_eq!(
            found(
                json!({"replicas": 3, "readyReplicas": 1, "availableReplicas": 2}),
                json!({"collisionCount": 0})
            ),
            [
                "status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas",
                "status.collisionCount: Invalid value: 0: cannot be decremented",
            ]
        );
    }
}
