//! Admission of connect requests.

use client_rs_machinery::{ApiError, Unstructured, json};

use crate::admission::Session;
use crate::http::{Api, Query};
use crate::kinds::{Connect, Serves};
use crate::registry::{Admission, Operation, Subject, internal};
use crate::request::Target;

impl Api {
    /// Calls the webhooks for a connect request. They can refuse it; their changes are ignored.
    pub(in crate::http) fn admit_connection(
        &self,
        target: &Target<'_>,
        query: &Query,
        session: &Session,
    ) -> Result<(), ApiError> {
        let found = self.registry.catalog().find(target.group, target.version, target.resource);
        let Some(served) = found else { return Ok(()) };
        let Some(Serves::Connect(Connect { options: Some(kind), .. })) =
            served.rules.subresource(target.subresource).map(|sub| sub.serves)
        else {
            return Ok(());
        };
        let mut object = json!({"apiVersion": "v1", "kind": kind});
        for flag in ["stdin", "stdout", "stderr", "tty"] {
            if query.flag(flag) == Some(true) {
                let _ = object.set(&[flag], true);
            }
        }
        for text in ["container", "path"] {
            if !query.get(text).is_empty() {
                let _ = object.set(&[text], query.get(text));
            }
        }
        let command: Vec<&str> = query.all("command").collect();
        if !command.is_empty() {
            let _ = object.set(&["command"], command);
        }
        let ports: Vec<i64> = query.all("ports").filter_map(|port| port.parse().ok()).collect();
        if !ports.is_empty() {
            let _ = object.set(&["ports"], ports);
        }
        let subject = Subject {
            served: &served,
            kind: Some(("v1", kind)),
            operation: Operation::Connect,
            namespace: target.namespace,
            dry_run: false,
            options: None,
        };
        let mut object =
            Unstructured::try_from(object).map_err(|_| internal("the options are not an object"))?;
        session.mutate(&subject, &mut object, None)?;
        session.validate(&subject, &object, None)
    }
}
