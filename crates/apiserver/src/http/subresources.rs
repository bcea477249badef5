//! Subresources that are no part of their object: tokens and logs; and what the user who writes an object adds to it.

use client_rs_machinery::{ApiError, FieldError, FieldErrors, Json, Unstructured, json};
use http::Method;

use super::reply::{Failure, Reply};
use super::{Api, Call, encode, method_not_allowed};
use crate::access::{self, Access, Attributes, Claims, ISSUER, Rbac, ResourceAttributes};
use crate::registry::Served;
use crate::request::Target;

/// How long a token lives when nobody says, in seconds.
const TOKEN_SECONDS: i64 = 3600;
/// The shortest and the longest that it may, in seconds.
const TOKEN_SECONDS_MIN: i64 = 600;
const TOKEN_SECONDS_MAX: i64 = 1 << 32;

impl Api {
    /// `serviceaccounts/NAME/token`.
    pub(super) fn token(
        &self,
        served: &Served,
        target: &Target<'_>,
        call: &Call<'_>,
    ) -> Result<Reply, Failure> {
        if call.method != Method::POST {
            return Err(method_not_allowed().into());
        }
        let (_, mut request) =
            self.posted(served, target, ("authentication.k8s.io/v1", "TokenRequest"), call)?;
        let account = self.registry.get(served, target.namespace, target.name)?.stored;
        let seconds =
            request.nested_i64(&["spec", "expirationSeconds"]).ok().flatten().unwrap_or(TOKEN_SECONDS);
        if !(TOKEN_SECONDS_MIN..=TOKEN_SECONDS_MAX).contains(&seconds) {
            let why = if seconds < TOKEN_SECONDS_MIN {
                "may not specify a duration less than 10 minutes"
            } else {
                "may not specify a duration larger than 2^32 seconds"
            };
            let error = FieldError::invalid_json("spec.expirationSeconds", seconds.to_string(), why);
            let kind = client_rs_machinery::GroupKind::new("authentication.k8s.io", "TokenRequest");
            return Err(ApiError::invalid(&kind, "", &FieldErrors(vec![error])).into());
        }
        let audiences = request.nested_slice(&["spec", "audiences"]).ok().flatten().unwrap_or_default();
        let mut audiences: Vec<String> =
            audiences.iter().filter_map(Json::as_str).map(str::to_owned).collect();
        if audiences.is_empty() {
            audiences.push(ISSUER.to_owned());
        }
        let bound = self.bound_object(&request, target.namespace)?;
        let now = self.registry.clock().now();
        let claims = Claims {
            namespace: target.namespace.to_owned(),
            name: target.name.to_owned(),
            uid: account.object.uid().to_owned(),
            audiences: audiences.clone(),
            issued: now.seconds(),
            expires: now.seconds() + seconds,
            bound,
        };
        let token = self.gate.tokens.issue(&claims);
        let lifetime = client_rs_machinery::Duration::from_nanos(seconds.saturating_mul(1_000_000_000));
        let expires = now.checked_add(lifetime).unwrap_or(now).to_string();
        drop(request.set_nested(&["spec", "expirationSeconds"], seconds));
        drop(request.set_nested(&["spec", "audiences"], json!(audiences)));
        request.object.insert("status", json!({"token": token, "expirationTimestamp": expires}));
        request.set_name(target.name);
        request.set_namespace(target.namespace);
        request.set_creation_timestamp(Some(now));
        let kind = self.scheme.find("authentication.k8s.io/v1", "TokenRequest");
        let kind = kind.ok_or_else(|| super::not_implemented("tokens without the authentication group"))?;
        let request = crate::registry::typed(kind, &request).map_err(ApiError::internal_error)?;
        Ok(Reply::new(201, call.form, encode::plain(call.form, &*request)?))
    }

    /// The object that a token is to live no longer than.
    fn bound_object(
        &self,
        request: &Unstructured,
        namespace: &str,
    ) -> Result<Option<(String, String, String)>, ApiError> {
        let reference = request.nested(&["spec", "boundObjectRef"]).ok().flatten();
        let Some(reference) = reference.filter(|reference| !reference.is_null()) else { return Ok(None) };
        let text = |key: &str| reference[key].as_str().unwrap_or_default();
        let served = self.registry.catalog().of_kind("v1", text("kind"));
        let served = served.filter(|served| served.rules.binds_tokens).ok_or_else(|| {
            let kind = text("kind");
            ApiError::bad_request(format!("cannot bind token for serviceaccount to object of kind {kind:?}"))
        })?;
        let namespace = if served.info.namespaced { namespace } else { "" };
        let found = self.registry.get(&served, namespace, text("name"))?.stored;
        let uid = found.object.uid();
        if !text("uid").is_empty() && text("uid") != uid {
            let why = format!(
                "the UID in the bound object reference ({}) does not match the UID in record. The object might have been deleted and then recreated",
                text("uid")
            );
            return Err(ApiError::conflict(&served.group_resource(), text("name"), why));
        }
        Ok(Some((text("kind").to_owned(), text("name").to_owned(), uid.to_owned())))
    }

    /// `pods/NAME/log`. Only containers on a node with a kubelet ever say anything.
    pub(super) fn log(
        &self,
        served: &Served,
        target: &Target<'_>,
        call: &Call<'_>,
    ) -> Result<Reply, Failure> {
        if call.method != Method::GET {
            return Err(method_not_allowed().into());
        }
        let pod = self.registry.get(served, target.namespace, target.name)?.stored;
        super::relay::container(&pod.object, call.query.get("container"))?;
        Ok(Reply::text(200, ""))
    }

    /// Refuses an update or an apply that would create, where its author may not create.
    pub(super) fn may_create(
        &self,
        served: &Served,
        target: &Target<'_>,
        call: &Call<'_>,
    ) -> Result<(), ApiError> {
        let resource = ResourceAttributes {
            group: served.info.group.to_string(),
            resource: served.info.plural.to_string(),
            subresource: String::new(),
            namespace: target.namespace.to_owned(),
            name: target.name.to_owned(),
        };
        let asked = Attributes { verb: "create".to_owned(), resource: Some(resource), path: String::new() };
        self.gate.authorize(&self.registry, &call.user, &asked)
    }

    /// What the server writes into a new object of who created it, after a look at whether they may.
    pub(super) fn author(
        &self,
        served: &Served,
        target: &Target<'_>,
        object: &mut Unstructured,
        call: &Call<'_>,
    ) -> Result<(), ApiError> {
        self.check_rights(served, target, None, object, call)?;
        if !served.rules.records_author {
            return Ok(());
        }
        super::signing::check_request(served, object)?;
        let told = call.user.to_json();
        for key in ["username", "uid", "groups", "extra"] {
            match told.get(key) {
                Some(value) => drop(object.set_nested(&["spec", key], value.clone())),
                None => drop(object.remove_nested(&["spec", key])),
            }
        }
        Ok(())
    }

    /// Refuses what needs more rights than those on the resource: to give others rights, and to speak for a signer.
    pub(super) fn check_rights(
        &self,
        served: &Served,
        target: &Target<'_>,
        old: Option<&Unstructured>,
        object: &Unstructured,
        call: &Call<'_>,
    ) -> Result<(), ApiError> {
        if self.gate.access != Access::Rbac {
            return Ok(());
        }
        self.check_signer(served, target, old, object, call)?;
        let mut object = object.clone();
        if served.info.namespaced && object.namespace().is_empty() {
            object.set_namespace(target.namespace);
        }
        access::check_escalation(Rbac(&self.registry), &call.user, served, old, &object)
    }
}
