//! Validates labels and annotations.

use client_rs_machinery::validation::{self, EntryViolation};
use client_rs_machinery::{FieldError, Unstructured};

/// Validates the labels and annotations of an object whose metadata is at `path`, such as `metadata`.
///
/// ```
/// use client_rs_machinery::{Unstructured, json};
///
/// let object: Unstructured =
///     json!({"kind": "Web", "metadata": {"labels": {"tier": "not a label value"}}}).try_into().unwrap();
/// let errors = client_rs_schema::check_labels_and_annotations(&object, "metadata");
/// assert!(errors[0].to_string().starts_with("metadata.labels: Invalid value: \"not a label value\""));
/// ```
pub fn check(object: &Unstructured, path: &str) -> Vec<FieldError> {
    let mut errors = Vec::new();
    entries(&format!("{path}.labels"), validation::labels(object.labels()), &mut errors);
    entries(&format!("{path}.annotations"), validation::annotations(object.annotations()), &mut errors);
    errors
}

fn entries(field: &str, violations: Vec<EntryViolation>, errors: &mut Vec<FieldError>) {
    errors.extend(violations.into_iter().map(|violation| match violation {
        EntryViolation::Key { key, violation } => FieldError::invalid(field, &key, violation.to_string()),
        EntryViolation::Value { value, violation, .. } => {
            FieldError::invalid(field, &value, violation.to_string())
        }
        // The total size, and possible future violations.
        _ => FieldError::too_long(field, validation::TOTAL_ANNOTATION_SIZE_MAX),
    }));
}
