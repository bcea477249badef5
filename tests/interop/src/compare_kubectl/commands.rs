//! The command lines, and the objects that they work on.

/// A command line's words, without the tool's name. Quotes hold words together.
pub(super) fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quote, mut begun) = (String::new(), None, false);
    for c in line.chars() {
        match (c, quote) {
            ('\'' | '"', None) => (quote, begun) = (Some(c), true),
            (c, Some(open)) if c == open => quote = None,
            (' ', None) => {
                if begun {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            (c, _) => {
                word.push(c);
                begun = true;
            }
        }
    }
    if begun {
        words.push(word);
    }
    words
}

/// Commands without changes.
pub(super) const READS: &[&str] = &[
    "get pods",
    "get po -o wide",
    "get pod web-1",
    "get pods web-1 web-2",
    "get pods web-1 missing web-2",
    "get pods missing",
    "get pods missing --ignore-not-found",
    "get pod/web-1 deploy/web",
    "get pods,services,deployments",
    "get deploy,rs,sts,cm,secrets",
    "get deployments.v1.apps",
    "get Deployment",
    "get all",
    "get pods -A",
    "get pods -l app=web",
    "get pods -l 'app in (web,db),tier!=back'",
    "get pods --field-selector status.phase=Running",
    "get pods --show-labels",
    "get pods -L app,tier",
    "get pods -L app --show-labels -o wide",
    "get pods --no-headers",
    "get pods --chunk-size=1",
    "get pods --chunk-size=2 -o name",
    "get pods --sort-by=.metadata.name",
    "get pods --sort-by=.status.phase",
    "get pods --sort-by={.spec.containers[0].image} -o name",
    "get cm --sort-by=.metadata.labels.order",
    "get pods -o name",
    "get pods -o json",
    "get pod web-1 -o json",
    "get pods -o yaml",
    "get pod web-1 -o yaml",
    "get pod web-1 -o yaml --show-managed-fields",
    "get cm odd -o yaml",
    "get cm odd -o json",
    "get cm -o yaml",
    "get deploy web -o yaml",
    "get svc web -o yaml",
    "get secrets -o yaml",
    "get widgets -o yaml",
    "get widgets",
    "get widgets -o wide",
    "get wdg small",
    "get widgets.compare.example",
    "get pods -o jsonpath={.items[*].metadata.name}",
    "get pod web-1 -o jsonpath={.metadata.labels}",
    "get pods -o 'jsonpath={range .items[*]}{.metadata.name}{\"\\t\"}{.status.phase}{\"\\n\"}{end}'",
    "get pods -o jsonpath-file=template.jsonpath",
    "get pods -o custom-columns=NAME:.metadata.name,IMAGES:.spec.containers[*].image,NODE:.spec.nodeName",
    "get pods -o custom-columns-file=columns.txt",
    "get pods -o custom-columns=N:metadata.labels --no-headers",
    "get pods,cm -o custom-columns=K:kind,N:metadata.name",
    "get -f objects.yaml -o name",
    "get -f objects.yaml",
    "get jobs",
    "get nodes",
    "get namespaces compare",
    "get ns compare -o jsonpath={.status.phase}",
    "get svc",
    "get svc -o wide",
    "get deploy -o wide",
    "get deploy,svc -o wide --show-labels",
    "get cm",
    "get sa",
    "get events",
    "get leases",
    "get crd widgets.compare.example -o name",
    "get nonsense",
    "get pods -o nonsense",
    "get pods web-1 -l app=web",
    "get pod/web-1 pods",
    "get pods web-1 -A",
    "describe pod web-1",
    "describe pod web-2",
    "describe pods",
    "describe pod/db",
    "describe deploy web",
    "describe svc web",
    "describe svc external",
    "describe svc",
    "describe cm settings",
    "describe secret hidden",
    "describe widget small",
    "describe widgets",
    "describe cm sett",
    "describe pod missing",
    "describe node compare-node",
    "describe rs",
    "logs missing",
    "logs db",
    "logs db -c side --tail=1",
    "logs db -c none",
    "logs -l app=db --all-containers --tail=1",
    "logs cm/settings",
    "logs -l app=none",
    "logs db -l app=db",
    "logs db --limit-bytes=-1",
    "exec missing -- ls",
    "exec db",
    "exec db ls",
    "exec db -c none -- ls",
    "exec cm/settings -- ls",
    "attach missing",
    "attach db -c none",
    "attach",
    "cp objects.yaml",
    "cp objects.yaml other.yaml",
    "cp no-such-file db:x",
    "cp missing:x y",
    "cp db:x db:y",
    "cp a/b/c:x y",
    "port-forward missing 80",
    "port-forward db",
    "port-forward svc/web 1",
    "port-forward svc/web none",
    "port-forward cm/settings 80",
    "api-versions",
    "api-resources",
    "api-resources -o wide",
    "api-resources -o yaml --namespaced=false",
    "api-resources -o json --api-group=apps",
    "explain pods",
    "explain deployment.spec.template.spec.containers",
    "explain po.spec.restartPolicy",
    "explain deployments.apps.spec.strategy",
    "explain pods.spec.containers.resources.limits",
    "explain service.spec.ports.targetPort",
    "explain cronjob --recursive",
    "explain crd.spec.versions.schema --recursive",
    "explain hpa.spec --api-version=autoscaling/v1",
    "explain pods.spec.colour",
    "explain nosuch",
    "explain pods --api-version=v2",
];

/// Commands that show texts with control characters. kubectl escapes ESC everywhere except in headers, and carriage
/// returns in most places; krs escapes every control character, everywhere. Outside of the last column, the widths
/// would differ.
pub(super) const HOSTILE: &[&str] = &[
    "get gadgets",
    "get gadgets -o wide --no-headers",
    "describe gadget hostile",
    "describe cm hostile",
    "get cm hostile -o custom-columns=NAME:metadata.name,NOTES:metadata.annotations",
    "get cm hostile -o custom-columns=NAME:metadata.name,DATA:data.key",
    "get events hostile.1",
    "get events",
];

/// Commands with changes, on two copies of the objects. The steps of a row build on each other.
pub(super) const WRITES: &[&[&str]] = &[&[
    "apply --server-side -f twin.yaml",
    "apply --server-side -f twin.yaml --dry-run=server",
    "apply --server-side -f twin.yaml -o name",
    "apply --server-side -f other.yaml --field-manager=other",
    "apply --server-side -f other.yaml --field-manager=other --force-conflicts",
    "apply --server-side -f invalid.yaml",
    "scale deploy/twin --replicas=3",
    "scale deploy twin --replicas=4 --current-replicas=3",
    "scale deploy twin --replicas=5 --current-replicas=3",
    "scale deploy/twin --replicas=6 --dry-run=server",
    "scale deploy --all --replicas=2",
    "scale deploy -l app=twin --replicas=1 -o name",
    "scale deploy missing --replicas=1",
    "get deploy twin -o jsonpath={.spec.replicas}",
    "delete deploy twin --dry-run=server",
    "delete deploy twin --dry-run=client -o name",
    "delete deploy twin --wait=false",
    "delete deploy missing",
    "delete deploy missing --ignore-not-found",
    "delete cm -l app=twin",
    "delete cm,secret --field-selector metadata.name!=kube-root-ca.crt",
    "delete cm",
    "delete pod twin-a twin-b missing --force --grace-period=0",
    "delete -f twin.yaml --ignore-not-found",
    "delete svc --all",
]];

/// Commands that change a kubeconfig. Each builds on the ones before.
pub(super) const CONFIGS: &[&str] = &[
    "config current-context",
    "config get-contexts",
    "config get-contexts --no-headers",
    "config get-contexts -o name",
    "config get-contexts one missing",
    "config get-clusters",
    "config get-users",
    "config view",
    "config view --minify",
    "config view --raw",
    "config view -o json",
    "config view --raw -o json",
    "config view -o jsonpath={.contexts[*].name}",
    "config use-context two",
    "config use-context missing",
    "config set-context three --cluster=k --user=cert -n web",
    "config set-context --current -n prod",
    "config rename-context three 3",
    "config rename-context missing x",
    "config set-cluster new --server=https://new --tls-server-name=n --proxy-url=http://p",
    "config set-cluster new --insecure-skip-tls-verify",
    "config set-credentials new --token=t",
    "config set-credentials new --username=a --password=b",
    "config set-credentials plugin --exec-command=login --exec-api-version=client.authentication.k8s.io/v1 --exec-arg=a --exec-env=K=V --exec-interactive-mode=Never",
    "config unset users.cert.client-key-data",
    "config unset contexts.one.namespace",
    "config delete-context 3",
    "config delete-context missing",
    "config delete-cluster new",
    "config delete-user new",
    "config view --raw",
    "config unset current-context",
    "config current-context",
    "config view --raw -o json",
];

pub(super) const KUBECONFIG: &str = "apiVersion: v1
kind: Config
current-context: one
preferences: {}
clusters:
- name: k
  cluster: {server: 'https://k:6443', certificate-authority-data: aHVudGVyMg==}
- name: l
  cluster: {server: 'https://l:6443', insecure-skip-tls-verify: true, proxy-url: 'http://proxy:8080'}
users:
- name: cert
  user: {client-certificate-data: aHVudGVyMg==, client-key-data: aHVudGVyMg==}
- name: token
  user: {token: hunter2}
contexts:
- name: one
  context: {cluster: k, user: cert, namespace: db}
- name: two
  context: {cluster: l, user: token}
";

/// Files that the command lines name.
pub(super) const FILES: &[(&str, &str)] = &[
    ("template.jsonpath", "{range .items[*]}{.metadata.name}{\"\\n\"}{end}"),
    ("columns.txt", "NAME IMAGE\n.metadata.name {.spec.containers[0].image}\n"),
    ("definition.yaml", include_str!("definition.yaml")),
    ("objects.yaml", include_str!("objects.yaml")),
    ("cluster.yaml", include_str!("cluster.yaml")),
    ("hostile-definition.yaml", include_str!("hostile-definition.yaml")),
    ("hostile-gadget.yaml", include_str!("hostile-gadget.yaml")),
    ("hostile.yaml", include_str!("hostile.yaml")),
    ("hostile-event.yaml", include_str!("hostile-event.yaml")),
    ("twin.yaml", include_str!("twin.yaml")),
    ("other.yaml", "{apiVersion: apps/v1, kind: Deployment, metadata: {name: twin}, spec: {replicas: 7}}\n"),
    ("invalid.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: INVALID}}\n"),
];

/// The statuses that the objects' controllers would write.
pub(super) const STATUSES: &[(&str, &str)] = &[
    (
        "node/compare-node",
        r#"{"status":{"capacity":{"cpu":"4","memory":"8Gi","pods":"110","example.com/gpu":"1"},"allocatable":{"cpu":"3900m","memory":"7Gi","pods":"110","example.com/gpu":"1"},"addresses":[{"type":"InternalIP","address":"192.168.0.1"}],"nodeInfo":{"machineID":"m","systemUUID":"s","bootID":"b","kernelVersion":"6.1","osImage":"Linux","containerRuntimeVersion":"containerd://2","kubeletVersion":"v1.37.1","kubeProxyVersion":"","operatingSystem":"linux","architecture":"amd64"},"conditions":[{"type":"Ready","status":"True","reason":"KubeletReady","message":"kubelet is posting ready status","lastHeartbeatTime":"2026-01-02T03:04:05Z","lastTransitionTime":"2026-01-02T03:04:05Z"}]}}"#,
    ),
    (
        "pod/web-1",
        r#"{"status":{"phase":"Running","podIP":"10.0.0.1","podIPs":[{"ip":"10.0.0.1"}],"hostIP":"192.168.0.1","startTime":"2026-01-02T03:04:05Z","conditions":[{"type":"Ready","status":"True"},{"type":"PodScheduled","status":"True"}],"containerStatuses":[{"name":"app","image":"nginx","imageID":"sha256:1","containerID":"containerd://1","ready":true,"restartCount":0,"state":{"running":{"startedAt":"2026-01-02T03:04:06Z"}}}]}}"#,
    ),
    (
        "pod/web-2",
        r#"{"status":{"phase":"Running","containerStatuses":[{"name":"app","image":"nginx","imageID":"","ready":false,"restartCount":3,"state":{"waiting":{"reason":"CrashLoopBackOff","message":"back-off"}},"lastState":{"terminated":{"exitCode":137,"reason":"OOMKilled","startedAt":"2026-01-02T03:04:06Z","finishedAt":"2026-01-02T03:05:06Z"}}}]}}"#,
    ),
    (
        "deployment/web",
        r#"{"status":{"replicas":2,"updatedReplicas":2,"readyReplicas":1,"availableReplicas":1,"unavailableReplicas":1,"conditions":[{"type":"Available","status":"False","reason":"MinimumReplicasUnavailable","message":"Deployment does not have minimum availability, which is a message long enough to be folded.","lastUpdateTime":"2026-01-02T03:04:05Z","lastTransitionTime":"2026-01-02T03:04:05Z"}]}}"#,
    ),
];

#[cfg(test)]
mod tests {
    #[test]
    fn quotes_hold_words_together() {
        assert_eq!(super::words("a 'b c' d=\"e f\" ''"), ["a", "b c", "d=e f", ""]);
    }
}
