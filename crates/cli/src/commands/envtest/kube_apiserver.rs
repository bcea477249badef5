//! `kube-apiserver`: the embedded server with the flags of the real one, as envtest starts it.

use std::io::{self, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use client_rs_apiserver::{
    Access, AdmissionPlugin, Server, ServerCertificate, ServerOptions, Storage, StorageOptions, TokenOptions,
    User,
};
use client_rs_transport::Secret;

use super::flags::{Arguments, FlagTable, Given};
use super::{feature_gates, static_tokens};
use crate::Streams;
use crate::terminal::EndSignal;

const FLAGS: FlagTable = FlagTable(include_str!("kube_apiserver_flags.txt"));
/// The default port of the real one. Its default address is not: this server listens on loopback.
const PORT: u16 = 6443;

/// The admission plugins that are on by default and can't be turned off here.
const ALWAYS_ON: &[&str] = &[
    "CertificateApproval",
    "CertificateSigning",
    "CertificateSubjectRestriction",
    "ClusterTrustBundleAttest",
    "DefaultTolerationSeconds",
    "NamespaceLifecycle",
    "PersistentVolumeClaimResize",
    "PodTopologyLabels",
    "TaintNodesByCondition",
];

/// The server that the flags describe.
#[derive(Debug)]
struct Settings {
    server: ServerOptions,
    storage: StorageOptions,
    tokens: Vec<(String, User)>,
    restore: Option<PathBuf>,
    snapshot: Option<PathBuf>,
}

/// Serves until a signal ends it.
pub(crate) async fn run(arguments: &[String], streams: &mut Streams<'_>) -> Result<()> {
    let given = match FLAGS.parse(arguments)? {
        Arguments::Help => {
            let about = "An API server in memory with the flags of kube-apiserver, for envtest.\n\n\
                         --restore begins with the objects of a file that --snapshot wrote when a server ended.";
            return Ok(write!(streams.out, "{}", FLAGS.help("kube-apiserver", about))?);
        }
        Arguments::Version => return Ok(writeln!(streams.out, "Kubernetes v1.37.1 (krs)")?),
        Arguments::Flags(given) => given,
    };
    // Before the server answers: a signal that follows is not lost.
    let mut signal = EndSignal::any().context("can't listen for signals")?;
    let Settings { server, storage, tokens, restore, snapshot } = Settings::read(&given)?;
    let storage = match restore {
        Some(path) => {
            let data = std::fs::read(&path).with_context(|| format!("can't read {}", path.display()))?;
            Storage::restore(storage, &data).with_context(|| format!("can't restore {}", path.display()))?
        }
        None => Storage::new(storage)?,
    };
    let address = server.listen;
    let server = Server::start_with(server.with_storage((&storage).into())).await.with_context(|| {
        format!("can't serve at {}", address.map_or_else(String::new, |address| address.to_string()))
    })?;
    for (token, user) in tokens {
        server.add_token(token, user);
    }
    writeln!(streams.err, "serving at {}", server.url().unwrap_or_default())?;
    signal.heard().await;
    if let Some(path) = snapshot {
        write_whole(&path, &storage.snapshot()).with_context(|| format!("can't write {}", path.display()))?;
    }
    server.shutdown().await;
    Ok(())
}

impl Settings {
    fn read(given: &Given) -> Result<Self> {
        for item in given.list("feature-gates") {
            feature_gates::check(item).context("--feature-gates")?;
        }
        let storage = StorageOptions::default()
            .with_api_server_only(true)
            .with_bootstrap(true)
            .with_also_serve(versions(given)?)
            .with_disable_plugins(plugins(given)?)
            .with_tokens(tokens(given)?);
        let storage = match given.last("service-cluster-ip-range") {
            Some(range) => storage.with_service_range(range),
            None => storage,
        };
        let mut server = ServerOptions::default()
            .with_listen(listen(given)?)
            .with_tls(true)
            .with_access(access(given)?)
            .with_anonymous(given.switch("anonymous-auth").unwrap_or(true))
            .with_forks(true)
            .with_request_log(0);
        if let Some(chance) = given.last("goaway-chance") {
            let number: f64 = chance.parse().with_context(|| format!("--goaway-chance={chance}"))?;
            if !(0.0..=0.02).contains(&number) {
                bail!("--goaway-chance can not be less than 0 or greater than 0.02");
            }
            server = server.with_goaway_chance(number);
        }
        if let Some(certificate) = certificate(given)? {
            server = server.with_certificate(certificate);
        }
        if let Some(path) = given.last("client-ca-file") {
            server = server.with_client_authorities(read(path)?);
        }
        let tokens = match given.last("token-auth-file") {
            Some(path) => static_tokens::read(&read(path)?).with_context(|| path.to_owned())?,
            None => Vec::new(),
        };
        let path = |flag: &str| given.last(flag).map(PathBuf::from);
        Ok(Self { server, storage, tokens, restore: path("restore"), snapshot: path("snapshot") })
    }
}

fn listen(given: &Given) -> Result<SocketAddr> {
    let ip = match given.last("bind-address") {
        Some(text) => text.parse().with_context(|| format!("--bind-address={text}"))?,
        None => IpAddr::V4(Ipv4Addr::LOCALHOST),
    };
    let port = match given.last("secure-port") {
        Some(text) => text.parse().with_context(|| format!("--secure-port={text}"))?,
        None => PORT,
    };
    Ok(SocketAddr::new(ip, port))
}

/// The certificate of the flags, or the one in the folder of certificates. Without one, the server issues its own.
fn certificate(given: &Given) -> Result<Option<ServerCertificate>> {
    let named = (given.last("tls-cert-file"), given.last("tls-private-key-file"));
    let (certificate, key) = match named {
        (Some(certificate), Some(key)) => (PathBuf::from(certificate), PathBuf::from(key)),
        (None, None) => {
            let Some(folder) = given.last("cert-dir").map(Path::new) else { return Ok(None) };
            let files = (folder.join("apiserver.crt"), folder.join("apiserver.key"));
            if !files.0.exists() || !files.1.exists() {
                return Ok(None);
            }
            files
        }
        _ => bail!("--tls-cert-file and --tls-private-key-file need each other"),
    };
    Ok(Some(ServerCertificate::new(read(certificate)?, read(key)?)))
}

fn tokens(given: &Given) -> Result<TokenOptions> {
    let mut options = TokenOptions::default().with_audiences(given.list("api-audiences").map(str::to_owned));
    let issuers: Vec<&str> = given.all("service-account-issuer").collect();
    match issuers.as_slice() {
        [] => {}
        [issuer] => options = options.with_issuer(*issuer),
        _ => bail!("--service-account-issuer is supported once"),
    }
    if let Some(path) = given.last("service-account-signing-key-file") {
        options = options.with_signing_key(read(path)?);
    }
    let keys: Result<Vec<Secret>> =
        given.all("service-account-key-file").map(|path| Ok(Secret::new(read(path)?))).collect();
    Ok(options.with_keys(keys?))
}

/// The access of `--authorization-mode`. With `AlwaysAllow`, the real server also requires a credential.
fn access(given: &Given) -> Result<Access> {
    let mut access = Access::Authenticated;
    for mode in given.list("authorization-mode") {
        match mode {
            "RBAC" => access = Access::Rbac,
            "AlwaysAllow" => return Ok(Access::Authenticated),
            "Node" | "ABAC" | "Webhook" | "AlwaysDeny" => {
                bail!(
                    "--authorization-mode={mode} is not supported: the only authorizers are RBAC and AlwaysAllow"
                )
            }
            _ => bail!("authorization-mode {mode:?} is not a valid mode"),
        }
    }
    Ok(access)
}

fn plugins(given: &Given) -> Result<Vec<AdmissionPlugin>> {
    for name in given.list("enable-admission-plugins") {
        if !ALWAYS_ON.contains(&name) && name.parse::<AdmissionPlugin>().is_err() {
            bail!("--enable-admission-plugins={name} is not supported: the plugin is not implemented");
        }
    }
    let off = given.list("disable-admission-plugins").map(|name| {
        name.parse().map_err(|_| {
            anyhow!("--disable-admission-plugins={name} is not supported: the plugin is always on, or not implemented")
        })
    });
    off.collect()
}

/// The versions that `--runtime-config` adds to the stable ones.
fn versions(given: &Given) -> Result<Vec<String>> {
    let mut all = Vec::new();
    for item in given.list("runtime-config") {
        let (name, value) = item.split_once('=').unwrap_or((item, "true"));
        let on = match value {
            "true" | "" => true,
            "false" => false,
            _ => bail!("--runtime-config: invalid value {item}, must be true or false"),
        };
        let optional = client_rs_api::served().iter().filter(|info| !is_stable(info.version));
        let matching: Vec<String> = optional
            .filter(|info| match name {
                "api/all" => true,
                "api/beta" => info.version.contains("beta"),
                "api/alpha" => info.version.contains("alpha"),
                name => name == format!("{}/{}", info.group, info.version),
            })
            .map(|info| format!("{}/{}", info.group, info.version))
            .collect();
        match (on, matching.is_empty()) {
            (true, _) => all.extend(matching),
            // They are off unless an item turns them on.
            (false, false) if name != "api/all" => all.retain(|version| !matching.contains(version)),
            (false, _) => bail!("--runtime-config={item} is not supported: stable versions are always on"),
        }
    }
    all.sort();
    all.dedup();
    Ok(all)
}

fn is_stable(version: &str) -> bool {
    !version.contains("alpha") && !version.contains("beta")
}

fn read(path: impl AsRef<Path>) -> Result<String> {
    let path = path.as_ref();
    std::fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))
}

/// Writes a file in one step: a reader never finds half of it.
fn write_whole(path: &Path, data: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(data)?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(arguments: &[&str]) -> Result<Settings> {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        match FLAGS.parse(&arguments)? {
            Arguments::Flags(given) => Settings::read(&given),
            other => bail!("{other:?}"),
        }
    }

    #[test]
    fn the_flags_of_envtest_make_a_server_without_controllers() {
        let read = settings(&[
            "--allow-privileged=true",
            "--authorization-mode=RBAC",
            "--bind-address=127.0.0.1",
            "--cert-dir=/nonexistent",
            "--disable-admission-plugins=ServiceAccount",
            "--etcd-servers=http://127.0.0.1:2379",
            "--secure-port=4321",
            "--service-account-issuer=https://127.0.0.1:4321/",
            "--service-cluster-ip-range=10.0.0.0/24",
        ])
        .unwrap();
        assert_eq!(read.server.listen, Some(SocketAddr::from(([127, 0, 0, 1], 4321))));
        assert_eq!((read.server.tls, read.server.access, read.server.anonymous), (true, Access::Rbac, true));
        assert!(read.storage.api_server_only && read.storage.bootstrap);
        assert_eq!(read.storage.disable_plugins, [AdmissionPlugin::ServiceAccount]);
        assert_eq!(read.storage.service_range, "10.0.0.0/24");
        assert_eq!(read.storage.tokens.issuer, "https://127.0.0.1:4321/");
    }

    #[test]
    fn behaviour_that_is_missing_is_an_error_that_names_it() {
        for (flag, error) in [
            ("--authorization-mode=Node,RBAC", "--authorization-mode=Node is not supported"),
            ("--enable-admission-plugins=NodeRestriction", "--enable-admission-plugins=NodeRestriction"),
            ("--disable-admission-plugins=NamespaceLifecycle", "NamespaceLifecycle is not supported"),
            ("--runtime-config=apps/v1=false", "--runtime-config=apps/v1=false is not supported"),
            ("--goaway-chance=0.5", "--goaway-chance can not be"),
            ("--tls-cert-file=/x", "need each other"),
            ("--audit-policy-file=/x", "--audit-policy-file is not supported"),
            ("--insecure-port=0", "unknown flag: --insecure-port"),
        ] {
            let text = format!("{:#}", settings(&[flag]).unwrap_err());
            assert!(text.contains(error), "{flag}: {text}");
        }
    }

    #[test]
    fn versions_that_are_off_by_default_can_be_turned_on() {
        let of =
            |config: &str| settings(&[&format!("--runtime-config={config}")]).unwrap().storage.also_serve;
        assert!(of("").is_empty());
        let all = of("api/all=true");
        assert!(all.contains(&"coordination.k8s.io/v1beta1".to_owned()), "{all:?}");
        assert_eq!(of("coordination.k8s.io/v1beta1=true"), ["coordination.k8s.io/v1beta1"]);
        assert!(of("api/beta=true").len() < all.len());
        assert!(of("api/beta=true,api/beta=false").is_empty());
    }
}
