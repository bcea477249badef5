//! Clients over a fake.

use client_rs_client::RestClient;

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

/// A client that can stand on a fake: `Clientset::fake(&[&pod])`. Each type is one that is made of a [`RestClient`].
pub trait FakeClient: From<RestClient> {
    /// A client of a fake with these objects.
    fn fake(objects: &[&dyn Fixture]) -> Result<Faked<Self>, FakeError> {
        let fake = Fake::new(objects)?;
        Ok(Faked { client: Self::of_fake(&fake)?, fake })
    }

    /// Another client of a fake: all of one fake see the same objects.
    fn of_fake(fake: &Fake) -> Result<Self, FakeError> {
        Ok(Self::from(fake.rest_client()?))
    }
}

impl<C: From<RestClient>> FakeClient for C {}
