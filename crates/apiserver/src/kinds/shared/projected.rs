//! Files that volumes project into containers: keys of secrets and config maps, fields of the pod, tokens, certificates.

use std::collections::HashSet;

use client_rs_machinery::validation::{self, NameUse};
use client_rs_machinery::{FieldError, Json};

use super::signer;
use crate::kinds::rules::{Errors, violations};
use crate::kinds::shared::checks::{entries, is_empty, label_selector, list, required, text, wrong};
use crate::kinds::shared::pod_spec::FIELDS;

const MODE: &str = "must be a number between 0 and 0777 (octal), both inclusive";
const PREFIXED: &str = "must be a domain-prefixed key (such as \"acme.io/foo\")";
const DUPLICATE: &str = "conflicting duplicate paths";

/// Validates the sources of a projected volume at `path`.
pub(super) fn sources(volume: &Json, path: &str, errors: &mut Errors) {
    let mut seen = HashSet::new();
    for (index, source) in list(&volume["sources"]).enumerate() {
        let own = format!("{path}.sources[{index}]");
        let mut found = 0;
        for (kind, check) in KINDS {
            if !source[*kind].is_null() {
                found += 1;
                let mut files = Files { volume: path, seen: &mut seen };
                check(&source[*kind], &format!("{own}.{kind}"), &mut files, errors);
            }
        }
        if found > 1 {
            errors.push(FieldError::forbidden(own, "may not specify more than 1 volume type per source"));
        }
    }
    mode(&volume["defaultMode"], &format!("{path}.defaultMode"), errors);
}

/// Validates the items of a secret or a config map.
pub(super) fn items(source: &Json, path: &str, errors: &mut Errors) {
    for (index, item) in list(&source["items"]).enumerate() {
        self::item(item, &format!("{path}.items[{index}]"), errors);
    }
}

/// Validates the files of a downward API volume.
pub(super) fn downward_files(source: &Json, path: &str, errors: &mut Errors) {
    for file in list(&source["items"]) {
        downward_file(file, path, errors);
    }
}

/// Validates the permissions of files.
pub(super) fn mode(mode: &Json, path: &str, errors: &mut Errors) {
    if mode.as_i64().is_some_and(|bits| !(0..=0o777).contains(&bits)) {
        wrong(path, mode, MODE, errors);
    }
}

/// The files of a projected volume so far.
struct Files<'a> {
    /// The path of the volume in the pod.
    volume: &'a str,
    seen: &'a mut HashSet<String>,
}

impl Files<'_> {
    /// Adds a file. Two files with the same path are an error, which shows `value`.
    fn add(&mut self, file: &str, value: &str, errors: &mut Errors) {
        if !file.is_empty() && !self.seen.insert(file.to_owned()) {
            errors.push(FieldError::invalid(self.volume, value, DUPLICATE));
        }
    }
}

type Check = fn(&Json, &str, &mut Files<'_>, &mut Errors);

/// The kinds of sources, in the order in which the real server checks them.
const KINDS: &[(&str, Check)] = &[
    ("secret", keys),
    ("configMap", keys),
    ("downwardAPI", |source, path, files, errors| {
        for file in list(&source["items"]) {
            downward_file(file, path, errors);
            files.add(text(&file["path"]), text(&file["path"]), errors);
        }
    }),
    ("serviceAccountToken", token),
    ("clusterTrustBundle", trust_bundle),
    ("podCertificate", certificate),
];

fn keys(source: &Json, path: &str, files: &mut Files<'_>, errors: &mut Errors) {
    required(source, path, "name", errors);
    for (index, item) in list(&source["items"]).enumerate() {
        self::item(item, &format!("{path}.items[{index}]"), errors);
        files.add(text(&item["path"]), text(&source["name"]), errors);
    }
}

fn item(item: &Json, path: &str, errors: &mut Errors) {
    required(item, path, "key", errors);
    required(item, path, "path", errors);
    local_path(text(&item["path"]), &format!("{path}.path"), errors);
    mode(&item["mode"], &format!("{path}.mode"), errors);
}

/// The fields of a pod that a file can contain.
const FILE_FIELDS: &[&str] =
    &["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"];

fn downward_file(file: &Json, path: &str, errors: &mut Errors) {
    let volume = path;
    required(file, path, "path", errors);
    local_path(text(&file["path"]), &format!("{path}.path"), errors);
    let (field, resource) = (&file["fieldRef"], &file["resourceFieldRef"]);
    if !field.is_null() {
        let (name, path) = (text(&field["fieldPath"]), format!("{path}.fieldRef.fieldPath"));
        let plain = name.split_once('[').map_or(name, |(map, _)| map);
        if name.is_empty() {
            errors.push(FieldError::required(path, ""));
        } else if !FIELDS.contains(&plain) {
            let why = format!("error converting fieldPath: field label not supported: {name}");
            errors.push(FieldError::invalid(path, name, why));
        } else if !FILE_FIELDS.contains(&plain) {
            errors.push(FieldError::not_supported(path, name, FILE_FIELDS));
        }
        if !resource.is_null() {
            let why = "fieldRef and resourceFieldRef can not be specified simultaneously";
            errors.push(FieldError::invalid(volume, "resource", why));
        }
    } else if resource.is_null() {
        errors.push(FieldError::required(path, "one of fieldRef and resourceFieldRef is required"));
    }
    mode(&file["mode"], &format!("{path}.mode"), errors);
}

fn token(source: &Json, path: &str, files: &mut Files<'_>, errors: &mut Errors) {
    let seconds = &source["expirationSeconds"];
    let path = format!("{path}.expirationSeconds");
    if seconds.as_i64().is_some_and(|seconds| seconds < 600) {
        wrong(path, seconds, "may not specify a duration less than 10 minutes", errors);
    } else if seconds.as_i64().is_some_and(|seconds| seconds > 1 << 32) {
        wrong(path, seconds, "may not specify a duration larger than 2^32 seconds", errors);
    }
    let file = text(&source["path"]);
    if file.is_empty() {
        errors.push(FieldError::required(format!("{}.path", files.volume), ""));
    } else {
        local_path(file, &format!("{}.path", files.volume), errors);
    }
    files.add(file, file, errors);
}

fn trust_bundle(source: &Json, path: &str, files: &mut Files<'_>, errors: &mut Errors) {
    let (name, signer) = (&source["name"], &source["signerName"]);
    match (name.as_str(), signer.as_str()) {
        (Some(_), Some(_)) => {
            // The real server shows its inner type.
            let shown = format!(
                "{{\"Name\":{name},\"SignerName\":{signer},\"LabelSelector\":{},\"Optional\":{},\"Path\":{},\"User\":null}}",
                source["labelSelector"], source["optional"], source["path"]
            );
            let why = "only one of name and signerName may be used";
            errors.push(FieldError::invalid_json(path, shown, why));
        }
        (Some(name), None) => {
            let at = format!("{path}.name");
            if name.is_empty() {
                errors.push(FieldError::required(at.as_str(), "must be a valid object name"));
            }
            // The name of a bundle with a signer begins with the signer's name.
            let plain = name.rsplit_once(':').map_or(name, |(_, plain)| plain);
            for why in violations(validation::name_is_dns_subdomain(plain, NameUse::Name)) {
                let why = format!("not a valid clustertrustbundlename: {why}");
                errors.push(FieldError::invalid(at.as_str(), name, why));
            }
            if !source["labelSelector"].is_null() {
                let why = "labelSelector must be unset if name is specified";
                wrong(format!("{path}.labelSelector"), &source["labelSelector"], why, errors);
            }
        }
        (None, Some(signer)) => {
            if signer.is_empty() {
                let why = "must be a valid signer name";
                errors.push(FieldError::required(format!("{path}.signerName"), why));
            }
            signer::check(signer, &format!("{path}.signerName"), errors);
            label_selector(&source["labelSelector"], &format!("{path}.labelSelector"), errors);
        }
        (None, None) => {
            errors.push(FieldError::required(path, "either name or signerName must be specified"));
        }
    }
    required(source, path, "path", errors);
    local_path(text(&source["path"]), &format!("{path}.path"), errors);
    files.add(text(&source["path"]), text(&source["path"]), errors);
}

/// The types of keys for certificates of pods.
const KEY_TYPES: &[&str] = &["RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"];

/// The lifetimes of certificates of pods, in seconds: an hour, a day, 91 days.
const SHORTEST: i64 = 3600;
const LONGEST_OWN: i64 = 86_400;
const LONGEST: i64 = 7_862_400;

fn certificate(source: &Json, path: &str, files: &mut Files<'_>, errors: &mut Errors) {
    let signer = text(&source["signerName"]);
    signer::check(signer, &format!("{path}.signerName"), errors);
    let key = text(&source["keyType"]);
    if !KEY_TYPES.contains(&key) {
        errors.push(FieldError::not_supported(format!("{path}.keyType"), key, KEY_TYPES));
    }
    let seconds = &source["maxExpirationSeconds"];
    if let Some(number) = seconds.as_i64() {
        let longest = if signer.starts_with("kubernetes.io/") { LONGEST_OWN } else { LONGEST };
        let at = format!("{path}.maxExpirationSeconds");
        if number < SHORTEST {
            let why = format!("if provided, maxExpirationSeconds must be >= {SHORTEST}");
            wrong(at, seconds, &why, errors);
        } else if number > longest {
            wrong(at, seconds, &format!("if provided, maxExpirationSeconds must be <= {longest}"), errors);
        }
    }
    let fields = ["credentialBundlePath", "keyPath", "certificateChainPath"];
    for field in fields {
        let file = text(&source[field]);
        if !file.is_empty() {
            local_path(file, &format!("{path}.{field}"), errors);
            files.add(file, file, errors);
        }
    }
    if fields.iter().all(|field| is_empty(&source[*field])) {
        let why = "specify at least one of credentialBundlePath, keyPath, and certificateChainPath";
        errors.push(FieldError::required(path, why));
    }
    for (key, _) in entries(&source["userAnnotations"]) {
        let path = format!("{path}.userAnnotations");
        for why in violations(validation::qualified_name(key)) {
            errors.push(FieldError::invalid(path.as_str(), key, why));
        }
        if !key.contains('/') {
            errors.push(FieldError::invalid(path, key, PREFIXED));
        }
    }
}

/// Validates the path of a file below the volume.
fn local_path(file: &str, path: &str, errors: &mut Errors) {
    let why = if file.starts_with('/') {
        "must be a relative path"
    } else if file.split('/').any(|part| part == "..") {
        "must not contain '..'"
    } else if file.starts_with("..") {
        "must not start with '..'"
    } else {
        return;
    };
    errors.push(FieldError::invalid(path, file, why));
}
