//! Cron jobs: a job at each time of a schedule.

use std::sync::Arc;

use client_rs_api::batch::v1::{CronJob, Job, JobStatus};
use client_rs_api::core::v1::ObjectReference;
use client_rs_cache::Lister;
use client_rs_controller::{ControllerOptions, Result, RunnableController};
use client_rs_events::EventRecorder;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::references::{controller_reference, controls};
use client_rs_machinery::{Object, ObjectKey, Time, Unstructured};

use crate::clock::{seconds, since};
use crate::job::finished;
use crate::kind::{CRON_JOB, JOB};
use crate::plan::{Note, Plan};
use crate::schedule::Schedule;
use crate::shell::{Building, Cluster, Core};
use crate::zone::Zone;

const SCHEDULED_AT: &str = "batch.kubernetes.io/cronjob-scheduled-timestamp";

pub(crate) fn build(
    cluster: &Cluster,
    recorder: EventRecorder,
    options: ControllerOptions,
) -> RunnableController {
    Building::new(cluster, "cronjob", &CRON_JOB, options)
        .owns(&JOB)
        .core(CronJobs { jobs: cluster.lister(&JOB) }, recorder)
}

struct CronJobs {
    jobs: Lister<Unstructured>,
}

impl Core for CronJobs {
    fn plan(&self, key: &ObjectKey, object: Option<&Unstructured>, now: Time) -> Result<Plan> {
        let Some(object) = object else { return Ok(Plan::default()) };
        let cron: CronJob = object.to_message()?;
        let all = self.jobs.namespace(key.namespace.clone()).list(&Selector::everything())?;
        let own = all.iter().filter(|job| controls(&cron, &***job));
        let own: std::result::Result<Vec<Arc<Job>>, _> =
            own.map(|job| job.to_message().map(Arc::new)).collect();
        plan(&cron, &own?, zone(&cron).as_ref(), now)
    }
}

/// The time zone of a cron job; `None` if it is unknown.
fn zone(cron: &CronJob) -> Option<Zone> {
    cron.spec.time_zone.as_deref().map_or_else(|| Some(Zone::default()), Zone::named)
}

/// Plans the next steps of a cron job, with its jobs and its time zone.
fn plan(cron: &CronJob, jobs: &[Arc<Job>], zone: Option<&Zone>, now: Time) -> Result<Plan> {
    let mut run = Run { cron, jobs, zone, now, new: cron.clone(), plan: Plan::default() };
    run.look();
    if !cron.is_being_deleted() {
        run.forget();
        if cron.spec.suspend != Some(true) {
            run.start()?;
        }
    }
    if run.new.status != cron.status {
        let new = run.new;
        run.plan.status(&CRON_JOB, &new)?;
        return Ok(run.plan);
    }
    Ok(run.plan)
}

struct Run<'a> {
    cron: &'a CronJob,
    jobs: &'a [Arc<Job>],
    zone: Option<&'a Zone>,
    now: Time,
    /// With the new status.
    new: CronJob,
    plan: Plan,
}

impl Run<'_> {
    /// Notes which jobs run, and which have ended.
    fn look(&mut self) {
        let known = self.cron.status.active.clone();
        let mut ended = self.cron.status.last_successful_time;
        for job in self.jobs {
            let was_active = known.iter().any(|active| active.uid == job.metadata.uid);
            let Some(end) = finished(&job.status) else { continue };
            if was_active {
                let message = format!("Saw completed job: {}, condition: {}", job.metadata.name, end.type_);
                self.plan.tell(Note::normal("SawCompletedJob", message));
            }
            if &*end.type_ == "Complete" {
                ended = ended.max(job.status.completion_time.or(end.last_transition_time));
            }
        }
        for active in &known {
            if !self.jobs.iter().any(|job| job.metadata.uid == active.uid) {
                let message = format!("Active job went missing: {}", active.name);
                self.plan.tell(Note::normal("MissingJob", message));
            }
        }
        self.new.status.last_successful_time = ended;
        self.new.status.active = self.active().map(|job| reference(job)).collect();
    }

    fn active(&self) -> impl Iterator<Item = &Arc<Job>> {
        self.jobs.iter().filter(|job| finished(&job.status).is_none())
    }

    /// Deletes the oldest of the jobs that have ended.
    fn forget(&mut self) {
        let spec = &self.cron.spec;
        let limits =
            [("Complete", spec.successful_jobs_history_limit), ("Failed", spec.failed_jobs_history_limit)];
        for (kind, limit) in limits {
            let Some(limit) = limit else { continue };
            let is = |status: &JobStatus| finished(status).is_some_and(|end| &*end.type_ == kind);
            let mut ended: Vec<&Arc<Job>> =
                self.jobs.iter().filter(|job| is(&job.status) && !job.is_being_deleted()).collect();
            ended.sort_by_key(|job| (job.status.start_time, job.metadata.name.clone()));
            let many = ended.len().saturating_sub(usize::try_from(limit).unwrap_or(0));
            for job in ended.into_iter().take(many) {
                self.delete(job);
            }
        }
    }

    fn delete(&mut self, job: &Job) {
        let note = Note::normal("SuccessfulDelete", format!("Deleted job {}", job.metadata.name));
        self.plan.delete(&JOB, job, Some(note));
    }

    /// Starts the job of the last scheduled time, if it has passed and is not too old.
    fn start(&mut self) -> Result<()> {
        let (spec, now) = (&self.cron.spec, self.now);
        let Some(zone) = self.zone else {
            let name = spec.time_zone.as_deref().unwrap_or_default();
            self.plan.tell(Note::warning("UnknownTimeZone", format!("invalid timeZone: {name:?}")));
            return Ok(());
        };
        let Some(schedule) = Schedule::parse(&spec.schedule) else {
            let message = format!("unparseable schedule: {:?}", spec.schedule);
            self.plan.tell(Note::warning("UnparseableSchedule", message));
            return Ok(());
        };
        if let Some(next) = schedule.after(now, zone) {
            self.plan.again_in(since(now, next));
        }
        let Some((scheduled, missed)) = self.last_missed(&schedule, zone) else { return Ok(()) };
        if missed > 100 {
            let message = format!(
                "too many missed start times: {missed}. Set or decrease .spec.startingDeadlineSeconds or check clock skew"
            );
            self.plan.tell(Note::warning("TooManyMissedTimes", message));
        }
        let deadline = spec.starting_deadline_seconds.map(seconds);
        if deadline.is_some_and(|deadline| since(scheduled, now) > deadline) {
            let message = format!("Missed scheduled time to start a job: {scheduled}");
            self.plan.tell(Note::warning("MissSchedule", message));
            return Ok(());
        }
        let name = format!("{}-{}", self.cron.metadata.name, scheduled.seconds() / 60);
        if self.jobs.iter().any(|job| *job.metadata.name == name) {
            // An earlier run has created it, and could not say so.
            self.new.status.last_schedule_time = Some(scheduled);
            return Ok(());
        }
        let active: Vec<Arc<Job>> = self.active().filter(|job| !job.is_being_deleted()).cloned().collect();
        match &*spec.concurrency_policy {
            "Forbid" if !active.is_empty() => {
                let message =
                    "Not starting job because prior execution is running and concurrency policy is Forbid";
                self.plan.tell(Note::normal("JobAlreadyActive", message));
                return Ok(());
            }
            "Replace" => active.iter().for_each(|job| self.delete(job)),
            _ => {}
        }
        let template = &spec.job_template;
        let mut annotations = template.metadata.annotations.clone();
        annotations.insert(SCHEDULED_AT, scheduled.to_string().into());
        let job = Job {
            metadata: ObjectMeta {
                name: name.into(),
                namespace: self.cron.metadata.namespace.clone(),
                labels: template.metadata.labels.clone(),
                annotations,
                owner_references: [controller_reference(self.cron)?].into(),
                ..ObjectMeta::EMPTY
            },
            spec: template.spec.clone(),
            ..Job::EMPTY
        };
        self.plan.create(&JOB, &job, Some(Note::normal("SuccessfulCreate", "Created job {name}")))?;
        self.new.status.last_schedule_time = Some(scheduled);
        Ok(())
    }

    /// The last scheduled time that has passed since the last job, and how many there were.
    fn last_missed(&self, schedule: &Schedule, zone: &Zone) -> Option<(Time, usize)> {
        let made = self.cron.metadata.creation_timestamp.unwrap_or(self.now);
        let mut from = self.cron.status.last_schedule_time.unwrap_or(made);
        if let Some(deadline) = self.cron.spec.starting_deadline_seconds {
            from = from.max(self.now.checked_sub(seconds(deadline).into()).unwrap_or(from));
        }
        // A schedule that was asleep for years is not counted to its end.
        let recent = self.now.checked_sub(seconds(86_400 * 7).into()).unwrap_or(from);
        let (mut last, mut count) = (None, 0);
        let mut at = from;
        while let Some(next) = schedule.after(at, zone).filter(|next| *next <= self.now) {
            (last, count) = (Some(next), count + 1);
            at = if count == 200 { next.max(recent) } else { next };
        }
        last.map(|last| (last, count))
    }
}

fn reference(job: &Job) -> ObjectReference {
    ObjectReference {
        api_version: "batch/v1".into(),
        kind: "Job".into(),
        name: job.metadata.name.clone(),
        namespace: job.metadata.namespace.clone(),
        uid: job.metadata.uid.clone(),
        resource_version: job.metadata.resource_version.clone(),
        ..ObjectReference::EMPTY
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use client_rs_api::batch::v1::JobCondition;
    use client_rs_machinery::wire::Message;

    use super::*;
    use crate::model::Model;
    use crate::pods::tests::at;

    /// A cron job that was made at a full minute.
    fn model(spec: &str) -> Model {
        let text = format!(
            r#"{{"apiVersion":"batch/v1","kind":"CronJob","metadata":{{"name":"tick","namespace":"shop","uid":"uid-tick"}},
            "spec":{{"schedule":"* * * * *",{spec}}}}}"#
        );
        let mut cron = CronJob::from_json(text.as_bytes()).unwrap();
        // The first second of the test's time is the 20th of a minute.
        cron.metadata.creation_timestamp = Some(at(0));
        let mut model = Model::default();
        model.put(&CRON_JOB, &cron);
        model
    }

    fn cron(model: &Model) -> CronJob {
        CronJob::clone(&model.all::<CronJob>(&CRON_JOB)[0])
    }

    fn run_at(model: &mut Model, second: i64) -> Option<Duration> {
        model.second = second;
        for _ in 0..10 {
            let plan =
                plan(&cron(model), &model.all(&JOB), zone(&cron(model)).as_ref(), model.now()).unwrap();
            let again = plan.again;
            if !model.apply(plan) {
                return again;
            }
        }
        panic!("the controller does not come to rest");
    }

    fn end(model: &mut Model, kind: &str) {
        for job in model.all::<Job>(&JOB) {
            if finished(&job.status).is_some() {
                continue;
            }
            let mut job = Job::clone(&job);
            job.status.conditions = [JobCondition {
                type_: kind.into(),
                status: "True".into(),
                last_transition_time: Some(at(model.second)),
                ..JobCondition::EMPTY
            }]
            .into();
            job.status.start_time = job.metadata.creation_timestamp;
            model.put(&JOB, &job);
        }
    }

    #[test]
    fn a_job_starts_each_minute() {
        let mut model = model(r#""concurrencyPolicy":"Allow""#);
        // 40 s are left of the minute.
        assert_eq!(run_at(&mut model, 0), Some(Duration::from_secs(40)));
        assert!(model.names(&JOB).is_empty());
        assert_eq!(run_at(&mut model, 40), Some(Duration::from_mins(1)));
        run_at(&mut model, 101);
        assert_eq!(model.names(&JOB), ["tick-28333334", "tick-28333335"]);
        let status = cron(&model).status;
        assert_eq!((status.active.len(), status.last_schedule_time), (2, Some(at(100))));
        let jobs = model.all::<Job>(&JOB);
        assert_eq!(jobs[0].annotation(SCHEDULED_AT), Some("2023-11-14T22:14:00Z"));
        assert_eq!(jobs[0].controller().map(|owner| owner.kind), Some("CronJob"));
        end(&mut model, "Complete");
        run_at(&mut model, 110);
        let status = cron(&model).status;
        assert_eq!((status.active.len(), status.last_successful_time), (0, Some(at(101))));
        assert_eq!(model.reasons.iter().filter(|reason| **reason == "SawCompletedJob").count(), 2);
    }

    #[test]
    fn forbid_waits_and_replace_deletes() {
        let mut forbid = model(r#""concurrencyPolicy":"Forbid""#);
        run_at(&mut forbid, 40);
        run_at(&mut forbid, 100);
        assert_eq!((forbid.names(&JOB).len(), forbid.reasons.last()), (1, Some(&"JobAlreadyActive")));
        end(&mut forbid, "Complete");
        run_at(&mut forbid, 130);
        assert_eq!(forbid.names(&JOB).len(), 2);
        let mut replace = model(r#""concurrencyPolicy":"Replace""#);
        run_at(&mut replace, 40);
        run_at(&mut replace, 100);
        assert_eq!(replace.names(&JOB), ["tick-28333335"]);
    }

    #[test]
    fn a_suspended_cron_job_starts_nothing_and_only_the_last_missed_time_is_started() {
        let mut model = model(r#""concurrencyPolicy":"Allow","suspend":true"#);
        run_at(&mut model, 1000);
        assert!(model.names(&JOB).is_empty());
        let mut resumed = cron(&model);
        resumed.spec.suspend = Some(false);
        model.put(&CRON_JOB, &resumed);
        run_at(&mut model, 1000);
        assert_eq!(model.names(&JOB), ["tick-28333350"]);
    }

    #[test]
    fn a_time_that_is_too_long_ago_is_missed() {
        let mut model = model(r#""concurrencyPolicy":"Forbid","startingDeadlineSeconds":15"#);
        run_at(&mut model, 60);
        assert!(model.names(&JOB).is_empty());
        run_at(&mut model, 110);
        assert_eq!(model.names(&JOB).len(), 1);
    }

    #[test]
    fn old_jobs_are_deleted() {
        let mut model =
            model(r#""concurrencyPolicy":"Allow","successfulJobsHistoryLimit":2,"failedJobsHistoryLimit":1"#);
        for (minute, kind) in ["Complete", "Failed", "Complete", "Failed", "Complete"].iter().enumerate() {
            run_at(&mut model, 40 + 60 * i64::try_from(minute).unwrap());
            end(&mut model, kind);
        }
        run_at(&mut model, 290);
        assert_eq!(model.names(&JOB), ["tick-28333336", "tick-28333337", "tick-28333338"]);
    }

    #[test]
    fn a_job_that_is_gone_is_no_longer_active() {
        let mut model = model(r#""concurrencyPolicy":"Allow""#);
        run_at(&mut model, 40);
        let key = model.all::<Job>(&JOB)[0].key();
        model.remove(&JOB, &key);
        run_at(&mut model, 41);
        assert!(cron(&model).status.active.is_empty());
        assert!(model.reasons.contains(&"MissingJob"));
    }

    #[test]
    fn more_than_a_hundred_missed_times_are_reported_and_the_last_is_started() {
        let mut model = model(r#""concurrencyPolicy":"Allow""#);
        run_at(&mut model, 40 + 60 * 150);
        assert_eq!(model.names(&JOB).len(), 1);
        assert!(model.reasons.contains(&"TooManyMissedTimes"));
    }

    #[test]
    fn a_zone_that_is_unknown_starts_nothing() {
        let mut model = model(r#""timeZone":"No/Such""#);
        run_at(&mut model, 40);
        assert!(model.names(&JOB).is_empty() && model.reasons.contains(&"UnknownTimeZone"));
    }
}
