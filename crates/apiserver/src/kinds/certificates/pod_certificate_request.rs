//! `PodCertificateRequest`.

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules = KindRules {
    plural: "podcertificaterequests",
    columns: Some(COLUMNS),
    unconditional_update: false,
    stored_version: Some("v1beta1"),
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("PodName", "Pod that the certificate is for.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "podName"]))
    }),
    columns::text("ServiceAccountName", "Service account of the pod.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "serviceAccountName"]))
    }),
    columns::text("NodeName", "Node of the pod.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "nodeName"]))
    }),
    columns::text("SignerName", "Signer of the certificate.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "signerName"]))
    }),
    columns::text("State", "Pending, Issued, Denied or Failed.", |object, _| {
        let conditions = columns::list(columns::at(object, &["status", "conditions"]));
        let ends = conditions.filter_map(|one| one["type"].as_str());
        ends.filter(|end| ["Issued", "Denied", "Failed"].contains(end)).last().unwrap_or("Pending").into()
    }),
    columns::text("UnverifiedUserAnnotations", "Wishes of the pod's author to the signer.", |object, _| {
        columns::pairs(columns::at(object, &["spec", "unverifiedUserAnnotations"]))
    }),
];
