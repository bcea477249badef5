//! The pod that a port forwards to.

use client_rs_machinery::labels::Selector;
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Decoding, Format, Payload};
use serde_json::Value;

use super::ForwardedPort;
use crate::{Error, Request, RestClient};

/// The target of forwarded ports: a pod, or a name that selects one.
///
/// ```
/// use client_rs_client::streams::{ForwardTarget, TargetError};
/// # use client_rs_client::testing::Canned;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), TargetError> {
/// # let client = Canned::new()
/// #     .on("GET /api/v1/namespaces/default/services/web",
/// #         r#"{"spec": {"selector": {"app": "web"}, "ports": [{"port": 80, "targetPort": 8080}]}}"#)
/// #     .on("GET /api/v1/namespaces/default/pods",
/// #         r#"{"items": [{"metadata": {"name": "web-1"}, "status": {"phase": "Running"}}]}"#)
/// #     .client();
/// let web = ForwardTarget::Service("web".into());
/// let backend = web.resolve(&client, "default", &[80.into()]).await?;
/// assert_eq!((&*backend.pod, &*backend.ports), ("web-1", &[8080][..]));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForwardTarget {
    /// The pod with this name.
    Pod(String),
    /// A pod that the service selects. Ports are those of the service, and are mapped to its target ports.
    Service(String),
    /// A pod of the deployment.
    Deployment(String),
    /// A pod of the replica set.
    ReplicaSet(String),
    /// A pod of the stateful set.
    StatefulSet(String),
    /// A pod with these labels, such as `app=web`.
    Selector(String),
}

/// A pod, and its ports for the requested ones, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Backend {
    /// The name of the pod.
    pub pod: String,
    /// The UID of the pod, which distinguishes it from another pod with the same name.
    pub uid: String,
    /// The ports of the pod.
    pub ports: Vec<u16>,
}

/// No pod was found for a target.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TargetError {
    /// The request to the server failed.
    #[error(transparent)]
    Request(#[from] Error),
    /// The target selects no running pod.
    #[error("no running pod found for {0}")]
    NoPod(String),
    /// The target has no selector, or one that is not valid.
    #[error("{0} has no valid selector")]
    NoSelector(String),
    /// The service, or its pod, does not have the port.
    #[error("service {service} has no port {port}{why}")]
    NoPort {
        /// The service.
        service: String,
        /// The port.
        port: u16,
        /// The missing part, if it is not the port itself.
        why: String,
    },
    /// The response is not an object of the expected kind.
    #[error("the server's response can't be decoded: {0}")]
    Answer(String),
}

impl ForwardTarget {
    /// Returns the current pod of the target: a running one, ready ones first.
    pub async fn resolve(
        &self,
        rest: &RestClient,
        namespace: &str,
        ports: &[ForwardedPort],
    ) -> Result<Backend, TargetError> {
        let plain = || ports.iter().map(|port| port.remote).collect();
        let of = |group: &str, resource: &str, name: &str| {
            Request::get().api(group, "v1").namespace(namespace).resource(resource).name(name)
        };
        let workload = match self {
            Self::Pod(name) => {
                let pod = get(rest, of("", "pods", name)).await?;
                return Ok(Backend { pod: name.clone(), uid: text(&pod, "/metadata/uid"), ports: plain() });
            }
            Self::Service(name) => {
                let service = get(rest, of("", "services", name)).await?;
                let what = format!("service {name}");
                let pod = select(rest, namespace, &plain_selector(&service, &what)?, &what).await?;
                let ports = ports.iter().map(|port| target_port(name, &service, &pod, port.remote));
                let ports = ports.collect::<Result<_, _>>()?;
                return Ok(Backend {
                    pod: text(&pod, "/metadata/name"),
                    uid: text(&pod, "/metadata/uid"),
                    ports,
                });
            }
            Self::Selector(selector) => {
                let pod = select(rest, namespace, selector, selector).await?;
                return Ok(Backend {
                    pod: text(&pod, "/metadata/name"),
                    uid: text(&pod, "/metadata/uid"),
                    ports: plain(),
                });
            }
            Self::Deployment(name) => ("deployments", "deployment", name),
            Self::ReplicaSet(name) => ("replicasets", "replica set", name),
            Self::StatefulSet(name) => ("statefulsets", "stateful set", name),
        };
        let (resource, kind, name) = workload;
        let what = format!("{kind} {name}");
        let object = get(rest, of("apps", resource, name)).await?;
        let selector =
            object.pointer("/spec/selector").ok_or_else(|| TargetError::NoSelector(what.clone()))?;
        let selector =
            LabelSelector::decode(Format::Json, selector.to_string().as_bytes(), &mut Decoding::new())
                .map_err(|error| TargetError::Answer(error.to_string()))?;
        let selector =
            Selector::try_from(&selector).map_err(|_| TargetError::NoSelector(what.clone()))?.to_string();
        if selector.is_empty() {
            return Err(TargetError::NoSelector(what));
        }
        let pod = select(rest, namespace, &selector, &what).await?;
        Ok(Backend { pod: text(&pod, "/metadata/name"), uid: text(&pod, "/metadata/uid"), ports: plain() })
    }
}

async fn get(rest: &RestClient, request: Request) -> Result<Value, TargetError> {
    let request = request.header(http::header::ACCEPT, "application/json");
    let raw = rest.send_raw(request).await?;
    serde_json::from_slice(&raw.body).map_err(|error| TargetError::Answer(error.to_string()))
}

fn text(object: &Value, pointer: &str) -> String {
    object.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The selector of a service, which consists only of labels.
fn plain_selector(service: &Value, what: &str) -> Result<String, TargetError> {
    let labels =
        service.pointer("/spec/selector").and_then(Value::as_object).filter(|labels| !labels.is_empty());
    let labels = labels.ok_or_else(|| TargetError::NoSelector(what.to_owned()))?;
    let pairs = labels.iter().map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default()));
    Ok(pairs.collect::<Vec<_>>().join(","))
}

/// Selects a pod: it runs, it is not being deleted, and it is ready if any is.
async fn select(
    rest: &RestClient,
    namespace: &str,
    selector: &str,
    what: &str,
) -> Result<Value, TargetError> {
    let list =
        Request::get().api("", "v1").namespace(namespace).resource("pods").param("labelSelector", selector);
    let list = get(rest, list).await?;
    let pods = list.get("items").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    best(pods).cloned().ok_or_else(|| TargetError::NoPod(what.to_owned()))
}

fn best(pods: &[Value]) -> Option<&Value> {
    let ready = |pod: &Value| {
        let conditions = pod.pointer("/status/conditions").and_then(Value::as_array);
        conditions.is_some_and(|conditions| {
            conditions.iter().any(|one| text(one, "/type") == "Ready" && text(one, "/status") == "True")
        })
    };
    let running = pods.iter().filter(|pod| {
        text(pod, "/status/phase") == "Running" && pod.pointer("/metadata/deletionTimestamp").is_none()
    });
    // The same pod each time, as long as it exists.
    running.min_by_key(|pod| {
        (!ready(pod), text(pod, "/metadata/creationTimestamp"), text(pod, "/metadata/name"))
    })
}

/// The pod's port for a port of the service.
fn target_port(name: &str, service: &Value, pod: &Value, port: u16) -> Result<u16, TargetError> {
    let no = |why: String| TargetError::NoPort { service: name.to_owned(), port, why };
    let entries =
        service.pointer("/spec/ports").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let number = |value: &Value| value.as_u64().and_then(|number| u16::try_from(number).ok());
    let entry = entries.iter().find(|entry| entry.get("port").and_then(number) == Some(port));
    let entry = entry.ok_or_else(|| no(String::new()))?;
    if text(service, "/spec/clusterIP") == "None" {
        return Ok(port);
    }
    match entry.get("targetPort") {
        None => Ok(port),
        Some(Value::String(wanted)) => {
            let containers = pod.pointer("/spec/containers").and_then(Value::as_array);
            let ports =
                containers.into_iter().flatten().filter_map(|container| container.get("ports")?.as_array());
            let named = ports.flatten().find(|port| text(port, "/name") == *wanted);
            let number = named.and_then(|port| port.get("containerPort").and_then(number));
            number.ok_or_else(|| no(format!(": no container of the pod has a port named {wanted:?}")))
        }
        Some(target) => match number(target) {
            Some(0) => Ok(port),
            Some(target) => Ok(target),
            None => Err(no(": its target is not a port".to_owned())),
        },
    }
}

#[cfg(test)]
mod tests {
    use client_rs_transport::http::Body;
    use http::Response;
    use serde_json::json;

    use super::*;
    use crate::fake_api::FakeApi;

    fn pod(name: &str, phase: &str, ready: &str, created: &str) -> Value {
        json!({
            "metadata": {"name": name, "uid": format!("uid-{name}"), "creationTimestamp": created},
            "spec": {"containers": [{"ports": [{"name": "web", "containerPort": 8080}]}]},
            "status": {"phase": phase, "conditions": [{"type": "Ready", "status": ready}]},
        })
    }

    fn server() -> FakeApi {
        FakeApi::new(|heard| {
            let answer = match heard.uri.path() {
                "/api/v1/namespaces/n/services/web" => json!({"spec": {
                    "selector": {"app": "web", "tier": "front"},
                    "ports": [{"port": 80, "targetPort": "web"}, {"port": 81, "targetPort": 8081}, {"port": 82}, {"port": 83, "targetPort": "none"}],
                }}),
                "/api/v1/namespaces/n/services/bare" => json!({"spec": {"ports": []}}),
                "/apis/apps/v1/namespaces/n/deployments/web" => json!({"spec": {"selector": {
                    "matchLabels": {"app": "web"},
                    "matchExpressions": [{"key": "tier", "operator": "In", "values": ["front"]}],
                }}}),
                "/api/v1/namespaces/n/pods" if heard.uri.query().unwrap_or_default().contains("nobody") => {
                    json!({"items": [pod("a", "Pending", "False", "1")]})
                }
                "/api/v1/namespaces/n/pods" => json!({"items": [
                    pod("pending", "Pending", "True", "1"),
                    pod("unready", "Running", "False", "1"),
                    pod("young", "Running", "True", "3"),
                    pod("old", "Running", "True", "2"),
                ]}),
                "/api/v1/namespaces/n/pods/one" => pod("one", "Running", "True", "1"),
                _ => return Ok(Response::builder().status(404).body(Body::empty()).unwrap()),
            };
            let body = Body::from(answer.to_string());
            Ok(Response::builder().header("content-type", "application/json").body(body).unwrap())
        })
    }

    async fn resolve(target: ForwardTarget, port: u16) -> Result<(String, u16), TargetError> {
        let backend = target.resolve(&server().client(), "n", &[port.into()]).await?;
        assert_eq!(backend.uid, format!("uid-{}", backend.pod));
        Ok((backend.pod, backend.ports[0]))
    }

    #[tokio::test]
    async fn a_name_resolves_to_a_pod_that_runs_and_is_ready() {
        for target in [
            ForwardTarget::Service("web".into()),
            ForwardTarget::Deployment("web".into()),
            ForwardTarget::Selector("app=web".into()),
        ] {
            assert_eq!(resolve(target.clone(), 82).await.unwrap(), ("old".into(), 82), "{target:?}");
        }
        assert_eq!(resolve(ForwardTarget::Pod("one".into()), 9).await.unwrap(), ("one".into(), 9));
        let nobody = resolve(ForwardTarget::Selector("app=nobody".into()), 1).await;
        assert!(matches!(nobody, Err(TargetError::NoPod(_))), "{nobody:?}");
        let gone = resolve(ForwardTarget::Pod("gone".into()), 1).await;
        assert!(matches!(&gone, Err(TargetError::Request(error)) if error.is_not_found()), "{gone:?}");
        let bare = resolve(ForwardTarget::Service("bare".into()), 1).await;
        assert!(matches!(bare, Err(TargetError::NoSelector(_))), "{bare:?}");
    }

    #[tokio::test]
    async fn the_ports_of_a_service_are_mapped_to_their_targets() {
        let web = || ForwardTarget::Service("web".into());
        assert_eq!(resolve(web(), 80).await.unwrap().1, 8080);
        assert_eq!(resolve(web(), 81).await.unwrap().1, 8081);
        for port in [83, 84] {
            let none = resolve(web(), port).await;
            assert!(matches!(none, Err(TargetError::NoPort { .. })), "{none:?}");
        }
    }
}
