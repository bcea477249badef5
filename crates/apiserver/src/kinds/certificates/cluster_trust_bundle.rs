//! `ClusterTrustBundle`.

use client_rs_machinery::validation::{self, NameUse};
use client_rs_machinery::{FieldError, Unstructured, collections::VecMap};
use client_rs_transport::tls_source::is_authority;

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Errors, KindRules, NameRule, Rights, SelectableField, SignerRight, violations};
use crate::kinds::shared::checks::{at, immutable, text};
use crate::kinds::shared::signer;
use crate::pki::pem;

pub(super) const RULES: KindRules = KindRules {
    plural: "clustertrustbundles",
    columns: Some(COLUMNS),
    name: NameRule::Own(name),
    unconditional_update: false,
    stored_version: Some("v1beta1"),
    fields: &[SelectableField::text("spec.signerName", &["spec", "signerName"])],
    rights: Rights::signers(&[SignerRight {
        subresource: "",
        verb: "attest",
        what: "attest for",
        changes: &[&["spec"]],
        of_new: true,
    }]),
    validate,
    validate_create: |object, errors| trust_bundle(text(&at(object, "spec")["trustBundle"]), errors),
    validate_update,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("SignerName", "Signer that the bundle is for.", |object, _| {
        columns::or_none(columns::at(object, &["spec", "signerName"]))
    }),
];

/// The name of a bundle with a signer starts with the signer's name. Other bundles have plain names.
fn name(object: &Unstructured, name: &str, name_use: NameUse) -> Vec<String> {
    let signer = text(&at(object, "spec")["signerName"]);
    if signer.is_empty() {
        if name.contains(':') {
            return vec!["ClusterTrustBundle without signer name must not have \":\" in its name".to_owned()];
        }
        return violations(validation::name_is_dns_subdomain(name, name_use));
    }
    let prefix = format!("{}:", signer.replace('/', ":"));
    match name.strip_prefix(&prefix) {
        Some(rest) => violations(validation::name_is_dns_subdomain(rest, name_use)),
        None => {
            vec![format!("ClusterTrustBundle for signerName {signer} must be named with prefix {prefix}")]
        }
    }
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    let signer = text(&at(object, "spec")["signerName"]);
    if !signer.is_empty() {
        signer::check(signer, "spec.signerName", errors);
    }
}

fn validate_update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    let bundle = |object: &Unstructured| text(&at(object, "spec")["trustBundle"]).to_owned();
    // An existing bundle is not parsed again.
    let (mine, theirs) = (bundle(new), bundle(old));
    if mine != theirs {
        trust_bundle(&mine, errors);
    }
    immutable(&["spec", "signerName"], new, old, errors);
}

/// Validates the certificates of a bundle.
fn trust_bundle(bundle: &str, errors: &mut Errors) {
    let mut refuse =
        |why: String| errors.push(FieldError::invalid("spec.trustBundle", "<value omitted>", why));
    let mut seen: VecMap<Vec<u8>, Vec<usize>> = VecMap::new();
    let mut malformed = false;
    for (index, block) in pem::blocks(bundle).enumerate() {
        let wrong = if block.label != "CERTIFICATE" {
            Some(format!("entry {index} has bad block type: {}", block.label))
        } else if block.has_headers {
            Some(format!("entry {index} has PEM block headers"))
        } else {
            match is_authority(&block.content) {
                None => Some(format!("entry {index} does not parse as X.509")),
                Some(false) => Some(format!("entry {index} does not have the CA bit set")),
                Some(true) => None,
            }
        };
        malformed |= wrong.is_some();
        match wrong {
            Some(why) => refuse(why),
            None => seen.entry(block.content).or_default().push(index),
        }
    }
    if malformed {
        return;
    }
    if seen.is_empty() {
        refuse("at least one trust anchor must be provided".to_owned());
    }
    for indices in seen.values().filter(|indices| indices.len() > 1) {
        let listed: Vec<String> = indices.iter().map(ToString::to_string).collect();
        refuse(format!("duplicate trust anchor (indices [{}])", listed.join(" ")));
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;
    use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair};

    use super::*;

    fn certificate(authority: bool) -> String {
        let mut params = CertificateParams::default();
        if authority {
            params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        }
        params.self_signed(&KeyPair::generate().unwrap()).unwrap().pem()
    }

    fn refused(bundle: &str) -> Vec<String> {
        let mut errors = Vec::new();
        trust_bundle(bundle, &mut errors);
        errors.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_bundle_consists_of_different_authorities() {
        let (one, other) = (certificate(true), certificate(true));
        assert_eq!(refused(&format!("hello\n{one}{other}bye")), [""; 0]);
        for (bundle, why) in [
            (String::new(), "at least one trust anchor must be provided"),
            ("garbage".to_owned(), "at least one trust anchor must be provided"),
            (format!("{one}{one}"), "duplicate trust anchor (indices [0 1])"),
            (certificate(false), "entry 0 does not have the CA bit set"),
            (one.replace("CERTIFICATE", "PRIVATE KEY"), "entry 0 has bad block type: PRIVATE KEY"),
            (
                one.replacen("CERTIFICATE-----", "CERTIFICATE-----\nFoo: bar\n", 1),
                "entry 0 has PEM block headers",
            ),
            (
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----".to_owned(),
                "entry 0 does not parse as X.509",
            ),
        ] {
            let found = refused(&bundle);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].ends_with(why), "{found:?}");
        }
    }

    #[test]
    fn the_name_begins_with_the_signer() {
        let of = |signer: &str, own: &str| {
            let object = json!({"kind": "ClusterTrustBundle", "spec": {"signerName": signer}});
            name(&object.try_into().unwrap(), own, NameUse::Name)
        };
        assert_eq!(of("a.b/c", "a.b:c:0"), [""; 0]);
        assert_eq!(of("", "plain.name"), [""; 0]);
        for (signer, own) in [("a.b/c", "x"), ("a.b/c", "a.b:c:"), ("a.b/c", "a.b:c:B_"), ("", "a:b")] {
            assert_eq!(of(signer, own).len(), 1, "{signer} {own}");
        }
    }
}
