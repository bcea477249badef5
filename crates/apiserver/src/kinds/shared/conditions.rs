//! Conditions in the form that many kinds share.

use std::collections::HashSet;

use client_rs_machinery::{FieldError, Json, validation};

use crate::kinds::rules::Errors;
use crate::kinds::shared::checks::{invalid, list, text, wrong};

const REASON_MAX: usize = 1024;
const MESSAGE_MAX: usize = 32 * 1024;

/// Validates the conditions of a status.
pub(crate) fn check(status: &Json, errors: &mut Errors) {
    let mut seen = HashSet::new();
    for (index, condition) in list(&status["conditions"]).enumerate() {
        let path = format!("status.conditions[{index}]");
        let (kind, status, reason) =
            (text(&condition["type"]), text(&condition["status"]), text(&condition["reason"]));
        if !seen.insert(kind) {
            errors.push(FieldError::duplicate(path.as_str(), kind));
        }
        let mut require = |field: &str| errors.push(FieldError::required(format!("{path}.{field}"), ""));
        if kind.is_empty() {
            require("type");
        }
        if status.is_empty() {
            require("status");
        }
        if !kind.is_empty() {
            invalid(&format!("{path}.type"), kind, validation::qualified_name(kind), errors);
        }
        if !status.is_empty() && !["False", "True", "Unknown"].contains(&status) {
            let all = &["False", "True", "Unknown"];
            errors.push(FieldError::not_supported(format!("{path}.status"), status, all));
        }
        let generation = &condition["observedGeneration"];
        if generation.as_i64().is_some_and(|number| number < 0) {
            let why = "must be greater than or equal to zero";
            wrong(format!("{path}.observedGeneration"), generation, why, errors);
        }
        if text(&condition["lastTransitionTime"]).is_empty() {
            errors.push(FieldError::required(format!("{path}.lastTransitionTime"), ""));
        }
        if reason.is_empty() {
            errors.push(FieldError::required(format!("{path}.reason"), ""));
        } else {
            if !is_reason(reason) {
                let why = "a condition reason must start with alphabetic character, optionally followed by a string of \
                           alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. \
                           'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used \
                           for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";
                errors.push(FieldError::invalid(format!("{path}.reason"), reason, why));
            }
            if reason.len() > REASON_MAX {
                errors.push(FieldError::too_long(format!("{path}.reason"), REASON_MAX));
            }
        }
        if text(&condition["message"]).len() > MESSAGE_MAX {
            errors.push(FieldError::too_long(format!("{path}.message"), MESSAGE_MAX));
        }
    }
}

fn is_reason(reason: &str) -> bool {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let bytes = reason.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.last().is_some_and(|last| word(*last))
        && bytes.iter().all(|byte| word(*byte) || b",:".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_words() {
        for (reason, good) in
            [("A", true), ("ReasonA,b:c_", true), ("1a", false), ("a:", false), ("a b", false), ("", false)]
        {
            assert_eq!(is_reason(reason), good, "{reason}");
        }
    }
}
