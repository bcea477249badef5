//! Jobs, and what makes them at times.

use client_rs_machinery::labels;
use client_rs_machinery::{FieldError, Json, Unstructured, json, validation};

use super::common::{Errors, IMMUTABLE, at, list, not_negative, one_of, parsed, text, wrong};
use super::workloads::pod_template;
use super::{common, cron};

/// So that the names of its jobs, which are eleven characters longer, are still labels.
const CRON_NAME_MAX: usize = 52;

pub(super) fn job(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
    if !spec["selector"].is_null() {
        common::label_selector(&spec["selector"], "spec.selector", errors);
    }
    if let Some(selector) = parsed(&spec["selector"]) {
        let labels = &spec["template"]["metadata"]["labels"];
        let lookup = labels::from_fn(|key| labels.get(key).and_then(Json::as_str));
        if !spec["selector"].is_null() && !selector.matches(&lookup) {
            let why = "`selector` does not match template `labels`";
            wrong("spec.template.metadata.labels", labels, why, errors);
        }
    }
    job_spec(spec, "spec", errors);
}

/// A new job's selector is the server's, unless its author says otherwise.
pub(super) fn job_create(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
    let own = json!({"batch.kubernetes.io/controller-uid": object.uid()});
    let manual = spec["manualSelector"].as_bool() == Some(true);
    if !manual && spec["selector"]["matchLabels"] != own {
        wrong("spec.selector", &spec["selector"], "`selector` not auto-generated", errors);
    }
}

fn job_spec(spec: &Json, path: &str, errors: &mut Errors) {
    let counts =
        ["parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished"];
    not_negative(spec, path, &counts, errors);
    one_of(spec, path, "completionMode", &["NonIndexed", "Indexed"], errors);
    let indexed = text(&spec["completionMode"]) == "Indexed";
    for field in ["backoffLimitPerIndex", "maxFailedIndexes"] {
        if !spec[field].is_null() && !indexed {
            wrong(format!("{path}.{field}"), &spec[field], "requires indexed completion mode", errors);
        }
    }
    if let Some(manager) = spec["managedBy"].as_str() {
        let domain =
            manager.split_once('/').filter(|(domain, _)| validation::dns1123_subdomain(domain).is_ok());
        if domain.is_none() {
            let why = "must be a domain-prefixed path (such as \"acme.io/foo\")";
            errors.push(FieldError::invalid(format!("{path}.managedBy"), manager, why));
        }
    }
    for (index, rule) in list(&spec["podFailurePolicy"]["rules"]).enumerate() {
        let path = format!("{path}.podFailurePolicy.rules[{index}]");
        one_of(rule, &path, "action", &["Count", "FailIndex", "FailJob", "Ignore"], errors);
        let of = |field: &str| !common::is_empty(&rule[field]);
        let why = match (of("onExitCodes"), of("onPodConditions")) {
            (false, false) => "specifying one of OnExitCodes and OnPodConditions is required",
            (true, true) => "specifying both OnExitCodes and OnPodConditions is not supported",
            _ => continue,
        };
        // Without the value.
        errors.push(FieldError::invalid_json(path, why, ""));
    }
    one_of(spec, path, "podReplacementPolicy", &["Failed", "TerminatingOrFailed"], errors);
    let template = format!("{path}.template");
    pod_template(&spec["template"], &[], &template, errors);
    let policy = text(&spec["template"]["spec"]["restartPolicy"]);
    if ["", "Always"].contains(&policy) {
        let why = "valid values: \"OnFailure\", \"Never\"";
        errors.push(FieldError::required(format!("{template}.spec.restartPolicy"), why));
    }
}

pub(super) fn job_update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    let (mine, theirs) = (at(new, "spec"), at(old, "spec"));
    // A suspended job may be given other nodes, and one with indexes more of them; the rest stays.
    let elastic = text(&mine["completionMode"]) == "Indexed" && mine["completions"] == mine["parallelism"];
    for field in ["completions", "selector", "completionMode"] {
        if mine[field] != theirs[field] && !(field == "completions" && elastic) {
            wrong(format!("spec.{field}"), &mine[field], IMMUTABLE, errors);
        }
    }
    let suspended = theirs["suspend"].as_bool() == Some(true);
    let fixed = |spec: &Json| {
        let mut template = spec["template"].clone();
        if suspended {
            for path in [
                &["spec", "nodeSelector"][..],
                &["spec", "tolerations"],
                &["spec", "affinity"],
                &["spec", "schedulingGates"],
                &["metadata", "annotations"],
                &["metadata", "labels"],
            ] {
                template.remove(path);
            }
        }
        template
    };
    if fixed(mine) != fixed(theirs) {
        wrong("spec.template", &mine["template"], IMMUTABLE, errors);
    }
}

pub(super) fn cron_job(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
    let name = object.name();
    if name.len() > CRON_NAME_MAX {
        let why = format!("must be no more than {CRON_NAME_MAX} characters");
        errors.push(FieldError::invalid("metadata.name", name, why));
    }
    let schedule = text(&spec["schedule"]);
    if schedule.is_empty() {
        errors.push(FieldError::required("spec.schedule", ""));
    } else if schedule.contains("TZ") {
        let why = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
        errors.push(FieldError::invalid("spec.schedule", schedule, why));
    } else if let Err(why) = cron::check(schedule) {
        errors.push(FieldError::invalid("spec.schedule", schedule, why));
    }
    not_negative(spec, "spec", &["startingDeadlineSeconds"], errors);
    if let Some(zone) = spec["timeZone"].as_str() {
        if zone.is_empty() {
            errors.push(FieldError::invalid("spec.timeZone", "", "timeZone must be nil or non-empty string"));
        } else if !is_zone(zone) {
            errors.push(FieldError::invalid("spec.timeZone", zone, format!("unknown time zone {zone}")));
        }
    }
    one_of(spec, "spec", "concurrencyPolicy", &["Allow", "Forbid", "Replace"], errors);
    let job = &spec["jobTemplate"]["spec"];
    job_spec(job, "spec.jobTemplate.spec", errors);
    if job["manualSelector"].as_bool() == Some(true) {
        let path = "spec.jobTemplate.spec.manualSelector";
        errors.push(FieldError::not_supported_json(path, "true", &["nil", "false"]));
    }
    not_negative(spec, "spec", &["successfulJobsHistoryLimit", "failedJobsHistoryLimit"], errors);
}

/// Whether this is a zone by its form: an area of the world and a place in it, or one of the names without an area.
/// The places are not known here.
fn is_zone(zone: &str) -> bool {
    const AREAS: &[&str] = &[
        "Africa",
        "America",
        "Antarctica",
        "Arctic",
        "Asia",
        "Atlantic",
        "Australia",
        "Brazil",
        "Canada",
        "Chile",
        "Etc",
        "Europe",
        "Indian",
        "Mexico",
        "Pacific",
        "US",
    ];
    const PLAIN: &[&str] = &[
        "CET",
        "CST6CDT",
        "Cuba",
        "EET",
        "EST",
        "EST5EDT",
        "Egypt",
        "Eire",
        "GB",
        "GMT",
        "Greenwich",
        "HST",
        "Hongkong",
        "Iceland",
        "Iran",
        "Israel",
        "Jamaica",
        "Japan",
        "Kwajalein",
        "Libya",
        "MET",
        "MST",
        "MST7MDT",
        "NZ",
        "Navajo",
        "PRC",
        "PST8PDT",
        "Poland",
        "Portugal",
        "ROC",
        "ROK",
        "Singapore",
        "Turkey",
        "UCT",
        "UTC",
        "Universal",
        "W-SU",
        "WET",
        "Zulu",
    ];
    match zone.split_once('/') {
        Some((area, place)) => AREAS.contains(&area) && !place.is_empty(),
        None => PLAIN.contains(&zone),
    }
}
