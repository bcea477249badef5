//! Reviews: objects that are created to get an answer, and are never stored.

use std::sync::Arc;

use client_rs_machinery::{ApiError, FieldError, FieldErrors, Json, Map, Unstructured, json};

use super::media::Form;
use super::reply::{Failure, Reply};
use super::{Api, Call, not_implemented};
use crate::access::{Attributes, Rbac};
use crate::kinds::{Action, Review};
use crate::registry::{Served, Stored};
use crate::request::User;

/// The call with a form that is not a table: a review is not a row.
fn without_tables<'r>(call: &Call<'r>) -> Result<Call<'r>, ApiError> {
    let form = Form { pretty: call.form.pretty, ..Form::negotiate_without_tables(call.accept)? };
    Ok(Call { form, ..call.clone() })
}

impl Api {
    /// Answers a review.
    pub(super) fn review(
        &self,
        served: &Served,
        mut object: Unstructured,
        warnings: Vec<String>,
        call: &Call<'_>,
    ) -> Result<Reply, Failure> {
        let call = &without_tables(call)?;
        let empty = Json::EMPTY_MAP;
        let spec = object.object.get("spec").unwrap_or(&empty);
        let mut creation = None;
        let Some(Action::Review(review)) = served.rules.action else {
            return Err(not_implemented(&format!("creating {}", served.info.plural)).into());
        };
        let status = match review {
            Review::OwnAccess => self.access(served, spec, &call.user)?,
            Review::Access => {
                let user = User::from_json(spec);
                if user.name.is_empty() && user.groups.is_empty() {
                    let error = FieldError::invalid(
                        "spec.user",
                        "",
                        "at least one of user or group must be specified",
                    );
                    return Err(ApiError::invalid(
                        &served.group_kind(),
                        object.name(),
                        &FieldErrors(vec![error]),
                    )
                    .into());
                }
                self.access(served, spec, &user)?
            }
            Review::OwnRules => self.rules(spec["namespace"].as_str().unwrap_or_default(), &call.user)?,
            Review::OwnIdentity => {
                creation = Some(self.registry.clock().now());
                json!({"userInfo": call.user.to_json()})
            }
            Review::Token => self.token_review(spec),
        };
        object.object.insert("status", status);
        object.set_creation_timestamp(creation);
        Ok(self.object(201, served, &Arc::new(Stored::new(object)), call)?.warned(warnings))
    }

    fn access(&self, served: &Served, spec: &Json, user: &User) -> Result<Json, ApiError> {
        let both = spec.get("resourceAttributes").is_some() && spec.get("nonResourceAttributes").is_some();
        let Some(asked) = Attributes::of_review(spec).filter(|_| !both) else {
            let why = if both {
                "cannot be specified in combination with resourceAttributes"
            } else {
                "exactly one of nonResourceAttributes or resourceAttributes must be specified"
            };
            let field = if both { "spec.nonResourceAttributes" } else { "spec.resourceAttributes" };
            let error = FieldError::invalid(field, "", why);
            return Err(ApiError::invalid(&served.group_kind(), "", &FieldErrors(vec![error])));
        };
        let decision = self.gate.decide(&self.registry, user, &asked);
        let mut status = json!({"allowed": decision.allowed});
        if !decision.reason.is_empty() {
            // It can't fail: the status is an object.
            let _ = status.set(&["reason"], decision.reason);
        }
        Ok(status)
    }

    fn rules(&self, namespace: &str, user: &User) -> Result<Json, ApiError> {
        if namespace.is_empty() {
            return Err(ApiError::bad_request("no namespace on request"));
        }
        let mut resources = vec![];
        let mut paths = vec![];
        let rules = if self.gate.trusts(user) {
            Rbac(&self.registry).rules(&User::unsecured(), namespace)
        } else {
            Rbac(&self.registry).rules(user, namespace)
        };
        for rule in rules {
            if !rule.resources.is_empty() {
                let mut told = json!({"verbs": rule.verbs.clone(), "apiGroups": rule.groups, "resources": rule.resources});
                if !rule.names.is_empty() {
                    let _ = told.set(&["resourceNames"], json!(rule.names));
                }
                resources.push(told);
            }
            if !rule.paths.is_empty() {
                paths.push(json!({"verbs": rule.verbs, "nonResourceURLs": rule.paths}));
            }
        }
        Ok(json!({"resourceRules": resources, "nonResourceRules": paths, "incomplete": false}))
    }

    fn token_review(&self, spec: &Json) -> Json {
        let token = spec["token"].as_str().unwrap_or_default();
        let wanted: Vec<&str> =
            spec["audiences"].as_list().into_iter().flatten().filter_map(Json::as_str).collect();
        let own = self.gate.tokens.audiences().iter().map(String::as_str);
        let wanted = if wanted.is_empty() { own.collect() } else { wanted };
        let Some(shown) = self.gate.tokens.user(&self.registry, token) else {
            return json!({"user": Json::Map(Map::new()), "error": "invalid bearer token"});
        };
        let audiences: Vec<String> =
            shown.audiences.into_iter().filter(|own| wanted.contains(&own.as_str())).collect();
        if audiences.is_empty() {
            return json!({"user": Json::Map(Map::new()), "error": "the audiences of the token do not match the requested ones"});
        }
        json!({"authenticated": true, "user": shown.user.authenticated().to_json(), "audiences": audiences})
    }
}
