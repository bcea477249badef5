//! Secrets are in no `Debug`, no error, no log, no span and no metric: a marker takes the place of every secret.
#![allow(clippy::unwrap_used, reason = "a test's helpers")]

use std::pin::Pin;
use std::sync::Arc;

use crate::marker::{Log, MARKER, debug_hides, error_hides, hidden, in_base64};
use bytes::Bytes;
use client_rs_api::authentication::v1::{TokenRequest, TokenReview};
use client_rs_api::core::v1::{Pod, Secret, SecretList, Service, ServiceAccount};
use client_rs_apiserver::{Server, ServerOptions, User};
use client_rs_client::{Api, Error, Request, RestClient, RestClientOptions};
use client_rs_controller::{Action, Context, Controller, ControllerOptions, Prometheus, ReconcileError};
use client_rs_custom::webhook::{WebhookOptions, WebhookServer};
use client_rs_informers::SharedInformerFactory;
use client_rs_machinery::meta::v1::{ListOptions, PartialObjectMetadata};
use client_rs_machinery::patch::Patch;
use client_rs_machinery::wire::{Format, Message, Payload};
use client_rs_machinery::{Json, Unstructured, UnstructuredList};
use client_rs_transport::auth::exec::{ExecConfig, ExecEnv};
use client_rs_transport::auth::oidc::TokenHttp;
use client_rs_transport::auth::{
    AuthOptions, AuthProviderConfig, BasicAuth, Credentials, CredentialsOptions, Impersonate,
};
use client_rs_transport::kubeconfig::Kubeconfig;
use client_rs_transport::{Config, Material};
use tokio_util::sync::CancellationToken;

/// A Secret with the marker in each of its fields, and in the copy that `kubectl apply` keeps.
fn secret() -> Json {
    let data = in_base64();
    let applied = format!(r#"{{"kind":"Secret","data":{{"a":"{data}"}},"stringData":{{"b":"{MARKER}"}}}}"#);
    let text = serde_json::json!({
        "apiVersion": "v1", "kind": "Secret",
        "metadata": {
            "name": "db", "namespace": "default",
            "annotations": {"kubectl.kubernetes.io/last-applied-configuration": applied},
        },
        "data": {"a": data},
        "stringData": {"b": MARKER},
    });
    Json::parse(text.to_string().as_bytes()).unwrap()
}

fn text_of(value: &Json) -> Vec<u8> {
    value.to_string().into_bytes()
}

#[test]
fn objects_hide_it() {
    let json = secret();
    let typed = Secret::from_json(&text_of(&json)).unwrap();
    debug_hides("a typed Secret", &typed);
    let list = SecretList { items: [typed.clone()].into(), ..SecretList::EMPTY };
    debug_hides("a list of typed Secrets", &list);
    assert!(format!("{typed:?}").contains("db"), "fields that are not secret are shown");
    let metadata = client_rs_machinery::json!({"metadata": json["metadata"].clone()});
    let metadata = PartialObjectMetadata::from_json(&text_of(&metadata)).unwrap();
    debug_hides("the metadata of a Secret", &metadata);
    let object = Unstructured::try_from(json.clone()).unwrap();
    debug_hides("an unstructured Secret", &object);
    let list = client_rs_machinery::json!({"apiVersion": "v1", "kind": "SecretList", "metadata": {}, "items": [json.clone()]});
    let list = Unstructured::try_from(list).unwrap();
    debug_hides("an unstructured list", &list);
    debug_hides("a list of unstructured Secrets", &UnstructuredList::try_from(list).unwrap());
    debug_hides("a patch", &Patch::Merge(json));

    let request = format!(r#"{{"kind":"TokenRequest","status":{{"token":"{MARKER}"}}}}"#);
    debug_hides("a TokenRequest", &TokenRequest::from_json(request.as_bytes()).unwrap());
    debug_hides("a TokenRequest", &Unstructured::try_from(Json::parse(request.as_bytes()).unwrap()).unwrap());
    let review = format!(r#"{{"kind":"TokenReview","spec":{{"token":"{MARKER}"}}}}"#);
    debug_hides("a TokenReview", &TokenReview::from_json(review.as_bytes()).unwrap());
    debug_hides("a TokenReview", &Unstructured::try_from(Json::parse(review.as_bytes()).unwrap()).unwrap());
}

#[test]
fn undecodable_input_is_not_quoted() {
    for text in [
        format!(r#"{{"kind":"Secret","data":{{"a":"{MARKER}!"}}}}"#),
        format!(r#"{{"kind":"Secret","data":"{MARKER}"}}"#),
        format!(r#"{{"kind":"Secret","stringData":{{"a":["{MARKER}"]}}}}"#),
        format!(r#"{{"kind":"Secret","stringData":{{"a":"{MARKER}"#),
        format!(r#"{{"kind":"Secret","stringData":{{"a":{MARKER}}}}}"#),
    ] {
        let error = Secret::from_json(text.as_bytes()).unwrap_err();
        error_hides("an error of a Secret that does not decode", &error);
        if let Err(error) = Json::parse(text.as_bytes()) {
            error_hides("an error of JSON", &error);
        }
    }
}

#[test]
fn requests_hide_it() {
    let object = Secret::from_json(&text_of(&secret())).unwrap();
    let request = Request::post()
        .of::<Secret>()
        .namespace("default")
        .header(http::header::AUTHORIZATION, format!("Bearer {MARKER}"))
        .header(http::header::PROXY_AUTHORIZATION, format!("Basic {MARKER}"))
        .header(http::header::COOKIE, format!("session={MARKER}"))
        .param("command", format!("--password={MARKER}"))
        .object(object);
    debug_hides("a request", &request);
    let url: http::Uri = format!("https://me:{MARKER}@127.0.0.1:1").parse().unwrap();
    let target =
        client_rs_transport::http::Target::from_uri(&"https://127.0.0.1:1".parse().unwrap()).unwrap();
    let nobody = tower::service_fn(|_: http::Request<client_rs_transport::http::Body>| async {
        let why = std::io::Error::from(std::io::ErrorKind::ConnectionRefused);
        Err(client_rs_transport::http::TransportError::Other(why.into()))
    });
    let transport = client_rs_transport::http::Transport::from_service(target, nobody);
    let client = RestClient::new(&url, transport).unwrap();
    debug_hides("a client", &client);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let error = runtime.block_on(client.send::<Secret>(request)).unwrap_err();
    error_hides("a request that failed", &error);
}

#[test]
fn configs_hide_it() {
    let mut config = Config::new("https://127.0.0.1:1".parse().unwrap());
    config.auth = AuthOptions::default()
        .with_token(MARKER)
        .with_basic(BasicAuth::new("me", MARKER))
        .with_exec(exec("true"))
        .with_provider(
            AuthProviderConfig::default()
                .with_name("oidc")
                .with_config([
                    ("refresh-token".into(), MARKER.into()),
                    ("client-secret".into(), MARKER.into()),
                ])
                .with_unknown(serde_json::Map::default()),
        );
    config.tls.client_key = Some(Material::Data(MARKER.into()));
    config.proxy = Some(format!("http://me:{MARKER}@proxy.example").parse().unwrap());
    debug_hides("a config", &config);
    let kubeconfig = kubeconfig();
    debug_hides("a kubeconfig", &Kubeconfig::parse(kubeconfig.as_bytes()).unwrap());
    for broken in [
        kubeconfig.replace("kind: Config", "kind: ["),
        kubeconfig.replace("token: ", "token: [}"),
        kubeconfig.replace("client-key-data: ", "client-key-data: !"),
        kubeconfig.replace("proxy-url: http", "proxy-url: ftp"),
    ] {
        match Config::from_kubeconfig(broken.as_bytes()) {
            Ok(config) => debug_hides("a config of a kubeconfig", &config),
            Err(error) => error_hides("an error of a kubeconfig", &error),
        }
    }
}

/// A plugin with the marker where it takes its secrets from.
fn exec(command: &str) -> ExecConfig {
    ExecConfig::default()
        .with_command(command)
        .with_args([format!("--password={MARKER}")])
        .with_env([ExecEnv::default().with_name("PASSWORD").with_value(MARKER)])
        .with_api_version("client.authentication.k8s.io/v1")
}

/// One with the marker in every place that holds a secret.
fn kubeconfig() -> String {
    let data = in_base64();
    format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: c\nclusters:\n- name: c\n  cluster:\n    server: https://127.0.0.1:1\n    \
         proxy-url: http://me:{MARKER}@proxy.example\nusers:\n- name: token\n  user:\n    token: {MARKER}\n    \
         client-key-data: {data}\n    client-certificate-data: Zm9v\n- name: basic\n  user:\n    username: me\n    password: {MARKER}\n\
         - name: exec\n  user:\n    exec:\n      apiVersion: client.authentication.k8s.io/v1\n      command: \"true\"\n      \
         args: [\"--password={MARKER}\"]\n      env: [{{name: PASSWORD, value: {MARKER}}}]\n- name: provider\n  user:\n    \
         auth-provider:\n      name: oidc\n      config: {{id-token: {MARKER}, refresh-token: {MARKER}, client-secret: {MARKER}}}\n\
         contexts:\n- name: c\n  context: {{cluster: c, user: token}}\n"
    )
}

#[tokio::test]
async fn output_of_a_plugin_is_not_quoted() {
    let log = Log::default();
    let _listening = log.listen();
    for script in [
        format!("echo '{MARKER}'"),
        format!(r#"echo '{{"kind":"ExecCredential","status":{{"token":["{MARKER}"]}}}}'"#),
        format!(
            r#"echo '{{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{{"clientKeyData":"{MARKER}","clientCertificateData":"x"}}}}'"#
        ),
        format!("echo '{MARKER}'; exit 3"),
    ] {
        let mut config = Config::new("https://127.0.0.1:1".parse().unwrap());
        config.auth.exec = Some(exec("sh").with_args(["-c".to_owned(), script]));
        debug_hides("a config", &config);
        let credentials = Credentials::new(&config, &CredentialsOptions::default()).unwrap();
        let error = credentials.apply(&mut http::HeaderMap::new()).await.unwrap_err();
        error_hides("an error of a plugin", &error);
        debug_hides("credentials", &credentials);
    }
    hidden("the log", &log.text());
}

/// A provider whose every answer is a text with the marker.
struct Chatty(u16, String);

impl TokenHttp for Chatty {
    fn send(
        &self,
        _: http::Request<Bytes>,
        _: Option<Material>,
    ) -> Pin<Box<dyn Future<Output = Result<http::Response<Bytes>, String>> + Send>> {
        let answer = http::Response::builder().status(self.0).body(Bytes::from(self.1.clone())).unwrap();
        Box::pin(async move { Ok(answer) })
    }
}

#[tokio::test]
async fn responses_of_an_openid_provider_are_not_quoted() {
    let log = Log::default();
    let _listening = log.listen();
    let endpoint = r#"{"issuer":"https://127.0.0.1:2","token_endpoint":"https://127.0.0.1:2/token""#;
    for (status, answer) in [
        (200, MARKER.to_owned()),
        (400, format!(r#"{{"error":"{MARKER} {MARKER}","error_description":"{MARKER}"}}"#)),
        (200, format!(r#"{endpoint},"id_token":["{MARKER}"]}}"#)),
        (200, format!(r#"{endpoint},"access_token":"{MARKER}"}}"#)),
    ] {
        let mut config = Config::new("https://127.0.0.1:1".parse().unwrap());
        let settings = [
            ("idp-issuer-url", "https://127.0.0.1:2"),
            ("client-id", "me"),
            ("client-secret", MARKER),
            ("refresh-token", MARKER),
            ("id-token", MARKER),
        ];
        config.auth.provider = Some(
            AuthProviderConfig::default()
                .with_name("oidc")
                .with_config(settings.map(|(name, value)| (name.to_owned(), value.to_owned())))
                .with_unknown(serde_json::Map::default()),
        );
        debug_hides("a config", &config);
        let options = CredentialsOptions::default().with_http(Arc::new(Chatty(status, answer)));
        let error = match Credentials::new(&config, &options) {
            Ok(credentials) => credentials.apply(&mut http::HeaderMap::new()).await.unwrap_err(),
            Err(error) => error,
        };
        error_hides("an error of an OpenID provider", &error);
    }
    hidden("the log", &log.text());
}

#[tokio::test]
async fn webhook_certificates_are_not_quoted() {
    let folder = tempfile::tempdir().unwrap();
    let (certificate, key) = (folder.path().join("tls.crt"), folder.path().join("tls.key"));
    let pair = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    std::fs::write(&certificate, pair.cert.pem()).unwrap();
    let options = || {
        WebhookOptions::default()
            .with_listen(([127, 0, 0, 1], 0))
            .with_certificate(certificate.clone())
            .with_key(key.clone())
    };
    for broken in [
        MARKER.to_owned(),
        format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", in_base64()),
        format!("-----BEGIN PRIVATE KEY-----\n{MARKER}!\n-----END PRIVATE KEY-----\n"),
    ] {
        std::fs::write(&key, broken).unwrap();
        let error = WebhookServer::bind(options()).await.unwrap_err();
        error_hides("an error of a webhook's key", &error);
    }
    let pem = pair.signing_key.serialize_pem();
    let line = pem.lines().nth(1).unwrap().to_owned();
    std::fs::write(&key, pem).unwrap();
    let server = WebhookServer::bind(options()).await.unwrap();
    assert!(!format!("{server:?}{server:#?}").contains(&line), "a webhook server shows its key");
}

/// A client of a server with TLS whose token is the marker, and its metrics.
async fn client(prometheus: &Prometheus) -> (Server, RestClient) {
    let server = Server::start_with(ServerOptions::default().with_tls(true)).await.unwrap();
    server.add_token(MARKER, User::new("me", ["system:masters"]));
    let mut config = Config::new(server.url().unwrap().parse().unwrap());
    config.tls.ca = Some(Material::Data(server.authority().unwrap().to_owned().into()));
    config.auth.token = Some(MARKER.into());
    config.qps = -1.0;
    let mut options = RestClientOptions::from_config(&config);
    options.metrics = prometheus.requests();
    let transport = client_rs_transport::http::Transport::from_config(&config).unwrap();
    (server, RestClient::with_options(&config.server, transport, options).unwrap())
}

#[tokio::test]
async fn requests_to_a_server_leave_no_secret_in_logs_spans_errors_and_metrics() {
    let (log, prometheus) = (Log::default(), Prometheus::new());
    let _listening = log.listen();
    let (_server, rest) = client(&prometheus).await;
    let secrets = Api::<Secret>::namespaced(&rest, "default");
    let created = secrets.create(Secret::from_json(&text_of(&secret())).unwrap()).await.unwrap();
    debug_hides("what was created", &created);
    // A second one, and what the server does not take, are refused, with its words.
    let again = secrets.create(Secret::from_json(&text_of(&secret())).unwrap()).await.unwrap_err();
    error_hides("a conflict", &again);
    let mut bad = Secret::from_json(&text_of(&secret())).unwrap();
    bad.metadata.name = "Not A Name".into();
    error_hides("an object that is refused", &secrets.create(bad).await.unwrap_err());
    debug_hides("a list", &secrets.list().await.unwrap());
    let raw = rest.send_raw(Request::get().of::<Secret>().namespace("default")).await.unwrap();
    debug_hides("a raw answer", &raw);
    let options = ListOptions { watch: true, timeout_seconds: Some(1), ..ListOptions::EMPTY };
    let request = Request::get().of::<Secret>().namespace("default").options(&options);
    let mut watch = rest.watch::<Secret>(request).await.unwrap();
    debug_hides("a watch", &watch);
    debug_hides("an event", &watch.next().await.unwrap());
    drop(watch);

    // A command for a container, in a URL.
    let pods = Api::<Pod>::namespaced(&rest, "default");
    let command = pods.exec("none", ["login", &format!("--password={MARKER}")]);
    debug_hides("a command", &command);
    let refused = command.await.unwrap_err();
    assert!(matches!(refused, Error::Api { .. }), "{refused}");
    error_hides("a command that is refused", &refused);
    let web = Api::<Service>::namespaced(&rest, "default").http("web");
    error_hides("a backend that is not there", &web.get("/").query("token", MARKER).await.unwrap_err());
    let wrong = Request::get().abs_path(["nowhere"]).param("token", MARKER);
    error_hides("a path that is not there", &rest.send_raw(wrong).await.unwrap_err());

    // Tokens that are requested, and tokens that are reviewed.
    let review = format!(r#"{{"spec":{{"token":"{MARKER}"}}}}"#);
    let review = TokenReview::from_json(review.as_bytes()).unwrap();
    let path = Request::post().api("authentication.k8s.io", "v1").resource("tokenreviews");
    let review: TokenReview = rest.send(path.object(review)).await.unwrap();
    debug_hides("a review", &review);
    let account = r#"{"metadata":{"name":"robot","namespace":"default"}}"#;
    let accounts = Api::<ServiceAccount>::namespaced(&rest, "default");
    accounts.create(ServiceAccount::from_json(account.as_bytes()).unwrap()).await.unwrap();
    let path =
        Request::post().of::<ServiceAccount>().namespace("default").name("robot").subresource(["token"]);
    let issued: TokenRequest = rest.send(path.object(TokenRequest::EMPTY)).await.unwrap();
    let token = String::from_utf8(issued.encode(Format::Json)).unwrap();
    let token = token.split("\"token\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    assert!(token.len() > 20 && !format!("{issued:?}").contains(&token), "{issued:?}");

    let said = log.text();
    assert!(said.contains("/api/v1/namespaces/default/pods/none/exec"), "spans are written down:\n{said}");
    hidden("the log", &said);
    assert!(!said.contains(&token), "the log shows a token");
    let metrics = prometheus.render();
    assert!(metrics.contains("rest_client_requests_total"), "{metrics}");
    hidden("metrics", &metrics);
    debug_hides("a client", &rest);
}

#[tokio::test]
async fn the_state_of_a_controller_contains_no_secret() {
    let (log, prometheus) = (Log::default(), Prometheus::new());
    let _listening = log.listen();
    let (_server, rest) = client(&prometheus).await;
    let secrets = Api::<Secret>::namespaced(&rest, "default");
    secrets.create(Secret::from_json(&text_of(&secret())).unwrap()).await.unwrap();
    let factory = SharedInformerFactory::new(rest.clone());
    let informer = factory.of::<Secret>().informer();
    let _started = informer.spawn();
    let pods = Api::<Pod>::namespaced(&rest, "default");
    let options = ControllerOptions::default().with_prometheus(&prometheus, "secrets");
    let (failed, mut failures) = tokio::sync::mpsc::unbounded_channel();
    let controller =
        Controller::with_options("secrets", informer, options).reconcile(move |_, _: Context| {
            let (pods, failed) = (pods.clone(), failed.clone());
            async move {
                let refused =
                    pods.exec("none", ["login", &format!("--password={MARKER}")]).await.unwrap_err();
                let _ = failed.send(());
                Err::<Action, _>(ReconcileError::terminal(refused))
            }
        });
    let controller = Arc::new(controller);
    let stop = CancellationToken::new();
    let (working, stopping) = (Arc::clone(&controller), stop.clone());
    let running = tokio::spawn(async move { working.run(stopping).await });
    failures.recv().await.unwrap();
    while controller.state().last_error.is_none() {
        tokio::task::yield_now().await;
    }
    let state = controller.state();
    assert!(state.last_error.as_ref().unwrap().1.contains("/pods/none/exec?command=..."), "{state:?}");
    hidden("the state of a controller", &serde_json::to_string(&state).unwrap());
    debug_hides("the state of a controller", &state);
    debug_hides("a controller", &controller);
    stop.cancel();
    running.await.unwrap().unwrap();
    hidden("the log", &log.text());
    hidden("metrics", &prometheus.render());
}

#[test]
fn impersonated_names_are_shown_without_secrets() {
    let user = Impersonate::new("jane");
    debug_hides("a request", &Request::get().impersonate(user).header(http::header::COOKIE, MARKER));
}
