//! `CronJob`.

use client_rs_machinery::time::age;
use client_rs_machinery::{FieldError, Json, Map, Time, Unstructured};

use super::job::validate_spec;
use super::schedule;
use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Errors, KindRules};
use crate::kinds::shared::checks::{at, not_negative, one_of, text};
use crate::kinds::shared::defaulting::{default, within};
use crate::kinds::shared::{pod_defaults, pod_security};

pub(super) const RULES: KindRules = KindRules {
    plural: "cronjobs",
    columns: Some(COLUMNS),
    defaults,
    validate,
    check_admission: Some(|write, context| {
        pod_security::warn_of_template(write, &["spec", "jobTemplate", "spec", "template"], context);
        Ok(())
    }),
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Schedule", "When jobs start.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "schedule"]))
    }),
    columns::text("Timezone", "Time zone of the schedule.", |object, _| {
        columns::or_none(columns::at(object, &["spec", "timeZone"]))
    }),
    Column::boolean("Suspend", "Whether no jobs are started.", |object, _| {
        match columns::at(object, &["spec", "suspend"]).as_bool() {
            Some(true) => "True".into(),
            Some(false) => "False".into(),
            None => "<unset>".into(),
        }
    }),
    columns::integer("Active", "Number of jobs that run.", |object, _| {
        columns::list(columns::at(object, &["status", "active"])).count().into()
    }),
    columns::text("Last Schedule", "Time since the last job was scheduled.", |object, now| {
        let last = columns::at(object, &["status", "lastScheduleTime"]).as_str();
        let last = last.and_then(|text| Time::parse(text).ok());
        last.map_or_else(|| "<none>".into(), |last| age(last, now).into())
    }),
    columns::AGE,
    columns::wide(columns::text("Containers", "Names of the containers in the template.", |object, _| {
        columns::joined(
            columns::at(object, &["spec", "jobTemplate", "spec", "template", "spec", "containers"]),
            "name",
        )
    })),
    columns::wide(columns::text("Images", "Images of the containers in the template.", |object, _| {
        columns::joined(
            columns::at(object, &["spec", "jobTemplate", "spec", "template", "spec", "containers"]),
            "image",
        )
    })),
    columns::wide(columns::text("Selector", "Label selector of the pods.", |object, _| {
        columns::selector(columns::at(object, &["spec", "jobTemplate", "spec", "selector"]))
    })),
];

/// The names of its jobs are eleven characters longer and must still be valid labels.
const NAME_MAX: usize = 52;

fn defaults(object: &mut Map<Json>) {
    let spec = within(object, "spec");
    default(spec, "concurrencyPolicy", "Allow");
    default(spec, "suspend", false);
    default(spec, "successfulJobsHistoryLimit", 3);
    default(spec, "failedJobsHistoryLimit", 1);
    pod_defaults::pod_template(within(within(within(spec, "jobTemplate"), "spec"), "template"));
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
    let name = object.name();
    if name.len() > NAME_MAX {
        let why = format!("must be no more than {NAME_MAX} characters");
        errors.push(FieldError::invalid("metadata.name", name, why));
    }
    let schedule = text(&spec["schedule"]);
    if schedule.is_empty() {
        errors.push(FieldError::required("spec.schedule", ""));
    } else if schedule.contains("TZ") {
        let why = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
        errors.push(FieldError::invalid("spec.schedule", schedule, why));
    } else if let Err(why) = schedule::check(schedule) {
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
    validate_spec(job, "spec.jobTemplate.spec", errors);
    if job["manualSelector"].as_bool() == Some(true) {
        let path = "spec.jobTemplate.spec.manualSelector";
        errors.push(FieldError::not_supported_json(path, "true", &["nil", "false"]));
    }
    not_negative(spec, "spec", &["successfulJobsHistoryLimit", "failedJobsHistoryLimit"], errors);
}

/// Whether the text has the form of a time zone: `Area/Place`, or one of the names without an area. It does not
/// check that the zone exists.
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
