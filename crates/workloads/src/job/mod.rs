//! Jobs: pods that run until enough of them have succeeded.
//!
//! Each pod of a job has a finalizer until it is counted, so that no pod disappears uncounted. Counting takes three writes, and
//! each may be the last before the process ends: the UID of a finished pod goes into the status, the finalizer is removed, the
//! UID becomes a number. A run does what the last one did not.

pub(crate) mod indexes;
mod policy;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use client_rs_api::batch::v1::{Job, JobCondition, JobStatus};
use client_rs_api::core::v1::{EnvVar, EnvVarSource, ObjectFieldSelector, Pod};
use client_rs_cache::Lister;
use client_rs_client::api::Propagation;
use client_rs_controller::{ControllerOptions, Result, RunnableController};
use client_rs_events::EventRecorder;
use client_rs_machinery::labels::{self, Selector};
use client_rs_machinery::references::controller_reference;
use client_rs_machinery::{List, Object, ObjectKey, Str, Time, Unstructured};

use crate::claim::claim;
use crate::clock::{seconds, since};
use crate::kind::{JOB, POD};
use crate::plan::{Note, Plan, Step};
use crate::pods::{from_template, is_active, is_finished, is_ready};
use crate::shell::{Building, Cluster, Core, spec_selector};
use policy::Verdict;

/// The finalizer of pods that are not counted.
pub(crate) const TRACKING: &str = "batch.kubernetes.io/job-tracking";
/// The label with the name of a pod's job.
const JOB_NAME: &str = "batch.kubernetes.io/job-name";
const INDEX: &str = "batch.kubernetes.io/job-completion-index";
/// How often pods of an index failed before this one.
const INDEX_FAILURES: &str = "batch.kubernetes.io/job-index-failure-count";
/// The most pods that one run creates.
const BURST: usize = 500;
/// The time until a failed pod is replaced; it doubles with each further failure.
const BACKOFF: Duration = Duration::from_secs(10);
const MAX_BACKOFF: Duration = Duration::from_mins(10);
/// The value of `managedBy` in jobs of this controller.
const OURS: &str = "kubernetes.io/job-controller";

pub(crate) fn build(
    cluster: &Cluster,
    recorder: EventRecorder,
    options: ControllerOptions,
) -> RunnableController {
    Building::new(cluster, "job", &JOB, options)
        .owns_pods()
        .adopts_pods(spec_selector)
        .watches_pods(|pod| {
            let orphan = pod.controller().is_none() && is_tracked(pod);
            let job = pod.label(JOB_NAME).filter(|_| orphan);
            job.map(|job| ObjectKey::new(pod.metadata.namespace.clone(), job)).into_iter().collect()
        })
        .core(Jobs { pods: cluster.pods() }, recorder)
}

struct Jobs {
    pods: Lister<Pod>,
}

impl Core for Jobs {
    fn plan(&self, key: &ObjectKey, object: Option<&Unstructured>, now: Time) -> Result<Plan> {
        let pods = self.pods.namespace(key.namespace.clone()).list(&Selector::everything())?;
        let Some(object) = object else { return abandon(&key.name, &pods, None) };
        let selector = spec_selector(object);
        let mut all = abandon(&key.name, &pods, selector.as_ref())?;
        let own = plan(&object.to_message()?, pods, now)?;
        all.steps.extend(own.steps);
        all.again = own.again;
        Ok(all)
    }
}

/// Lets the pods of a job go that is gone, and those that a job of this name has orphaned. A job that exists has a selector, and
/// adopts the orphans that match it.
fn abandon(job: &str, pods: &[Arc<Pod>], selector: Option<&Selector>) -> Result<Plan> {
    let mut plan = Plan::default();
    let is_lost = |pod: &Pod| match selector {
        None if JOB.controls(job, pod) => true,
        _ if pod.controller().is_some() || pod.label(JOB_NAME) != Some(job) => false,
        None => true,
        Some(selector) => !selector.matches(&labels::from_fn(|key| pod.label(key))),
    };
    for pod in pods.iter().filter(|pod| is_tracked(pod) && is_lost(pod)) {
        plan.update(&POD, &untracked(pod))?;
    }
    Ok(plan)
}

/// Plans the next steps of a job, with the pods of its namespace.
fn plan(job: &Job, pods: Vec<Arc<Pod>>, now: Time) -> Result<Plan> {
    let mut plan = Plan::default();
    let foreign = job.spec.managed_by.as_ref().is_some_and(|manager| &**manager != OURS);
    let Some(selector) = job.spec.selector.as_deref().filter(|_| !foreign) else { return Ok(plan) };
    let selector = Selector::try_from(selector)?;
    if let Some(ended) = ended(&job.status) {
        expire(job, ended, now, &mut plan);
    }
    let pods = claim(job, &selector, &POD, pods, is_active, &mut plan)?;
    if finished(&job.status).is_some() || job.is_being_deleted() {
        for pod in pods.iter().filter(|pod| is_tracked(pod)) {
            plan.update(&POD, &untracked(pod))?;
        }
        if job.is_being_deleted() {
            pods.iter().filter(|pod| is_active(pod)).for_each(|pod| plan.delete_pod(&**pod));
        }
        return Ok(plan);
    }
    let mut run = Run { job, status: (*job.status).clone(), pods, now, plan };
    run.decide()?;
    Ok(run.plan)
}

/// Deletes a job some time after its end.
fn expire(job: &Job, ended: Time, now: Time, plan: &mut Plan) {
    let Some(limit) = job.spec.ttl_seconds_after_finished else { return };
    if job.is_being_deleted() {
        return;
    }
    let left = seconds(limit.into()).saturating_sub(since(ended, now));
    if left.is_zero() {
        plan.steps.push(Step::Delete {
            of: &JOB,
            key: job.key(),
            uid: job.metadata.uid.clone(),
            dependents: Propagation::Foreground,
            note: None,
        });
    } else {
        plan.again_in(left);
    }
}

/// One run of an unfinished job.
struct Run<'a> {
    job: &'a Job,
    status: JobStatus,
    /// The pods of the job.
    pods: Vec<Arc<Pod>>,
    now: Time,
    plan: Plan,
}

impl Run<'_> {
    fn decide(&mut self) -> Result<()> {
        let suspended = self.job.spec.suspend == Some(true);
        if self.status.start_time.is_none() && !suspended {
            self.status.start_time = Some(self.now);
        }
        self.count()?;
        let outcome = self.known_outcome().or_else(|| self.outcome());
        let active: Vec<Arc<Pod>> = self.pods.iter().filter(|pod| is_active(pod)).cloned().collect();
        let terminating = self.pods.iter().filter(|pod| !is_finished(pod) && pod.is_being_deleted()).count();
        match &outcome {
            Some(outcome) => {
                self.set(outcome.target(), true, outcome.reason(), outcome.message());
                for pod in &active {
                    self.plan.delete_pod(&**pod);
                }
                let uncounted = self.pods.iter().any(|pod| is_tracked(pod));
                if active.is_empty() && terminating == 0 && !uncounted && self.uncounted() == 0 {
                    self.finish(outcome);
                }
            }
            None if suspended => self.suspend(&active),
            None => {
                self.resume();
                self.manage(&active, terminating)?;
            }
        }
        self.report(&active, terminating)
    }

    /// Counts the pods that have finished.
    fn count(&mut self) -> Result<()> {
        let before = self.job.status.uncounted_terminated_pods.as_deref().cloned().unwrap_or_default();
        let tracked = |uid: &Str| self.pods.iter().any(|pod| pod.metadata.uid == *uid && is_tracked(pod));
        // Those without a finalizer become numbers.
        let (mut succeeded, gone): (Vec<Str>, Vec<Str>) = before.succeeded.iter().cloned().partition(tracked);
        let (mut failed, lost): (Vec<Str>, Vec<Str>) = before.failed.iter().cloned().partition(tracked);
        if !self.is_indexed() {
            self.status.succeeded += i32::try_from(gone.len()).unwrap_or(0);
        }
        self.status.failed += i32::try_from(lost.len()).unwrap_or(0);
        let known: BTreeSet<Str> = before.succeeded.iter().chain(before.failed.iter()).cloned().collect();
        let mut done = self.completed();
        let mut broken = self.broken();
        let limit = self.job.spec.completions.unwrap_or(0);
        let mut updates = Vec::new();
        for pod in self.pods.iter().filter(|pod| is_tracked(pod)) {
            if known.contains(&pod.metadata.uid) {
                // The status has its UID: it may go.
                updates.push(untracked(pod));
                continue;
            }
            let (index, has_succeeded) = (index_of(pod), &*pod.status.phase == "Succeeded");
            // A pod that is deleted before it ends has failed, but it is counted when its containers have ended.
            if !is_finished(pod) {
                continue;
            }
            if let Some(index) = index.filter(|_| self.is_indexed()) {
                if has_succeeded && (0..limit).contains(&index) {
                    done.insert(index);
                    broken.remove(&index);
                } else if !has_succeeded && self.fails_index(pod) && !done.contains(&index) {
                    broken.insert(index);
                }
            }
            match (has_succeeded, policy::verdict(self.job, pod)) {
                (true, _) => succeeded.push(pod.metadata.uid.clone()),
                (false, Verdict::Ignore) => updates.push(untracked(pod)),
                (false, _) => failed.push(pod.metadata.uid.clone()),
            }
        }
        for pod in &updates {
            self.plan.update(&POD, pod)?;
        }
        if self.is_indexed() {
            self.status.completed_indexes = indexes::format(&done).into();
            self.status.succeeded = i32::try_from(done.len()).unwrap_or(0);
            if self.job.spec.backoff_limit_per_index.is_some() {
                self.status.failed_indexes = Some(indexes::format(&broken).into());
            }
        }
        let uncounted = self.status.uncounted_terminated_pods.get_or_insert_default();
        (uncounted.succeeded, uncounted.failed) = (succeeded.into(), failed.into());
        Ok(())
    }

    /// How many pods are in the status by UID.
    fn uncounted(&self) -> usize {
        self.status
            .uncounted_terminated_pods
            .as_deref()
            .map_or(0, |all| all.succeeded.len() + all.failed.len())
    }

    fn is_indexed(&self) -> bool {
        self.job.spec.completion_mode.as_deref() == Some("Indexed")
    }

    fn completed(&self) -> BTreeSet<i32> {
        indexes::parse(&self.status.completed_indexes, self.job.spec.completions.unwrap_or(0))
    }

    fn broken(&self) -> BTreeSet<i32> {
        let known = self.status.failed_indexes.as_deref().unwrap_or_default();
        indexes::parse(known, self.job.spec.completions.unwrap_or(0))
    }

    /// Whether an index gets no further pod after this one.
    fn fails_index(&self, pod: &Pod) -> bool {
        let Some(limit) = self.job.spec.backoff_limit_per_index else { return false };
        match policy::verdict(self.job, pod) {
            Verdict::FailIndex => true,
            Verdict::Ignore => false,
            _ => index_failures(pod) >= limit,
        }
    }

    fn succeeded(&self) -> i32 {
        let uncounted = self.status.uncounted_terminated_pods.as_deref();
        let more = uncounted.filter(|_| !self.is_indexed()).map_or(0, |all| all.succeeded.len());
        self.status.succeeded + i32::try_from(more).unwrap_or(0)
    }

    fn failed(&self) -> i32 {
        let more = self.status.uncounted_terminated_pods.as_deref().map_or(0, |all| all.failed.len());
        self.status.failed + i32::try_from(more).unwrap_or(0)
    }

    /// The outcome that an earlier run has written.
    fn known_outcome(&self) -> Option<Outcome> {
        let of = |kind: &str| {
            let one =
                self.status.conditions.iter().find(|one| &*one.type_ == kind && &*one.status == "True")?;
            Some((one.reason.clone(), one.message.to_string()))
        };
        let failed = of("FailureTarget").map(|(reason, message)| Outcome::Failed(reason, message));
        failed
            .or_else(|| of("SuccessCriteriaMet").map(|(reason, message)| Outcome::Complete(reason, message)))
    }

    /// The outcome of the job, if it has come to its end.
    fn outcome(&self) -> Option<Outcome> {
        let (job, spec) = (self.job, &self.job.spec);
        let fail = |reason: &str, message: String| Some(Outcome::Failed(reason.into(), message));
        let verdicts = self.pods.iter().filter(|pod| &*pod.status.phase == "Failed" && is_tracked(pod));
        for pod in verdicts {
            if let Verdict::FailJob(message) = policy::verdict(job, pod) {
                return fail("PodFailurePolicy", message);
            }
        }
        let limit = spec.backoff_limit.unwrap_or(6);
        let restarts = self.restarts();
        if self.failed() > limit || (restarts > 0 && restarts >= limit.max(1)) {
            let message = "Job has reached the specified backoff limit";
            return fail("BackoffLimitExceeded", message.to_owned());
        }
        if spec.suspend != Some(true)
            && let (Some(limit), Some(started)) = (spec.active_deadline_seconds, self.status.start_time)
            && since(started, self.now) >= seconds(limit)
        {
            return fail("DeadlineExceeded", "Job was active longer than specified deadline".to_owned());
        }
        let (done, broken) = (self.completed(), self.broken());
        if self.is_indexed() && spec.backoff_limit_per_index.is_some() {
            let count = i32::try_from(broken.len()).unwrap_or(i32::MAX);
            if spec.max_failed_indexes.is_some_and(|most| count > most) {
                let message = "Job has exceeded the specified maximal number of failed indexes";
                return fail("MaxFailedIndexesExceeded", message.to_owned());
            }
            if count > 0 && count + self.status.succeeded >= spec.completions.unwrap_or(0) {
                return fail("FailedIndexes", "Job has failed indexes".to_owned());
            }
        }
        if let Some(message) = policy::success(job, &done).filter(|_| self.is_indexed()) {
            return Some(Outcome::Complete("SuccessPolicy".into(), message));
        }
        let complete = match spec.completions {
            Some(completions) => self.succeeded() >= completions,
            // Any success is enough, when the others have ended.
            None => self.succeeded() > 0 && !self.pods.iter().any(|pod| !is_finished(pod)),
        };
        complete.then(|| {
            let message = "Reached expected number of succeeded pods";
            Outcome::Complete("CompletionsReached".into(), message.to_owned())
        })
    }

    /// The restarts of containers in pods that restart them by themselves.
    fn restarts(&self) -> i32 {
        if &*self.job.spec.template.spec.restart_policy != "OnFailure" {
            return 0;
        }
        let running = self.pods.iter().filter(|pod| matches!(&*pod.status.phase, "Running" | "Pending"));
        let statuses = running.flat_map(|pod| {
            pod.status.init_container_statuses.iter().chain(pod.status.container_statuses.iter())
        });
        statuses.map(|one| one.restart_count).sum()
    }

    fn finish(&mut self, outcome: &Outcome) {
        self.set(outcome.end(), true, outcome.reason(), outcome.message());
        match outcome {
            Outcome::Complete(..) => {
                self.status.completion_time = Some(self.now);
                self.plan.tell(Note::normal("Completed", "Job completed"));
            }
            Outcome::Failed(reason, message) => {
                let reason = match &**reason {
                    "BackoffLimitExceeded" => "BackoffLimitExceeded",
                    "DeadlineExceeded" => "DeadlineExceeded",
                    "PodFailurePolicy" => "PodFailurePolicy",
                    "MaxFailedIndexesExceeded" => "MaxFailedIndexesExceeded",
                    "FailedIndexes" => "FailedIndexes",
                    _ => "Failed",
                };
                self.plan.tell(Note::warning(reason, message.as_str()));
            }
        }
    }

    fn suspend(&mut self, active: &[Arc<Pod>]) {
        for pod in active {
            self.plan.delete_pod(&**pod);
        }
        self.status.start_time = None;
        if self.set("Suspended", true, "JobSuspended", "Job suspended") {
            self.plan.tell(Note::normal("Suspended", "Job suspended"));
        }
    }

    fn resume(&mut self) {
        if self.status.conditions.iter().any(|one| &*one.type_ == "Suspended" && &*one.status == "True") {
            self.set("Suspended", false, "JobResumed", "Job resumed");
            self.status.start_time = Some(self.now);
            self.plan.tell(Note::normal("Resumed", "Job resumed"));
        }
    }

    /// Creates or deletes pods.
    fn manage(&mut self, active: &[Arc<Pod>], terminating: usize) -> Result<()> {
        let spec = &self.job.spec;
        if let (Some(limit), Some(started)) = (spec.active_deadline_seconds, self.status.start_time) {
            self.plan.again_in(seconds(limit).saturating_sub(since(started, self.now)));
        }
        let parallelism = spec.parallelism.unwrap_or(1);
        let wanted = match spec.completions {
            Some(completions) => parallelism.min((completions - self.succeeded()).max(0)),
            None if self.succeeded() > 0 => parallelism.min(i32::try_from(active.len()).unwrap_or(0)),
            None => parallelism,
        };
        let wanted = usize::try_from(wanted).unwrap_or(0);
        // Either a pod is replaced when it begins to end, or when it has ended.
        let replaces_late = spec.pod_replacement_policy.as_deref() == Some("Failed");
        let present = active.len() + if replaces_late { terminating } else { 0 };
        let (done, broken) = (self.completed(), self.broken());
        let mut superfluous = self.superfluous(active, &done, &broken);
        let left = active.len() - superfluous.len();
        if left > wanted {
            let named = |pod: &Arc<Pod>| superfluous.iter().any(|one| Arc::ptr_eq(one, pod));
            let mut others: Vec<Arc<Pod>> = active.iter().filter(|pod| !named(pod)).cloned().collect();
            crate::pods::sort_for_deletion(&mut others);
            others.truncate(left - wanted);
            superfluous.extend(others);
        }
        for pod in &superfluous {
            self.plan.delete_pod(&**pod);
        }
        let missing = wanted.saturating_sub(present - superfluous.len()).min(BURST);
        if missing == 0 || !superfluous.is_empty() {
            return Ok(());
        }
        if self.is_indexed() {
            return self.create_indexed(missing, active, &done, &broken);
        }
        let wait = self.backoff(self.pods.iter());
        if !wait.is_zero() {
            self.plan.again_in(wait);
            return Ok(());
        }
        for _ in 0..missing {
            let pod = self.pod(&self.job.metadata.name)?;
            self.plan.create_pod(&pod)?;
        }
        Ok(())
    }

    /// The active pods whose index needs none, or has another one.
    fn superfluous(
        &self,
        active: &[Arc<Pod>],
        done: &BTreeSet<i32>,
        broken: &BTreeSet<i32>,
    ) -> Vec<Arc<Pod>> {
        if !self.is_indexed() {
            return Vec::new();
        }
        let limit = self.job.spec.completions.unwrap_or(0);
        let mut seen = BTreeSet::new();
        let mut pods: Vec<&Arc<Pod>> = active.iter().collect();
        pods.sort_by_key(|pod| (pod.metadata.creation_timestamp, pod.metadata.name.clone()));
        let needed = |pod: &&Arc<Pod>| {
            index_of(pod).is_some_and(|index| {
                (0..limit).contains(&index)
                    && !done.contains(&index)
                    && !broken.contains(&index)
                    && seen.insert(index)
            })
        };
        let needed: Vec<&Arc<Pod>> = pods.iter().copied().filter(needed).collect();
        let is_needed = |pod: &&Arc<Pod>| needed.iter().any(|one| Arc::ptr_eq(one, pod));
        pods.into_iter().filter(|pod| !is_needed(pod)).cloned().collect()
    }

    fn create_indexed(
        &mut self,
        missing: usize,
        active: &[Arc<Pod>],
        done: &BTreeSet<i32>,
        broken: &BTreeSet<i32>,
    ) -> Result<()> {
        let late = self.job.spec.pod_replacement_policy.as_deref() == Some("Failed");
        let ending = self.pods.iter().filter(|pod| late && !is_finished(pod) && pod.is_being_deleted());
        let taken: BTreeSet<i32> = active.iter().chain(ending).filter_map(|pod| index_of(pod)).collect();
        let per_index = self.job.spec.backoff_limit_per_index.is_some();
        if !per_index {
            let wait = self.backoff(self.pods.iter());
            if !wait.is_zero() {
                self.plan.again_in(wait);
                return Ok(());
            }
        }
        let mut failures = BTreeMap::<i32, i32>::new();
        for pod in self.pods.iter().filter(|pod| &*pod.status.phase == "Failed" || pod.is_being_deleted()) {
            let ignored = policy::verdict(self.job, pod) == Verdict::Ignore;
            if let Some(index) = index_of(pod) {
                let count = index_failures(pod) + i32::from(!ignored);
                let known = failures.entry(index).or_default();
                *known = count.max(*known);
            }
        }
        let mut made = 0;
        for index in 0..self.job.spec.completions.unwrap_or(0) {
            if made == missing {
                break;
            }
            if done.contains(&index) || broken.contains(&index) || taken.contains(&index) {
                continue;
            }
            if per_index {
                let wait = self.backoff(self.pods.iter().filter(|pod| index_of(pod) == Some(index)));
                if !wait.is_zero() {
                    self.plan.again_in(wait);
                    continue;
                }
            }
            let pod = self.indexed_pod(index, failures.get(&index).copied().filter(|_| per_index))?;
            self.plan.create_pod(&pod)?;
            made += 1;
        }
        Ok(())
    }

    /// How long to wait before a failed pod is replaced.
    fn backoff<'p>(&self, pods: impl Iterator<Item = &'p Arc<Pod>>) -> Duration {
        let (mut failed, mut success) = (Vec::new(), None);
        for pod in pods.filter(|pod| is_finished(pod)) {
            let end = finished_at(pod);
            if &*pod.status.phase == "Succeeded" {
                success = success.max(end);
            } else if policy::verdict(self.job, pod) != Verdict::Ignore {
                failed.push(end);
            }
        }
        failed.retain(|end| *end > success);
        let Some(last) = failed.iter().max().copied().flatten() else { return Duration::ZERO };
        let doubled = u32::try_from(failed.len() - 1).unwrap_or(u32::MAX).min(10);
        (BACKOFF * 2_u32.pow(doubled)).min(MAX_BACKOFF).saturating_sub(since(last, self.now))
    }

    fn pod(&self, base: &str) -> Result<Pod> {
        let (job, owner) = (self.job, controller_reference(self.job)?);
        let mut pod = from_template(&job.spec.template, &job.metadata.namespace, format!("{base}-"), owner);
        if !pod.metadata.finalizers.iter().any(|one| &**one == TRACKING) {
            pod.metadata.finalizers.push(TRACKING.into());
        }
        Ok(pod)
    }

    fn indexed_pod(&self, index: i32, failures: Option<i32>) -> Result<Pod> {
        let base = format!("{}-{index}", self.job.metadata.name);
        let mut pod = self.pod(&base)?;
        let number: Str = index.to_string().into();
        pod.metadata.annotations.insert(INDEX, number.clone());
        pod.metadata.labels.insert(INDEX, number);
        if self.job.spec.backoff_limit_per_index.is_some() {
            pod.metadata.annotations.insert(INDEX_FAILURES, failures.unwrap_or(0).to_string().into());
        }
        let spec = &mut pod.spec;
        if spec.hostname.is_empty() {
            spec.hostname = base.into();
        }
        let source = EnvVarSource {
            field_ref: Some(
                ObjectFieldSelector {
                    field_path: format!("metadata.labels['{INDEX}']").into(),
                    ..ObjectFieldSelector::EMPTY
                }
                .into(),
            ),
            ..EnvVarSource::EMPTY
        };
        let variable =
            EnvVar { name: "JOB_COMPLETION_INDEX".into(), value_from: Some(source.into()), ..EnvVar::EMPTY };
        let spec = &mut **spec;
        for container in spec.init_containers.make_mut().iter_mut().chain(spec.containers.make_mut()) {
            if !container.env.iter().any(|one| one.name == variable.name) {
                container.env.push(variable.clone());
            }
        }
        Ok(pod)
    }

    /// Writes the status, if it has changed.
    fn report(&mut self, active: &[Arc<Pod>], terminating: usize) -> Result<()> {
        let count = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
        let ends = finished(&self.status).is_some();
        self.status.active = if ends { 0 } else { count(active.len()) };
        self.status.ready = Some(count(active.iter().filter(|pod| is_ready(pod)).count()));
        self.status.terminating = Some(count(terminating));
        if self.status != *self.job.status {
            let mut new = self.job.clone();
            new.status = std::mem::take(&mut self.status).into();
            self.plan.status(&JOB, &new)?;
        }
        Ok(())
    }

    /// Sets a condition. True if its status is another one.
    fn set(&mut self, kind: &str, holds: bool, reason: &str, message: &str) -> bool {
        let holds = if holds { "True" } else { "False" };
        let conditions = &mut self.status.conditions;
        if conditions.iter().any(|one| &*one.type_ == kind && &*one.status == holds) {
            return false;
        }
        conditions.retain(|one| &*one.type_ != kind);
        conditions.push(JobCondition {
            type_: kind.into(),
            status: holds.into(),
            last_probe_time: Some(self.now),
            last_transition_time: Some(self.now),
            reason: reason.into(),
            message: message.into(),
        });
        true
    }
}

/// How a job ends: reason and message.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    Complete(Str, String),
    Failed(Str, String),
}

impl Outcome {
    /// The condition that is set while pods still end.
    fn target(&self) -> &'static str {
        if matches!(self, Self::Complete(..)) { "SuccessCriteriaMet" } else { "FailureTarget" }
    }

    fn end(&self) -> &'static str {
        if matches!(self, Self::Complete(..)) { "Complete" } else { "Failed" }
    }

    fn reason(&self) -> &str {
        let (Self::Complete(reason, _) | Self::Failed(reason, _)) = self;
        reason
    }

    fn message(&self) -> &str {
        let (Self::Complete(_, message) | Self::Failed(_, message)) = self;
        message
    }
}

/// The condition that says that a job has ended.
pub(crate) fn finished(status: &JobStatus) -> Option<&JobCondition> {
    let ends = |one: &&JobCondition| matches!(&*one.type_, "Complete" | "Failed") && &*one.status == "True";
    status.conditions.iter().find(ends)
}

fn ended(status: &JobStatus) -> Option<Time> {
    finished(status)?.last_transition_time
}

fn is_tracked(pod: &Pod) -> bool {
    pod.metadata.finalizers.iter().any(|finalizer| &**finalizer == TRACKING)
}

fn untracked(pod: &Pod) -> Pod {
    let mut pod = pod.clone();
    let kept: List<Str> =
        pod.metadata.finalizers.iter().filter(|finalizer| &***finalizer != TRACKING).cloned().collect();
    pod.metadata.finalizers = kept;
    pod
}

fn index_of(pod: &Pod) -> Option<i32> {
    pod.annotation(INDEX).or_else(|| pod.label(INDEX))?.parse().ok()
}

fn index_failures(pod: &Pod) -> i32 {
    pod.annotation(INDEX_FAILURES).and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// When the last container of a pod has ended.
fn finished_at(pod: &Pod) -> Option<Time> {
    let ends = pod.status.container_statuses.iter().filter_map(|one| one.state.terminated.as_deref());
    let last = ends.filter_map(|ended| ended.finished_at).max();
    last.or(pod.metadata.deletion_timestamp).or(pod.status.start_time).or(pod.metadata.creation_timestamp)
}

#[cfg(test)]
mod tests;
