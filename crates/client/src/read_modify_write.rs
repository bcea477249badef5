//! Read, change, write; again where another client was faster.

use client_rs_machinery::wire::Payload;
use client_rs_machinery::{Resource, Unstructured, verbs};

use crate::api::ByName;
use crate::retry::wait_for_next_try;
use crate::{Api, Backoff, DynamicApi, Error};

macro_rules! read_modify_write {
    ($object:ty) => {
        /// Reads the object of this name, changes it and writes it; all of that again, up to five times, while the server
        /// says that it has changed in between. Gives the object as it was written.
        ///
        /// `change` is called once a try, each time with the object as it is by then. It gets all fields, `status` too,
        /// which most kinds keep apart: what it changes there is not written.
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

        /// Changes the object of this name as [`retry_on_conflict`](Self::retry_on_conflict) does; where there is none,
        /// creates `new()`, changed. Gives the object, and whether it was created.
        ///
        /// If you know the fields that you want, `apply` does better: it creates as well and needs no read.
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
                // Another client has created, changed or deleted it since.
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
    };
}

impl<K, S> Api<K, S>
where
    K: Resource + Payload + verbs::Get + verbs::Create + verbs::Update,
    S: ByName,
{
    read_modify_write!(K);
}

impl DynamicApi {
    read_modify_write!(Unstructured);
}
