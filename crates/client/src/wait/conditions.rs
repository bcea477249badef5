//! Common conditions.
//!
//! ```
//! use client_rs_client::wait::{WaitCondition, conditions};
//! use client_rs_machinery::json;
//!
//! let pod = json!({"status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}});
//! assert_eq!(conditions::pod_ready().holds(Some(&pod)), Ok(true));
//! assert_eq!(conditions::created().holds(None), Ok(false));
//! assert_eq!(conditions::condition("Ready", "False").holds(Some(&pod)), Ok(false));
//! assert!(conditions::pod_ready().holds(Some(&json!({"status": {"phase": "Failed"}}))).is_err());
//! ```

use client_rs_machinery::Json;
use client_rs_machinery::jsonpath::{JsonPath, JsonPathError};

use super::{ConditionError, WaitCondition};

/// The object exists.
pub fn created() -> impl WaitCondition {
    Plain("to be created", |object| Ok(object.is_some()))
}

/// The object has been deleted, after all its finalizers. A new object with the same name does not count. Holds at once if there
/// is no object.
///
/// The object is the one that the wait sees first. If another client may create an object with the same name between your delete and
/// that moment, the new one would be waited for: use [`deleted_uid`].
///
/// ```
/// use client_rs_client::wait::{WaitCondition, conditions};
/// use client_rs_machinery::json;
///
/// let mut deleted = conditions::deleted();
/// assert_eq!(deleted.holds(Some(&json!({"metadata": {"uid": "1"}}))), Ok(false));
/// assert_eq!(deleted.holds(Some(&json!({"metadata": {"uid": "2"}}))), Ok(true), "a new object with the same name");
/// ```
pub fn deleted() -> impl WaitCondition {
    Deleted { uid: None }
}

/// The object with this UID has been deleted, after all its finalizers. Holds at once if there is no object, or if the object with that
/// name is another one.
///
/// Read the UID before the delete, or take it from the response to it. An empty UID is that of the object that the wait sees first, as with
/// [`deleted`].
///
/// ```
/// use client_rs_client::wait::{WaitCondition, conditions};
/// use client_rs_machinery::json;
///
/// let mut deleted = conditions::deleted_uid("1");
/// assert_eq!(deleted.holds(Some(&json!({"metadata": {"uid": "1"}}))), Ok(false));
/// assert_eq!(conditions::deleted_uid("1").holds(Some(&json!({"metadata": {"uid": "2"}}))), Ok(true));
/// ```
pub fn deleted_uid(uid: impl Into<String>) -> impl WaitCondition {
    Deleted { uid: Some(uid.into()).filter(|uid| !uid.is_empty()) }
}

/// `status.conditions` contains this type with this status, both case-insensitive: `Ready`, `True`.
///
/// A condition with an older `observedGeneration` than the object does not count.
pub fn condition(condition_type: impl Into<String>, status: impl Into<String>) -> impl WaitCondition {
    Status { condition_type: condition_type.into(), status: status.into() }
}

/// A [path](JsonPath::parse_relaxed) selects this value; without a value, anything at all.
///
/// ```
/// use client_rs_client::wait::{WaitCondition, conditions};
/// use client_rs_machinery::json;
///
/// let mut running = conditions::jsonpath("{.status.phase}", Some("Running"))?;
/// assert_eq!(running.holds(Some(&json!({"status": {"phase": "Running"}}))), Ok(true));
/// assert_eq!(running.holds(Some(&json!({"status": {}}))), Ok(false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn jsonpath(path: &str, value: Option<&str>) -> Result<impl WaitCondition + use<>, JsonPathError> {
    let parsed = JsonPath::parse_relaxed(path)?.allow_missing_keys(true);
    Ok(Path { text: path.to_owned(), parsed, value: value.map(str::to_owned) })
}

/// The newest state of a Deployment runs: all replicas are updated and available, and no older replica is left. Fails if it has
/// exceeded its progress deadline.
///
/// ```
/// use client_rs_client::wait::{WaitCondition, conditions};
/// use client_rs_machinery::json;
///
/// let web = |available: i64| json!({
///     "metadata": {"generation": 2},
///     "spec": {"replicas": 3},
///     "status": {"observedGeneration": 2, "replicas": 3, "updatedReplicas": 3, "availableReplicas": available},
/// });
/// assert_eq!(conditions::deployment_rolled_out().holds(Some(&web(2))), Ok(false));
/// assert_eq!(conditions::deployment_rolled_out().holds(Some(&web(3))), Ok(true));
/// ```
pub fn deployment_rolled_out() -> impl WaitCondition {
    Plain("to be rolled out", rolled_out)
}

/// The Pod is ready. Fails if it has ended.
pub fn pod_ready() -> impl WaitCondition {
    Plain("to be ready", |object| match phase(object) {
        "Succeeded" | "Failed" => Err(ConditionError::Never("the pod has ended".to_owned())),
        _ => Ok(is_condition(object, "Ready", "True")),
    })
}

/// The Pod has ended successfully. Fails if it has failed.
///
/// ```
/// use client_rs_client::wait::{WaitCondition, conditions};
/// use client_rs_machinery::json;
///
/// assert_eq!(conditions::pod_completed().holds(Some(&json!({"status": {"phase": "Running"}}))), Ok(false));
/// assert_eq!(conditions::pod_completed().holds(Some(&json!({"status": {"phase": "Succeeded"}}))), Ok(true));
/// ```
pub fn pod_completed() -> impl WaitCondition {
    Plain("to complete", |object| match phase(object) {
        "Failed" => Err(ConditionError::Never("the pod has failed".to_owned())),
        phase => Ok(phase == "Succeeded"),
    })
}

/// The Job is complete. Fails if it has failed.
///
/// ```
/// use client_rs_client::wait::{WaitCondition, conditions};
/// use client_rs_machinery::json;
///
/// let job = |condition: &str| json!({"status": {"conditions": [{"type": condition, "status": "True"}]}});
/// assert_eq!(conditions::job_completed().holds(Some(&job("Complete"))), Ok(true));
/// assert!(conditions::job_completed().holds(Some(&job("Failed"))).is_err());
/// ```
pub fn job_completed() -> impl WaitCondition {
    Plain("to complete", |object| {
        if is_condition(object, "Failed", "True") {
            return Err(ConditionError::Never("the job has failed".to_owned()));
        }
        Ok(is_condition(object, "Complete", "True"))
    })
}

/// The `CustomResourceDefinition` is served. Fails if its names are taken.
pub fn crd_established() -> impl WaitCondition {
    Plain("to be established", |object| {
        if is_condition(object, "NamesAccepted", "False") {
            return Err(ConditionError::Never("its names are taken by another definition".to_owned()));
        }
        Ok(is_condition(object, "Established", "True"))
    })
}

/// The Service has an address outside of the cluster: a load balancer has been set up. Holds at once for a Service of another type
/// than `LoadBalancer`.
///
/// ```
/// use client_rs_client::wait::{WaitCondition, conditions};
/// use client_rs_machinery::json;
///
/// let service = |ingress| json!({"spec": {"type": "LoadBalancer"}, "status": {"loadBalancer": {"ingress": ingress}}});
/// assert_eq!(conditions::service_reachable().holds(Some(&service(json!([])))), Ok(false));
/// assert_eq!(conditions::service_reachable().holds(Some(&service(json!([{"ip": "192.0.2.1"}])))), Ok(true));
/// assert_eq!(conditions::service_reachable().holds(Some(&json!({"spec": {"type": "ClusterIP"}}))), Ok(true));
/// ```
pub fn service_reachable() -> impl WaitCondition {
    Plain("to have an address outside of the cluster", |object| {
        let Some(object) = object else { return Ok(false) };
        Ok(object["spec"]["type"] != "LoadBalancer" || has_address(object))
    })
}

/// The Ingress has an address: its controller has set up a load balancer.
///
/// ```
/// use client_rs_client::wait::{WaitCondition, conditions};
/// use client_rs_machinery::json;
///
/// assert_eq!(conditions::ingress_reachable().holds(Some(&json!({"status": {}}))), Ok(false));
/// let ingress = json!({"status": {"loadBalancer": {"ingress": [{"hostname": "shop.example"}]}}});
/// assert_eq!(conditions::ingress_reachable().holds(Some(&ingress)), Ok(true));
/// ```
pub fn ingress_reachable() -> impl WaitCondition {
    Plain("to have an address", |object| Ok(object.is_some_and(has_address)))
}

/// Both conditions hold, in the same state of the object.
///
/// ```
/// use client_rs_client::wait::{WaitCondition, conditions};
/// use client_rs_machinery::json;
///
/// let labeled = conditions::jsonpath("{.metadata.labels.app}", Some("web"))?;
/// let mut both = conditions::and(conditions::pod_ready(), labeled);
/// let ready = json!([{"type": "Ready", "status": "True"}]);
/// assert_eq!(both.holds(Some(&json!({"status": {"conditions": ready.clone()}}))), Ok(false));
/// let pod = json!({"metadata": {"labels": {"app": "web"}}, "status": {"conditions": ready}});
/// assert_eq!(both.holds(Some(&pod)), Ok(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// An error of either one ends the wait.
pub fn and(one: impl WaitCondition, other: impl WaitCondition) -> impl WaitCondition {
    And(one, other)
}

/// One of the conditions holds.
///
/// ```
/// use client_rs_client::wait::{WaitCondition, conditions};
/// use client_rs_machinery::json;
///
/// let mut ended = conditions::or(conditions::pod_completed(), conditions::deleted());
/// assert_eq!(ended.holds(Some(&json!({"status": {"phase": "Running"}}))), Ok(false));
/// assert_eq!(ended.holds(None), Ok(true));
/// ```
///
/// A condition that can never become true is an error only if the other one can't either: the other one is waited for.
pub fn or(one: impl WaitCondition, other: impl WaitCondition) -> impl WaitCondition {
    Or { one, other }
}

/// The condition does not hold. An error of the condition is an error here too.
///
/// ```
/// use client_rs_client::wait::{WaitCondition, conditions};
/// use client_rs_machinery::json;
///
/// let mut idle = conditions::not(conditions::condition("Progressing", "True"));
/// let busy = json!({"status": {"conditions": [{"type": "Progressing", "status": "True"}]}});
/// assert_eq!(idle.holds(Some(&busy)), Ok(false));
/// assert_eq!(idle.holds(Some(&json!({}))), Ok(true));
/// ```
pub fn not(condition: impl WaitCondition) -> impl WaitCondition {
    Not(condition)
}

struct And<A, B>(A, B);

impl<A: WaitCondition, B: WaitCondition> WaitCondition for And<A, B> {
    fn holds(&mut self, object: Option<&Json>) -> Result<bool, ConditionError> {
        // Both see every state: a condition may remember what it has seen.
        let (one, other) = (self.0.holds(object)?, self.1.holds(object)?);
        Ok(one && other)
    }

    fn describe(&self) -> String {
        format!("{} and {}", self.0.describe(), self.1.describe())
    }
}

struct Or<A, B> {
    one: A,
    other: B,
}

impl<A: WaitCondition, B: WaitCondition> WaitCondition for Or<A, B> {
    fn holds(&mut self, object: Option<&Json>) -> Result<bool, ConditionError> {
        match (self.one.holds(object), self.other.holds(object)) {
            (Ok(one), Ok(other)) => Ok(one || other),
            (Ok(holds), Err(_)) | (Err(_), Ok(holds)) => Ok(holds),
            (Err(error), Err(_)) => Err(error),
        }
    }

    fn describe(&self) -> String {
        format!("{} or {}", self.one.describe(), self.other.describe())
    }
}

struct Not<A>(A);

impl<A: WaitCondition> WaitCondition for Not<A> {
    fn holds(&mut self, object: Option<&Json>) -> Result<bool, ConditionError> {
        Ok(!self.0.holds(object)?)
    }

    fn describe(&self) -> String {
        format!("not {}", self.0.describe())
    }
}

fn has_address(object: &Json) -> bool {
    object["status"]["loadBalancer"]["ingress"].as_list().is_some_and(|addresses| !addresses.is_empty())
}

struct Plain(&'static str, fn(Option<&Json>) -> Result<bool, ConditionError>);

impl WaitCondition for Plain {
    fn holds(&mut self, object: Option<&Json>) -> Result<bool, ConditionError> {
        self.1(object)
    }

    fn describe(&self) -> String {
        self.0.to_owned()
    }
}

struct Deleted {
    uid: Option<String>,
}

impl WaitCondition for Deleted {
    fn holds(&mut self, object: Option<&Json>) -> Result<bool, ConditionError> {
        let Some(object) = object else { return Ok(true) };
        let uid = object["metadata"]["uid"].as_str().unwrap_or_default();
        Ok(self.uid.get_or_insert_with(|| uid.to_owned()) != uid)
    }

    fn describe(&self) -> String {
        "to be deleted".to_owned()
    }
}

struct Status {
    condition_type: String,
    status: String,
}

impl WaitCondition for Status {
    fn holds(&mut self, object: Option<&Json>) -> Result<bool, ConditionError> {
        Ok(is_condition(object, &self.condition_type, &self.status))
    }

    fn describe(&self) -> String {
        format!("to have condition {}={}", self.condition_type, self.status)
    }
}

struct Path {
    text: String,
    parsed: JsonPath,
    value: Option<String>,
}

impl WaitCondition for Path {
    fn holds(&mut self, object: Option<&Json>) -> Result<bool, ConditionError> {
        let Some(object) = object else { return Ok(false) };
        let found = self.parsed.find(object);
        let found = found.map_err(|error| ConditionError::JsonPath { path: self.text.clone(), error })?;
        let values: Vec<Json> = found.into_iter().flatten().collect();
        let Some(wanted) = &self.value else { return Ok(!values.is_empty()) };
        match &values[..] {
            [] => Ok(false),
            [Json::List(_) | Json::Map(_)] | [_, _, ..] => {
                Err(ConditionError::NotOneValue(self.text.clone()))
            }
            [Json::Str(text)] => Ok(*text == *wanted),
            [other] => {
                let text = other.to_string();
                Ok(text == *wanted)
            }
        }
    }

    fn describe(&self) -> String {
        match &self.value {
            Some(value) => format!("to have {}={value}", self.text),
            None => format!("to have {}", self.text),
        }
    }
}

fn is_condition(object: Option<&Json>, condition_type: &str, status: &str) -> bool {
    let Some(object) = object else { return false };
    let conditions = object["status"]["conditions"].as_list();
    let found = conditions.into_iter().flatten().find(|condition| {
        condition["type"].as_str().is_some_and(|text| text.eq_ignore_ascii_case(condition_type))
    });
    let Some(condition) = found else { return false };
    let observed =
        condition["observedGeneration"].as_i64().or(object["status"]["observedGeneration"].as_i64());
    let outdated =
        observed.zip(object["metadata"]["generation"].as_i64()).is_some_and(|(seen, now)| seen < now);
    !outdated && condition["status"].as_str().is_some_and(|text| text.eq_ignore_ascii_case(status))
}

fn phase(object: Option<&Json>) -> &str {
    object.and_then(|object| object["status"]["phase"].as_str()).unwrap_or_default()
}

fn rolled_out(object: Option<&Json>) -> Result<bool, ConditionError> {
    let Some(object) = object else { return Ok(false) };
    let status = &object["status"];
    let count = |field: &str| status[field].as_i64().unwrap_or(0);
    if object["metadata"]["generation"].as_i64().unwrap_or(0) > count("observedGeneration") {
        return Ok(false);
    }
    let late = status["conditions"].as_list().into_iter().flatten().any(|condition| {
        condition["type"] == "Progressing" && condition["reason"] == "ProgressDeadlineExceeded"
    });
    if late {
        return Err(ConditionError::Never("the deployment has exceeded its progress deadline".to_owned()));
    }
    let wanted = object["spec"]["replicas"].as_i64().unwrap_or(1);
    let (updated, all, available) = (count("updatedReplicas"), count("replicas"), count("availableReplicas"));
    Ok(updated >= wanted && all <= updated && available >= updated)
}
