//! kubeconfig files, from loading to writing back, through the public API.
#![allow(clippy::unwrap_used, reason = "a panic is the report, also of a helper")]

mod client_config;
mod deferred;
mod editing;
mod loading;
mod validation;

use std::{
    fs,
    path::{Path, PathBuf},
};

use client_rs_transport::kubeconfig::{AuthInfo, KubeCluster, KubeContext, Kubeconfig};

/// A directory with files in it.
struct Files(tempfile::TempDir);

impl Files {
    fn new(files: &[(&str, &str)]) -> Self {
        let directory = Self(tempfile::tempdir().unwrap());
        for (path, text) in files {
            directory.write(path, text);
        }
        directory
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    /// The path as text.
    fn text(&self, path: &str) -> String {
        self.path(path).to_str().unwrap().to_owned()
    }

    fn root(&self) -> &Path {
        self.0.path()
    }
}

/// Cluster `k`, user `u`, and the current context `c` of both.
fn config(cluster: KubeCluster, user: AuthInfo) -> Kubeconfig {
    Kubeconfig {
        clusters: [("k".to_owned(), cluster)].into(),
        users: [("u".to_owned(), user)].into(),
        contexts: [("c".to_owned(), context("k", "u"))].into(),
        current_context: "c".to_owned(),
        ..Kubeconfig::default()
    }
}

fn server(url: &str) -> KubeCluster {
    KubeCluster { server: url.to_owned(), ..KubeCluster::default() }
}

fn context(cluster: &str, user: &str) -> KubeContext {
    KubeContext { cluster: cluster.to_owned(), user: user.to_owned(), ..KubeContext::default() }
}

fn token(token: &str) -> AuthInfo {
    AuthInfo { token: token.into(), ..AuthInfo::default() }
}
