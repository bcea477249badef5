//! Installing definitions.

use std::collections::BTreeSet;
use std::time::Duration;

use client_rs_api::apiextensions::v1::CustomResourceDefinition;
use client_rs_client::wait::{WaitError, conditions};
use client_rs_client::{Api, Backoff, Error, Request, RestClient};
use client_rs_machinery::wire::Message;
use client_rs_machinery::{Json, Str};
use tokio::time::Instant;

use super::loss::{DataLoss, losses};

/// How definitions are installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstallOptions {
    /// Who owns the fields of the definitions. Default: `client-rs`.
    pub field_manager: Str,
    /// How long each definition may take until its kind is served, and each request before that. Default: one minute.
    pub timeout: Duration,
    /// Changes are made even if stored objects lose something by them. Default: no.
    pub accept_loss: bool,
}

impl Default for InstallOptions {
    fn default() -> Self {
        Self { field_manager: "client-rs".into(), timeout: Duration::from_mins(1), accept_loss: false }
    }
}

/// What became of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Installed {
    /// It was not there.
    Created,
    /// It was there, and is changed.
    Upgraded,
    /// It was there, as it should be.
    Unchanged,
}

/// Why definitions are not installed. The text says all of it, the cause included; there is no
/// [`source`](std::error::Error::source) that would say it again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InstallError {
    /// Two of them have the same name: two kinds with one plural in a group, or two versions that were not merged.
    #[error(
        "{0} is there twice: two kinds need two plurals, and versions of one kind are merged by `crds::merge`"
    )]
    Twice(Str),
    /// Stored objects would lose something. Nothing was changed, of any definition.
    #[error("can't install the definition {name}: stored objects would lose something: {}", texts(losses))]
    Loss {
        /// The definition.
        name: Str,
        /// What.
        losses: Vec<DataLoss>,
    },
    /// The server refuses, or can't be asked.
    #[error("can't install the definition {name}: {error}")]
    Request {
        /// The definition.
        name: Str,
        /// Why.
        error: Box<Error>,
    },
    /// The kind is not served in time, or will never be: its names are taken.
    #[error("the definition {name} is installed, but its kind is not served: {error}")]
    NotServed {
        /// The definition.
        name: Str,
        /// Why.
        error: Box<WaitError>,
    },
}

/// Installs definitions, as [`apply_with`] does with its defaults.
pub async fn apply(
    rest: &RestClient,
    definitions: impl IntoIterator<Item = CustomResourceDefinition>,
) -> Result<Vec<Installed>, InstallError> {
    apply_with(rest, definitions, &InstallOptions::default()).await
}

/// Installs definitions, and waits until their kinds are served: created where they are not there, changed in place where
/// they are. Any number of replicas may do so at once.
///
/// - All are looked at before any is changed. A change by which stored objects would lose something is refused, unless
///   [`accept_loss`](InstallOptions::accept_loss) says otherwise.
/// - They are applied server-side: what others own and this does not set (labels, a conversion webhook's `caBundle`) stays.
/// - Ends when the newest version of each kind answers. Cancelled by drop; what was installed by then stays.
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

/// A definition as it is applied, and as a file of it should be: without what the server writes.
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
    // The server's handler learns of it by a watch of its own, a moment after the condition is there.
    let Some(version) = definition.spec.versions.iter().find(|version| version.served) else { return Ok(()) };
    let spec = &definition.spec;
    let mut backoff = Backoff {
        duration: Duration::from_millis(10),
        factor: 1.5,
        jitter: 0.1,
        // Some eight seconds in all.
        steps: 16,
        cap: Some(Duration::from_secs(1)),
    };
    loop {
        let left = deadline.duration_since(Instant::now()).max(LEAST);
        let request = Request::get()
            .api(&spec.group, &version.name)
            .resource(&spec.names.plural)
            .param("limit", "1")
            .timeout(left);
        match api.rest().send_raw(request).await {
            Ok(_) => return Ok(()),
            // Not ours to see, or too much to ask for now: it is served.
            Err(error) if error.api().is_some() && !error.is_not_found() => return Ok(()),
            Err(_) if backoff.steps > 1 && Instant::now() < deadline => {
                tokio::time::sleep(backoff.step()).await;
            }
            Err(error) => return Err(late(WaitError::Request(error))),
        }
    }
}

/// A last look at whether a kind is served may take this long, however late it is.
const LEAST: Duration = Duration::from_secs(1);

fn failed(definition: &CustomResourceDefinition, error: Error) -> InstallError {
    InstallError::Request { name: definition.metadata.name.clone(), error: Box::new(error) }
}

fn texts(losses: &[DataLoss]) -> String {
    losses.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
