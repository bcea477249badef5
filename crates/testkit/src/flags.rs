//! The command lines of the control plane's programs.

use std::collections::BTreeMap;

use crate::layout::Layout;
use crate::options::Options;

/// etcd on a unix socket, which only the owner of its folder can reach. It must run in that folder: the
/// socket for peers, which it insists on, has a relative name.
pub(crate) fn etcd(layout: &Layout, options: &Options) -> Vec<String> {
    let socket = format!("unix://{}", layout.etcd_socket().display());
    let peers = "unix://peer.sock:0";
    let mut flags = vec![
        "--name=client-rs".into(),
        format!("--data-dir={}", layout.text("etcd")),
        format!("--listen-client-urls={socket}"),
        format!("--advertise-client-urls={socket}"),
        format!("--listen-peer-urls={peers}"),
        format!("--initial-advertise-peer-urls={peers}"),
        format!("--initial-cluster=client-rs={peers}"),
        // The data is thrown away with the cluster: nothing is gained by waiting for the disk.
        "--unsafe-no-fsync=true".into(),
        "--log-level=warn".into(),
    ];
    flags.extend_from_slice(&options.etcd_args);
    flags
}

/// kube-apiserver on one port of loopback, RBAC on.
pub(crate) fn apiserver(layout: &Layout, options: &Options, port: u16) -> Vec<String> {
    let file = |name: &str| layout.text(name);
    let mut flags = vec![
        format!("--etcd-servers=unix://{}", layout.etcd_socket().display()),
        "--bind-address=127.0.0.1".into(),
        "--advertise-address=127.0.0.1".into(),
        format!("--secure-port={port}"),
        // A loopback address is no endpoint of a service: the reconciler would refuse it.
        "--endpoint-reconciler-type=none".into(),
        "--service-cluster-ip-range=10.0.0.0/16".into(),
        format!("--cert-dir={}", file("")),
        format!("--tls-cert-file={}", file("apiserver.crt")),
        format!("--tls-private-key-file={}", file("apiserver.key")),
        format!("--client-ca-file={}", file("ca.crt")),
        format!("--token-auth-file={}", file("tokens.csv")),
        "--authorization-mode=Node,RBAC".into(),
        "--service-account-issuer=https://kubernetes.default.svc.cluster.local".into(),
        format!("--service-account-key-file={}", file("service-account.pub")),
        format!("--service-account-signing-key-file={}", file("service-account.key")),
        format!("--requestheader-client-ca-file={}", file("front-proxy-ca.crt")),
        "--requestheader-allowed-names=front-proxy-client".into(),
        "--requestheader-username-headers=X-Remote-User".into(),
        "--requestheader-group-headers=X-Remote-Group".into(),
        "--requestheader-extra-headers-prefix=X-Remote-Extra-".into(),
        format!("--proxy-client-cert-file={}", file("front-proxy.crt")),
        format!("--proxy-client-key-file={}", file("front-proxy.key")),
        "--allow-privileged=true".into(),
    ];
    if options.all_apis {
        flags.push("--runtime-config=api/all=true".into());
    }
    flags.extend(feature_gates(options));
    flags.extend_from_slice(&options.apiserver_args);
    flags
}

/// kube-controller-manager with every controller that is on by default, each as its own service account.
pub(crate) fn controller_manager(layout: &Layout, options: &Options) -> Vec<String> {
    let file = |name: &str| layout.text(name);
    let mut flags = vec![
        format!("--kubeconfig={}", file("controller-manager.kubeconfig")),
        // It serves nothing: one port less that could be taken.
        "--secure-port=0".into(),
        "--leader-elect=false".into(),
        "--use-service-account-credentials=true".into(),
        format!("--service-account-private-key-file={}", file("service-account.key")),
        format!("--root-ca-file={}", file("ca.crt")),
        format!("--cluster-signing-cert-file={}", file("ca.crt")),
        format!("--cluster-signing-key-file={}", file("ca.key")),
    ];
    flags.extend(feature_gates(options));
    flags.extend_from_slice(&options.controller_manager_args);
    flags
}

fn feature_gates(options: &Options) -> Option<String> {
    let mut gates: BTreeMap<&str, bool> = BTreeMap::new();
    if options.all_apis {
        gates.extend([("AllAlpha", true), ("AllBeta", true)]);
    }
    gates.extend(options.feature_gates.iter().map(|(name, value)| (name.as_str(), *value)));
    let list: Vec<String> = gates.iter().map(|(name, value)| format!("{name}={value}")).collect();
    (!list.is_empty()).then(|| format!("--feature-gates={}", list.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn layout() -> Layout {
        Layout::new(Path::new("/tmp/x")).unwrap()
    }

    #[test]
    fn a_plain_cluster_keeps_kubernetes_defaults() {
        let options = Options::default();
        let all = [apiserver(&layout(), &options, 6443), controller_manager(&layout(), &options)].concat();
        assert!(
            !all.iter()
                .any(|flag| flag.starts_with("--feature-gates") || flag.starts_with("--runtime-config"))
        );
        assert!(all.contains(&"--secure-port=6443".to_owned()));
        assert!(all.contains(&"--authorization-mode=Node,RBAC".to_owned()));
        assert!(all.contains(&"--client-ca-file=/tmp/x/ca.crt".to_owned()));
    }

    #[test]
    fn etcd_is_on_sockets_only() {
        let flags = etcd(&layout(), &Options::default());
        assert!(flags.contains(&"--listen-client-urls=unix:///tmp/x/etcd.sock".to_owned()));
        assert!(!flags.iter().any(|flag| flag.contains("http://") || flag.contains("127.0.0.1")));
    }

    #[test]
    fn every_api_enables_its_gates_and_named_gates_win() {
        let options = Options {
            all_apis: true,
            feature_gates: BTreeMap::from([("AllBeta".into(), false), ("ZeroTrust".into(), true)]),
            ..Options::default()
        };
        let flags = apiserver(&layout(), &options, 1);
        assert!(flags.contains(&"--runtime-config=api/all=true".to_owned()));
        assert!(flags.contains(&"--feature-gates=AllAlpha=true,AllBeta=false,ZeroTrust=true".to_owned()));
        let manager = controller_manager(&layout(), &options);
        assert!(manager.contains(&"--feature-gates=AllAlpha=true,AllBeta=false,ZeroTrust=true".to_owned()));
    }

    #[test]
    fn more_arguments_come_last() {
        let more = |flag: &str| vec![flag.to_owned()];
        let options = Options {
            etcd_args: more("--a"),
            apiserver_args: more("--b"),
            controller_manager_args: more("--c"),
            ..Options::default()
        };
        assert_eq!(etcd(&layout(), &options).last().unwrap(), "--a");
        assert_eq!(apiserver(&layout(), &options, 1).last().unwrap(), "--b");
        assert_eq!(controller_manager(&layout(), &options).last().unwrap(), "--c");
    }
}
