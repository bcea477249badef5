//! `Secret`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client_rs_machinery::{FieldError, Json, Map, Unstructured, validation};

use super::frozen;
use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Errors, KindRules, QuotaRules, SelectableField};
use crate::kinds::shared::checks::{at, immutable, invalid, text};
use crate::kinds::shared::defaulting::{default, within};
use crate::kinds::shared::fields::reset;

pub(super) const RULES: KindRules = KindRules {
    plural: "secrets",
    quota: QuotaRules::counted("secrets"),
    fields: &[SelectableField::text("type", &["type"])],
    own_labels: true,
    columns: Some(COLUMNS),
    binds_tokens: true,
    defaults,
    prepare_update,
    validate,
    validate_update,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Type", "Type of the secret.", |object, _| columns::at(object, &["type"]).clone()),
    columns::text("Data", "Number of entries.", |object, _| {
        columns::entries(columns::at(object, &["data"])).into()
    }),
    columns::AGE,
];

fn defaults(object: &mut Map<Json>) {
    default(object, "type", "Opaque");
    let Some(Json::Map(plain)) = object.remove("stringData") else { return };
    let data = within(object, "data");
    for (key, value) in &plain {
        if let Some(text) = value.as_str() {
            data.insert(key.clone(), STANDARD.encode(text).into());
        }
    }
    if data.is_empty() {
        object.remove("data");
    }
}

fn prepare_update(new: &mut Unstructured, old: &Unstructured) {
    if new.object.get("type").is_none() {
        reset(new, "type", old.object.get("type"));
    }
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    const ACCOUNT: &str = "kubernetes.io/service-account.name";
    let data = at(object, "data");
    for (key, _) in data.as_map().into_iter().flatten() {
        invalid(&format!("data[{key}]"), key, validation::config_map_key(key), errors);
    }
    let missing = |key: &str| data.get(key).is_none();
    let require = |keys: &[&str], errors: &mut Errors| {
        for key in keys.iter().filter(|key| missing(key)) {
            errors.push(FieldError::required(format!("data[{key}]"), ""));
        }
    };
    match text(at(object, "type")) {
        "kubernetes.io/tls" => require(&["tls.crt", "tls.key"], errors),
        "kubernetes.io/ssh-auth" => require(&["ssh-privatekey"], errors),
        "kubernetes.io/basic-auth" if missing("username") && missing("password") => {
            require(&["username", "password"], errors);
        }
        "kubernetes.io/dockerconfigjson" => docker(data, ".dockerconfigjson", errors),
        "kubernetes.io/dockercfg" => docker(data, ".dockercfg", errors),
        "kubernetes.io/service-account-token"
            if object.annotation(ACCOUNT).unwrap_or_default().is_empty() =>
        {
            errors.push(FieldError::required(format!("metadata.annotations[{ACCOUNT}]"), ""));
        }
        _ => {}
    }
}

/// Validates registry credentials, which are a JSON document.
fn docker(data: &Json, key: &str, errors: &mut Errors) {
    let path = format!("data[{key}]");
    let Some(content) = data.get(key) else {
        errors.push(FieldError::required(path, ""));
        return;
    };
    let content = STANDARD.decode(text(content)).unwrap_or_default();
    if Json::parse(&content).is_err() {
        let why = match content.iter().find(|byte| !byte.is_ascii_whitespace()) {
            Some(byte) => {
                format!("invalid character '{}' looking for beginning of value", byte.escape_ascii())
            }
            None => "unexpected end of JSON input".to_owned(),
        };
        errors.push(FieldError::invalid(path, "<secret contents redacted>", why));
    }
}

fn validate_update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    immutable(&["type"], new, old, errors);
    frozen(new, old, &["data"], errors);
}
