//! What goes wrong with requests.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::RequestRecord;

type Condition = Arc<dyn Fn(&RequestRecord) -> bool + Send + Sync>;

/// Something that goes wrong with requests: all of them, until it is narrowed down.
///
/// ```
/// use client_rs_apiserver::{Effect, Fault};
///
/// // One write of pods in ten fails, and a hundred at most.
/// let fault = Fault::new(Effect::status(500, "InternalError", "injected"))
///     .path_contains("/pods")
///     .when(|request| request.method != "GET")
///     .chance(0.1)
///     .times(100);
/// # drop(fault);
/// ```
#[derive(Clone)]
pub struct Fault {
    method: Option<String>,
    path_contains: String,
    conditions: Vec<Condition>,
    chance: f64,
    times: Option<usize>,
    effect: Effect,
}

/// What goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The server answers with this status code and a `Status` instead of doing anything.
    Status {
        /// The code.
        code: u16,
        /// The reason in one word, such as `TooManyRequests`; empty for none.
        reason: String,
        /// The sentence.
        message: String,
        /// The `Retry-After` header, in seconds.
        retry_after_seconds: Option<u32>,
    },
    /// The request is served after this delay.
    Delay(Duration),
    /// The answer's body breaks off after this many bytes, and the connection with it.
    Truncate(usize),
    /// The request is never answered, until the client gives up.
    Freeze,
}

impl Effect {
    /// [`Status`](Self::Status) without a `Retry-After` header.
    pub fn status(code: u16, reason: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Status { code, reason: reason.into(), message: message.into(), retry_after_seconds: None }
    }
}

impl Fault {
    /// For every request, until [`TestControls::clear_faults`](super::TestControls::clear_faults).
    pub fn new(effect: Effect) -> Self {
        Self {
            method: None,
            path_contains: String::new(),
            conditions: Vec::new(),
            chance: 1.0,
            times: None,
            effect,
        }
    }

    /// Only requests with this HTTP method, such as `PATCH`.
    #[must_use]
    pub fn method(mut self, method: impl Into<String>) -> Self {
        self.method = Some(method.into());
        self
    }

    /// Only requests whose path contains this.
    #[must_use]
    pub fn path_contains(mut self, part: impl Into<String>) -> Self {
        self.path_contains = part.into();
        self
    }

    /// Only requests of which this is true; of several conditions, all must be. It must not block.
    #[must_use]
    pub fn when(mut self, condition: impl Fn(&RequestRecord) -> bool + Send + Sync + 'static) -> Self {
        self.conditions.push(Arc::new(condition));
        self
    }

    /// Only this part of the requests that fit, from 0 to 1, chosen at random.
    #[must_use]
    pub fn chance(mut self, chance: f64) -> Self {
        self.chance = chance;
        self
    }

    /// Only so many requests.
    #[must_use]
    pub fn times(mut self, times: usize) -> Self {
        self.times = Some(times);
        self
    }

    fn fits(&self, record: &RequestRecord, path: &str) -> bool {
        self.method.as_ref().is_none_or(|method| method.eq_ignore_ascii_case(&record.method))
            && path.contains(&self.path_contains)
            && self.conditions.iter().all(|condition| condition(record))
            && (self.chance >= 1.0 || fastrand::f64() < self.chance)
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fault")
            .field("method", &self.method)
            .field("path_contains", &self.path_contains)
            .field("conditions", &self.conditions.len())
            .field("chance", &self.chance)
            .field("times", &self.times)
            .field("effect", &self.effect)
            .finish()
    }
}

/// A fault that was injected: how often it has happened, and how to take it back. Dropping it changes nothing.
#[derive(Clone)]
pub struct InjectedFault {
    faults: Arc<Faults>,
    id: u64,
    /// What it had to begin with.
    times: Option<usize>,
}

impl InjectedFault {
    /// How many requests it will still happen to at most; `None` if there is no limit. Zero once it is over or was taken
    /// back.
    pub fn left(&self) -> Option<usize> {
        let state = self.faults.lock();
        match state.active.iter().find(|active| active.id == self.id) {
            Some(active) => active.fault.times,
            None => Some(0),
        }
    }

    /// How many requests it has happened to.
    pub fn happened(&self) -> usize {
        let state = self.faults.lock();
        let active = state.active.iter().find(|active| active.id == self.id);
        active.map_or_else(
            || state.over.iter().find(|(id, _)| *id == self.id).map_or(0, |(_, happened)| *happened),
            |active| active.happened,
        )
    }

    /// Takes it back.
    pub fn remove(&self) {
        self.faults.lock().end(|active| active.id == self.id);
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

/// Faults, oldest first. A server has its own ([`TestControls::inject`](super::TestControls::inject)); one that is made here
/// is for a layer of a test between a client and any other server.
#[derive(Debug, Default)]
pub struct Faults(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    next: u64,
    active: Vec<Active>,
    /// How often those that are over have happened.
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
    /// Adds a fault, behind those that are there.
    pub fn inject(self: &Arc<Self>, fault: Fault) -> InjectedFault {
        let mut state = self.lock();
        let (id, times) = (state.next, fault.times);
        state.next += 1;
        state.active.push(Active { id, fault, happened: 0 });
        state.end(|active| active.fault.times == Some(0));
        drop(state);
        InjectedFault { faults: Arc::clone(self), id, times }
    }

    /// Takes all back.
    pub fn clear(&self) {
        self.lock().end(|_| true);
    }

    /// What happens to a request: the effect of the oldest fault that fits, which is counted.
    pub fn meet(&self, record: &RequestRecord) -> Option<Effect> {
        let path = record.uri.split('?').next().unwrap_or_default();
        let mut state = self.lock();
        let met = state.active.iter_mut().find(|active| active.fault.fits(record, path))?;
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
    fn a_fault_happens_to_requests_that_fit_and_says_how_often() {
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
    fn a_chance_is_a_part_of_the_requests() {
        let faults = Arc::new(Faults::default());
        let never = faults.inject(Fault::new(Effect::Freeze).chance(0.0));
        let some = faults.inject(Fault::new(Effect::Freeze).chance(0.5));
        let met = (0..1000).filter(|_| faults.meet(&request("GET", "/")).is_some()).count();
        // Less than one run in 10^40 is outside of this.
        assert!((300..=700).contains(&met), "{met}");
        assert_eq!((never.happened(), some.happened(), some.left()), (0, met, None));
        some.remove();
        assert_eq!((faults.meet(&request("GET", "/")), some.happened()), (None, met));
        let all = faults.inject(Fault::new(Effect::Freeze));
        faults.clear();
        assert_eq!((faults.meet(&request("GET", "/")), all.left()), (None, Some(0)));
    }
}
