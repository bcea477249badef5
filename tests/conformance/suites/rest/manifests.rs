//! A small manifest of every kind.

use client_rs_machinery::ResourceInfo;
use client_rs_tests::Authority;
use serde_json::{Value, json};

/// Returns the fields of an object of this kind, without `apiVersion` and `kind`; with a name if the kind requires a
/// certain one. Returns `None` for an unknown kind.
pub(super) fn manifest(info: &ResourceInfo, namespace: &str) -> Option<Value> {
    let (group, version, kind) = (info.group, info.version, info.kind);
    workloads(kind)
        .or_else(|| core(group, kind, namespace))
        .or_else(|| policies(kind, version))
        .or_else(|| cluster(kind, version, namespace))
        .or_else(|| devices(version, kind))
        .or_else(|| reviews(kind, namespace))
}

fn pod_spec() -> Value {
    json!({"containers": [{
        "name": "main", "image": "registry.k8s.io/pause:3.10", "command": ["/pause"],
        "env": [{"name": "A", "value": "b"}], "ports": [{"containerPort": 80, "protocol": "TCP"}],
        "resources": {"requests": {"cpu": "100m", "memory": "32Mi"}, "limits": {"memory": "64Mi"}},
        "livenessProbe": {"httpGet": {"path": "/", "port": "http"}, "periodSeconds": 5},
        "volumeMounts": [{"name": "scratch", "mountPath": "/scratch"}],
    }], "volumes": [{"name": "scratch", "emptyDir": {"sizeLimit": "1Gi"}}], "nodeSelector": {"disk": "fast"}})
}

fn template(restart: &str) -> Value {
    let mut spec = pod_spec();
    spec["restartPolicy"] = json!(restart);
    json!({"metadata": {"labels": {"app": "round-trip"}}, "spec": spec})
}

fn workloads(kind: &str) -> Option<Value> {
    let selector = json!({"matchLabels": {"app": "round-trip"}});
    let always = template("Always");
    Some(match kind {
        "Pod" => json!({"spec": pod_spec()}),
        "PodTemplate" => json!({"template": always}),
        "ReplicationController" => {
            json!({"spec": {"replicas": 0, "selector": {"app": "round-trip"}, "template": always}})
        }
        "ReplicaSet" => json!({"spec": {"replicas": 0, "selector": selector, "template": always}}),
        "Deployment" => json!({"spec": {
            "replicas": 0, "selector": selector, "template": always,
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": 1}},
        }}),
        "StatefulSet" => {
            json!({"spec": {"replicas": 0, "serviceName": "none", "selector": selector, "template": always}})
        }
        "DaemonSet" => json!({"spec": {"selector": selector, "template": always}}),
        "ControllerRevision" => json!({"revision": 3, "data": {"spec": {"any": ["thing", 1, true, null]}}}),
        "Job" => json!({"spec": {"suspend": true, "template": template("Never")}}),
        "CronJob" => json!({"spec": {
            "schedule": "0 4 1 1 *", "suspend": true, "jobTemplate": {"spec": {"template": template("OnFailure")}},
        }}),
        "HorizontalPodAutoscaler" => json!({"spec": {
            "maxReplicas": 3, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "none"},
        }}),
        "PodDisruptionBudget" => json!({"spec": {"minAvailable": "50%", "selector": selector}}),
        "NetworkPolicy" => json!({"spec": {
            "podSelector": {"matchLabels": {"app": "nobody"}}, "policyTypes": ["Ingress"],
            "ingress": [{"ports": [{"port": 80, "protocol": "TCP"}, {"port": "http"}]}],
        }}),
        _ => return None,
    })
}

fn core(group: &str, kind: &str, namespace: &str) -> Option<Value> {
    let reference =
        json!({"apiVersion": "v1", "kind": "Namespace", "name": namespace, "namespace": namespace});
    Some(match (group, kind) {
        (_, "ConfigMap") => json!({"data": {"a": "b"}, "binaryData": {"c": "AAEC"}}),
        (_, "Secret") => json!({"type": "Opaque", "data": {"a": "aHVudGVyMg=="}}),
        (_, "Namespace") => json!({"metadata": {"name": format!("{namespace}-2")}}),
        (_, "Node") => {
            json!({"spec": {"podCIDR": "10.9.0.0/24", "taints": [{"key": "a", "effect": "NoSchedule"}]}})
        }
        (_, "ServiceAccount") => json!({"automountServiceAccountToken": false}),
        (_, "Endpoints") => {
            json!({"subsets": [{"addresses": [{"ip": "10.1.2.3"}], "ports": [{"name": "http", "port": 80}]}]})
        }
        (_, "Service") => json!({"spec": {
            "selector": {"app": "nobody"}, "ports": [{"name": "http", "port": 80, "targetPort": "web"}],
        }}),
        ("", "Event") => {
            json!({"involvedObject": reference, "reason": "Round", "message": "trip", "type": "Normal"})
        }
        ("events.k8s.io", "Event") => json!({
            // The same objects as the core group's.
            "metadata": {"name": "round-trip-events"},
            "regarding": reference, "reason": "Round", "note": "trip", "type": "Normal", "action": "Turn",
            "eventTime": "2026-01-02T03:04:05.000006Z", "reportingController": "example.com/us",
            "reportingInstance": "one",
        }),
        (_, "LimitRange") => {
            json!({"spec": {"limits": [{"type": "PersistentVolumeClaim", "max": {"storage": "1Ti"}}]}})
        }
        (_, "ResourceQuota") => json!({"spec": {"hard": {"count/widgets.example.com": "5"}}}),
        (_, "PersistentVolume") => json!({"spec": {
            "capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "hostPath": {"path": "/none"},
            "storageClassName": "none",
        }}),
        (_, "PersistentVolumeClaim") => json!({"spec": {
            "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}},
            "storageClassName": "none",
        }}),
        (_, "EndpointSlice") => json!({
            "addressType": "IPv4", "endpoints": [{"addresses": ["10.1.2.3"], "conditions": {"ready": true}}],
            "ports": [{"name": "http", "port": 80, "protocol": "TCP"}],
        }),
        (_, "Lease") => json!({"spec": {
            "holderIdentity": "me", "leaseDurationSeconds": 15, "renewTime": "2026-01-02T03:04:05.000006Z",
        }}),
        (_, "LeaseCandidate") => json!({"spec": {
            "leaseName": "none", "binaryVersion": "1.37.0", "emulationVersion": "1.37.0",
            "strategy": "OldestEmulationVersion",
        }}),
        _ => return None,
    })
}

fn policies(kind: &str, version: &str) -> Option<Value> {
    let subjects = json!([{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "nobody"}]);
    let role = |kind: &str| json!({"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": "none"});
    let rules = json!([{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]);
    let nothing = json!({"resourceRules": [{
        "apiGroups": ["none.example.com"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["nothing"],
    }]});
    let webhooks = json!([{
        "name": "none.example.com", "admissionReviewVersions": ["v1"], "sideEffects": "None",
        "failurePolicy": "Ignore", "clientConfig": {"url": "https://none.example.com/"},
        "rules": nothing["resourceRules"],
    }]);
    Some(match kind {
        "Role" | "ClusterRole" => json!({"rules": rules}),
        "RoleBinding" => json!({"roleRef": role("Role"), "subjects": subjects}),
        "ClusterRoleBinding" => json!({"roleRef": role("ClusterRole"), "subjects": subjects}),
        "ValidatingWebhookConfiguration" | "MutatingWebhookConfiguration" => json!({"webhooks": webhooks}),
        "ValidatingAdmissionPolicy" => {
            json!({"spec": {"matchConstraints": nothing, "validations": [{"expression": "true", "message": "m"}]}})
        }
        "ValidatingAdmissionPolicyBinding" => {
            json!({"spec": {"policyName": "none", "validationActions": ["Audit"]}})
        }
        "MutatingAdmissionPolicy" => json!({"spec": {
            "matchConstraints": nothing, "reinvocationPolicy": "Never", "failurePolicy": "Ignore",
            "mutations": [{"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": "Object{}"}}],
        }}),
        "MutatingAdmissionPolicyBinding" => json!({"spec": {"policyName": "none"}}),
        "FlowSchema" => json!({"spec": {
            "priorityLevelConfiguration": {"name": "global-default"}, "matchingPrecedence": 9999,
            "rules": [{
                "subjects": [{"kind": "User", "user": {"name": "nobody"}}],
                "nonResourceRules": [{"verbs": ["get"], "nonResourceURLs": ["/none"]}],
            }],
        }}),
        "PriorityLevelConfiguration" => json!({"spec": {
            "type": "Limited", "limited": {"nominalConcurrencyShares": 1, "limitResponse": {"type": "Reject"}},
        }}),
        "PriorityClass" => json!({"value": 7, "description": version}),
        _ => return None,
    })
}

fn cluster(kind: &str, version: &str, namespace: &str) -> Option<Value> {
    Some(match kind {
        "CustomResourceDefinition" => json!({
            "metadata": {"name": "trips.round.example.com"},
            "spec": {
                "group": "round.example.com", "scope": "Namespaced", "names": {"plural": "trips", "kind": "Trip"},
                "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                    "type": "object", "properties": {"spec": {
                        "type": "object", "properties": {
                            "size": {"type": "number", "default": 3, "minimum": 0.5},
                            "any": {"x-kubernetes-preserve-unknown-fields": true},
                            "map": {"type": "object", "additionalProperties": {"type": "string"}},
                        },
                    }},
                }}}],
            },
        }),
        "APIService" => json!({
            "metadata": {"name": "v1.none.example.com"},
            "spec": {
                "group": "none.example.com", "version": "v1", "groupPriorityMinimum": 100, "versionPriority": 10,
                "insecureSkipTLSVerify": true, "service": {"name": "none", "namespace": namespace},
            },
        }),
        "CertificateSigningRequest" => json!({"spec": {
            "request": request()?, "signerName": "example.com/none", "usages": ["client auth"],
        }}),
        "ClusterTrustBundle" => {
            json!({"spec": {"trustBundle": Authority::unknown().ok()?.certificate().ok()?}})
        }
        "PodCertificateRequest" => json!({"spec": {
            "signerName": "example.com/none", "podName": "none", "podUID": "3f1c1f4e-55f8-4a4b-9c0e-1d2c3b4a5f60",
            "serviceAccountName": "default", "serviceAccountUID": "3f1c1f4e-55f8-4a4b-9c0e-1d2c3b4a5f61",
            "nodeName": "none", "nodeUID": "3f1c1f4e-55f8-4a4b-9c0e-1d2c3b4a5f62", "maxExpirationSeconds": 86400,
            "stubPKCS10Request": request_der()?,
        }}),
        "IngressClass" => json!({"spec": {"controller": "example.com/none"}}),
        "Ingress" => json!({"spec": {"rules": [{"host": "none.example.com", "http": {"paths": [{
            "path": "/", "pathType": "Prefix", "backend": {"service": {"name": "none", "port": {"number": 80}}},
        }]}}]}}),
        "IPAddress" => json!({
            "metadata": {"name": "10.0.200.7"},
            "spec": {"parentRef": {"group": "", "resource": "services", "namespace": namespace, "name": "none"}},
        }),
        "ServiceCIDR" => json!({"spec": {"cidrs": ["10.77.0.0/24"]}}),
        "RuntimeClass" => json!({"handler": "none", "overhead": {"podFixed": {"cpu": "1m"}}}),
        "CSIDriver" => json!({"metadata": {"name": "none.example.com"}, "spec": {"attachRequired": true}}),
        "CSINode" => {
            json!({"spec": {"drivers": [{"name": "none.example.com", "nodeID": "n", "topologyKeys": ["t"]}]}})
        }
        "CSIStorageCapacity" => json!({"storageClassName": "none", "capacity": "1Gi"}),
        "StorageClass" => json!({"provisioner": "none.example.com", "parameters": {"a": "b"}}),
        "VolumeAttachment" => json!({"spec": {
            "attacher": "none.example.com", "nodeName": "none", "source": {"persistentVolumeName": "none"},
        }}),
        "VolumeAttributesClass" => json!({"driverName": "none.example.com", "parameters": {"iops": "1"}}),
        "StorageVersion" => json!({"metadata": {"name": "none.example.com.things"}, "spec": {}}),
        "StorageVersionMigration" => json!({"spec": {"resource": {
            "group": "", "resource": if version == "v1" { "podtemplates" } else { "limitranges" },
        }}}),
        "Eviction" => json!({"spec": {"target": {"pod": {
            "name": "none", "uid": "3f1c1f4e-55f8-4a4b-9c0e-1d2c3b4a5f60",
        }}}}),
        "EvictionRequest" => json!({"spec": {
            "target": {"pod": {"name": "none", "uid": "3f1c1f4e-55f8-4a4b-9c0e-1d2c3b4a5f60"}},
            "requester": "example.com/none", "intent": "Eviction",
        }}),
        "PodGroup" => json!({"spec": {"schedulingPolicy": {"gang": {"minCount": 2}}}}),
        "CompositePodGroup" => json!({"spec": {
            "schedulingPolicy": {"basic": {}}, "workloadRef": {"workloadName": "none", "templateName": "none"},
        }}),
        "Workload" => json!({"spec": {
            "podGroupTemplates": [{"name": "all", "schedulingPolicy": {"gang": {"minCount": 2}}}],
        }}),
        _ => return None,
    })
}

fn devices(version: &str, kind: &str) -> Option<Value> {
    let selectors = json!([{"cel": {"expression": "device.driver == 'none.example.com'"}}]);
    let request = if version == "v1beta1" {
        json!({"name": "one", "deviceClassName": "none"})
    } else {
        json!({"name": "one", "exactly": {"deviceClassName": "none"}})
    };
    let claim = json!({"devices": {"requests": [request]}});
    let device = if version == "v1beta1" {
        json!({"name": "d", "basic": {"attributes": {"model": {"string": "x"}}, "capacity": {"memory": {"value": "1Gi"}}}})
    } else {
        json!({"name": "d", "attributes": {"model": {"string": "x"}}, "capacity": {"memory": {"value": "1Gi"}}})
    };
    Some(match kind {
        "DeviceClass" => json!({"spec": {"selectors": selectors}}),
        "ResourceClaim" => json!({"spec": claim}),
        "ResourceClaimTemplate" => json!({"spec": {"spec": claim}}),
        "ResourceSlice" => json!({"spec": {
            "driver": "none.example.com", "allNodes": true, "devices": [device],
            "pool": {"name": format!("pool-{version}"), "generation": 1, "resourceSliceCount": 1},
        }}),
        "DeviceTaintRule" => json!({"spec": {
            "deviceSelector": {"driver": "none.example.com", "pool": "none", "device": "none"},
            "taint": {"key": "example.com/broken", "value": "a", "effect": "NoSchedule"},
        }}),
        "ResourcePoolStatusRequest" => json!({"spec": {"driver": "none.example.com", "limit": 5}}),
        _ => return None,
    })
}

fn reviews(kind: &str, namespace: &str) -> Option<Value> {
    let attributes = json!({"namespace": namespace, "verb": "get", "resource": "pods"});
    Some(match kind {
        "SelfSubjectReview" => json!({}),
        "TokenReview" => json!({"spec": {"token": "nobody's"}}),
        "SelfSubjectAccessReview" => json!({"spec": {"resourceAttributes": attributes}}),
        "SubjectAccessReview" => json!({"spec": {"user": "nobody", "resourceAttributes": attributes}}),
        "LocalSubjectAccessReview" => json!({
            "metadata": {"namespace": namespace},
            "spec": {"user": "nobody", "resourceAttributes": attributes},
        }),
        "SelfSubjectRulesReview" => json!({"spec": {"namespace": namespace}}),
        _ => return None,
    })
}

/// A certificate request, as JSON holds bytes.
fn request() -> Option<Value> {
    let request =
        rcgen::CertificateParams::default().serialize_request(&rcgen::KeyPair::generate().ok()?).ok()?;
    Some(bytes(request.pem().ok()?.as_bytes()))
}

fn request_der() -> Option<Value> {
    let request =
        rcgen::CertificateParams::default().serialize_request(&rcgen::KeyPair::generate().ok()?).ok()?;
    Some(bytes(request.der()))
}

fn bytes(bytes: &[u8]) -> Value {
    use base64::Engine as _;
    json!(base64::engine::general_purpose::STANDARD.encode(bytes))
}
