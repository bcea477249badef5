//! Installation of definitions.

use std::collections::BTreeSet;
use std::time::Duration;

use client_rs_api::apiextensions::v1::CustomResourceDefinition;
use client_rs_client::wait::{WaitError, conditions};
use client_rs_client::{Api, Backoff, Error, Request, RestClient};
use client_rs_machinery::wire::Message;
use client_rs_machinery::{Json, Str};
use tokio::time::Instant;

use super::loss::{DataLoss, losses};

client_rs_machinery::options! {
    /// The options of [`apply_with`].
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use client_rs_custom::crds::InstallOptions;
    ///
    /// let options = InstallOptions::default().with_field_manager("my-operator").with_timeout(Duration::from_secs(10));
    /// assert!(!options.accept_loss); // Data loss is refused by default.
    /// ```
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct InstallOptions {
        /// The field manager that owns the fields of the definitions. Default: `client-rs`.
        pub field_manager: Str => with_field_manager,
        /// The timeout of each request, and of the wait until each kind is served. Default: one minute.
        pub timeout: Duration => with_timeout,
        /// Whether to make changes by which stored objects lose data. Default: no.
        pub accept_loss: bool => with_accept_loss,
    }
}

impl Default for InstallOptions {
    fn default() -> Self {
        Self { field_manager: "client-rs".into(), timeout: Duration::from_mins(1), accept_loss: false }
    }
}

/// The result of installing one definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Installed {
    /// It did not exist.
    Created,
    /// It existed, and was changed.
    Upgraded,
    /// It existed, and was already up to date.
    Unchanged,
}

/// The reason why definitions were not installed. The text includes the cause, so there is no
/// [`source`](std::error::Error::source).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InstallError {
    /// Two definitions have the same name: two kinds with one plural in a group, or two versions that were not merged.
    #[error(
        "two definitions have the name {0}: two kinds need two plurals, and `crds::merge` combines versions of one kind"
    )]
    Twice(Str),
    /// Stored objects would lose data. No definition was changed.
    #[error("can't install the definition {name}: stored objects would lose data: {}", texts(losses))]
    Loss {
        /// The definition.
        name: Str,
        /// The losses.
        losses: Vec<DataLoss>,
    },
    /// The server refused a request, or could not be reached.
    #[error("can't install the definition {name}: {error}")]
    Request {
        /// The definition.
        name: Str,
        /// The cause.
        error: Box<Error>,
    },
    /// The kind was not served in time, or never will be because another definition has its names.
    #[error("the definition {name} is installed, but its kind is not served: {error}")]
    NotServed {
        /// The definition.
        name: Str,
        /// The cause.
        error: Box<WaitError>,
    },
}

/// Installs definitions with the default options; see [`apply_with`].
///
/// ```
/// use client_rs_client::Api;
/// use client_rs_custom::{CustomResource, Schema, crds};
/// # use serde::{Deserialize, Serialize};
///
/// #[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
/// #[resource(group = "example.com", version = "v1", kind = "Site", namespaced)]
/// # #[resource(crate = client_rs_custom)]
/// # #[schema(crate = client_rs_custom)]
/// struct SiteSpec {
///     host: String,
/// }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let options = client_rs_apiserver::ServerOptions::default().with_listen(None);
/// # let server = client_rs_apiserver::Server::start_with(options).await?;
/// # let rest = server.rest_client()?;
/// assert_eq!(crds::apply(&rest, [Site::crd()]).await?, [crds::Installed::Created]);
/// // The kind is served now.
/// let sites = Api::<Site>::namespaced(&rest, "default");
/// sites.create(Site::new("web", SiteSpec { host: "example.com".to_owned() })).await?;
/// assert_eq!(sites.get("web").await?.spec.host, "example.com");
/// // Idempotent: the next start of the program changes nothing.
/// assert_eq!(crds::apply(&rest, [Site::crd()]).await?, [crds::Installed::Unchanged]);
/// # Ok(())
/// # }
/// ```
pub async fn apply(
    rest: &RestClient,
    definitions: impl IntoIterator<Item = CustomResourceDefinition>,
) -> Result<Vec<Installed>, InstallError> {
    apply_with(rest, definitions, &InstallOptions::default()).await
}

/// Installs definitions, or upgrades them in place, and waits until their kinds are served.
///
/// Call it when an operator starts. Several replicas may call it at once. If your cluster's administrators install
/// definitions themselves, print them with [`document`] instead.
///
/// - All definitions are checked before any is changed. A change by which stored objects would lose data is refused, unless
///   [`accept_loss`](InstallOptions::accept_loss) is set.
/// - Definitions are written with server-side apply: fields that others own and this does not set stay (labels, a conversion
///   webhook's `caBundle`).
/// - It returns when the newest version of each kind responds. Cancellation: drop the future; definitions that were
///   installed by then stay.
///
/// # Errors
///
/// [`InstallError`], which names the definition.
pub async fn apply_with(
    rest: &RestClient,
    definitions: impl IntoIterator<Item = CustomResourceDefinition>,
    options: &InstallOptions,
) -> Result<Vec<Installed>, InstallError> {
    let definitions: Vec<CustomResourceDefinition> = definitions.into_iter().collect();
    let mut names = BTreeSet::new();
    if let Some(twice) = definitions.iter().find(|definition| !names.insert(&definition.metadata.name)) {
        return Err(InstallError::Twice(twice.metadata.name.clone()));
    }
    let api = Api::<CustomResourceDefinition>::cluster(rest);
    let mut before = Vec::new();
    for definition in &definitions {
        let old = match api.get(&definition.metadata.name).timeout(options.timeout).await {
            Ok(old) => Some(old),
            Err(error) if error.is_not_found() => None,
            Err(error) => return Err(failed(definition, error)),
        };
        let lost = old.as_ref().map(|old| losses(old, definition)).unwrap_or_default();
        if !lost.is_empty() && !options.accept_loss {
            return Err(InstallError::Loss { name: definition.metadata.name.clone(), losses: lost });
        }
        before.push(old);
    }
    let mut installed = Vec::new();
    for (definition, old) in definitions.iter().zip(before) {
        let request = api.apply(document(definition), options.field_manager.clone()).force();
        let new = request.timeout(options.timeout).await.map_err(|error| failed(definition, error))?;
        installed.push(match old {
            None => Installed::Created,
            Some(old) if old.metadata.resource_version == new.metadata.resource_version => {
                Installed::Unchanged
            }
            Some(_) => Installed::Upgraded,
        });
    }
    for definition in &definitions {
        served(&api, definition, options.timeout).await?;
    }
    Ok(installed)
}

/// A definition as JSON without the fields that the server sets: for a file, or for server-side apply.
///
/// ```
/// use client_rs_api::apiextensions::v1::CustomResourceDefinition;
/// use client_rs_custom::crds;
///
/// let mut definition = CustomResourceDefinition::EMPTY;
/// definition.metadata.name = "sites.example.com".into();
/// let document = crds::document(&definition);
/// assert_eq!(document["kind"].as_str(), Some("CustomResourceDefinition"));
/// assert!(document.get("status").is_none());
/// ```
pub fn document(definition: &CustomResourceDefinition) -> Json {
    let mut document = Json::parse(&definition.to_json()).unwrap_or_default();
    document.remove(&["status"]);
    document.remove(&["metadata", "creationTimestamp"]);
    document
}

async fn served(
    api: &Api<CustomResourceDefinition>,
    definition: &CustomResourceDefinition,
    limit: Duration,
) -> Result<(), InstallError> {
    let name = &definition.metadata.name;
    let late = |error| InstallError::NotServed { name: name.clone(), error: Box::new(error) };
    let deadline = Instant::now() + limit;
    api.wait_for(name, conditions::crd_established(), limit).await.map_err(late)?;
    // The server starts to serve the kind a moment after it has set the condition.
    let Some(version) = definition.spec.versions.iter().find(|version| version.served) else { return Ok(()) };
    let spec = &definition.spec;
    let mut backoff = // About eight seconds in total.
        Backoff::default().with_factor(1.5).with_steps(16).with_cap(Duration::from_secs(1));
    loop {
        let left = deadline.duration_since(Instant::now()).max(LEAST);
        let request = Request::get()
            .api(&spec.group, &version.name)
            .resource(&spec.names.plural)
            .param("limit", "1")
            .timeout(left);
        match api.rest().send_raw(request).await {
            Ok(_) => return Ok(()),
            // Forbidden, or too many requests: the kind is served.
            Err(error) if error.api().is_some() && !error.is_not_found() => return Ok(()),
            Err(_) if backoff.steps > 1 && Instant::now() < deadline => {
                tokio::time::sleep(backoff.step()).await;
            }
            Err(error) => return Err(late(WaitError::Request(error))),
        }
    }
}

/// The last request for a kind has at least this timeout, even after the deadline.
const LEAST: Duration = Duration::from_secs(1);

fn failed(definition: &CustomResourceDefinition, error: Error) -> InstallError {
    InstallError::Request { name: definition.metadata.name.clone(), error: Box::new(error) }
}

fn texts(losses: &[DataLoss]) -> String {
    losses.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
