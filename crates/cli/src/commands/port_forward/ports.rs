//! The requested ports, and their ports in a pod.

use anyhow::{Result, bail, ensure};
use client_rs_api::core::v1::{Pod, Service};
use client_rs_client::streams::ForwardedPort;
use client_rs_machinery::IntOrString;

/// A port to forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Forward {
    /// The local port, and the one asked for: a service's, or a pod's own.
    pub(super) asked: ForwardedPort,
    /// The pod's port behind it.
    pub(super) container: u16,
}

/// Parses ports, including named ones: of the service if there is one, otherwise of the pod.
pub(super) fn read(words: &[String], pod: &Pod, service: Option<&Service>) -> Result<Vec<Forward>> {
    words.iter().map(|word| read_one(word, pod, service)).collect()
}

fn read_one(word: &str, pod: &Pod, service: Option<&Service>) -> Result<Forward> {
    let (local, remote) = match word.split(':').collect::<Vec<_>>().as_slice() {
        [both] => (None, *both),
        [local, remote] => (Some(*local), *remote),
        _ => bail!("invalid port format '{word}'"),
    };
    ensure!(!remote.is_empty(), "remote port cannot be empty");
    let remote = match (remote.parse::<u16>(), service) {
        (Ok(0), _) => bail!("remote port must be > 0"),
        (Ok(number), _) => number,
        // Digits are not a name.
        (Err(error), _) if remote.bytes().all(|byte| byte.is_ascii_digit()) => {
            bail!("error parsing remote port '{remote}': {error}")
        }
        (Err(_), Some(service)) => number(named_in_service(service, remote)?)?,
        (Err(_), None) => number(named_in_pod(pod, remote)?)?,
    };
    check_protocol(remote, pod, service)?;
    let container = match service {
        Some(service) => behind_service(service, pod, remote)?,
        None => remote,
    };
    let local = match local {
        None => remote,
        Some("") => 0,
        Some(local) => match local.parse() {
            Ok(local) => local,
            Err(error) => bail!("error parsing local port '{local}': {error}"),
        },
    };
    Ok(Forward { asked: ForwardedPort { local, remote }, container })
}

fn number(port: i32) -> Result<u16> {
    match u16::try_from(port) {
        Ok(port) if port != 0 => Ok(port),
        _ => bail!("{port} is not a valid port"),
    }
}

fn named_in_service(service: &Service, name: &str) -> Result<i32> {
    match service.spec.ports.iter().find(|port| port.name == name) {
        Some(port) => Ok(port.port),
        None => bail!("Service '{}' does not have a named port '{name}'", service.metadata.name),
    }
}

fn named_in_pod(pod: &Pod, name: &str) -> Result<i32> {
    let containers = pod.spec.containers.iter().chain(pod.spec.init_containers.iter());
    match containers.flat_map(|container| container.ports.iter()).find(|port| port.name == name) {
        Some(port) => Ok(port.container_port),
        None => bail!("Pod '{}' does not have a named port '{name}'", pod.metadata.name),
    }
}

/// The pod's port behind a service's.
fn behind_service(service: &Service, pod: &Pod, port: u16) -> Result<u16> {
    let Some(entry) = service.spec.ports.iter().find(|entry| entry.port == i32::from(port)) else {
        bail!("Service {} does not have a service port {port}", service.metadata.name);
    };
    if service.spec.cluster_ip == "None" {
        return Ok(port);
    }
    match &entry.target_port {
        IntOrString::Int(0) => Ok(port),
        IntOrString::Int(target) => number(*target),
        IntOrString::String(name) => number(named_in_pod(pod, name)?),
    }
}

/// Only TCP is forwarded.
fn check_protocol(port: u16, pod: &Pod, service: Option<&Service>) -> Result<()> {
    let of_service = service.iter().flat_map(|service| service.spec.ports.iter());
    let of_service = of_service.map(|one| (one.port, &*one.protocol));
    let of_pod = pod.spec.containers.iter().filter(|_| service.is_none());
    let of_pod = of_pod.flat_map(|container| container.ports.iter());
    let of_pod = of_pod.map(|one| (one.container_port, &*one.protocol));
    let those = of_service.chain(of_pod).filter(|(number, _)| *number == i32::from(port));
    let protocols: Vec<&str> = those.map(|(_, protocol)| protocol).collect();
    if protocols.contains(&"UDP") && !protocols.contains(&"TCP") {
        bail!("UDP protocol is not supported for {port}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::{Json, Unstructured, json};

    use super::*;

    fn pod() -> Pod {
        let pod: Unstructured = json!({
            "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"},
            "spec": {"containers": [{"name": "app", "ports": [
                {"name": "http", "containerPort": 8080, "protocol": "TCP"},
                {"name": "dns", "containerPort": 53, "protocol": "UDP"},
                {"name": "both", "containerPort": 54, "protocol": "UDP"},
                {"name": "both-tcp", "containerPort": 54, "protocol": "TCP"},
            ]}]},
        })
        .try_into()
        .unwrap();
        pod.to_message().unwrap()
    }

    fn service(cluster_ip: &str) -> Service {
        let port = |name: &str, port: i64, target: Json, protocol: &str| json!({"name": name, "port": port, "targetPort": target, "protocol": protocol});
        let service: Unstructured = json!({
            "apiVersion": "v1", "kind": "Service", "metadata": {"name": "front"},
            "spec": {"clusterIP": cluster_ip, "ports": [
                port("web", 80, json!("http"), "TCP"),
                port("admin", 81, json!(9000), "TCP"),
                {"name": "plain", "port": 82, "protocol": "TCP"},
                port("lost", 83, json!("nowhere"), "TCP"),
                port("names", 53, json!(53), "UDP"),
            ]},
        })
        .try_into()
        .unwrap();
        service.to_message().unwrap()
    }

    fn one(word: &str, service: Option<&Service>) -> Result<(u16, u16, u16)> {
        let all = read(&[word.to_owned()], &pod(), service)?;
        Ok((all[0].asked.local, all[0].asked.remote, all[0].container))
    }

    #[test]
    fn ports_of_a_pod() {
        for (word, expected) in [
            ("5000", (5000, 5000, 5000)),
            ("8888:5000", (8888, 5000, 5000)),
            (":5000", (0, 5000, 5000)),
            ("0:5000", (0, 5000, 5000)),
            ("http", (8080, 8080, 8080)),
            ("1234:http", (1234, 8080, 8080)),
            (":http", (0, 8080, 8080)),
            ("54", (54, 54, 54)),
        ] {
            assert_eq!(one(word, None).unwrap(), expected, "{word}");
        }
        for (word, expected) in [
            ("1:2:3", "invalid port format '1:2:3'"),
            ("80:", "remote port cannot be empty"),
            ("", "remote port cannot be empty"),
            ("80:0", "remote port must be > 0"),
            ("70000", "error parsing remote port '70000'"),
            ("x:80", "error parsing local port 'x'"),
            ("http:80", "error parsing local port 'http'"),
            ("-1:80", "error parsing local port '-1'"),
            ("none", "Pod 'web' does not have a named port 'none'"),
            ("53", "UDP protocol is not supported for 53"),
            ("dns", "UDP protocol is not supported for 53"),
        ] {
            let error = one(word, None).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{word}: {error}");
        }
    }

    #[test]
    fn ports_of_a_service_lead_to_their_targets() {
        let front = service("10.0.0.1");
        for (word, expected) in [
            ("80", (80, 80, 8080)),
            (":80", (0, 80, 8080)),
            ("8443:web", (8443, 80, 8080)),
            ("admin", (81, 81, 9000)),
            ("82", (82, 82, 82)),
        ] {
            assert_eq!(one(word, Some(&front)).unwrap(), expected, "{word}");
        }
        for (word, expected) in [
            ("84", "Service front does not have a service port 84"),
            ("none", "Service 'front' does not have a named port 'none'"),
            ("83", "Pod 'web' does not have a named port 'nowhere'"),
            ("53", "UDP protocol is not supported for 53"),
        ] {
            assert_eq!(one(word, Some(&front)).unwrap_err().to_string(), expected, "{word}");
        }
        // A service without an address has only the ports of its pods.
        assert_eq!(one("81", Some(&service("None"))).unwrap(), (81, 81, 81));
    }
}
