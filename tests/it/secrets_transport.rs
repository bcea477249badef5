//! The same as `secrets.rs`, of configs that are shown to others, providers of tokens, and the embedded server.
#![allow(clippy::unwrap_used, reason = "a test's helpers")]

use std::pin::Pin;
use std::sync::{Arc, Mutex};

use crate::marker::{Log, MARKER, debug_hides, error_hides, hidden, in_base64};
use client_rs_apiserver::{Server, ServerOptions};
use client_rs_transport::Config;
use client_rs_transport::auth::{
    AuthProviderConfig, Credentials, CredentialsOptions, Providers, Token, TokenProvider,
};
use client_rs_transport::http::Transport;
use client_rs_transport::kubeconfig::Kubeconfig;

fn kubeconfig() -> Kubeconfig {
    let data = in_base64();
    let text = format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: c\nclusters:\n- name: c\n  cluster:\n    server: https://127.0.0.1:1\n    \
         proxy-url: http://me:{MARKER}@proxy.example\nusers:\n- name: token\n  user:\n    token: {MARKER}\n    \
         client-key-data: {data}\n- name: basic\n  user:\n    username: me\n    password: {MARKER}\n\
         - name: exec\n  user:\n    exec:\n      apiVersion: client.authentication.k8s.io/v1\n      command: \"true\"\n      \
         args: [\"--password={MARKER}\"]\n      env: [{{name: PASSWORD, value: {MARKER}}}]\n- name: provider\n  user:\n    \
         auth-provider:\n      name: oidc\n      config: {{id-token: {MARKER}, refresh-token: {MARKER}, client-secret: {MARKER}}}\n\
         contexts:\n- name: c\n  context: {{cluster: c, user: token}}\n"
    );
    Kubeconfig::parse(text.as_bytes()).unwrap()
}

#[test]
fn a_redacted_kubeconfig_can_be_shown_to_anyone() {
    let mut redacted = kubeconfig();
    redacted.redact();
    hidden("a redacted kubeconfig", &redacted.to_yaml().unwrap());
    hidden("a redacted kubeconfig", &redacted.to_json().to_string());
    assert!(redacted.to_yaml().unwrap().contains("proxy.example"), "fields that are not secret stay");
}

#[test]
fn a_password_in_a_url_is_not_shown() {
    let mut config = Config::new(format!("https://me:{MARKER}@127.0.0.1:1").parse().unwrap());
    debug_hides("a config", &config);
    config.auth.token = Some("t".into());
    let log = Log::default();
    let _listening = log.listen();
    match Transport::from_config(&config) {
        Ok(transport) => debug_hides("a transport", &transport),
        Err(error) => error_hides("an error of a transport", &error),
    }
    let plain = Config::new(format!("http://me:{MARKER}@127.0.0.1:1").parse().unwrap());
    let plain = plain.with_auth(config.auth.clone());
    drop(Credentials::new(&plain, &CredentialsOptions::default()));
    hidden("the log", &log.text());
}

#[test]
fn the_settings_of_a_provider_are_not_shown() {
    let shown = Arc::new(Mutex::new(String::new()));
    let (mut providers, told) = (Providers::default(), Arc::clone(&shown));
    let factory = move |settings| {
        *told.lock().unwrap() = format!("{settings:?}{settings:#?}");
        Ok(Arc::new(Fixed) as Arc<dyn TokenProvider>)
    };
    providers.register("mine", factory).unwrap();
    let mut config = Config::new("https://127.0.0.1:1".parse().unwrap());
    config.auth.provider = Some(
        AuthProviderConfig::default()
            .with_name("mine")
            .with_config([("client-secret".into(), MARKER.into())])
            .with_unknown(serde_json::Map::default()),
    );
    let options = CredentialsOptions::default().with_providers(providers);
    debug_hides("credentials", &Credentials::new(&config, &options).unwrap());
    assert!(!shown.lock().unwrap().is_empty());
    hidden("the settings of a provider", &shown.lock().unwrap());
}

struct Fixed;

impl TokenProvider for Fixed {
    fn fetch(&self) -> Pin<Box<dyn Future<Output = Result<Token, String>> + Send>> {
        Box::pin(async { Ok(Token { token: MARKER.into(), expiry: None }) })
    }
}

#[tokio::test]
async fn an_embedded_server_does_not_show_its_tokens() {
    let server = Server::start_with(ServerOptions::default().with_tls(true)).await.unwrap();
    let key = server.authority_key().unwrap();
    let shown = format!("{server:?}{server:#?}");
    assert!(!shown.contains(server.admin_token()), "a server shows the token of its administrator");
    assert!(!shown.contains(key.lines().nth(1).unwrap()), "a server shows the key of its authority");
}
