//! `wait_for` of the typed and the dynamic API.

use std::time::Duration;

use client_rs_machinery::wire::Payload;
use client_rs_machinery::{Resource, Unstructured, verbs};

use super::{WaitCondition, WaitError, until};
use crate::api::ByName;
use crate::{Api, DynamicApi, Verb};

impl<K, S> Api<K, S>
where
    K: Resource + Payload + verbs::List + verbs::Watch,
    S: ByName,
{
    /// Waits until a condition holds for the object with this name, and returns the object in that state; `None` if the condition
    /// holds because the object does not exist. See [`wait`](crate::wait) for an example.
    ///
    /// It lists once and then watches. When a watch ends or breaks off, it watches again from the last version. So it does not
    /// poll, and misses no state for longer than the server keeps it. Temporary failures are retried until `limit`. Dropping the
    /// future cancels.
    ///
    /// # Errors
    ///
    /// [`WaitError::Timeout`] after `limit`, [`WaitError::WaitCondition`] if the condition can never hold, and
    /// [`WaitError::Request`] if the server refuses the request, for example because the user may not watch.
    pub async fn wait_for(
        &self,
        name: &str,
        mut condition: impl WaitCondition,
        limit: Duration,
    ) -> Result<Option<K>, WaitError> {
        until::until(self.rest(), self.request(Verb::Get), name, &mut condition, limit).await
    }
}

impl DynamicApi {
    /// Waits until a condition holds for the object with this name: see [`Api::wait_for`].
    pub async fn wait_for(
        &self,
        name: &str,
        mut condition: impl WaitCondition,
        limit: Duration,
    ) -> Result<Option<Unstructured>, WaitError> {
        // Refused if the name alone does not identify an object.
        let single = self.get(name).into_request();
        single.check().map_err(crate::Error::Request)?;
        until::until(self.rest(), self.request(Verb::Get), name, &mut condition, limit).await
    }
}
