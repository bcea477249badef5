//! Installing definitions.

use std::collections::BTreeSet;
use std::time::Duration;

use client_rs_api::apiextensions::v1::CustomResourceDefinition;
use client_rs_client::wait::{WaitError, conditions};
use client_rs_client::{Api, Backoff, Error, Request, RestClient};
use client_rs_machinery::wire::Message;
use client_rs_machinery::{Json, Str};

use super::loss::{Loss, losses};

/// How definitions are installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstallOptions {
    /// Who owns the fields of the definitions. Default: `client-rs`.
    pub field_manager: Str,
    /// How long each definition may take until its kind is served. Default: one minute.
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

/// Why definitions are not installed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InstallError {
    /// Two of them have the same name: two kinds with one plural in a group, or two versions that were not merged.
    #[error(
        "{0} is there twice: two kinds need two plurals, and versions of one kind are merged by `crds::merge`"
    )]
    Twice(Str),
    /// Stored objects would lose something. Nothing was changed, of any definition.
    #[error("{name}: stored objects would lose something: {}", texts(losses))]
    Loss {
        /// The definition.
        name: Str,
        /// What.
        losses: Vec<Loss>,
    },
    /// The server refuses, or can't be asked.
    #[error("{name}")]
    Request {
        /// The definition.
        name: Str,
        /// Why.
        source: Box<Error>,
    },
    /// The kind is not served in time, or will never be: its names are taken.
    #[error("{name}")]
    NotServed {
        /// The definition.
        name: Str,
        /// Why.
        source: Box<WaitError>,
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
        let old = match api.get(&definition.metadata.name).await {
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
        let new = request.await.map_err(|error| failed(definition, error))?;
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

/// The fields to be owned: all but what the server writes.
fn document(definition: &CustomResourceDefinition) -> Json {
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
    let late = |source| InstallError::NotServed { name: name.clone(), source: Box::new(source) };
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
        let request =
            Request::get().api(&spec.group, &version.name).resource(&spec.names.plural).param("limit", "1");
        match api.rest().send_raw(request).await {
            Err(error) if error.is_not_found() && backoff.steps > 1 => {
                tokio::time::sleep(backoff.step()).await;
            }
            Err(error) if error.is_not_found() => return Err(failed(definition, error)),
            // Served, or not ours to see, which is served as well.
            _ => return Ok(()),
        }
    }
}

fn failed(definition: &CustomResourceDefinition, error: Error) -> InstallError {
    InstallError::Request { name: definition.metadata.name.clone(), source: Box::new(error) }
}

fn texts(losses: &[Loss]) -> String {
    losses.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
