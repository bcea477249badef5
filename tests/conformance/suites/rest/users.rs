//! Users and their credentials.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use client_rs_api::core::v1::ConfigMap;
use client_rs_client::{Error, RestClient, Watch, WatchEnd};
use client_rs_machinery::wire::WatchEvent;
use client_rs_tests::{Authority, Identity, Proxy, Stage, eventually};
use client_rs_transport::auth::exec::{ExecConfig, InteractiveMode};
use client_rs_transport::auth::{AuthOptions, Impersonate};
use client_rs_transport::{Config, Material};
use serde_json::json;

use super::common::{create, maps, post_json, watched, whoami};

pub(super) async fn token(stage: &Stage) -> Result<()> {
    let namespace = stage.namespace().await?;
    let token = service_account_token(stage, &namespace, None).await?;
    let expected = format!("system:serviceaccount:{namespace}:default");
    let anonymous = stage.config().anonymous();
    let auth = AuthOptions::default().with_token(token.as_str());
    let (user, groups) = whoami(&client(&anonymous.clone().with_auth(auth))?).await?;
    ensure!(user == expected && groups.contains(&"system:serviceaccounts".into()), "{user} {groups:?}");
    let file = stage.folder()?.join("token");
    std::fs::write(&file, format!("{token}\n"))?;
    let auth = AuthOptions::default().with_token_file(file);
    let (user, _) = whoami(&client(&anonymous.with_auth(auth))?).await?;
    ensure!(user == expected, "by file: {user}");
    Ok(())
}

pub(super) async fn certificate(stage: &Stage) -> Result<()> {
    let identity = Authority::of(stage.cluster())?.sign("alice", Some("devs"))?;
    let data = with_identity(
        stage.config(),
        Material::Data(identity.certificate.clone().into()),
        Material::Data(identity.key.clone().into()),
    );
    let (certificate, key) = write_identity(stage.folder()?, &identity)?;
    let files = with_identity(stage.config(), Material::File(certificate), Material::File(key));
    for config in [data, files] {
        let (user, groups) = whoami(&client(&config)?).await?;
        ensure!(user == "alice" && groups.contains(&"devs".into()), "{user} {groups:?}");
    }
    Ok(())
}

pub(super) async fn exec(stage: &Stage) -> Result<()> {
    let namespace = stage.namespace().await?;
    let token = service_account_token(stage, &namespace, None).await?;
    let identity = Authority::of(stage.cluster())?.sign("carol", None)?;
    let by_certificate = json!({
        "clientCertificateData": identity.certificate, "clientKeyData": identity.key,
    });
    for (name, version, status, expected) in [
        ("token", "v1", json!({"token": token}), format!("system:serviceaccount:{namespace}:default")),
        ("old", "v1beta1", json!({"token": token}), format!("system:serviceaccount:{namespace}:default")),
        ("certificate", "v1", by_certificate, "carol".to_owned()),
    ] {
        let plugin = Plugin::new(stage.folder()?, name, version)?;
        plugin.hand_out(&status)?;
        let client = client(&plugin.config(stage.config()))?;
        for _ in 0..3 {
            let (user, _) = whoami(&client).await?;
            ensure!(user == expected, "{name}: {user}");
        }
        ensure!(plugin.runs()? == 1, "{name}: it ran {} times", plugin.runs()?);
    }
    for (name, script, expected) in [
        ("silent", "exit 0", "silent"),
        ("garbage", "echo 'no credential'", "garbage"),
        ("failing", "exit 3", "3"),
    ] {
        let plugin = Plugin::new(stage.folder()?, name, "v1")?;
        plugin.script(script)?;
        let error = whoami(&client(&plugin.config(stage.config()))?).await.err().context("it worked")?;
        ensure!(format!("{error:#}").contains(expected), "{name}: {error:#}");
    }
    Ok(())
}

pub(super) async fn impersonation(stage: &Stage) -> Result<()> {
    let impersonate = Impersonate::new("dave").with_groups(["ops"]);
    let config = stage.config().clone().with_impersonate(impersonate);
    let (user, groups) = whoami(&client(&config)?).await?;
    ensure!(user == "dave" && groups.contains(&"ops".into()), "{user} {groups:?}");
    Ok(())
}

pub(super) async fn rbac(stage: &Stage) -> Result<()> {
    let (admin, namespace) = (stage.client()?, stage.namespace().await?);
    let name = format!("eve-{namespace}");
    let identity = Authority::of(stage.cluster())?.sign(&name, None)?;
    let eve = client(&with_identity(
        stage.config(),
        Material::Data(identity.certificate.into()),
        Material::Data(identity.key.into()),
    ))?;
    let refused = eve.send_list::<ConfigMap>(maps(&namespace)).await.err().context("it is allowed")?;
    let api = refused.api().context("not the server's word")?;
    ensure!(api.is_forbidden() && api.code() == 403, "{refused}");
    for part in [name.as_str(), "configmaps", namespace.as_str(), "GET https://"] {
        ensure!(refused.to_string().contains(part), "{part} is not in: {refused}");
    }
    let rules = "/apis/rbac.authorization.k8s.io/v1/namespaces";
    let role = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "reader"},
        "rules": [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["list", "watch"]}],
    });
    post_json(&admin, &format!("{rules}/{namespace}/roles"), &role).await?;
    let binding = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": {"name": "reader"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "reader"},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": name}],
    });
    post_json(&admin, &format!("{rules}/{namespace}/rolebindings"), &binding).await?;
    eventually("the list is allowed", || async {
        Ok(eve.send_list::<ConfigMap>(maps(&namespace)).await.map(drop)?)
    })
    .await?;
    let create = create(&eve, &namespace, "hers").await.err().context("a create is allowed")?;
    ensure!(create.api().is_some_and(client_rs_machinery::ApiError::is_forbidden), "{create}");
    Ok(())
}

pub(super) async fn strangers(stage: &Stage) -> Result<()> {
    let namespace = stage.namespace().await?;
    let anonymous = stage.config().anonymous();
    let nobody = client(&anonymous)?.send_list::<ConfigMap>(maps(&namespace)).await;
    let nobody = nobody.err().context("nobody is let in")?;
    ensure!(nobody.to_string().contains("system:anonymous"), "{nobody}");
    let auth = AuthOptions::default().with_token("no-such-token");
    let wrong = client(&anonymous.with_auth(auth))?.send_list::<ConfigMap>(maps(&namespace)).await;
    let wrong = wrong.err().context("a wrong token is let in")?;
    ensure!(wrong.api().is_some_and(client_rs_machinery::ApiError::is_unauthorized), "{wrong}");
    ensure!(!wrong.to_string().contains("no-such-token"), "the token is shown: {wrong}");

    let identity = Authority::of(stage.cluster())?.sign_expired("alice")?;
    let (certificate, key) = write_identity(stage.folder()?, &identity)?;
    let path = certificate.display().to_string();
    let expired = with_identity(stage.config(), Material::File(certificate), Material::File(key));
    let expired = client(&expired)?.send_list::<ConfigMap>(maps(&namespace)).await;
    let expired = expired.err().context("an expired certificate is let in")?;
    ensure!(expired.api().is_some_and(client_rs_machinery::ApiError::is_unauthorized), "{expired}");
    for part in ["expired", path.as_str()] {
        ensure!(expired.to_string().contains(part), "{part} is not in: {expired}");
    }
    Ok(())
}

pub(super) async fn token_rotation(stage: &Stage) -> Result<()> {
    let (admin, namespace) = (stage.client()?, stage.namespace().await?);
    allow_reading(&admin, &namespace).await?;
    // A token that dies with a secret.
    let bound = json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "life"}});
    let secrets = format!("/api/v1/namespaces/{namespace}/secrets");
    let secret = post_json(&admin, &secrets, &bound).await?;
    let uid = secret["metadata"]["uid"].as_str().context("no uid")?;
    let first = service_account_token(stage, &namespace, Some(("life", uid))).await?;
    let file = stage.folder()?.join("token");
    std::fs::write(&file, &first)?;
    let auth = AuthOptions::default().with_token_file(file.clone());
    let reader = client(&stage.config().anonymous().with_auth(auth))?;
    let mut watch = follow(&reader, &namespace).await?;

    let second = service_account_token(stage, &namespace, None).await?;
    std::fs::write(&file, &second)?;
    let delete = client_rs_client::Request::delete().request_uri(&format!("{secrets}/life"));
    admin.send_raw(delete).await?;
    // The first token is refused from now on, and the client has read the file less than 50 seconds ago.
    let probe = AuthOptions::default().with_token(first.as_str());
    let probe = client(&stage.config().anonymous().with_auth(probe))?;
    eventually("the old token is refused", || async {
        match probe.send_list::<ConfigMap>(maps(&namespace)).await {
            Err(error) if error.api().is_some_and(client_rs_machinery::ApiError::is_unauthorized) => Ok(()),
            other => anyhow::bail!("{:?}", other.map(|list| list.items.len())),
        }
    })
    .await?;
    reader.send_list::<ConfigMap>(maps(&namespace)).await.context("with the new token")?;
    create(&admin, &namespace, "late").await?;
    until_added(&mut watch, "late").await.context("the watch that was running")
}

pub(super) async fn plugin_rotation(stage: &Stage) -> Result<()> {
    let (admin, namespace) = (stage.client()?, stage.namespace().await?);
    let authority = Authority::of(stage.cluster())?;
    let plugin = Plugin::new(stage.folder()?, "rotating", "v1")?;
    let status = |user: &str, ends: &str| -> Result<serde_json::Value> {
        let identity = authority.sign(user, Some("system:masters"))?;
        Ok(json!({
            "clientCertificateData": identity.certificate, "clientKeyData": identity.key,
            "expirationTimestamp": ends,
        }))
    };
    // Already expired: the plugin runs before each request.
    plugin.hand_out(&status("first", "2020-01-01T00:00:00Z")?)?;
    let client = client(&plugin.config(stage.config()))?;
    ensure!(whoami(&client).await?.0 == "first", "another user");
    let mut watch = follow(&client, &namespace).await?;
    plugin.hand_out(&status("second", "2999-01-01T00:00:00Z")?)?;
    eventually("the new certificate is used", || async {
        let (user, _) = whoami(&client).await?;
        ensure!(user == "second", "{user}");
        Ok(())
    })
    .await?;
    // The watch under the old certificate has ended, and can be restarted.
    let ended =
        tokio::time::timeout(Duration::from_secs(20), async { while watch.next().await.is_some() {} }).await;
    ended.context("the watch under the old certificate stays open")?;
    ensure!(matches!(watch.end(), Some(WatchEnd::Lost(_))), "{:?}", watch.end());
    let mut watch = follow(&client, &namespace).await?;
    create(&admin, &namespace, "late").await?;
    until_added(&mut watch, "late").await
}

pub(super) async fn certificate_rotation(stage: &Stage) -> Result<()> {
    let (admin, namespace) = (stage.client()?, stage.namespace().await?);
    let authority = Authority::of(stage.cluster())?;
    let folder = stage.folder()?;
    let (certificate, key) = write_identity(folder, &authority.sign("first", Some("system:masters"))?)?;
    let proxy = Proxy::start(stage.config()).await?;
    let config = with_identity(stage.config(), Material::File(certificate), Material::File(key));
    let client = client(&proxy.config(&config)?)?;
    ensure!(whoami(&client).await?.0 == "first", "another user");
    let mut watch = follow(&client, &namespace).await?;
    write_identity(folder, &authority.sign("second", Some("system:masters"))?)?;
    // Files are read when a connection is made, at most once a second: the network makes one necessary.
    tokio::time::sleep(Duration::from_millis(1100)).await;
    proxy.cut();
    while watch.next().await.is_some() {}
    eventually("the new certificate is used", || async {
        let (user, _) = whoami(&client).await?;
        ensure!(user == "second", "{user}");
        Ok(())
    })
    .await?;
    let mut watch = follow(&client, &namespace).await?;
    create(&admin, &namespace, "late").await?;
    until_added(&mut watch, "late").await
}

fn client(config: &Config) -> Result<RestClient, Error> {
    RestClient::from_config(config)
}

fn with_identity(config: &Config, certificate: Material, key: Material) -> Config {
    let mut config = config.anonymous();
    config.tls = config.tls.with_client_certificate(certificate).with_client_key(key);
    config
}

/// Writes a certificate and its key into a folder, whole from one moment to the next.
fn write_identity(folder: &Path, identity: &Identity) -> Result<(PathBuf, PathBuf)> {
    let (certificate, key) = (folder.join("tls.crt"), folder.join("tls.key"));
    for (path, text) in [(&certificate, &identity.certificate), (&key, &identity.key)] {
        let new = path.with_extension("new");
        std::fs::write(&new, text)?;
        std::fs::rename(&new, path)?;
    }
    Ok((certificate, key))
}

/// A token of a namespace's default account, bound to a secret if one is named.
async fn service_account_token(
    stage: &Stage,
    namespace: &str,
    secret: Option<(&str, &str)>,
) -> Result<String> {
    let bound =
        secret.map(|(name, uid)| json!({"apiVersion": "v1", "kind": "Secret", "name": name, "uid": uid}));
    let request = json!({
        "apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"boundObjectRef": bound},
    });
    let path = format!("/api/v1/namespaces/{namespace}/serviceaccounts/default/token");
    let told = post_json(&stage.client()?, &path, &request).await?;
    Ok(told["status"]["token"].as_str().context("no token")?.to_owned())
}

/// Lets a namespace's default account read config maps there.
async fn allow_reading(admin: &RestClient, namespace: &str) -> Result<()> {
    let binding = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": {"name": "view"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"},
        "subjects": [{"kind": "ServiceAccount", "name": "default", "namespace": namespace}],
    });
    let path = format!("/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/rolebindings");
    post_json(admin, &path, &binding).await?;
    Ok(())
}

/// A watch of a namespace's config maps from now on, once the user may.
async fn follow(client: &RestClient, namespace: &str) -> Result<Watch<ConfigMap>> {
    eventually("the watch is allowed", || async {
        let list = client.send_list::<ConfigMap>(maps(namespace)).await?;
        let request = watched(namespace, &list.metadata.resource_version);
        Ok(client.watch::<ConfigMap>(request).await?)
    })
    .await
}

async fn until_added(watch: &mut Watch<ConfigMap>, name: &str) -> Result<()> {
    loop {
        match watch.next().await {
            Some(Ok(WatchEvent::Added(map))) if map.metadata.name == name => return Ok(()),
            Some(Ok(WatchEvent::Added(_) | WatchEvent::Modified(_))) => {}
            other => anyhow::bail!("{other:?}, end: {:?}", watch.end()),
        }
    }
}

/// An exec plugin: a script that prints a file next to it, and counts.
struct Plugin {
    folder: PathBuf,
    version: &'static str,
}

impl Plugin {
    fn new(folder: &Path, name: &str, version: &'static str) -> Result<Self> {
        let folder = folder.join(name);
        std::fs::create_dir_all(&folder)?;
        let plugin = Self { folder, version };
        plugin.script("cd \"$(dirname \"$0\")\" && echo run >> runs && cat credential")?;
        Ok(plugin)
    }

    fn script(&self, body: &str) -> Result<()> {
        let path = self.program();
        std::fs::write(&path, format!("#!/bin/sh\n{body}\n"))?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?;
        Ok(())
    }

    fn program(&self) -> PathBuf {
        self.folder.join("plugin")
    }

    fn hand_out(&self, status: &serde_json::Value) -> Result<()> {
        let credential = json!({
            "apiVersion": format!("client.authentication.k8s.io/{}", self.version),
            "kind": "ExecCredential",
            "status": status,
        });
        let new = self.folder.join("credential.new");
        std::fs::write(&new, credential.to_string())?;
        std::fs::rename(new, self.folder.join("credential"))?;
        Ok(())
    }

    fn runs(&self) -> Result<usize> {
        Ok(std::fs::read_to_string(self.folder.join("runs"))?.lines().count())
    }

    fn config(&self, config: &Config) -> Config {
        let exec = ExecConfig::default()
            .with_command(self.program().display().to_string())
            .with_api_version(format!("client.authentication.k8s.io/{}", self.version))
            .with_interactive_mode(InteractiveMode::Never);
        let auth = AuthOptions::default().with_exec(exec);
        config.anonymous().with_auth(auth)
    }
}
