//! Who stands against a server-side apply.

use std::borrow::Cow;

use crate::{ApiError, CauseType, ErrorCause};

/// A field that another manager owns with another value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApplyConflict<'a> {
    /// Who owns the field; empty where the server's text does not name it.
    pub manager: Cow<'a, str>,
    /// The field's path, such as `.spec.template.spec.containers[name="web"].image`.
    pub field: &'a str,
    /// The subresource through which the manager wrote, such as `status`; empty for the object itself.
    pub subresource: Cow<'a, str>,
    /// The version in which the manager wrote, where it did so otherwise than by server-side apply; else empty.
    pub api_version: &'a str,
    /// What the server says.
    pub message: &'a str,
}

impl ApiError {
    /// The fields that a server-side apply could not have, each with who owns it; none for any other error.
    pub fn apply_conflicts(&self) -> impl Iterator<Item = ApplyConflict<'_>> {
        let conflicts = self.causes().iter();
        conflicts.filter(|cause| cause.cause_type == CauseType::FieldManagerConflict).map(ApplyConflict::of)
    }
}

impl<'a> ApplyConflict<'a> {
    /// Reads `conflict with "manager" with subresource "status" using apps/v1 at 2026-01-01T00:00:00Z`, of which all but
    /// the manager may be absent.
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

/// The text in Go's quotes that stands first, and what is behind it.
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
    // What Go escapes in a manager's name, which is printable, JSON escapes alike.
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
