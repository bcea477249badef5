//! The policies of a job: for pods that failed, and for indexes that succeeded.

use std::collections::BTreeSet;

use client_rs_api::batch::v1::{Job, PodFailurePolicyOnExitCodesRequirement, PodFailurePolicyRule};
use client_rs_api::core::v1::{ContainerStatus, Pod};

use super::indexes;

/// The consequence of a pod's failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It counts towards the backoff limit.
    Count,
    /// It does not count.
    Ignore,
    /// Its index has failed.
    FailIndex,
    /// The job has failed, with this message.
    FailJob(String),
}

/// The verdict of the failure policy; a failure without a matching rule counts.
pub(crate) fn verdict(job: &Job, pod: &Pod) -> Verdict {
    let Some(policy) = job.spec.pod_failure_policy.as_deref() else { return Verdict::Count };
    for (index, rule) in policy.rules.iter().enumerate() {
        let Some(why) = matching(rule, pod) else { continue };
        return match &*rule.action {
            "Ignore" => Verdict::Ignore,
            "FailIndex" => Verdict::FailIndex,
            "FailJob" => Verdict::FailJob(format!("{why} matching FailJob rule at index {index}")),
            _ => Verdict::Count,
        };
    }
    Verdict::Count
}

/// The part of the message that says why a rule matches.
fn matching(rule: &PodFailurePolicyRule, pod: &Pod) -> Option<String> {
    let name = format!("{}/{}", pod.metadata.namespace, pod.metadata.name);
    if let Some(codes) = rule.on_exit_codes.as_deref() {
        let mut all = pod.status.init_container_statuses.iter().chain(pod.status.container_statuses.iter());
        let (container, code) = all.find_map(|one| exit_of(codes, one))?;
        return Some(format!("Container {container} for pod {name} failed with exit code {code}"));
    }
    let matches = rule.on_pod_conditions.iter().find(|pattern| {
        let wanted = if pattern.status.is_empty() { "True" } else { &*pattern.status };
        let holds = |one: &client_rs_api::core::v1::PodCondition| {
            one.type_ == pattern.type_ && &*one.status == wanted
        };
        pod.status.conditions.iter().any(holds)
    });
    matches.map(|pattern| format!("Pod {name} has condition {}", pattern.type_))
}

/// The name and the exit code of a container that meets a requirement.
fn exit_of<'a>(
    codes: &PodFailurePolicyOnExitCodesRequirement,
    one: &'a ContainerStatus,
) -> Option<(&'a str, i32)> {
    if codes.container_name.as_ref().is_some_and(|name| *name != one.name) {
        return None;
    }
    let code = one.state.terminated.as_deref()?.exit_code;
    let listed = codes.values.contains(&code);
    let holds = match &*codes.operator {
        "In" => listed,
        "NotIn" => !listed,
        _ => false,
    };
    (code != 0 && holds).then_some((&*one.name, code))
}

/// The message of the first rule of the success policy that the succeeded indexes meet.
pub(crate) fn success(job: &Job, succeeded: &BTreeSet<i32>) -> Option<String> {
    let policy = job.spec.success_policy.as_deref()?;
    let limit = job.spec.completions.unwrap_or(0);
    let meets = |rule: &client_rs_api::batch::v1::SuccessPolicyRule| {
        let named = rule.succeeded_indexes.as_ref().map(|text| indexes::parse(text, limit));
        let count = match &named {
            Some(named) => succeeded.intersection(named).count(),
            None => succeeded.len(),
        };
        match (rule.succeeded_count, named) {
            (Some(least), _) => i32::try_from(count).is_ok_and(|count| count >= least),
            (None, Some(named)) => count == named.len(),
            (None, None) => false,
        }
    };
    let at = policy.rules.iter().position(meets)?;
    Some(format!("Matched rules at index {at}"))
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::wire::Message;

    use super::*;

    fn job(spec: &str) -> Job {
        Job::from_json(format!(r#"{{"apiVersion":"batch/v1","kind":"Job","spec":{spec}}}"#).as_bytes())
            .unwrap()
    }

    fn pod(status: &str) -> Pod {
        let text = format!(
            r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"a","namespace":"n"}},"status":{status}}}"#
        );
        Pod::from_json(text.as_bytes()).unwrap()
    }

    #[test]
    fn the_first_rule_that_matches_decides() {
        let job = job(r#"{"podFailurePolicy":{"rules":[
            {"action":"FailJob","onExitCodes":{"containerName":"main","operator":"In","values":[3,5]}},
            {"action":"FailIndex","onExitCodes":{"operator":"NotIn","values":[1]}},
            {"action":"Ignore","onPodConditions":[{"type":"DisruptionTarget"}]}]}}"#);
        let exit = |name: &str, code: i32| {
            pod(&format!(
                r#"{{"containerStatuses":[{{"name":"{name}","state":{{"terminated":{{"exitCode":{code}}}}}}}]}}"#
            ))
        };
        let message = "Container main for pod n/a failed with exit code 5 matching FailJob rule at index 0";
        assert_eq!(verdict(&job, &exit("main", 5)), Verdict::FailJob(message.to_owned()));
        assert_eq!(verdict(&job, &exit("side", 5)), Verdict::FailIndex);
        assert_eq!(verdict(&job, &exit("main", 1)), Verdict::Count);
        // An exit code of zero is no failure.
        assert_eq!(verdict(&job, &exit("main", 0)), Verdict::Count);
        let target = pod(r#"{"conditions":[{"type":"DisruptionTarget","status":"True"}]}"#);
        assert_eq!(verdict(&job, &target), Verdict::Ignore);
        assert_eq!(verdict(&Job::EMPTY, &target), Verdict::Count);
    }

    #[test]
    fn a_job_succeeds_early_by_its_policy() {
        let job = job(r#"{"completions":5,"successPolicy":{"rules":[
            {"succeededIndexes":"0-2","succeededCount":2},{"succeededIndexes":"4"},{"succeededCount":4}]}}"#);
        let of = |all: &[i32]| success(&job, &all.iter().copied().collect());
        assert_eq!(of(&[0]), None);
        assert_eq!(of(&[0, 2]).as_deref(), Some("Matched rules at index 0"));
        assert_eq!(of(&[4]).as_deref(), Some("Matched rules at index 1"));
        assert_eq!(of(&[3]), None);
        assert_eq!(success(&Job::EMPTY, &BTreeSet::new()), None);
    }
}
