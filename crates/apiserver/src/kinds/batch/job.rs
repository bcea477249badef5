//! `Job`.

use client_rs_machinery::time::age;
use client_rs_machinery::{FieldError, Json, Map, Time, Unstructured, json, labels, validation};

use super::job_status;
use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{DeleteRules, Dependents, Errors, KindRules, SelectableField, StatusRules};
use crate::kinds::shared::checks::{
    IMMUTABLE, at, is_empty, label_selector, list, not_negative, one_of, parsed, text, wrong,
};
use crate::kinds::shared::defaulting::{default, missing, within};
use crate::kinds::shared::{pod_defaults, pod_security, pod_spec};

pub(super) const RULES: KindRules = KindRules {
    plural: "jobs",
    columns: Some(COLUMNS),
    delete: DeleteRules { dependents: Dependents::Orphan, ..DeleteRules::DEFAULT },
    fields: &[SelectableField::number("status.successful", &["status", "succeeded"])],
    own_labels: true,
    status: StatusRules { validate: job_status::validate, ..StatusRules::DEFAULT },
    defaults,
    prepare_create,
    validate,
    validate_create,
    validate_update,
    check_admission: Some(|write, context| {
        pod_security::warn_of_template(write, &["spec", "template"], context);
        Ok(())
    }),
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Status", "Whether the job runs, or how it has ended.", |object, _| state(object)),
    columns::text(
        "Completions",
        "Number of pods that have succeeded, and of those that have to.",
        |object, _| {
            let done = columns::number(columns::at(object, &["status", "succeeded"]));
            let parallelism = columns::number(columns::at(object, &["spec", "parallelism"]));
            match columns::at(object, &["spec", "completions"]).as_i64() {
                Some(wanted) => format!("{done}/{wanted}").into(),
                None if parallelism > 1 => format!("{done}/1 of {parallelism}").into(),
                None => format!("{done}/1").into(),
            }
        },
    ),
    columns::text("Duration", "Time from the start of the job to its end.", |object, now| {
        let time =
            |field| columns::at(object, &["status", field]).as_str().and_then(|text| Time::parse(text).ok());
        time("startTime")
            .map_or_else(|| "".into(), |start| age(start, time("completionTime").unwrap_or(now)).into())
    }),
    columns::AGE,
    columns::CONTAINERS,
    columns::IMAGES,
    columns::SELECTOR,
];

/// The state of a job in one word.
fn state(object: &Unstructured) -> Json {
    let holds = |kind: &str| {
        let conditions = columns::at(object, &["status", "conditions"]);
        list(conditions).any(|one| text(&one["type"]) == kind && text(&one["status"]) == "True")
    };
    let state = match () {
        () if holds("Complete") => "Complete",
        () if holds("Failed") => "Failed",
        () if object.deletion_timestamp().is_some() => "Terminating",
        () if holds("Suspended") => "Suspended",
        () if holds("FailureTarget") => "FailureTarget",
        () if holds("SuccessCriteriaMet") => "SuccessCriteriaMet",
        () => "Running",
    };
    state.into()
}

fn defaults(object: &mut Map<Json>) {
    let spec = within(object, "spec");
    spec_defaults(spec);
    // A job with a generated selector gets its labels with it.
    let labels = spec.get("template").map(|template| template["metadata"]["labels"].clone());
    let manual = spec.get("manualSelector") == Some(&json!(true));
    if let Some(labels @ Json::Map(_)) = labels.filter(|_| manual) {
        let meta = within(object, "metadata");
        if meta.get("labels").and_then(Json::as_map).is_none_or(Map::is_empty) {
            meta.insert("labels", labels);
        }
    }
}

fn spec_defaults(spec: &mut Map<Json>) {
    // Without either number, one pod must complete.
    if missing(spec, "completions") && missing(spec, "parallelism") {
        spec.insert("completions", 1.into());
    }
    default(spec, "parallelism", 1);
    default(spec, "backoffLimit", 6);
    default(spec, "completionMode", "NonIndexed");
    default(spec, "suspend", false);
    let policy = if missing(spec, "podFailurePolicy") { "TerminatingOrFailed" } else { "Failed" };
    default(spec, "podReplacementPolicy", policy);
    pod_defaults::pod_template(within(spec, "template"));
}

/// Sets the selector of a job to its UID, unless the job has a manual selector.
fn prepare_create(object: &mut Unstructured, _: Time) {
    if object.nested(&["spec", "manualSelector"]) == Ok(Some(&Json::Bool(true))) {
        return;
    }
    drop(object.set_nested(&["spec", "manualSelector"], false));
    let (uid, name) = (object.uid().to_owned(), object.name().to_owned());
    let labels = [
        ("batch.kubernetes.io/controller-uid", &uid),
        ("batch.kubernetes.io/job-name", &name),
        ("controller-uid", &uid),
        ("job-name", &name),
    ];
    for (key, value) in labels {
        drop(object.set_nested(&["spec", "template", "metadata", "labels", key], value.as_str()));
    }
    let own = ["spec", "selector", "matchLabels", "batch.kubernetes.io/controller-uid"];
    drop(object.set_nested(&own, uid.as_str()));
    if object.labels().next().is_none() {
        let template = object.nested(&["spec", "template", "metadata", "labels"]).ok().flatten().cloned();
        drop(object.set_nested(&["metadata", "labels"], template.unwrap_or(Json::EMPTY_MAP)));
    }
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
    if !spec["selector"].is_null() {
        label_selector(&spec["selector"], "spec.selector", errors);
    }
    if let Some(selector) = parsed(&spec["selector"]) {
        let labels = &spec["template"]["metadata"]["labels"];
        let lookup = labels::from_fn(|key| labels.get(key).and_then(Json::as_str));
        if !spec["selector"].is_null() && !selector.matches(&lookup) {
            let why = "`selector` does not match template `labels`";
            wrong("spec.template.metadata.labels", labels, why, errors);
        }
    }
    validate_spec(spec, "spec", errors);
}

/// Refuses a selector in a new job, unless the job asks for a manual selector.
fn validate_create(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
    let own = json!({"batch.kubernetes.io/controller-uid": object.uid()});
    let manual = spec["manualSelector"].as_bool() == Some(true);
    if !manual && spec["selector"]["matchLabels"] != own {
        wrong("spec.selector", &spec["selector"], "`selector` not auto-generated", errors);
    }
}

/// Validates the spec of a job or of a job template.
pub(super) fn validate_spec(spec: &Json, path: &str, errors: &mut Errors) {
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
        let of = |field: &str| !is_empty(&rule[field]);
        let why = match (of("onExitCodes"), of("onPodConditions")) {
            (false, false) => "specifying one of OnExitCodes and OnPodConditions is required",
            (true, true) => "specifying both OnExitCodes and OnPodConditions is not supported",
            _ => continue,
        };
        // The real server leaves the value out here.
        errors.push(FieldError::invalid_json(path, why, ""));
    }
    one_of(spec, path, "podReplacementPolicy", &["Failed", "TerminatingOrFailed"], errors);
    let template = format!("{path}.template");
    pod_spec::template(&spec["template"], &[], &template, errors);
    let policy = text(&spec["template"]["spec"]["restartPolicy"]);
    if ["", "Always"].contains(&policy) {
        let why = "valid values: \"OnFailure\", \"Never\"";
        errors.push(FieldError::required(format!("{template}.spec.restartPolicy"), why));
    }
}

fn validate_update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    let (mine, theirs) = (at(new, "spec"), at(old, "spec"));
    // An elastic indexed job may change its completions, and a suspended job the resources and the scheduling of its pods.
    // Everything else is immutable.
    let elastic = text(&mine["completionMode"]) == "Indexed" && mine["completions"] == mine["parallelism"];
    for field in ["completions", "selector", "completionMode"] {
        if mine[field] != theirs[field] && !(field == "completions" && elastic) {
            wrong(format!("spec.{field}"), &mine[field], IMMUTABLE, errors);
        }
    }
    if !is_changeable(old) {
        if mine["template"] != theirs["template"] {
            wrong("spec.template", &mine["template"], IMMUTABLE, errors);
        }
    } else if fixed(&mine["template"]["spec"]) != fixed(&theirs["template"]["spec"]) {
        wrong("spec.template.spec", &mine["template"]["spec"], IMMUTABLE, errors);
    }
}

/// Whether a job is suspended and has no pods, so that its template may change.
fn is_changeable(job: &Unstructured) -> bool {
    let status = at(job, "status");
    let suspended = || {
        let mut conditions = list(&status["conditions"]);
        conditions.any(|one| text(&one["type"]) == "Suspended" && text(&one["status"]) == "True")
    };
    at(job, "spec")["suspend"].as_bool() == Some(true)
        && (is_empty(&status["startTime"]) || suspended())
        && columns::number(&status["active"]) == 0
}

/// The part of a pod spec that may not change in a suspended job.
fn fixed(spec: &Json) -> Json {
    let mut spec = spec.clone();
    for path in [&["nodeSelector"][..], &["tolerations"], &["schedulingGates"], &["affinity", "nodeAffinity"]]
    {
        spec.remove(path);
    }
    if is_empty(&spec["affinity"]) {
        spec.remove(&["affinity"]);
    }
    for kind in ["containers", "initContainers"] {
        let containers = spec.path_mut(&[kind]).and_then(Json::as_list_mut);
        for container in containers.into_iter().flat_map(|list| list.iter_mut()) {
            container.remove(&["resources"]);
        }
    }
    spec
}
