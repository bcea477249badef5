//! Reviews: questions that are asked by creating an object which is never kept.

use client_rs_machinery::{Json, Unstructured, json};

use super::reply::{Failure, Reply};
use super::{Api, Call, not_implemented};
use crate::registry::{Served, Stored};

impl Api {
    /// Answers a review. This server knows no users and lets everyone do everything, and says so.
    pub(super) fn review(
        &self,
        served: &Served,
        mut object: Unstructured,
        warnings: Vec<String>,
        call: &Call<'_>,
    ) -> Result<Reply, Failure> {
        let status = match served.info.plural {
            "selfsubjectaccessreviews" | "subjectaccessreviews" | "localsubjectaccessreviews" => {
                json!({"allowed": true})
            }
            "selfsubjectrulesreviews" => json!({
                "resourceRules": [{"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}],
                "nonResourceRules": [{"verbs": ["*"], "nonResourceURLs": ["*"]}],
                "incomplete": false,
            }),
            "selfsubjectreviews" => user(),
            other => return Err(not_implemented(&format!("creating {other}")).into()),
        };
        object.object.insert("status", status);
        object.set_creation_timestamp(None);
        Ok(self.object(201, served, &Stored::new(object), call)?.warned(warnings))
    }
}

fn user() -> Json {
    json!({"userInfo": {"username": "system:unsecured", "groups": ["system:masters", "system:authenticated"]}})
}
