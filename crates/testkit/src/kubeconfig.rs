//! Kubeconfig files: the one we write, and as much of reading one as it takes to reach a server.

use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use crate::error::{Error, Result};
use crate::pki::{Identity, Pki};

/// The context with the client certificate, current in the kubeconfig of a cluster of ours.
pub(crate) const ADMIN: &str = "admin";
/// The context with the token.
pub(crate) const ADMIN_TOKEN: &str = "admin-token";

/// A parsed kubeconfig.
///
/// It supports servers, certificates and tokens, inline or in files, but not `exec` plugins and other sources of
/// credentials.
#[derive(Clone, Debug)]
pub struct Kubeconfig {
    path: PathBuf,
    file: File,
}

/// The access to a server: one context of a kubeconfig.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// The server's address, such as `https://127.0.0.1:6443`.
    pub server: String,
    /// The authorities that its certificate must come from, PEM.
    pub certificate_authority: Option<Vec<u8>>,
    /// A client certificate and its key, PEM.
    pub client_certificate: Option<(Vec<u8>, Vec<u8>)>,
    /// A bearer token.
    pub token: Option<String>,
    /// The kubeconfig disables verification of the server. We always verify.
    pub insecure: bool,
}

impl Kubeconfig {
    /// Reads a file; the error names the mistake and its place.
    pub fn read(path: &Path) -> Result<Self> {
        let wrong = |reason: String| Error::Kubeconfig { path: path.to_owned(), reason };
        let text = std::fs::read_to_string(path).map_err(|error| wrong(format!("can't be read: {error}")))?;
        let file = serde_saphyr::from_str(&text).map_err(|error| {
            // The rest of the parser's message draws the place, over several lines.
            let message = error.to_string();
            wrong(format!("does not parse: {}", message.lines().next().unwrap_or_default()))
        })?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// The content of a context, by default the current one.
    pub fn access(&self, context: Option<&str>) -> Result<Access> {
        let name = context.unwrap_or(&self.file.current_context);
        if name.is_empty() {
            return Err(self.wrong("no current-context".into()));
        }
        let missing = |kind: &str, name: &str| self.wrong(format!("there is no {kind} `{name}`"));
        let context = &self.file.contexts.iter().find(|entry| entry.name == name);
        let context = &context.ok_or_else(|| missing("context", name))?.context;
        let cluster = self.file.clusters.iter().find(|entry| entry.name == context.cluster);
        let cluster = &cluster.ok_or_else(|| missing("cluster", &context.cluster))?.cluster;
        let user = self.file.users.iter().find(|entry| entry.name == context.user);
        let user = match (user, context.user.is_empty()) {
            (Some(entry), _) => entry.user.clone(),
            (None, true) => User::default(),
            (None, false) => return Err(missing("user", &context.user)),
        };
        if !cluster.server.starts_with("https://") && !cluster.server.starts_with("http://") {
            return Err(self.wrong(format!(
                "the server of cluster `{}` is no URL: `{}`",
                context.cluster, cluster.server
            )));
        }
        let certificate =
            self.content(user.client_certificate_data.as_deref(), user.client_certificate.as_deref())?;
        let key = self.content(user.client_key_data.as_deref(), user.client_key.as_deref())?;
        let token = match (user.token, user.token_file) {
            (Some(token), _) => Some(token),
            (None, Some(file)) => self
                .content(None, Some(&file))?
                .map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned()),
            (None, None) => None,
        };
        Ok(Access {
            server: cluster.server.clone(),
            certificate_authority: self.content(
                cluster.certificate_authority_data.as_deref(),
                cluster.certificate_authority.as_deref(),
            )?,
            client_certificate: certificate.zip(key),
            token,
            insecure: cluster.insecure_skip_tls_verify,
        })
    }

    /// Data in place wins over a file; a file's path is relative to the kubeconfig.
    fn content(&self, data: Option<&str>, file: Option<&Path>) -> Result<Option<Vec<u8>>> {
        if let Some(data) = data.filter(|data| !data.is_empty()) {
            let clean: String = data.split_ascii_whitespace().collect();
            return match STANDARD.decode(clean) {
                Ok(bytes) => Ok(Some(bytes)),
                Err(error) => Err(self.wrong(format!("its certificate data is no base64: {error}"))),
            };
        }
        let Some(file) = file.filter(|file| !file.as_os_str().is_empty()) else { return Ok(None) };
        let path = self.path.parent().unwrap_or(Path::new("")).join(file);
        match std::fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) => Err(self.wrong(format!("{} can't be read: {error}", path.display()))),
        }
    }

    fn wrong(&self, reason: String) -> Error {
        Error::Kubeconfig { path: self.path.clone(), reason }
    }
}

/// The administrator's kubeconfig: a context with the client certificate (current) and one with the token.
pub(crate) fn admin(server: &str, pki: &Pki) -> String {
    let users = format!(
        "{}- name: {ADMIN_TOKEN}\n  user:\n    token: \"{}\"\n",
        user(ADMIN, &pki.admin),
        pki.admin_token
    );
    document(server, &pki.ca, &[ADMIN, ADMIN_TOKEN], &users)
}

/// The kubeconfig of kube-controller-manager.
pub(crate) fn controller_manager(server: &str, pki: &Pki) -> String {
    let name = "controller-manager";
    document(server, &pki.ca, &[name], &user(name, &pki.controller_manager))
}

fn user(name: &str, identity: &Identity) -> String {
    format!(
        "- name: {name}\n  user:\n    client-certificate-data: {}\n    client-key-data: {}\n",
        STANDARD.encode(&identity.certificate),
        STANDARD.encode(&identity.key)
    )
}

/// Every user has a context of its name; the first is current.
fn document(server: &str, ca: &str, names: &[&str], users: &str) -> String {
    let contexts = names.iter().fold(String::new(), |text, name| {
        text + "- name: " + name + "\n  context:\n    cluster: client-rs\n    user: " + name + "\n"
    });
    format!(
        "apiVersion: v1\nkind: Config\nclusters:\n- name: client-rs\n  cluster:\n    server: {server}\n    \
         certificate-authority-data: {}\ncontexts:\n{contexts}current-context: {}\nusers:\n{users}",
        STANDARD.encode(ca),
        names.first().copied().unwrap_or_default()
    )
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct File {
    #[serde(default)]
    current_context: String,
    #[serde(default)]
    clusters: Vec<NamedCluster>,
    #[serde(default)]
    contexts: Vec<NamedContext>,
    #[serde(default)]
    users: Vec<NamedUser>,
}

#[derive(Clone, Debug, Deserialize)]
struct NamedCluster {
    name: String,
    cluster: ClusterEntry,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct ClusterEntry {
    server: String,
    certificate_authority: Option<PathBuf>,
    certificate_authority_data: Option<String>,
    #[serde(default)]
    insecure_skip_tls_verify: bool,
}

#[derive(Clone, Debug, Deserialize)]
struct NamedContext {
    name: String,
    context: ContextEntry,
}

#[derive(Clone, Debug, Deserialize)]
struct ContextEntry {
    cluster: String,
    #[serde(default)]
    user: String,
}

#[derive(Clone, Debug, Deserialize)]
struct NamedUser {
    name: String,
    #[serde(default)]
    user: User,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct User {
    client_certificate: Option<PathBuf>,
    client_certificate_data: Option<String>,
    client_key: Option<PathBuf>,
    client_key_data: Option<String>,
    token: Option<String>,
    #[serde(rename = "tokenFile")]
    token_file: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Kubeconfig> {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("config");
        std::fs::write(&path, text).unwrap();
        Kubeconfig::read(&path)
    }

    fn pki() -> Pki {
        let identity =
            |name: &str| Identity { certificate: format!("{name} certificate"), key: format!("{name} key") };
        Pki {
            ca: "ca".into(),
            admin: identity("admin"),
            controller_manager: identity("kcm"),
            admin_token: "abc".into(),
        }
    }

    #[test]
    fn a_written_kubeconfig_can_be_read() {
        let written = read(&admin("https://127.0.0.1:1234", &pki())).unwrap();
        let by_certificate = written.access(None).unwrap();
        assert_eq!(by_certificate.server, "https://127.0.0.1:1234");
        assert_eq!(by_certificate.certificate_authority.as_deref(), Some(&b"ca"[..]));
        let pair = (b"admin certificate".to_vec(), b"admin key".to_vec());
        assert_eq!(by_certificate.client_certificate, Some(pair));
        assert_eq!(by_certificate.token, None);
        let by_token = written.access(Some(ADMIN_TOKEN)).unwrap();
        assert_eq!((by_token.client_certificate, by_token.token.as_deref()), (None, Some("abc")));
        let manager = read(&controller_manager("https://127.0.0.1:1234", &pki())).unwrap();
        assert!(manager.access(None).unwrap().client_certificate.is_some());
    }

    #[test]
    fn an_invalid_kubeconfig_is_reported_in_one_line() {
        for text in [
            "clusters: [",
            "- - x",
            "clusters: 7",
            "{\"clusters\":[{\"name\":1}]}",
            "\t",
            "users: [{name: a, user: 3}]",
        ] {
            let error = read(text).and_then(|parsed| parsed.access(None)).unwrap_err().to_string();
            assert!(error.starts_with("kubeconfig /") && !error.contains('\n'), "{text:?}: {error}");
        }
    }

    #[test]
    fn references_that_lead_nowhere_are_named() {
        let reason = |text: &str| read(text).unwrap().access(None).unwrap_err().to_string();
        assert!(reason("apiVersion: v1\n").ends_with("no current-context"));
        assert!(reason("current-context: a\n").ends_with("there is no context `a`"));
        let context = "current-context: a\ncontexts: [{name: a, context: {cluster: c, user: u}}]\n";
        assert!(reason(context).ends_with("there is no cluster `c`"));
        let cluster = format!("{context}clusters: [{{name: c, cluster: {{server: 'https://h'}}}}]\n");
        assert!(reason(&cluster).ends_with("there is no user `u`"));
        let no_url = cluster.replace("https://h", "h").replace(", user: u", "");
        assert!(reason(&no_url).ends_with("is no URL: `h`"));
        let bad_data = cluster
            .replace(", user: u", "")
            .replace("'https://h'", "'https://h', certificate-authority-data: '%'");
        assert!(reason(&bad_data).contains("no base64"));
        let no_file =
            bad_data.replace("certificate-authority-data: '%'", "certificate-authority: 'nowhere.crt'");
        assert!(reason(&no_file).contains("nowhere.crt can't be read"));
    }

    #[test]
    fn a_missing_file_is_reported() {
        let error = Kubeconfig::read(Path::new("/nonexistent/config")).unwrap_err().to_string();
        assert!(error.contains("can't be read"), "{error}");
    }
}
