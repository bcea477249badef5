//! Names of signers: a domain and a path, such as `example.com/serving`.

use client_rs_machinery::{FieldError, validation};

use crate::kinds::rules::Errors;

/// The longest domain, as a DNS subdomain.
const DOMAIN_MAX: usize = 253;
/// The longest name: a domain, a slash, and a path of two names with a dot.
const NAME_MAX: usize = DOMAIN_MAX + 1 + DOMAIN_MAX + 1 + 63;

/// Validates the name of a signer at `path`.
pub(crate) fn check(signer: &str, path: &str, errors: &mut Errors) {
    if signer.is_empty() {
        errors.push(FieldError::required(path, ""));
        return;
    }
    let Some((domain, rest)) = signer.split_once('/').filter(|(_, rest)| !rest.contains('/')) else {
        let why = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
        errors.push(FieldError::invalid(path, signer, why));
        return;
    };
    if domain.len() > DOMAIN_MAX {
        errors.push(FieldError::too_long(path, DOMAIN_MAX));
    }
    labels(domain, validation::dns1123_label, path, errors);
    if !domain.contains('.') {
        let why = "should be a domain with at least two segments separated by dots";
        errors.push(FieldError::invalid(path, domain, why));
    }
    labels(rest, validation::dns1123_subdomain, path, errors);
    if signer.len() > NAME_MAX {
        errors.push(FieldError::too_long(path, NAME_MAX));
    }
}

/// Validates the labels of a part, up to the first invalid one.
fn labels(part: &str, rule: fn(&str) -> validation::Result, path: &str, errors: &mut Errors) {
    let invalid = part.split('.').find_map(|label| Some((label, rule(label).err()?)));
    let Some((label, violations)) = invalid else { return };
    for why in violations {
        errors.push(FieldError::invalid(path, part, format!("validating label {label:?}: {why}")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signer_is_a_domain_and_a_path() {
        for (signer, count) in [
            ("example.com/serving", 0),
            ("a.b/c.d", 0),
            ("", 1),
            ("example.com", 1),
            ("a.b/c/d", 1),
            ("host/c", 1),
            ("a.B/c", 1),
            ("a.b/C", 1),
        ] {
            let mut errors = Vec::new();
            check(signer, "spec.signerName", &mut errors);
            assert_eq!(errors.len(), count, "{signer}: {errors:?}");
        }
    }
}
