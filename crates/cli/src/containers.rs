//! Selection of a pod's container.

use std::io::Write;

use anyhow::{Result, bail};
use client_rs_api::core::v1::Pod;

/// The annotation with the default container.
pub(crate) const DEFAULT_CONTAINER: &str = "kubectl.kubernetes.io/default-container";

/// A container of a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Container {
    pub(crate) name: String,
    /// Has it a terminal?
    pub(crate) tty: bool,
    pub(crate) role: Role,
}

/// The purpose of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// To begin with.
    Init,
    /// The pod's work.
    Own,
    /// A look at it.
    Ephemeral,
}

/// All containers, in the order in which they begin.
pub(crate) fn all(pod: &Pod) -> Vec<Container> {
    let container = |name: &str, tty, role| Container { name: name.to_owned(), tty, role };
    let spec = &pod.spec;
    let init = spec.init_containers.iter().map(|one| container(&one.name, one.tty, Role::Init));
    let own = spec.containers.iter().map(|one| container(&one.name, one.tty, Role::Own));
    let ephemeral = spec.ephemeral_containers.iter().map(|one| &one.ephemeral_container_common);
    let ephemeral = ephemeral.map(|one| container(&one.name, one.tty, Role::Ephemeral));
    init.chain(own).chain(ephemeral).collect()
}

/// The container of this name.
pub(crate) fn named(pod: &Pod, name: &str) -> Result<Container> {
    match all(pod).into_iter().find(|container| container.name == name) {
        Some(container) => Ok(container),
        None => {
            bail!("container {name} is not valid for pod {} out of: {}", pod.metadata.name, listing(pod))
        }
    }
}

/// The container of this name. Without a name, the one in the pod's annotation; otherwise the first one, with a message to
/// `err` if there are others.
pub(crate) fn choose(
    pod: &Pod,
    name: Option<&str>,
    quiet: bool,
    err: &mut (dyn Write + Send),
) -> Result<Container> {
    let annotated = pod.metadata.annotations.get(DEFAULT_CONTAINER).map(|name| &**name);
    match name.or(annotated).filter(|name| !name.is_empty()) {
        Some(name) => named(pod, name),
        None => first(pod, quiet, err),
    }
}

/// The first container; writes a note to `err` if there are others.
pub(crate) fn first(pod: &Pod, quiet: bool, err: &mut (dyn Write + Send)) -> Result<Container> {
    let all = all(pod);
    let Some(first) = all.iter().find(|container| container.role == Role::Own) else {
        bail!("pod {}/{} does not have any containers", pod.metadata.namespace, pod.metadata.name);
    };
    if all.len() > 1 && !quiet {
        writeln!(err, "Defaulted container {:?} out of: {}", first.name, listing(pod))?;
    }
    Ok(first.clone())
}

/// All names, for people.
fn listing(pod: &Pod) -> String {
    let all = all(pod);
    let of = |role: Role, mark: &str| {
        let those = all.iter().filter(move |container| container.role == role);
        those.map(|container| format!("{}{mark}", container.name)).collect::<Vec<_>>()
    };
    [of(Role::Own, ""), of(Role::Ephemeral, " (ephem)"), of(Role::Init, " (init)")].concat().join(", ")
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::{Json, Unstructured, json};

    use super::*;

    fn pod(annotation: Option<&str>) -> Pod {
        let annotations = annotation.map_or(Json::Null, |name| json!({DEFAULT_CONTAINER: name}));
        let pod: Unstructured = json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": "p", "namespace": "n", "annotations": annotations},
            "spec": {
                "initContainers": [{"name": "i"}],
                "containers": [{"name": "a"}, {"name": "b", "tty": true}],
                "ephemeralContainers": [{"name": "e"}],
            },
        })
        .try_into()
        .unwrap();
        pod.to_message().unwrap()
    }

    fn chosen(pod: &Pod, name: Option<&str>, quiet: bool) -> Result<(String, String)> {
        let mut err = Vec::new();
        let container = choose(pod, name, quiet, &mut err)?;
        Ok((container.name, String::from_utf8(err)?))
    }

    #[test]
    fn a_container_is_the_first_unless_said_otherwise() {
        let said = "Defaulted container \"a\" out of: a, b, e (ephem), i (init)\n";
        assert_eq!(chosen(&pod(None), None, false).unwrap(), ("a".into(), said.into()));
        assert_eq!(chosen(&pod(None), None, true).unwrap(), ("a".into(), String::new()));
        assert_eq!(chosen(&pod(None), Some("i"), false).unwrap(), ("i".into(), String::new()));
        assert_eq!(chosen(&pod(Some("b")), None, false).unwrap(), ("b".into(), String::new()));
        assert_eq!(chosen(&pod(Some("b")), Some("e"), false).unwrap().0, "e");
        for (pod, name) in [(pod(None), Some("x")), (pod(Some("x")), None)] {
            let error = chosen(&pod, name, false).unwrap_err().to_string();
            assert_eq!(error, "container x is not valid for pod p out of: a, b, e (ephem), i (init)");
        }
        let error = chosen(&Pod::EMPTY, None, false).unwrap_err().to_string();
        assert!(error.contains("does not have any containers"), "{error}");
        assert!(named(&pod(None), "b").unwrap().tty);
    }
}
