//! What is special about a resource: facts of the real server, by group and plural name.

use client_rs_machinery::validation::{self, NameUse};

use crate::object::Info;

/// How the generic rules apply to a resource.
// Each flag is a fact of its own, named as the real server names it.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strategy {
    /// What its names must be.
    pub(crate) name: NameRule,
    /// When `metadata.generation` grows.
    pub(crate) generation: Generation,
    /// Whether an update of what is not there creates it.
    pub(crate) create_on_update: bool,
    /// Whether an update may leave out `metadata.resourceVersion`.
    pub(crate) unconditional_update: bool,
    /// Whether a delete answers with the object instead of a `Status`.
    pub(crate) returns_deleted: bool,
    /// What becomes of dependents when a delete does not say.
    pub(crate) dependents: Dependents,
    /// What the kind does that no other does.
    pub(crate) special: Special,
    /// The fields that a field selector knows besides name and namespace.
    pub(crate) fields: &'static [SelectableField],
    /// Whether the kind words an unknown field label in the common way.
    pub(crate) own_labels: bool,
}

/// What a name must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameRule {
    Subdomain,
    Label,
    PathSegment,
}

/// When `metadata.generation` grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Generation {
    /// It is not set.
    None,
    /// It begins at 1 and grows when anything but the metadata changes.
    Content,
    /// It begins at 1 and grows when one of these changes.
    With(&'static [&'static [&'static str]]),
}

/// What becomes of dependents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dependents {
    Delete,
    Orphan,
    /// The kind is never an owner.
    Ignore,
}

/// What a kind does that no other does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    None,
    Namespace,
    Node,
    PersistentVolume,
    Pod,
    Secret,
    Service,
    Job,
    DaemonSet,
    /// The definition of a custom resource.
    Definition,
}

/// A field that a selector knows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SelectableField {
    /// Its name in selectors.
    pub(crate) label: &'static str,
    /// Where it is.
    pub(crate) path: &'static [&'static str],
    /// Its text when it is absent.
    pub(crate) absent: &'static str,
}

const fn text(label: &'static str, path: &'static [&'static str]) -> SelectableField {
    SelectableField { label, path, absent: "" }
}

const fn number(label: &'static str, path: &'static [&'static str]) -> SelectableField {
    SelectableField { label, path, absent: "0" }
}

const fn boolean(label: &'static str, path: &'static [&'static str]) -> SelectableField {
    SelectableField { label, path, absent: "false" }
}

const SPEC: Generation = Generation::With(&[&["spec"]]);

impl Strategy {
    /// The facts of a resource.
    pub(crate) fn of(info: &Info) -> Self {
        let at = (info.group.as_str(), info.plural.as_str());
        Self {
            name: name(at),
            generation: generation(at),
            create_on_update: matches!(
                at,
                ("node.k8s.io", "runtimeclasses")
                    | ("rbac.authorization.k8s.io" | "coordination.k8s.io", _)
                    | ("", "limitranges" | "events" | "services" | "endpoints")
                    | ("events.k8s.io", "events")
            ),
            unconditional_update: !conditional(at),
            returns_deleted: returns_deleted(at),
            dependents: match at {
                ("", "events") | ("events.k8s.io", _) => Dependents::Ignore,
                ("", "replicationcontrollers") | ("batch", "jobs") => Dependents::Orphan,
                _ => Dependents::Delete,
            },
            special: match at {
                ("", "namespaces") => Special::Namespace,
                ("", "nodes") => Special::Node,
                ("", "persistentvolumes") => Special::PersistentVolume,
                ("", "pods") => Special::Pod,
                ("", "secrets") => Special::Secret,
                ("", "services") => Special::Service,
                ("batch", "jobs") => Special::Job,
                ("apps", "daemonsets") => Special::DaemonSet,
                ("apiextensions.k8s.io", "customresourcedefinitions") => Special::Definition,
                _ => Special::None,
            },
            fields: fields(at),
            own_labels: matches!(
                at,
                (
                    "",
                    "pods"
                        | "nodes"
                        | "replicationcontrollers"
                        | "events"
                        | "namespaces"
                        | "secrets"
                        | "services"
                ) | ("apps", "replicasets")
                    | ("batch", "jobs")
                    | ("events.k8s.io", "events")
                    | ("certificates.k8s.io", _)
            ),
        }
    }

    /// The facts of all custom resources.
    pub(crate) fn custom() -> Self {
        Self {
            name: NameRule::Subdomain,
            generation: Generation::Content,
            create_on_update: false,
            unconditional_update: false,
            returns_deleted: false,
            dependents: Dependents::Delete,
            special: Special::None,
            fields: &[],
            own_labels: true,
        }
    }

    /// Whether the name is one that the kind takes.
    pub(crate) fn check_name(&self, name: &str, name_use: NameUse) -> validation::Result {
        match self.name {
            NameRule::Subdomain => validation::name_is_dns_subdomain(name, name_use),
            NameRule::Label => validation::name_is_dns_label(name, name_use),
            NameRule::PathSegment => validation::name_is_path_segment(name, name_use),
        }
    }
}

fn name(at: (&str, &str)) -> NameRule {
    match at {
        ("", "namespaces" | "services") | ("apps", "statefulsets") => NameRule::Label,
        ("", "events")
        | ("rbac.authorization.k8s.io" | "apiregistration.k8s.io", _)
        | ("certificates.k8s.io", "certificatesigningrequests") => NameRule::PathSegment,
        _ => NameRule::Subdomain,
    }
}

fn generation(at: (&str, &str)) -> Generation {
    match at {
        ("apps", "deployments") => Generation::With(&[&["spec"], &["metadata", "annotations"]]),
        ("apps", "controllerrevisions") => Generation::None,
        (
            "apps"
            | "batch"
            | "policy"
            | "autoscaling"
            | "flowcontrol.apiserver.k8s.io"
            | "apiextensions.k8s.io",
            _,
        )
        | ("", "pods" | "replicationcontrollers")
        | ("networking.k8s.io", "ingresses" | "ingressclasses" | "networkpolicies")
        | ("resource.k8s.io", "resourceslices" | "deviceclasses" | "devicetaintrules")
        | (
            "admissionregistration.k8s.io",
            "mutatingadmissionpolicies"
            | "mutatingadmissionpolicybindings"
            | "validatingadmissionpolicies"
            | "validatingadmissionpolicybindings",
        ) => SPEC,
        ("", "podtemplates") => Generation::With(&[&["template"]]),
        ("scheduling.k8s.io", "priorityclasses") => Generation::With(&[]),
        ("discovery.k8s.io", "endpointslices") => {
            Generation::With(&[&["addressType"], &["endpoints"], &["ports"], &["metadata", "labels"]])
        }
        (
            "admissionregistration.k8s.io",
            "mutatingwebhookconfigurations" | "validatingwebhookconfigurations",
        ) => Generation::With(&[&["webhooks"]]),
        _ => Generation::None,
    }
}

fn conditional(at: (&str, &str)) -> bool {
    matches!(
        at,
        ("certificates.k8s.io", "podcertificaterequests" | "clustertrustbundles")
            | ("node.k8s.io", "runtimeclasses")
            | (
                "storagemigration.k8s.io"
                    | "policy"
                    | "coordination.k8s.io"
                    | "admissionregistration.k8s.io"
                    | "apiextensions.k8s.io"
                    | "apiregistration.k8s.io",
                _
            )
            | ("storage.k8s.io", "csidrivers" | "csistoragecapacities" | "volumeattachments" | "csinodes")
    )
}

fn returns_deleted(at: (&str, &str)) -> bool {
    matches!(
        at,
        ("resource.k8s.io", "resourceclaimtemplates" | "resourceslices" | "resourceclaims" | "deviceclasses")
            | (
                "storage.k8s.io",
                "csidrivers"
                    | "storageclasses"
                    | "volumeattachments"
                    | "csinodes"
                    | "volumeattributesclasses"
            )
            | (
                "",
                "resourcequotas"
                    | "persistentvolumes"
                    | "serviceaccounts"
                    | "persistentvolumeclaims"
                    | "namespaces"
                    | "pods"
                    | "services"
                    | "podtemplates"
            )
    )
}

fn fields(at: (&str, &str)) -> &'static [SelectableField] {
    match at {
        ("", "pods") => {
            const {
                &[
                    text("spec.nodeName", &["spec", "nodeName"]),
                    text("spec.restartPolicy", &["spec", "restartPolicy"]),
                    text("spec.schedulerName", &["spec", "schedulerName"]),
                    text("spec.serviceAccountName", &["spec", "serviceAccountName"]),
                    boolean("spec.hostNetwork", &["spec", "hostNetwork"]),
                    text("status.phase", &["status", "phase"]),
                    text("status.podIP", &["status", "podIP"]),
                    text("status.podIPs", &["status", "podIP"]),
                    text("status.nominatedNodeName", &["status", "nominatedNodeName"]),
                ]
            }
        }
        ("", "nodes") => const { &[boolean("spec.unschedulable", &["spec", "unschedulable"])] },
        ("", "namespaces") => {
            const { &[text("status.phase", &["status", "phase"]), text("name", &["metadata", "name"])] }
        }
        ("", "secrets") => const { &[text("type", &["type"])] },
        ("", "services") => {
            const { &[text("spec.clusterIP", &["spec", "clusterIP"]), text("spec.type", &["spec", "type"])] }
        }
        ("", "replicationcontrollers") | ("apps", "replicasets") => {
            const { &[number("status.replicas", &["status", "replicas"])] }
        }
        ("batch", "jobs") => const { &[number("status.successful", &["status", "succeeded"])] },
        ("certificates.k8s.io", "certificatesigningrequests") => {
            const { &[text("spec.signerName", &["spec", "signerName"])] }
        }
        ("events.k8s.io", "events") => {
            const {
                &[
                    text("regarding.kind", &["involvedObject", "kind"]),
                    text("regarding.namespace", &["involvedObject", "namespace"]),
                    text("regarding.name", &["involvedObject", "name"]),
                    text("regarding.uid", &["involvedObject", "uid"]),
                    text("regarding.apiVersion", &["involvedObject", "apiVersion"]),
                    text("regarding.resourceVersion", &["involvedObject", "resourceVersion"]),
                    text("regarding.fieldPath", &["involvedObject", "fieldPath"]),
                    text("reason", &["reason"]),
                    text("reportingController", &["reportingComponent"]),
                    text("type", &["type"]),
                ]
            }
        }
        ("", "events") => {
            const {
                &[
                    text("involvedObject.kind", &["involvedObject", "kind"]),
                    text("involvedObject.namespace", &["involvedObject", "namespace"]),
                    text("involvedObject.name", &["involvedObject", "name"]),
                    text("involvedObject.uid", &["involvedObject", "uid"]),
                    text("involvedObject.apiVersion", &["involvedObject", "apiVersion"]),
                    text("involvedObject.resourceVersion", &["involvedObject", "resourceVersion"]),
                    text("involvedObject.fieldPath", &["involvedObject", "fieldPath"]),
                    text("reason", &["reason"]),
                    text("reportingComponent", &["reportingComponent"]),
                    text("source", &["source", "component"]),
                    text("type", &["type"]),
                ]
            }
        }
        _ => &[],
    }
}
