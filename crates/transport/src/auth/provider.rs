//! Auth providers by name: those that a program registers, and those that client-go has removed.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    sync::Arc,
    time::{Duration, SystemTime},
};

use client_rs_machinery::collections::VecMap;
use http::HeaderValue;

use super::{
    AuthError, AuthProviderConfig, Persister,
    credentials::bearer,
    refresh::{Expiry, Failure, Refresh},
    single_flight::{Clock, SingleFlight},
};
use crate::{Secret, config::without_user_info};

/// The one provider that is built in.
pub(super) const OIDC: &str = "oidc";

/// Fetches bearer tokens from a source of your own, such as a vault.
///
/// The client calls it when a request needs a token and there is none, or when the last one has expired or was refused. Calls
/// never overlap, and the client caches the result. Register it under a name in [`Providers`]; a kubeconfig user selects
/// it with `auth-provider: {name: …}`.
///
/// ```
/// use std::sync::Arc;
/// use client_rs_transport::Config;
/// use client_rs_transport::auth::{
///     AuthOptions, AuthProviderConfig, Credentials, CredentialsOptions, Providers, Token, TokenProvider,
/// };
///
/// struct Vault;
///
/// impl TokenProvider for Vault {
///     fn fetch(&self) -> std::pin::Pin<Box<dyn Future<Output = Result<Token, String>> + Send>> {
///         Box::pin(async { Ok(Token { token: "from-the-vault".into(), expiry: None }) })
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut providers = Providers::default();
/// providers.register("vault", |_settings| Ok(Arc::new(Vault)))?;
///
/// let auth = AuthOptions::default().with_provider(AuthProviderConfig::default().with_name("vault"));
/// let config = Config::new("https://k8s.example".parse()?).with_auth(auth);
/// let credentials = Credentials::new(&config, &CredentialsOptions::default().with_providers(providers))?;
/// let mut headers = http::HeaderMap::new();
/// credentials.apply(&mut headers).await?;
/// assert_eq!(headers["authorization"], "Bearer from-the-vault");
/// # Ok(())
/// # }
/// ```
pub trait TokenProvider: Send + Sync {
    /// Fetches a token. It must not block the thread. The future is dropped after [`ProviderSettings::FETCH_LIMIT`]. The error
    /// message must not contain a secret.
    fn fetch(&self) -> Pin<Box<dyn Future<Output = Result<Token, String>> + Send>>;
}

/// A token and its expiry.
#[derive(Clone, Debug)]
pub struct Token {
    /// The token.
    pub token: Secret,
    /// The last instant at which it is valid; `None` if it is valid until the server refuses it.
    pub expiry: Option<SystemTime>,
}

/// The settings that a provider is created with. `Debug` shows the names of the settings, not their values.
#[derive(Clone)]
pub struct ProviderSettings {
    /// The server that the tokens are for.
    pub server: String,
    /// The settings in the kubeconfig's user.
    pub config: VecMap<String, String>,
    persist: Option<Persister>,
}

/// The auth providers of a program, by the name in a kubeconfig's `auth-provider`.
///
/// There is no global registry: pass this value to the clients that need it, in
/// [`CredentialsOptions`](super::CredentialsOptions). See [`TokenProvider`] for an example.
#[derive(Clone, Default)]
pub struct Providers(VecMap<String, Arc<Factory>>);

type Factory = dyn Fn(ProviderSettings) -> Result<Arc<dyn TokenProvider>, String> + Send + Sync;

impl Providers {
    /// Adds a provider. A name that is already registered is an error, and so is `oidc`, which is built in.
    pub fn register(
        &mut self,
        name: &str,
        factory: impl Fn(ProviderSettings) -> Result<Arc<dyn TokenProvider>, String> + Send + Sync + 'static,
    ) -> Result<(), AuthError> {
        if name == OIDC || self.0.contains_key(name) {
            return Err(AuthError::DuplicateProvider(name.to_owned()));
        }
        self.0.insert(name.to_owned(), Arc::new(factory));
        Ok(())
    }

    /// The `Authorization` header of a registered provider; an error with advice if the name is not registered.
    pub(super) fn header(
        &self,
        server: String,
        provider: &AuthProviderConfig,
        persist: Option<Persister>,
        clock: Clock,
    ) -> Result<SingleFlight<HeaderValue>, AuthError> {
        let name = provider.name.clone();
        let factory = self.0.get(&name).ok_or_else(|| refuse(&name))?;
        let settings = ProviderSettings { server, config: provider.config.clone(), persist };
        let failed = move |reason| AuthError::Provider { name: name.clone(), reason };
        let provider = factory(settings).map_err(&failed)?;
        Ok(SingleFlight::new(Refresh::new(Failure::Reported), clock, move || {
            let (token, failed) = (provider.fetch(), failed.clone());
            Box::pin(async move {
                let token = tokio::time::timeout(ProviderSettings::FETCH_LIMIT, token).await;
                let late = |_| Err(format!("no token within {:?}", ProviderSettings::FETCH_LIMIT));
                let token = token.unwrap_or_else(late).map_err(failed)?;
                Ok((bearer(&token.token)?, token.expiry.map_or(Expiry::Never, Expiry::At)))
            })
        }))
    }
}

impl ProviderSettings {
    /// The time limit of a fetch. It equals that of an exec plugin, because a user may have to log in.
    pub const FETCH_LIMIT: Duration = Duration::from_mins(5);

    /// Stores changed settings for the next run of the program. It does nothing if there is no place to store them. May block.
    pub fn persist(&self, config: &VecMap<String, String>) -> Result<(), AuthError> {
        self.persist.as_ref().map_or(Ok(()), |Persister(persist)| persist.persist(config))
    }
}

impl fmt::Debug for ProviderSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProviderSettings")
            .field("server", &without_user_info(&self.server))
            .field("config", &self.config.keys().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Providers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

const HELP: &str =
    "https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins";

/// The error for a provider that is not registered.
fn refuse(name: &str) -> AuthError {
    match name {
        "gcp" => AuthError::RemovedProvider {
            name: "gcp",
            plugin: "gke-gcloud-auth-plugin",
            help: "https://cloud.google.com/kubernetes-engine/docs/how-to/cluster-access-for-kubectl#install_plugin",
        },
        "azure" => AuthError::RemovedProvider {
            name: "azure",
            plugin: "kubelogin",
            help: "https://github.com/Azure/kubelogin",
        },
        "openstack" => {
            AuthError::RemovedProvider { name: "openstack", plugin: "client-keystone-auth", help: HELP }
        }
        _ => AuthError::UnknownProvider(name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::auth::Persist;

    struct Numbered(Mutex<u64>);

    impl TokenProvider for Numbered {
        fn fetch(&self) -> Pin<Box<dyn Future<Output = Result<Token, String>> + Send>> {
            let mut number = self.0.lock().unwrap();
            *number += 1;
            let token = match *number {
                3 => Err("vault is sealed".to_owned()),
                number => Ok(Token {
                    token: format!("t{number}").into(),
                    expiry: Some(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(60 * number)),
                }),
            };
            Box::pin(async move { token })
        }
    }

    #[derive(Default)]
    struct Kept(Mutex<Vec<VecMap<String, String>>>);

    impl Persist for Kept {
        fn persist(&self, config: &VecMap<String, String>) -> Result<(), AuthError> {
            self.0.lock().unwrap().push(config.clone());
            Ok(())
        }
    }

    fn vault() -> AuthProviderConfig {
        let config = [("role".to_owned(), "dev".to_owned())].into();
        AuthProviderConfig { name: "vault".to_owned(), config, ..AuthProviderConfig::default() }
    }

    #[tokio::test(start_paused = true)]
    async fn a_registered_provider_is_called_when_its_token_has_expired() {
        let mut providers = Providers::default();
        providers.register("vault", |_| Ok(Arc::new(Numbered(Mutex::default())))).unwrap();
        let header = providers.header("https://k".to_owned(), &vault(), None, Clock::paused()).unwrap();
        let token = async || header.get().await.map(|(value, _)| value.to_str().unwrap().to_owned());
        assert_eq!(token().await.unwrap(), "Bearer t1");
        assert_eq!(token().await.unwrap(), "Bearer t1");
        tokio::time::advance(std::time::Duration::from_secs(61)).await;
        assert_eq!(token().await.unwrap(), "Bearer t2");
        tokio::time::advance(std::time::Duration::from_mins(1)).await;
        assert_eq!(token().await.unwrap_err().to_string(), "auth provider \"vault\": vault is sealed");
        assert_eq!(token().await.unwrap(), "Bearer t4");
    }

    #[tokio::test(start_paused = true)]
    async fn a_provider_that_never_answers_is_an_error_in_time() {
        struct Silent;
        impl TokenProvider for Silent {
            fn fetch(&self) -> Pin<Box<dyn Future<Output = Result<Token, String>> + Send>> {
                Box::pin(std::future::pending())
            }
        }
        let mut providers = Providers::default();
        providers.register("vault", |_| Ok(Arc::new(Silent))).unwrap();
        let header = providers.header("https://k".to_owned(), &vault(), None, Clock::paused()).unwrap();
        let asked = tokio::time::timeout(ProviderSettings::FETCH_LIMIT * 2, header.get()).await;
        assert!(asked.unwrap().unwrap_err().to_string().contains("no token within"));
    }

    #[test]
    fn t3_10_01_registration_persistence_nil_persister() {
        let mut providers = Providers::default();
        let persist_role = |settings: ProviderSettings| -> Result<Arc<dyn TokenProvider>, String> {
            let mut config = settings.config.clone();
            let shown = format!("{settings:?}");
            assert!(shown.contains("role") && !shown.contains("dev"), "{shown}");
            config.insert("server".to_owned(), settings.server.clone());
            settings.persist(&config).map_err(|error| error.to_string())?;
            Ok(Arc::new(Numbered(Mutex::default())))
        };
        providers.register("vault", persist_role).unwrap();
        for name in ["vault", "oidc"] {
            let error = providers.register(name, persist_role).unwrap_err();
            assert!(matches!(error, AuthError::DuplicateProvider(_)), "{error}");
        }
        let kept = Arc::new(Kept::default());
        let build = |persist| providers.header("https://k".to_owned(), &vault(), persist, Clock::system());
        assert!(build(None).is_ok(), "no persister: nothing happens");
        assert!(build(Some(Persister(kept.clone()))).is_ok());
        let kept = kept.0.lock().unwrap();
        assert_eq!((kept.len(), &*kept[0]["role"], &*kept[0]["server"]), (1, "dev", "https://k"));
    }

    #[test]
    fn a_legacy_provider_is_refused_with_the_plugin_to_use() {
        for (name, plugin) in
            [("gcp", "gke-gcloud-auth-plugin"), ("azure", "kubelogin"), ("openstack", "client-keystone-auth")]
        {
            let error = refuse(name).to_string();
            assert!(
                error.contains(&format!("the {name} auth provider")) && error.contains(plugin),
                "{error}"
            );
            assert!(error.contains("https://"), "{error}");
        }
        assert_eq!(refuse("x").to_string(), "no auth provider of the name \"x\"; use an exec plugin instead");
    }
}
