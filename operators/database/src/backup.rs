//! The last backup: a job that runs while the finalizer keeps the database.

use client_rs::api::batch::v1::Job;
use client_rs::prelude::{Json, json};

use crate::api::v1::Database;

/// The name of the job.
pub(crate) fn name(database: &Database) -> String {
    format!("{}-last-backup", database.metadata.name)
}

/// The job that writes the backup to `destination`.
pub(crate) fn job(database: &Database, destination: &str) -> Json {
    let host = format!("{0}-0.{0}", database.metadata.name);
    json!({
        "metadata": {"name": name(database)},
        "spec": {
            "backoffLimit": 4,
            "template": {
                "spec": {
                    "restartPolicy": "Never",
                    "containers": [{
                        "name": "backup",
                        "image": database.spec.image.as_str(),
                        "args": ["backup", "--from", host, "--to", destination],
                    }],
                },
            },
        },
    })
}

/// The state of a backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    Running,
    Complete,
    /// With the reason of the job.
    Failed(String),
}

/// The state of the backup that a job makes.
pub(crate) fn progress(job: &Job) -> Progress {
    let condition = |name: &str| {
        job.status.conditions.iter().find(|condition| condition.type_ == name && condition.status == "True")
    };
    if condition("Complete").is_some() {
        return Progress::Complete;
    }
    match condition("Failed") {
        Some(failed) => Progress::Failed(format!("{}: {}", failed.reason, failed.message)),
        None => Progress::Running,
    }
}

#[cfg(test)]
mod tests {
    use client_rs::prelude::Message;

    use super::*;
    use crate::api::v1::DatabaseSpec;

    #[test]
    fn a_job_ends_in_one_of_two_ways() {
        let state = |conditions: &str| {
            let job = format!(r#"{{"status": {{"conditions": [{conditions}]}}}}"#);
            progress(&Job::from_json(job.as_bytes()).unwrap())
        };
        assert_eq!(state(""), Progress::Running);
        assert_eq!(state(r#"{"type": "Complete", "status": "False"}"#), Progress::Running);
        assert_eq!(state(r#"{"type": "Complete", "status": "True"}"#), Progress::Complete);
        let failed =
            r#"{"type": "Failed", "status": "True", "reason": "BackoffLimitExceeded", "message": "5 pods"}"#;
        assert_eq!(state(failed), Progress::Failed("BackoffLimitExceeded: 5 pods".to_owned()));
    }

    #[test]
    fn the_job_reads_from_the_first_pod() {
        let spec =
            DatabaseSpec { image: "db:17".to_owned(), replicas: 3, storage: "1Gi".to_owned(), backup: None };
        let job = job(&Database::new("shop", spec), "s3://here");
        let container = &job["spec"]["template"]["spec"]["containers"][0];
        assert_eq!(container["args"], json!(["backup", "--from", "shop-0.shop", "--to", "s3://here"]));
    }
}
