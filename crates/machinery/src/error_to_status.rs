//! Conversions between the API's `Status` object and [`ApiError`].

use crate::meta::v1::{Status, StatusCause, StatusDetails};
use crate::{ApiError, ErrorCause, ErrorDetails, ErrorStatus, Str};

impl Status {
    /// The value of `status` for a failed request.
    pub const FAILURE: &'static str = "Failure";
    /// The value of `status` for a successful request.
    pub const SUCCESS: &'static str = "Success";
}

impl From<&Status> for ApiError {
    fn from(status: &Status) -> Self {
        let details = status.details.as_deref().map(|details| ErrorDetails {
            name: details.name.clone(),
            group: details.group.clone(),
            kind: details.kind.clone(),
            uid: details.uid.clone(),
            causes: details.causes.iter().map(cause_of).collect(),
            retry_after_seconds: details.retry_after_seconds,
        });
        Self::new(ErrorStatus {
            code: status.code,
            reason: status.reason.clone().into(),
            message: status.message.clone(),
            details,
            unexpected_object: false,
        })
    }
}

impl From<&ApiError> for Status {
    fn from(error: &ApiError) -> Self {
        let of = error.status();
        let details = of.details.as_ref().map(|details| {
            StatusDetails {
                name: details.name.clone(),
                group: details.group.clone(),
                kind: details.kind.clone(),
                uid: details.uid.clone(),
                causes: details.causes.iter().map(cause_object).collect(),
                retry_after_seconds: details.retry_after_seconds,
            }
            .into()
        });
        Self {
            status: Self::FAILURE.into(),
            message: of.message.clone(),
            reason: of.reason.as_str().into(),
            details,
            code: of.code,
            ..Self::EMPTY
        }
    }
}

fn cause_of(cause: &StatusCause) -> ErrorCause {
    ErrorCause {
        cause_type: cause.reason.clone().into(),
        message: cause.message.clone(),
        field: cause.field.clone(),
    }
}

fn cause_object(cause: &ErrorCause) -> StatusCause {
    StatusCause {
        reason: Str::from(cause.cause_type.as_str()),
        message: cause.message.clone(),
        field: cause.field.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GroupResource;
    use crate::wire::Message;

    #[test]
    fn a_status_converts_to_an_error_and_back() {
        let json = br#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",
            "message":"pods \"a\" not found","reason":"NotFound","details":{"name":"a","kind":"pods"},"code":404}"#;
        let status = Status::from_json(json).unwrap();
        let error = ApiError::from(&status);
        assert!(error.is_not_found());
        assert_eq!(error, ApiError::not_found(&GroupResource::new("", "pods"), "a"));
        assert_eq!(Status::from(&error), status);
    }

    #[test]
    fn causes_are_kept() {
        let json = br#"{"status":"Failure","reason":"Invalid","code":422,"details":{"causes":[
            {"reason":"FieldValueRequired","message":"Required value","field":"spec.x"}]}}"#;
        let error = ApiError::from(&Status::from_json(json).unwrap());
        assert!(error.is_invalid());
        assert_eq!(error.causes()[0].field, "spec.x");
        assert_eq!(Status::from(&error).details.unwrap().causes[0].reason, "FieldValueRequired");
    }
}
