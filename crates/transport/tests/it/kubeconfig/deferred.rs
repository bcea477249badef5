//! 4.4: loading on first use, and the pod's service account.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use client_rs_transport::{
    Config, Material,
    in_cluster::InCluster,
    kubeconfig::{
        AuthInfo, ConfigAccess, DeferredConfig, DirectConfig, InClusterSource, KubeCluster, KubeContext,
        Kubeconfig, KubeconfigError, Loader, LoadingRules, Overrides, Problem,
    },
};

use super::{Files, config, server, token};

/// Loads the given kubeconfig.
struct Given {
    result: Result<Kubeconfig, KubeconfigError>,
    default: Option<Config>,
    loads: Arc<AtomicU32>,
}

impl Given {
    fn new(result: Result<Kubeconfig, KubeconfigError>) -> Self {
        Self { result, default: None, loads: Arc::default() }
    }
}

impl Loader for Given {
    fn load(&self) -> Result<Kubeconfig, KubeconfigError> {
        self.loads.fetch_add(1, Ordering::Relaxed);
        self.result.clone()
    }

    fn is_default_config(&self, config: &Config) -> bool {
        self.default.as_ref() == Some(config)
    }
}

impl ConfigAccess for Given {
    fn loading_precedence(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn starting_config(&self) -> Result<Kubeconfig, KubeconfigError> {
        self.result.clone()
    }

    fn default_filename(&self) -> PathBuf {
        PathBuf::new()
    }

    fn explicit_file(&self) -> Option<PathBuf> {
        None
    }
}

/// A pod, or none, that counts its calls.
#[derive(Clone)]
struct Pod {
    possible: bool,
    result: Result<Config, KubeconfigError>,
    namespace: &'static str,
    asked: Arc<AtomicU32>,
}

impl Pod {
    fn new(possible: bool) -> Self {
        Self { possible, result: Ok(at("https://pod")), namespace: "pod", asked: Arc::default() }
    }

    fn asked(&self) -> u32 {
        self.asked.load(Ordering::Relaxed)
    }
}

impl InClusterSource for Pod {
    fn possible(&self) -> bool {
        self.possible
    }

    fn config(&self) -> Result<Config, KubeconfigError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.result.clone()
    }

    fn namespace(&self) -> String {
        self.namespace.to_owned()
    }
}

fn at(url: &str) -> Config {
    Config::new(url.parse().unwrap())
}

fn deferred(loader: Given, pod: &Pod) -> DeferredConfig<Given, Pod> {
    DeferredConfig::with_in_cluster(loader, Overrides::default(), pod.clone())
}

fn broken() -> KubeconfigError {
    KubeconfigError::View("broken".to_owned())
}

#[test]
fn t4_4_01_in_cluster_consulted_when_the_kubeconfig_error_is_empty_config() {
    let pod = Pod::new(true);
    assert!(deferred(Given::new(Ok(Kubeconfig::default())), &pod).client_config().is_ok());
    assert_eq!(pod.asked(), 1);
    let pod = Pod::new(false);
    let error = deferred(Given::new(Ok(Kubeconfig::default())), &pod).client_config().unwrap_err();
    assert!(error.is_empty_config(), "no pod: the original error: {error}");
    assert_eq!(pod.asked(), 0);
}

#[test]
fn t4_4_02_any_non_empty_config_error_is_returned_unchanged_without_trying_in_cluster() {
    let pod = Pod::new(true);
    let error = deferred(Given::new(Err(broken())), &pod).client_config().unwrap_err();
    assert!(matches!(error, KubeconfigError::View(text) if text == "broken"));
    let mut invalid = config(server("https://k"), token("t"));
    invalid.users.get_mut("u").unwrap().username = "me".to_owned();
    let error = deferred(Given::new(Ok(invalid)), &pod).client_config().unwrap_err();
    assert!(
        matches!(&error, KubeconfigError::Invalid(problems) if matches!(problems[..], [Problem::User { .. }]))
    );
    assert_eq!(pod.asked(), 0);
}

#[test]
fn t4_4_03_consulted_when_the_loaded_config_equals_the_default() {
    let kubeconfig = config(server("https://default"), AuthInfo::default());
    let default = DirectConfig::new(kubeconfig.clone()).client_config().unwrap();
    let loader = Given { default: Some(default), ..Given::new(Ok(kubeconfig)) };
    let pod = Pod::new(true);
    assert_eq!(deferred(loader, &pod).client_config().unwrap().server_url(), "https://pod");
    assert_eq!(pod.asked(), 1);
}

#[test]
fn t4_4_04_a_config_different_from_the_default_is_returned_as_is() {
    let kubeconfig = config(server("https://k"), AuthInfo::default());
    let loader = Given { default: Some(at("https://default")), ..Given::new(Ok(kubeconfig)) };
    let pod = Pod::new(true);
    assert_eq!(deferred(loader, &pod).client_config().unwrap().server_url(), "https://k");
    assert_eq!(pod.asked(), 0);
}

#[test]
fn t4_4_05_not_when_the_default_itself_is_invalid() {
    let files = Files::new(&[(
        "config",
        "clusters: [{name: k, cluster: {server: 'https://k'}}]\ncontexts: [{name: c, context: {cluster: k}}]\ncurrent-context: c",
    )]);
    let pod = Pod::new(true);
    let url = |default: Kubeconfig| {
        let rules =
            LoadingRules::explicit(files.path("config")).with_default_config(DirectConfig::new(default));
        let deferred = DeferredConfig::with_in_cluster(rules, Overrides::default(), pod.clone());
        deferred.client_config().unwrap().server_url()
    };
    assert_eq!(url(Kubeconfig::default()), "https://k");
    assert_eq!(pod.asked(), 0);
    assert_eq!(url(config(server("https://k"), AuthInfo::default())), "https://pod", "a valid and equal one");
    assert_eq!(
        url(config(server("https://l"), AuthInfo::default())),
        "https://k",
        "a valid and different one"
    );
}

#[test]
fn t4_4_06_in_cluster_error_returned_if_config_empty() {
    let pod = Pod { result: Err(broken()), ..Pod::new(true) };
    let error = deferred(Given::new(Ok(Kubeconfig::default())), &pod).client_config().unwrap_err();
    assert!(matches!(error, KubeconfigError::View(text) if text == "broken"));
}

#[test]
fn t4_4_07_in_cluster_config_returned_if_config_empty() {
    let pod = Pod::new(true);
    let config = deferred(Given::new(Ok(Kubeconfig::default())), &pod).client_config().unwrap();
    assert_eq!((config.server_url(), config.default_namespace), ("https://pod".to_owned(), "pod".to_owned()));
}

fn namespaces(
    kubeconfig: Kubeconfig,
    overrides: Overrides,
    possible: bool,
) -> Result<(String, bool), KubeconfigError> {
    DeferredConfig::with_in_cluster(Given::new(Ok(kubeconfig)), overrides, Pod::new(possible)).namespace()
}

fn with_namespace(namespace: &str) -> Kubeconfig {
    let mut config = config(server("https://k"), AuthInfo::default());
    namespace.clone_into(&mut config.contexts.get_mut("c").unwrap().namespace);
    config
}

#[test]
fn t4_4_08_namespace_consulted_on_empty_error_or_when_only_defaulted() {
    let said = |name: &str, overridden| (name.to_owned(), overridden);
    let none = Overrides::default;
    assert_eq!(namespaces(Kubeconfig::default(), none(), true).unwrap(), said("pod", false));
    assert!(namespaces(Kubeconfig::default(), none(), false).unwrap_err().is_empty_config());
    assert_eq!(namespaces(with_namespace(""), none(), true).unwrap(), said("pod", false));
    assert_eq!(namespaces(with_namespace(""), none(), false).unwrap(), said("default", false));
    assert_eq!(namespaces(with_namespace("file"), none(), true).unwrap(), said("file", false));
    let over = none().with_context(KubeContext { namespace: "over".to_owned(), ..KubeContext::default() });
    assert_eq!(namespaces(with_namespace("file"), over.clone(), true).unwrap(), said("over", true));
    assert_eq!(namespaces(Kubeconfig::default(), over, true).unwrap(), said("over", true));
    let error =
        DeferredConfig::with_in_cluster(Given::new(Err(broken())), none(), Pod::new(true)).namespace();
    assert!(matches!(error, Err(KubeconfigError::View(_))));
}

#[test]
fn t4_4_09_explicit_context_namespace_default_is_respected() {
    let namespace = namespaces(with_namespace("default"), Overrides::default(), true).unwrap();
    assert_eq!(namespace, ("default".to_owned(), false));
}

#[test]
fn t4_4_10_overridden_context_decides_what_is_explicit() {
    let mut kubeconfig = with_namespace("default");
    kubeconfig.contexts.insert("d".to_owned(), super::context("k", "u"));
    let over = |name: &str| Overrides::default().with_current_context(name);
    assert_eq!(namespaces(kubeconfig.clone(), over("d"), true).unwrap().0, "pod");
    assert_eq!(namespaces(kubeconfig, over("c"), true).unwrap().0, "default");
}

/// A pod with its service account files.
fn pod(files: &Files) -> InCluster {
    InCluster::new("10.0.0.1", "443").with_directory(files.root())
}

#[test]
fn t4_4_11_server_token_ca_overrides_applied_to_in_cluster_config() {
    let files = Files::new(&[("token", "pod-token\n"), ("ca.crt", "CA"), ("other-token", "other\n")]);
    let build = |overrides: Overrides| {
        DeferredConfig::with_in_cluster(Given::new(Ok(Kubeconfig::default())), overrides, pod(&files))
            .client_config()
            .unwrap()
    };
    let config = build(Overrides::default());
    assert_eq!(config.server_url(), "https://10.0.0.1:443");
    assert_eq!(config.auth.token.as_ref().unwrap().expose(), "pod-token");
    assert_eq!(config.auth.token_file, Some(files.path("token")));
    assert_eq!(config.tls.ca, Some(Material::File(files.path("ca.crt"))));

    // With only a token file, the result is still the config of the pod.
    let user = AuthInfo { token_file: files.text("other-token"), ..AuthInfo::default() };
    let config = build(Overrides::default().with_user(user));
    assert_eq!(config.auth.token.as_ref().unwrap().expose(), "other");
    assert_eq!(config.auth.token_file, Some(files.path("other-token")));

    let config = build(Overrides::default().with_user(token("over")));
    assert_eq!(config.auth.token.as_ref().unwrap().expose(), "over");
    assert_eq!(config.auth.token_file, None);

    // A server alone is a complete config, so the pod's config is not used, unless it is the default.
    let over = Overrides::default().with_cluster(server("https://over"));
    let loader = Given { default: Some(at("https://over")), ..Given::new(Ok(Kubeconfig::default())) };
    let config = DeferredConfig::with_in_cluster(loader, over, pod(&files)).client_config().unwrap();
    assert_eq!(config.server_url(), "https://over");
    assert_eq!(config.auth.token.unwrap().expose(), "pod-token");

    let ca = KubeCluster { certificate_authority: files.text("other-ca"), ..server("https://over") };
    files.write("other-ca", "CA");
    let over = Overrides::default().with_cluster(ca);
    let mut default = at("https://over");
    default.tls.ca = Some(Material::File(files.path("other-ca")));
    let loader = Given { default: Some(default), ..Given::new(Ok(Kubeconfig::default())) };
    let config = DeferredConfig::with_in_cluster(loader, over, pod(&files)).client_config().unwrap();
    assert_eq!(config.tls.ca, Some(Material::File(files.path("other-ca"))));
}

#[test]
fn the_files_are_read_once() {
    let loader = Given::new(Ok(config(server("https://k"), AuthInfo::default())));
    let loads = loader.loads.clone();
    let deferred = deferred(loader, &Pod::new(false));
    assert_eq!(loads.load(Ordering::Relaxed), 0, "not before they are needed");
    deferred.client_config().unwrap();
    deferred.namespace().unwrap();
    deferred.raw_config().unwrap();
    assert_eq!(loads.load(Ordering::Relaxed), 1);
}

#[test]
fn a_pods_config_needs_environment_and_token_and_can_do_without_ca() {
    let files = Files::new(&[("token", "t"), ("ca.crt", "CA"), ("namespace", " ns\n")]);
    let in_pod = pod(&files);
    assert!(in_pod.possible());
    assert_eq!(in_pod.config().unwrap().default_namespace, "ns");
    let told = in_pod.clone().with_pod_namespace("told");
    assert_eq!(told.namespace(), "told");
    let ipv6 = in_pod.clone().with_host("fd00::1");
    assert_eq!(ipv6.config().unwrap().server_url(), "https://[fd00::1]:443");

    for missing in [in_pod.clone().with_host(String::new()), in_pod.clone().with_port(String::new())] {
        assert!(!missing.possible());
        let error = missing.config().unwrap_err().to_string();
        assert!(error.contains("KUBERNETES_SERVICE_HOST"), "{error}");
    }
    let no_ca = Files::new(&[("token", "t")]);
    assert_eq!(pod(&no_ca).config().unwrap().tls.ca, None, "logged, no more");
    assert_eq!(pod(&no_ca).namespace(), "default");
    let no_token = Files::new(&[("ca.crt", "CA"), ("token/file", "")]);
    assert!(!pod(&no_token).possible());
    let error = pod(&no_token).config().unwrap_err().to_string();
    assert!(error.contains(&no_token.text("token")), "{error}");
}

#[test]
fn flags_name_a_server_a_file_or_both() {
    let files = Files::new(&[(
        "config",
        "clusters: [{name: k, cluster: {server: 'https://k', tls-server-name: s}}]\nusers: [{name: u, user: {token: t}}]\n\
         contexts: [{name: c, context: {cluster: k, user: u}}]\ncurrent-context: c",
    )]);
    let path = files.text("config");
    assert_eq!(Config::from_flags("", &path).unwrap().server_url(), "https://k");
    let both = Config::from_flags("https://master", &path).unwrap();
    assert_eq!(both.server_url(), "https://master");
    assert_eq!(both.auth.token.unwrap().expose(), "t");
    assert_eq!(both.tls.server_name, None);
    assert!(Config::from_flags("https://master", "").unwrap().auth.is_anonymous());
    assert!(Config::from_flags("", &files.text("nowhere")).unwrap_err().is_file_not_found());
}
