//! Patch.

use client_rs_machinery::patch::{Patch, PatchError, PatchType};
use client_rs_machinery::{ApiError, FieldError, FieldErrors, GroupKind, Json, Kind, StatusReason};

use super::decode::Expected;
use super::objects::check_name;
use super::path::Target;
use super::reply::{Failure, Reply};
use super::{Api, Call, generic, not_implemented};
use crate::registry::{Part, Precondition, Served, Stored};

impl Api {
    pub(super) fn patch(
        &self,
        served: &Served,
        target: &Target<'_>,
        call: &Call<'_>,
        part: Part,
    ) -> Result<Reply, Failure> {
        let (options, validation) = call.query.write_options("PatchOptions")?;
        let patch = parse(call)?;
        let api_version = served.api_version();
        let expected =
            Expected { scheme: &self.scheme, api_version: &api_version, kind: served.kind, validation };
        let mut warnings = Vec::new();
        let mut make = |stored: Option<&Stored>| {
            let Some(stored) = stored else {
                return Err(ApiError::not_found(&served.group_resource(), target.name));
            };
            let conversion = served.conversion;
            let current = stored.object.clone();
            let current = conversion.map_or(current.clone(), |to| to.to_served(current));
            let mut decoded = expected.patched(&apply(&patch, &current.into(), served.kind)?)?;
            check_name(&mut decoded.object, target.name)?;
            warnings = decoded.warnings;
            Ok(match conversion {
                Some(conversion) => conversion.to_stored(decoded.object),
                None => decoded.object,
            })
        };
        let (namespace, name) = (target.namespace, target.name);
        let (stored, _) =
            self.registry.update(served, namespace, name, part, Precondition::None, options, &mut make)?;
        Ok(self.object(200, served, &stored, call)?.warned(warnings))
    }
}

/// Reads the patch of a request.
pub(super) fn parse(call: &Call<'_>) -> Result<Patch, ApiError> {
    let Some(kind) = PatchType::from_media_type(call.content_type) else {
        return Err(generic(415, StatusReason::UnsupportedMediaType, "415: Unsupported Media Type"));
    };
    if kind == PatchType::Apply {
        return Err(not_implemented("server-side apply"));
    }
    Patch::parse(kind, &call.body).map_err(|error| match error {
        PatchError::Decode(_) => ApiError::bad_request("invalid JSON patch"),
        error => ApiError::bad_request(format!("error decoding patch: {error}")),
    })
}

/// Applies a patch to a document of a kind.
pub(super) fn apply(patch: &Patch, document: &Json, kind: Kind) -> Result<Json, ApiError> {
    let schema = kind.empty().descriptor();
    patch.apply_to(document, Some(schema)).map_err(|error| match error {
        PatchError::Json(_) => generic(
            422,
            StatusReason::Invalid,
            "the server rejected our request due to an error in our request",
        ),
        error => {
            let body = String::from_utf8_lossy(&patch.body()).into_owned();
            let wrong = FieldError::invalid("patch", &body, error.to_string());
            ApiError::invalid(&GroupKind::new("", ""), "", &FieldErrors(vec![wrong]))
        }
    })
}
