//! Clients of a fake.

use client_rs_client::RestClient;

use super::core::{Fake, FakeError};
use super::fixture::Fixture;

/// A client for the code under test, and the [`Fake`] for the test. [`FakeClient::fake`] creates both.
#[derive(Clone, Debug)]
pub struct Faked<C> {
    /// The client for the code under test.
    pub client: C,
    /// The fake behind the client: its reactors and recorded actions.
    pub fake: Fake,
}

/// Creates clients of a [`Fake`], for every type that implements `From<RestClient>`: `RestClient`, `DynamicClient`,
/// `MetadataClient`, `Clientset`.
///
/// It is implemented for all of them. Import the trait to call `C::fake`.
///
/// ```
/// use client_rs_api::core::v1::ConfigMap;
/// use client_rs_apiserver::fake::{FakeClient, Faked};
/// use client_rs_client::{Api, DynamicClient, RestClient};
/// use client_rs_machinery::GroupVersionResource;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut settings = ConfigMap::EMPTY;
/// settings.metadata.name = "settings".into();
/// settings.metadata.namespace = "shop".into();
/// let Faked { client, fake } = RestClient::fake(&[&settings])?;
///
/// // A second client of another type reads and writes the same objects.
/// let untyped = DynamicClient::of_fake(&fake)?;
/// let config_maps = GroupVersionResource {
///     version: "v1".into(),
///     resource: "configmaps".into(),
///     ..GroupVersionResource::default()
/// };
/// untyped.resource(config_maps).namespace("shop").delete("settings").await?;
/// assert!(Api::<ConfigMap, _>::within(&client, "shop").get("settings").await.unwrap_err().is_not_found());
/// # Ok(())
/// # }
/// ```
pub trait FakeClient: From<RestClient> {
    /// Creates a fake with these objects, and a client of it. See [`Fake::new`] for the errors.
    fn fake(objects: &[&dyn Fixture]) -> Result<Faked<Self>, FakeError> {
        let fake = Fake::new(objects)?;
        Ok(Faked { client: Self::of_fake(&fake)?, fake })
    }

    /// Creates another client of a fake. All clients of a fake share its objects.
    fn of_fake(fake: &Fake) -> Result<Self, FakeError> {
        Ok(Self::from(fake.rest_client()?))
    }
}

impl<C: From<RestClient>> FakeClient for C {}
