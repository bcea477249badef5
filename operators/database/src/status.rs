//! The status, as a pure function of what is observed.

use client_rs::api::apps::v1::StatefulSet;
use client_rs::prelude::{Condition, Conditions, condition};

use crate::api::v1::{Database, DatabaseStatus};

/// The status of a database with this stateful set.
pub(crate) fn ready(database: &Database, set: Option<&StatefulSet>) -> DatabaseStatus {
    let (ready, wanted) = (set.map_or(0, |set| set.status.ready_replicas), database.spec.replicas);
    let (holds, reason) = if ready >= wanted { (true, "AllReady") } else { (false, "Waiting") };
    let message = format!("{ready} of {wanted} pods are ready");
    let status = with(database, condition(database, "Ready", holds, reason, message));
    DatabaseStatus { ready_replicas: ready, ..status }
}

/// The current status with another condition.
pub(crate) fn with(database: &Database, condition: Condition) -> DatabaseStatus {
    let mut status = database.status.clone().unwrap_or_default();
    status.conditions.set(condition);
    status
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::v1::DatabaseSpec;

    #[test]
    fn a_database_is_ready_when_all_of_its_pods_are() {
        let spec =
            DatabaseSpec { image: "db:17".to_owned(), replicas: 2, storage: "1Gi".to_owned(), backup: None };
        let mut database = Database::new("shop", spec);
        let mut set = StatefulSet::default();
        for (pods, expected) in [(0, false), (1, false), (2, true), (3, true)] {
            set.status.ready_replicas = pods;
            let status = ready(&database, Some(&set));
            assert_eq!((status.conditions.is_true("Ready"), status.ready_replicas), (expected, pods));
            database.status = Some(status);
        }
        // The same again is the same status, so nothing is written.
        assert_eq!(database.status, Some(ready(&database, Some(&set))));
        assert!(ready(&database, None).conditions.is_false("Ready"));
    }
}
