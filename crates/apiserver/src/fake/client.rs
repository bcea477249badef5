//! Clients over a fake.

use client_rs_client::{DynamicClient, MetadataClient, RestClient};
use client_rs_kubernetes::Clientset;

use super::core::{Fake, FakeError};
use super::fixture::Fixture;

/// A client for the code under test, and the fake behind it for the test.
#[derive(Clone, Debug)]
pub struct Faked<C> {
    /// What the code under test is given.
    pub client: C,
    /// What the test looks at.
    pub fake: Fake,
}

/// Every built-in resource, typed.
pub type FakeClientset = Faked<Clientset>;
/// Any resource, untyped.
pub type FakeDynamicClient = Faked<DynamicClient>;
/// The metadata of any resource.
pub type FakeMetadataClient = Faked<MetadataClient>;

/// A client that can stand on a fake: `Clientset::fake(&[&pod])`.
pub trait FakeClient: Sized {
    /// Over any client.
    fn over(rest: RestClient) -> Self;

    /// A client of a fake with these objects.
    fn fake(objects: &[&dyn Fixture]) -> Result<Faked<Self>, FakeError> {
        let fake = Fake::new(objects)?;
        Ok(Faked { client: Self::of_fake(&fake)?, fake })
    }

    /// Another client of a fake: all of one fake see the same objects.
    fn of_fake(fake: &Fake) -> Result<Self, FakeError> {
        Ok(Self::over(fake.rest_client()?))
    }
}

impl FakeClient for Clientset {
    fn over(rest: RestClient) -> Self {
        Self::from_rest(rest)
    }
}

impl FakeClient for DynamicClient {
    fn over(rest: RestClient) -> Self {
        Self::new(rest)
    }
}

impl FakeClient for MetadataClient {
    fn over(rest: RestClient) -> Self {
        Self::new(rest)
    }
}
