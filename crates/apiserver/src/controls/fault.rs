//! Faults: requests that fail on purpose.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::RequestRecord;

type Condition = Arc<dyn Fn(&RequestRecord) -> bool + Send + Sync>;

/// A fault to inject into a server: which requests it affects, and how they fail.
///
/// Use it to test how a client handles errors, delays and broken connections of a server. A new fault affects all
/// requests, and the methods narrow it down; a request must match all of them. To decide about single requests of
/// one client in a unit test, use a [reactor](crate::fake) instead.
///
/// [`TestControls::inject`](super::TestControls::inject) activates it. It stays active after the returned handle is
/// dropped.
///
/// ```
/// use client_rs_api::core::v1::ConfigMap;
/// use client_rs_apiserver::{Effect, Fault, Server};
/// use client_rs_client::Api;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::start().await?;
/// let injected = server.controls().inject(
///     Fault::new(Effect::status(403, "Forbidden", "injected"))
///         .method("GET")
///         .path_contains("/configmaps")
///         .when(|request| !request.uri.contains("watch="))
///         .times(1),
/// );
///
/// let client = server.rest_client()?;
/// let maps = Api::<ConfigMap, _>::within(&client, "default");
/// assert!(maps.get("settings").await.unwrap_err().is_forbidden());
/// assert_eq!((injected.happened(), injected.left()), (1, Some(0)));
///
/// // The fault is over.
/// assert!(maps.get("settings").await.unwrap_err().is_not_found());
/// # server.shutdown().await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Fault {
    method: Option<String>,
    path_contains: String,
    conditions: Vec<Condition>,
    chance: f64,
    /// The random numbers of `chance`; without it, those of the thread.
    random: Option<fastrand::Rng>,
    times: Option<usize>,
    effect: Effect,
}

/// The way in which a request fails.
///
/// Clients retry some of them, such as a status with `Retry-After`. So a fault with
/// [`times(1)`](Fault::times) may be invisible to the code under test; [`InjectedFault::happened`] counts it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effect {
    /// The server responds with this status code and a `Status` object, and does nothing else.
    Status {
        /// The HTTP status code.
        code: u16,
        /// The reason, such as `TooManyRequests`; may be empty.
        reason: String,
        /// The message for people.
        message: String,
        /// The value of the `Retry-After` header, in seconds.
        retry_after_seconds: Option<u32>,
    },
    /// The server handles the request after this delay.
    Delay(Duration),
    /// The response body ends after this many bytes, and the connection closes.
    Truncate(usize),
    /// The server never responds. The request ends when the client cancels it.
    Freeze,
}

impl Effect {
    /// Creates a [`Status`](Self::Status) without a `Retry-After` header.
    pub fn status(code: u16, reason: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Status { code, reason: reason.into(), message: message.into(), retry_after_seconds: None }
    }
}

impl Fault {
    /// Creates a fault that affects every request until
    /// [`TestControls::clear_faults`](super::TestControls::clear_faults).
    pub fn new(effect: Effect) -> Self {
        Self {
            method: None,
            path_contains: String::new(),
            conditions: Vec::new(),
            chance: 1.0,
            random: None,
            times: None,
            effect,
        }
    }

    /// Affects only requests with this HTTP method, such as `PATCH`.
    #[must_use]
    pub fn method(mut self, method: impl Into<String>) -> Self {
        self.method = Some(method.into());
        self
    }

    /// Affects only requests whose path contains this text. The query is not part of the path.
    #[must_use]
    pub fn path_contains(mut self, part: impl Into<String>) -> Self {
        self.path_contains = part.into();
        self
    }

    /// Affects only requests for which the condition is true. If you add several conditions, all of them must be
    /// true.
    ///
    /// The condition runs while the list of faults is locked: it must not block, and must not inject or remove
    /// faults.
    #[must_use]
    pub fn when(mut self, condition: impl Fn(&RequestRecord) -> bool + Send + Sync + 'static) -> Self {
        self.conditions.push(Arc::new(condition));
        self
    }

    /// Affects only this fraction of the matching requests, from 0 to 1, chosen at random.
    #[must_use]
    pub fn chance(mut self, chance: f64) -> Self {
        self.chance = chance;
        self
    }

    /// Makes the choice of [`chance`](Self::chance) reproducible: with the same seed and the same sequence of matching requests, the same
    /// ones are affected. Default: another choice in each run.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.random = Some(fastrand::Rng::with_seed(seed));
        self
    }

    /// Affects only this many requests.
    #[must_use]
    pub fn times(mut self, times: usize) -> Self {
        self.times = Some(times);
        self
    }

    fn fits(&mut self, record: &RequestRecord, path: &str) -> bool {
        self.method.as_ref().is_none_or(|method| method.eq_ignore_ascii_case(&record.method))
            && path.contains(&self.path_contains)
            && self.conditions.iter().all(|condition| condition(record))
            && (self.chance >= 1.0
                || self.random.as_mut().map_or_else(fastrand::f64, fastrand::Rng::f64) < self.chance)
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fault")
            .field("method", &self.method)
            .field("path_contains", &self.path_contains)
            .field("conditions", &self.conditions.len())
            .field("chance", &self.chance)
            .field("random", &self.random)
            .field("times", &self.times)
            .field("effect", &self.effect)
            .finish()
    }
}

/// A handle on an injected fault: counts the affected requests, and removes the fault. Dropping it changes nothing.
#[derive(Clone)]
pub struct InjectedFault {
    faults: Arc<Faults>,
    id: u64,
    /// The limit at the start.
    times: Option<usize>,
}

impl InjectedFault {
    /// The number of requests that it can still affect; `None` if there is no limit. Zero once the limit is reached
    /// or the fault was removed.
    pub fn left(&self) -> Option<usize> {
        let state = self.faults.lock();
        match state.active.iter().find(|active| active.id == self.id) {
            Some(active) => active.fault.times,
            None => Some(0),
        }
    }

    /// The number of requests that it has affected.
    pub fn happened(&self) -> usize {
        let state = self.faults.lock();
        let active = state.active.iter().find(|active| active.id == self.id);
        active.map_or_else(
            || state.over.iter().find(|(id, _)| *id == self.id).map_or(0, |(_, happened)| *happened),
            |active| active.happened,
        )
    }

    /// Removes the fault. Requests that it already affects, such as frozen ones, are not released.
    pub fn remove(&self) {
        self.faults.lock().end(|active| active.id == self.id);
    }
}

/// The number of requests that it can still affect: `2 of 3 still to come`.
impl fmt::Display for InjectedFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        left_to_come(f, self.left(), self.times, self.happened())
    }
}

/// Writes the number of requests that a fault can still affect.
pub(crate) fn left_to_come(
    f: &mut fmt::Formatter<'_>,
    left: Option<usize>,
    of: Option<usize>,
    happened: usize,
) -> fmt::Result {
    match (left, of) {
        (None, _) => write!(f, "{happened} so far, no limit"),
        (Some(left), Some(of)) => write!(f, "{left} of {of} still to come"),
        (Some(_), None) => write!(f, "removed after {happened}"),
    }
}

impl fmt::Debug for InjectedFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InjectedFault")
            .field("times", &self.times)
            .field("happened", &self.happened())
            .finish_non_exhaustive()
    }
}

/// A list of faults, oldest first, for a proxy or a transport layer of your own in front of any server.
///
/// An embedded server has its own list: use [`TestControls::inject`](super::TestControls::inject) instead. A layer
/// calls [`meet`](Self::meet) for each request and applies the effect itself.
///
/// ```
/// use std::sync::Arc;
/// use client_rs_apiserver::{Effect, Fault, Faults, RequestRecord};
///
/// let faults = Arc::new(Faults::default());
/// let injected = faults.inject(Fault::new(Effect::Freeze).method("PATCH"));
///
/// let request = |method: &str| RequestRecord {
///     method: method.into(),
///     uri: "/api/v1/pods".into(),
///     user_agent: String::new(),
///     accept: String::new(),
///     content_type: String::new(),
/// };
/// assert_eq!(faults.meet(&request("GET")), None);
/// assert_eq!(faults.meet(&request("PATCH")), Some(Effect::Freeze));
/// assert_eq!(injected.happened(), 1);
/// ```
#[derive(Debug, Default)]
pub struct Faults(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    next: u64,
    active: Vec<Active>,
    /// The counts of faults that are over.
    over: Vec<(u64, usize)>,
}

#[derive(Debug)]
struct Active {
    id: u64,
    fault: Fault,
    happened: usize,
}

impl State {
    fn end(&mut self, ends: impl Fn(&Active) -> bool) {
        let over =
            self.active.iter().filter(|active| ends(active)).map(|active| (active.id, active.happened));
        self.over.extend(over);
        self.active.retain(|active| !ends(active));
    }
}

impl Faults {
    /// Adds a fault at the end of the list.
    pub fn inject(self: &Arc<Self>, fault: Fault) -> InjectedFault {
        let mut state = self.lock();
        let (id, times) = (state.next, fault.times);
        state.next += 1;
        state.active.push(Active { id, fault, happened: 0 });
        state.end(|active| active.fault.times == Some(0));
        drop(state);
        InjectedFault { faults: Arc::clone(self), id, times }
    }

    /// Removes all faults.
    pub fn clear(&self) {
        self.lock().end(|_| true);
    }

    /// Returns the effect of the oldest fault that matches a request, and counts it. `None` if no fault matches.
    pub fn meet(&self, record: &RequestRecord) -> Option<Effect> {
        let path = record.uri.split('?').next().unwrap_or_default();
        let mut state = self.lock();
        let met =
            state.active.iter_mut().find_map(|active| active.fault.fits(record, path).then_some(active))?;
        met.happened += 1;
        let effect = met.fault.effect.clone();
        if let Some(times) = &mut met.fault.times {
            *times -= 1;
            if *times == 0 {
                let id = met.id;
                state.end(|active| active.id == id);
            }
        }
        Some(effect)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: &str, uri: &str) -> RequestRecord {
        RequestRecord {
            method: method.to_owned(),
            uri: uri.to_owned(),
            user_agent: "test".to_owned(),
            accept: String::new(),
            content_type: String::new(),
        }
    }

    #[test]
    fn a_fault_affects_matching_requests_and_counts_them() {
        let faults = Arc::new(Faults::default());
        let fault = Fault::new(Effect::Freeze).method("post").path_contains("/pods").times(2);
        let injected = faults.inject(fault.when(|request| request.user_agent == "test"));
        assert_eq!(faults.meet(&request("GET", "/api/v1/pods")), None);
        assert_eq!(faults.meet(&request("POST", "/api/v1/nodes?x=/pods")), None);
        assert_eq!((injected.left(), injected.happened()), (Some(2), 0));
        assert_eq!(faults.meet(&request("POST", "/api/v1/pods")), Some(Effect::Freeze));
        assert_eq!((injected.left(), injected.happened()), (Some(1), 1));
        assert_eq!(faults.meet(&request("POST", "/api/v1/pods")), Some(Effect::Freeze));
        assert_eq!(faults.meet(&request("POST", "/api/v1/pods")), None);
        assert_eq!((injected.left(), injected.happened()), (Some(0), 2));
    }

    #[test]
    fn a_seed_makes_the_choice_reproducible_and_the_rest_can_be_read() {
        let affected = |seed: u64| -> Vec<usize> {
            let faults = Arc::new(Faults::default());
            faults.inject(Fault::new(Effect::Freeze).chance(0.5).seed(seed));
            (0..100).filter(|_| faults.meet(&request("GET", "/")).is_some()).collect()
        };
        assert_eq!(affected(1), affected(1));
        assert_ne!(affected(1), affected(2));
        let faults = Arc::new(Faults::default());
        let some = faults.inject(Fault::new(Effect::Freeze).method("GET").times(3));
        let all = faults.inject(Fault::new(Effect::Freeze));
        faults.meet(&request("GET", "/"));
        faults.meet(&request("PUT", "/"));
        let texts = [some.to_string(), all.to_string()];
        assert_eq!(texts, ["2 of 3 still to come", "1 so far, no limit"]);
        faults.clear();
        let texts = [some.to_string(), all.to_string()];
        assert_eq!(texts, ["0 of 3 still to come", "removed after 1"]);
    }

    #[test]
    fn a_chance_affects_a_fraction_of_the_requests() {
        let faults = Arc::new(Faults::default());
        let never = faults.inject(Fault::new(Effect::Freeze).chance(0.0));
        let some = faults.inject(Fault::new(Effect::Freeze).chance(0.5));
        let met = (0..1000).filter(|_| faults.meet(&request("GET", "/")).is_some()).count();
        // Less than one run in 10^40 is outside of this range.
        assert!((300..=700).contains(&met), "{met}");
        assert_eq!((never.happened(), some.happened(), some.left()), (0, met, None));
        some.remove();
        assert_eq!((faults.meet(&request("GET", "/")), some.happened()), (None, met));
        let all = faults.inject(Fault::new(Effect::Freeze));
        faults.clear();
        assert_eq!((faults.meet(&request("GET", "/")), all.left()), (None, Some(0)));
    }
}
