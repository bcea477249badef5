//! Read, change, write; and retry after a conflict.

use client_rs_machinery::patch::Patch;
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{Resource, Unstructured, json, verbs};

use crate::api::ByName;
use crate::retry::wait_for_next_try;
use crate::{Api, Backoff, DynamicApi, Error, RequestError};

macro_rules! read_modify_write {
    ($object:ty, $retry_example:expr, $create_example:expr, $patch_example:expr $(, where $($bounds:tt)*)?) => {
        /// Reads the object with this name, changes it and writes it. Repeats all three while the write ends with a conflict, up
        /// to five times. Returns the object as the server stored it.
        ///
        /// `change` is called once per try, with the current object. It should be idempotent. It sees all fields, including
        /// `status`, but most kinds store the status separately: such changes are not written.
        ///
        #[doc = $retry_example]
        ///
        /// # Errors
        ///
        /// Any error of the read or the write. A conflict is returned only after the last try.
        pub async fn retry_on_conflict(
            &self,
            name: &str,
            mut change: impl FnMut(&mut $object),
        ) -> Result<$object, Error> {
            let mut backoff = Backoff::DEFAULT_RETRY;
            loop {
                let mut object = self.get(name).await?;
                change(&mut object);
                let written = self.update(object).await;
                let conflicts = written.as_ref().is_err_and(Error::is_conflict);
                if !conflicts || !wait_for_next_try(&mut backoff).await {
                    return written;
                }
            }
        }

        /// Changes the object with this name like [`retry_on_conflict`](Self::retry_on_conflict). If it does not exist, creates
        /// `new()` after `change`. Returns the object, and whether it was created.
        ///
        /// If you know all the fields that you want to set, use [`apply`](Self::apply): it creates too, and needs no read.
        ///
        #[doc = $create_example]
        pub async fn create_or_update(
            &self,
            name: &str,
            mut new: impl FnMut() -> $object,
            mut change: impl FnMut(&mut $object),
        ) -> Result<($object, bool), Error> {
            let mut backoff = Backoff::DEFAULT_RETRY;
            loop {
                let found = match self.get(name).await {
                    Ok(object) => Some(object),
                    Err(error) if error.is_not_found() => None,
                    Err(error) => return Err(error),
                };
                let is_new = found.is_none();
                let mut object = found.unwrap_or_else(&mut new);
                change(&mut object);
                let written =
                    if is_new { self.create(object).send().await } else { self.update(object).send().await };
                // Another client has created, changed or deleted the object.
                let outdated = written.as_ref().is_err_and(|error| {
                    error.is_conflict()
                        || (is_new && error.is_already_exists())
                        || (!is_new && error.is_not_found())
                });
                if !outdated || !wait_for_next_try(&mut backoff).await {
                    return Ok((written?, is_new));
                }
            }
        }

        /// Changes the object with this name, and sends the difference as a merge patch. If it does not exist, creates `new()` after
        /// `change`. Sends nothing if `change` changes nothing. Returns the object, and what was done.
        ///
        /// Other clients may change other fields at the same time: unlike with [`create_or_update`](Self::create_or_update), the patch
        /// does not fail then. All steps are repeated, up to five times, if another client creates or deletes the object in between, and
        /// if the server responds with a conflict, as it does for an object that is written all the time. A list is replaced as a whole;
        /// so use `create_or_update` if `change` edits a list that other clients edit too. As most kinds store the status separately,
        /// changes of `status` are not written.
        ///
        #[doc = $patch_example]
        pub async fn create_or_patch(
            &self,
            name: &str,
            mut new: impl FnMut() -> $object,
            mut change: impl FnMut(&mut $object),
        ) -> Result<($object, PatchOutcome), Error>
        $(where $($bounds)*)?
        {
            let mut backoff = Backoff::DEFAULT_RETRY;
            loop {
                let (written, outcome) = match self.get_opt(name).await? {
                    None => {
                        let mut object = new();
                        change(&mut object);
                        (self.create(object).send().await, PatchOutcome::Created)
                    }
                    Some(found) => {
                        let mut object = found.clone();
                        change(&mut object);
                        let patch = Patch::merge_from(&found, &object).map_err(RequestError::Unreadable)?;
                        if matches!(&patch, Patch::Merge(difference) if *difference == json!({})) {
                            return Ok((found, PatchOutcome::Unchanged));
                        }
                        (self.patch(name, &patch).send().await, PatchOutcome::Patched)
                    }
                };
                // Another client has created or deleted the object, or writes it all the time.
                let outdated = written.as_ref().is_err_and(|error| {
                    error.is_conflict()
                        || match outcome {
                            PatchOutcome::Created => error.is_already_exists(),
                            _ => error.is_not_found(),
                        }
                });
                if !outdated || !wait_for_next_try(&mut backoff).await {
                    return Ok((written?, outcome));
                }
            }
        }
    };
}

/// The result of a [`create_or_patch`](Api::create_or_patch).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchOutcome {
    /// It created the object.
    Created,
    /// It sent a patch.
    Patched,
    /// The object was as it should be: nothing was sent.
    Unchanged,
}

impl<K, S> Api<K, S>
where
    K: Resource + Payload + verbs::Get + verbs::Create + verbs::Update,
    S: ByName,
{
    read_modify_write!(
        K,
        r##"
```
# #[tokio::main(flavor = "current_thread", start_paused = true)]
# async fn main() -> Result<(), Box<dyn std::error::Error>> {
# use client_rs_api::core::v1::ConfigMap;
# use client_rs_client::{Api, testing::Canned};
# let server = Canned::new()
#     .on("GET /api/v1/namespaces/a/configmaps/counter", r#"{"metadata": {"name": "counter"}, "data": {"n": "1"}}"#)
#     .on("GET /api/v1/namespaces/a/configmaps/counter", r#"{"metadata": {"name": "counter"}, "data": {"n": "2"}}"#)
#     .fail("PUT /api/v1/namespaces/a/configmaps/counter", 409, "Conflict")
#     .echo("PUT /api/v1/namespaces/a/configmaps/counter");
# let maps = Api::<ConfigMap>::namespaced(&server.client(), "a");
let written = maps
    .retry_on_conflict("counter", |map| {
        let n: u32 = map.data.get("n").and_then(|n| n.parse().ok()).unwrap_or(0);
        map.data.insert("n", (n + 1).to_string().into());
    })
    .await?;
// Another client wrote 2 in between, so the first try ended with a conflict.
assert_eq!(written.data.get("n").unwrap(), "3");
# Ok(())
# }
```
"##,
        r#"
```
# #[tokio::main(flavor = "current_thread")]
# async fn main() -> Result<(), Box<dyn std::error::Error>> {
# use client_rs_api::core::v1::ConfigMap;
# use client_rs_client::{Api, testing::Canned};
# let server = Canned::new().echo("POST /api/v1/namespaces/a/configmaps");
# let maps = Api::<ConfigMap>::namespaced(&server.client(), "a");
let new = || {
    let mut map = ConfigMap::default();
    map.metadata.name = "settings".into();
    map
};
let paint = |map: &mut ConfigMap| {
    map.data.insert("color", "blue".into());
};
let (map, created) = maps.create_or_update("settings", new, paint).await?;
assert!(created && map.data.contains_key("color"));
# Ok(())
# }
```
"#,
        r##"
```
# #[tokio::main(flavor = "current_thread")]
# async fn main() -> Result<(), Box<dyn std::error::Error>> {
# use client_rs_api::core::v1::ConfigMap;
# use client_rs_client::{Api, testing::Canned};
# let server = Canned::new()
#     .on("GET /api/v1/namespaces/a/configmaps/settings", r#"{"metadata": {"name": "settings"}, "data": {"size": "s"}}"#)
#     .on("PATCH /api/v1/namespaces/a/configmaps/settings", "{}")
#     .on("GET /api/v1/namespaces/a/configmaps/settings", r#"{"metadata": {"name": "settings"}, "data": {"color": "blue"}}"#);
# let maps = Api::<ConfigMap>::namespaced(&server.client(), "a");
use client_rs_client::PatchOutcome;

let paint = |map: &mut ConfigMap| {
    map.data.insert("color", "blue".into());
};
let (_, outcome) = maps.create_or_patch("settings", ConfigMap::default, paint).await?;
assert_eq!(outcome, PatchOutcome::Patched);
assert_eq!(server.received()[1].body(), r#"{"data":{"color":"blue"}}"#);
// Now it is as it should be.
let (_, outcome) = maps.create_or_patch("settings", ConfigMap::default, paint).await?;
assert_eq!(outcome, PatchOutcome::Unchanged);
# Ok(())
# }
```
"##,
        where K: Clone + verbs::Patch
    );
}

impl DynamicApi {
    read_modify_write!(
        Unstructured,
        r##"
```
# #[tokio::main(flavor = "current_thread")]
# async fn main() -> Result<(), Box<dyn std::error::Error>> {
# use client_rs_client::{DynamicClient, testing::Canned};
# use client_rs_machinery::GroupVersionResource;
# let path = "/apis/example.com/v1/namespaces/a/widgets/w";
# let server = Canned::new()
#     .on(&format!("GET {path}"), r#"{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}}"#)
#     .echo(&format!("PUT {path}"));
# let client = DynamicClient::from_rest(server.client());
# let widgets = client.resource(GroupVersionResource::new("example.com", "v1", "widgets")).namespace("a");
let written = widgets.retry_on_conflict("w", |widget| widget.set_label("team", "shop")).await?;
assert_eq!(written.label("team"), Some("shop"));
# Ok(())
# }
```
"##,
        r#"
```
# #[tokio::main(flavor = "current_thread")]
# async fn main() -> Result<(), Box<dyn std::error::Error>> {
# use client_rs_client::{DynamicClient, testing::Canned};
# use client_rs_machinery::{GroupVersionResource, Unstructured};
# let server = Canned::new().echo("POST /apis/example.com/v1/widgets");
# let client = DynamicClient::from_rest(server.client());
# let widgets = client.resource(GroupVersionResource::new("example.com", "v1", "widgets"));
let new = || Unstructured::new("example.com/v1", "Widget", "w");
let (widget, created) = widgets.create_or_update("w", new, |widget| widget.set_label("size", "s")).await?;
assert!(created);
assert_eq!((widget.name(), widget.label("size")), ("w", Some("s")));
# Ok(())
# }
```
"#,
        r#"
```
# #[tokio::main(flavor = "current_thread")]
# async fn main() -> Result<(), Box<dyn std::error::Error>> {
# use client_rs_client::{DynamicClient, PatchOutcome, testing::Canned};
# use client_rs_machinery::{GroupVersionResource, Unstructured};
# let server = Canned::new().echo("POST /apis/example.com/v1/widgets");
# let client = DynamicClient::from_rest(server.client());
# let widgets = client.resource(GroupVersionResource::new("example.com", "v1", "widgets"));
let new = || Unstructured::new("example.com/v1", "Widget", "w");
let (_, outcome) = widgets.create_or_patch("w", new, |widget| widget.set_label("size", "s")).await?;
assert_eq!(outcome, PatchOutcome::Created);
# Ok(())
# }
```
"#
    );
}

#[cfg(test)]
mod tests {
    use client_rs_api::core::v1::ConfigMap;

    use super::*;
    use crate::testing::Canned;

    const PATH: &str = "/api/v1/namespaces/a/configmaps";

    /// Sets a value of map `b` on this server. Returns the outcome and the requests.
    async fn set(server: &Canned) -> (Result<PatchOutcome, Error>, Vec<String>) {
        let new = || {
            let mut map = ConfigMap::default();
            map.metadata.name = "b".into();
            map
        };
        let change = |map: &mut ConfigMap| _ = map.data.insert("a", "1".into());
        let maps = Api::<ConfigMap>::namespaced(&server.client(), "a");
        let outcome = maps.create_or_patch("b", new, change).await.map(|(_, outcome)| outcome);
        let calls = server.calls();
        (
            outcome,
            calls.into_iter().map(|call| call.split(' ').next().unwrap_or_default().to_owned()).collect(),
        )
    }

    #[tokio::test(start_paused = true)]
    async fn create_or_patch_reads_again_after_a_conflict() {
        let (one, map) = (format!("{PATH}/b"), r#"{"metadata": {"name": "b"}}"#);
        // The server has given up on the patch; another client has deleted the object.
        for (code, reason) in [(409, "Conflict"), (404, "NotFound")] {
            let server = Canned::new()
                .on(&format!("GET {one}"), map)
                .fail(&format!("PATCH {one}"), code, reason)
                .on(&format!("PATCH {one}"), map);
            let (outcome, calls) = set(&server).await;
            assert_eq!(outcome.unwrap(), PatchOutcome::Patched);
            assert_eq!(calls, ["GET", "PATCH", "GET", "PATCH"]);
        }
        // Another client has created it; a quota was written at the same time.
        for reason in ["AlreadyExists", "Conflict"] {
            let server = Canned::new()
                .fail(&format!("GET {one}"), 404, "NotFound")
                .on(&format!("GET {one}"), map)
                .fail(&format!("POST {PATH}"), 409, reason)
                .on(&format!("PATCH {one}"), map);
            let (outcome, calls) = set(&server).await;
            assert_eq!((outcome.unwrap(), calls.len()), (PatchOutcome::Patched, 4), "{reason}: {calls:?}");
        }
        // The last conflict is returned.
        let server =
            Canned::new().on(&format!("GET {one}"), map).fail(&format!("PATCH {one}"), 409, "Conflict");
        let (outcome, calls) = set(&server).await;
        assert!(outcome.unwrap_err().is_conflict());
        assert_eq!(calls.len(), 10);
    }
}
