//! The volumes of pods.

use std::collections::HashSet;

use client_rs_machinery::{FieldError, Json};

use super::projected;
use crate::kinds::rules::Errors;
use crate::kinds::shared::checks::{list, required, text, unique_label};

/// The sources of volumes, in the order in which the real server checks them.
const SOURCES: &[&str] = &[
    "emptyDir",
    "hostPath",
    "gitRepo",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "secret",
    "nfs",
    "iscsi",
    "glusterfs",
    "flocker",
    "persistentVolumeClaim",
    "rbd",
    "cinder",
    "cephfs",
    "quobyte",
    "downwardAPI",
    "fc",
    "flexVolume",
    "configMap",
    "azureFile",
    "vsphereVolume",
    "photonPersistentDisk",
    "portworxVolume",
    "azureDisk",
    "storageos",
    "projected",
    "scaleIO",
    "csi",
    "ephemeral",
    "image",
];

/// The required fields of sources.
const REQUIRED: &[(&str, &[&str])] = &[
    ("hostPath", &["path"]),
    ("secret", &["secretName"]),
    ("configMap", &["name"]),
    ("persistentVolumeClaim", &["claimName"]),
    ("nfs", &["server", "path"]),
    ("csi", &["driver"]),
];

/// Validates the volumes at `path`, and returns their names.
pub(crate) fn check(volumes: &Json, path: &str, errors: &mut Errors) -> HashSet<String> {
    let mut names = HashSet::new();
    for (index, volume) in list(volumes).enumerate() {
        let path = format!("{path}[{index}]");
        let mut found = 0;
        for source in SOURCES.iter().filter(|source| !volume[**source].is_null()) {
            found += 1;
            let path = format!("{path}.{source}");
            if found > 1 {
                errors.push(FieldError::forbidden(path, "may not specify more than 1 volume type"));
                continue;
            }
            self::source(source, &volume[*source], &path, errors);
        }
        if found == 0 {
            errors.push(FieldError::required(path.as_str(), "must specify a volume type"));
        }
        unique_label(&volume["name"], &format!("{path}.name"), &mut names, errors);
    }
    names
}

/// Validates the source of a volume, in a pod or in a persistent volume.
pub(crate) fn source(kind: &str, source: &Json, path: &str, errors: &mut Errors) {
    for field in REQUIRED.iter().filter(|(of, _)| *of == kind).flat_map(|(_, fields)| *fields) {
        required(source, path, field, errors);
    }
    match kind {
        "projected" => projected::sources(source, path, errors),
        "secret" | "configMap" => {
            projected::mode(&source["defaultMode"], &format!("{path}.defaultMode"), errors);
            projected::items(source, path, errors);
        }
        "downwardAPI" => {
            projected::mode(&source["defaultMode"], &format!("{path}.defaultMode"), errors);
            projected::downward_files(source, path, errors);
        }
        _ => {}
    }
    if kind == "hostPath" && text(&source["path"]).split('/').any(|part| part == "..") {
        let path = format!("{path}.path");
        errors.push(FieldError::invalid(path, text(&source["path"]), "must not contain '..'"));
    }
}
