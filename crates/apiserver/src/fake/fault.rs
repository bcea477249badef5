//! Faults of a fake: requests that fail on purpose.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use client_rs_machinery::ApiError;

use super::Fake;
use super::action::FakeAction;
use super::reaction::{Reaction, WatchReaction};
use crate::controls::left_to_come;

type Condition = Box<dyn Fn(&FakeAction) -> bool + Send + Sync>;

/// A fault of a fake: which requests fail, how many of them, and with which error.
///
/// Use it instead of a [reactor](Fake::prepend_reactor) that counts on its own. A request must match everything that was set.
/// [`Fake::inject`] activates it. Faults of the transport, such as delays and broken responses, are those of
/// [`TestControls::inject`](crate::TestControls::inject), which a fake has too.
///
/// ```
/// use client_rs_api::core::v1::ConfigMap;
/// use client_rs_apiserver::fake::{FakeClient, FakeFault, Faked};
/// use client_rs_client::{Api, RestClient};
/// use client_rs_machinery::ApiError;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let Faked { client, fake } = RestClient::fake(&[])?;
/// let fault = FakeFault::new(ApiError::internal_error("injected")).of("get", "configmaps");
/// let injected = fake.inject(fault.when(|action| action.name == "settings").times(3));
///
/// let maps = Api::<ConfigMap, _>::within(&client, "shop");
/// assert!(maps.get("settings").await.unwrap_err().to_string().contains("injected"));
/// assert!(maps.get("other").await.unwrap_err().is_not_found());
/// assert_eq!(injected.to_string(), "2 of 3 still to come");
/// # Ok(())
/// # }
/// ```
pub struct FakeFault {
    verb: String,
    resource: String,
    conditions: Vec<Condition>,
    chance: Option<(f64, fastrand::Rng)>,
    times: Option<usize>,
    error: ApiError,
}

impl FakeFault {
    /// A fault that fails every request for objects, watches too, until it is [removed](InjectedFakeFault::remove).
    pub fn new(error: ApiError) -> Self {
        let (verb, resource) = ("*".to_owned(), "*".to_owned());
        Self { verb, resource, conditions: Vec::new(), chance: None, times: None, error }
    }

    /// Fails only requests of this verb for this resource, each as for a [reactor](Fake::prepend_reactor); `*` matches all. Watches have the verb
    /// `watch`.
    #[must_use]
    pub fn of(mut self, verb: impl Into<String>, resource: impl Into<String>) -> Self {
        (self.verb, self.resource) = (verb.into(), resource.into());
        self
    }

    /// Fails only requests for which the condition is true. If you add several conditions, all of them must be true. It runs under a lock of
    /// the fault: it must not block, and must not use its handle.
    #[must_use]
    pub fn when(mut self, condition: impl Fn(&FakeAction) -> bool + Send + Sync + 'static) -> Self {
        self.conditions.push(Box::new(condition));
        self
    }

    /// Fails only this fraction of the matching requests, from 0 to 1. With the same seed and the same sequence of matching requests, the same
    /// ones fail.
    #[must_use]
    pub fn chance(mut self, chance: f64, seed: u64) -> Self {
        self.chance = Some((chance, fastrand::Rng::with_seed(seed)));
        self
    }

    /// Fails only this many requests.
    #[must_use]
    pub fn times(mut self, times: usize) -> Self {
        self.times = Some(times);
        self
    }
}

impl fmt::Debug for FakeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FakeFault")
            .field("verb", &self.verb)
            .field("resource", &self.resource)
            .field("chance", &self.chance.as_ref().map(|(chance, _)| chance))
            .field("times", &self.times)
            .finish_non_exhaustive()
    }
}

/// A handle on a fault of a fake: counts the requests that have failed, and removes the fault. Dropping it changes nothing. As a text it has
/// the rest: `2 of 3 still to come`.
#[derive(Clone)]
pub struct InjectedFakeFault(Arc<Mutex<State>>);

struct State {
    fault: FakeFault,
    happened: usize,
    left: Option<usize>,
}

impl InjectedFakeFault {
    /// The number of requests that can still fail; `None` if there is no limit. Zero once the limit is reached or the fault was removed.
    pub fn left(&self) -> Option<usize> {
        self.lock().left
    }

    /// The number of requests that have failed.
    pub fn happened(&self) -> usize {
        self.lock().happened
    }

    /// Removes the fault.
    pub fn remove(&self) {
        self.lock().left = Some(0);
    }

    /// The error of a request, if the fault affects it. Counts it.
    fn meet(&self, action: &FakeAction) -> Option<ApiError> {
        let mut state = self.lock();
        let State { fault, happened, left } = &mut *state;
        let chosen = |chance: &mut Option<(f64, fastrand::Rng)>| {
            chance.as_mut().is_none_or(|(chance, random)| random.f64() < *chance)
        };
        if *left == Some(0)
            || !action.matches(&fault.verb, &fault.resource)
            || !fault.conditions.iter().all(|condition| condition(action))
            || !chosen(&mut fault.chance)
        {
            return None;
        }
        *happened += 1;
        *left = left.map(|left| left - 1);
        Some(fault.error.clone())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Display for InjectedFakeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        left_to_come(f, state.left, state.fault.times, state.happened)
    }
}

impl fmt::Debug for InjectedFakeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("InjectedFakeFault").field(&self.to_string()).finish()
    }
}

impl Fake {
    /// Injects a fault, before all reactors that were added until now. The returned handle counts the requests that it has failed, and can
    /// remove it.
    pub fn inject(&self, fault: FakeFault) -> InjectedFakeFault {
        let left = fault.times;
        let injected = InjectedFakeFault(Arc::new(Mutex::new(State { fault, happened: 0, left })));
        let (of_watches, of_others) = (injected.clone(), injected.clone());
        self.prepend_watch_reactor("*", move |action| match of_watches.meet(action) {
            Some(error) => WatchReaction::Fail(error),
            None => WatchReaction::Continue,
        });
        self.prepend_reactor("*", "*", move |action| match of_others.meet(action) {
            Some(error) => Reaction::Fail(error),
            None => Reaction::Continue,
        });
        injected
    }
}

#[cfg(test)]
mod tests {
    use client_rs_api::core::v1::{ConfigMap, Secret};
    use client_rs_client::{Api, RestClient};

    use super::*;
    use crate::fake::{FakeClient, Faked};

    fn failure() -> ApiError {
        ApiError::conflict(&client_rs_machinery::GroupResource::new("", "any"), "a", "injected")
    }

    #[tokio::test]
    async fn faults_of_a_fake_are_chosen_by_predicate_and_counted() {
        let Faked { client, fake } = RestClient::fake(&[]).unwrap();
        let maps = Api::<ConfigMap, _>::within(&client, "shop");
        let created = fake.inject(FakeFault::new(failure()).of("create", "*").times(1).when(|action| {
            let text = action.object.as_ref().map(client_rs_machinery::Unstructured::to_json);
            text.is_some_and(|text| String::from_utf8_lossy(&text).contains("poison"))
        }));
        let watched = fake.inject(FakeFault::new(failure()).of("watch", "configmaps").times(2));
        let map = |name: &str, key: &str| {
            let mut map = ConfigMap::EMPTY;
            map.metadata.name = name.into();
            map.data.insert(key, "x".into());
            map
        };
        assert!(maps.create(map("a", "fine")).await.is_ok());
        assert!(maps.create(map("b", "poison")).await.unwrap_err().is_conflict());
        assert!(maps.create(map("b", "poison")).await.is_ok());
        assert_eq!((created.left(), created.happened()), (Some(0), 1));
        assert!(maps.watch().await.unwrap_err().is_conflict());
        assert!(Api::<Secret, _>::within(&client, "shop").watch().await.is_ok());
        assert_eq!(watched.to_string(), "1 of 2 still to come");
        watched.remove();
        assert!(maps.watch().await.is_ok());
        assert_eq!((watched.to_string().as_str(), watched.happened()), ("0 of 2 still to come", 1));
    }

    #[tokio::test]
    async fn a_seed_decides_which_requests_of_a_fake_fail() {
        let failed = async |seed: u64| {
            let Faked { client, fake } = RestClient::fake(&[]).unwrap();
            let injected = fake.inject(FakeFault::new(failure()).of("list", "configmaps").chance(0.5, seed));
            let maps = Api::<ConfigMap, _>::within(&client, "shop");
            let mut failed = Vec::new();
            for number in 0..64 {
                if maps.list().await.is_err() {
                    failed.push(number);
                }
            }
            assert_eq!(injected.to_string(), format!("{} so far, no limit", failed.len()));
            failed
        };
        let first = failed(1).await;
        assert!(!first.is_empty() && first.len() < 64, "{first:?}");
        assert_eq!(first, failed(1).await);
        assert_ne!(first, failed(2).await);
    }
}
