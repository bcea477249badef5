//! The field managers that a server-side apply conflicts with.

use std::borrow::Cow;

use crate::{ApiError, CauseType, ErrorCause};

/// A field that another manager owns with another value.
///
/// ```
/// use client_rs_machinery::{ApiError, CauseType, ErrorCause};
///
/// let error = ApiError::apply_conflict(
///     [ErrorCause {
///         cause_type: CauseType::FieldManagerConflict,
///         message: r#"conflict with "autoscaler""#.into(),
///         field: ".spec.replicas".into(),
///     }],
///     "Apply failed with 1 conflict",
/// );
/// let conflict = error.apply_conflicts().next().unwrap();
/// assert_eq!((conflict.manager.as_ref(), conflict.field), ("autoscaler", ".spec.replicas"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApplyConflict<'a> {
    /// The owner of the field; empty if the server's message does not name it.
    pub manager: Cow<'a, str>,
    /// The field's path, such as `.spec.template.spec.containers[name="web"].image`.
    pub field: &'a str,
    /// The subresource through which the manager wrote, such as `status`; empty for the object itself.
    pub subresource: Cow<'a, str>,
    /// The version in which the manager wrote, if it did not use server-side apply; else empty.
    pub api_version: &'a str,
    /// The server's message.
    pub message: &'a str,
}

impl ApiError {
    /// Returns the fields that a server-side apply did not get, each with its owner; empty for any other error.
    pub fn apply_conflicts(&self) -> impl Iterator<Item = ApplyConflict<'_>> {
        let conflicts = self.causes().iter();
        conflicts.filter(|cause| cause.cause_type == CauseType::FieldManagerConflict).map(ApplyConflict::of)
    }
}

impl<'a> ApplyConflict<'a> {
    /// Parses `conflict with "manager" with subresource "status" using apps/v1 at 2026-01-01T00:00:00Z`. Only the
    /// manager is required; every other part may be absent.
    fn of(cause: &'a ErrorCause) -> Self {
        let message = cause.message.as_str();
        let mut rest = message.strip_prefix("conflict with ").unwrap_or_default();
        let mut quoted = |prefix: &str| {
            let (text, behind) = rest.strip_prefix(prefix).and_then(unquoted)?;
            rest = behind;
            Some(text)
        };
        let manager = quoted("").unwrap_or_default();
        let subresource = quoted(" with subresource ").unwrap_or_default();
        let api_version = rest.strip_prefix(" using ").unwrap_or_default();
        let api_version = api_version.split(' ').next().unwrap_or_default();
        Self { manager, field: cause.field.as_str(), subresource, api_version, message }
    }
}

/// Returns the leading text in Go's quotes, and the text behind it.
fn unquoted(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let inner = text.strip_prefix('"')?;
    let mut escaped = false;
    let end = inner.find(|letter| {
        let ends = letter == '"' && !escaped;
        escaped = letter == '\\' && !escaped;
        ends
    })?;
    let (quoted, behind) = (&inner[..end], &inner[end + 1..]);
    if !quoted.contains('\\') {
        return Some((Cow::Borrowed(quoted), behind));
    }
    // Go's escapes of printable characters in a manager's name are also JSON escapes.
    let plain = serde_json::from_str::<String>(&text[..end + 2]).unwrap_or_else(|_| quoted.to_owned());
    Some((Cow::Owned(plain), behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conflict(message: &str) -> ErrorCause {
        ErrorCause {
            cause_type: CauseType::FieldManagerConflict,
            message: message.into(),
            field: ".spec.replicas".into(),
        }
    }

    #[test]
    fn every_form_of_the_servers_text_is_read() {
        for (message, manager, subresource, api_version) in [
            (r#"conflict with "kubectl""#, "kubectl", "", ""),
            (r#"conflict with "kubectl" using apps/v1"#, "kubectl", "", "apps/v1"),
            (r#"conflict with "hpa" using apps/v1 at 2026-01-01T00:00:00Z"#, "hpa", "", "apps/v1"),
            (
                r#"conflict with "kcm" with subresource "status" using apps/v1 at 2026-01-01T00:00:00Z"#,
                "kcm",
                "status",
                "apps/v1",
            ),
            (r#"conflict with "kubectl" with subresource "scale""#, "kubectl", "scale", ""),
            (r#"conflict with "a \"b\" \\c" using v1"#, r#"a "b" \c"#, "", "v1"),
            ("something new", "", "", ""),
            (r#"conflict with "never ends"#, "", "", ""),
            ("", "", "", ""),
        ] {
            let error = ApiError::apply_conflict([conflict(message)], "Apply failed");
            let found: Vec<_> = error.apply_conflicts().collect();
            let expected = ApplyConflict {
                manager: manager.into(),
                field: ".spec.replicas",
                subresource: subresource.into(),
                api_version,
                message,
            };
            assert_eq!(found, [expected], "{message}");
        }
        assert_eq!(ApiError::gone("x").apply_conflicts().count(), 0);
    }
}
