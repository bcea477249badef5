//! Waiting, as a method of handles.

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
    /// Waits until a condition holds for the object of this name, and gives the object as it was then; `None` where it
    /// holds for there being none.
    ///
    /// Looks once and then watches, again where a watch ends or breaks, from where it was; so nothing is polled, and nothing
    /// is missed for longer than the server keeps it. What fails for the moment is tried again until `limit`. Cancelled by
    /// drop.
    ///
    /// ```no_run
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, wait::{WaitError, conditions}};
    /// # async fn example(pods: Api<Pod>) -> Result<(), WaitError> {
    /// pods.wait_for("web", conditions::pod_ready(), std::time::Duration::from_secs(60)).await?;
    /// # Ok(())
    /// # }
    /// ```
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
    /// Waits until a condition holds for the object of this name: see [`Api::wait_for`].
    pub async fn wait_for(
        &self,
        name: &str,
        mut condition: impl WaitCondition,
        limit: Duration,
    ) -> Result<Option<Unstructured>, WaitError> {
        // Refused where it is known that the name alone means no object.
        let single = self.get(name).into_request();
        single.check().map_err(crate::Error::Request)?;
        until::until(self.rest(), self.request(Verb::Get), name, &mut condition, limit).await
    }
}
