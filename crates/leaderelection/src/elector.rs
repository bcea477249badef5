//! [`LeaderElector`], the shell around the state machine.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use client_rs_client::{RestClient, WriteGate, WriteRefused};
use client_rs_machinery::{MicroTime, Str};
use futures_core::future::BoxFuture;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::callbacks::LeaderCallbacks;
use crate::leaders::Leaders;
use crate::leadership::{Deadline, Leadership, LeadershipScope};
use crate::machine::{Action, Event, Failed, Loss, Machine, Memory, Now, Observation, Release};
use crate::{
    HandoverNote, LeaderElectionOptions, LeaderElectionRecord, LockError, OptionsError, ResourceLock,
};

/// A candidate of an election.
///
/// There are three ways to use it: [`acquire`](Self::acquire) returns leadership as a guard; [`run`](Self::run) calls
/// callbacks; [`leaders`](Self::leaders) only observes. One campaign or term runs at a time: a second one waits for the first
/// to end. Cheap to clone; clones are the same candidate.
///
/// ```
/// use client_rs_leaderelection::{LeaderElector, LeaseLock, LeaseLockOptions, unique_identity};
/// # use client_rs_client::RestClient;
/// # use client_rs_transport::Config;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let client = RestClient::from_config(&Config::new("http://127.0.0.1:1".parse()?))?;
/// let lock = LeaseLock::new(&client, LeaseLockOptions::new(("shop", "my-controller"), unique_identity()));
/// let elector = LeaderElector::new(lock)?;
/// assert!(!elector.is_leader()); // It campaigns only when it is asked to.
///
/// async fn lead(elector: &LeaderElector) {
///     let leadership = elector.acquire().await;
///     if let Err(loss) = leadership.run(async { /* the leader's work */ }).await {
///         eprintln!("no longer leading: {loss:?}");
///     }
///     leadership.release().await;
/// }
/// # Ok(())
/// # }
/// ```
///
/// Expiry depends only on the local clock: it counts from the time when this candidate last saw the record *change*. Clocks
/// may show different times. Their rates must not differ by more than `lease_duration / renew_deadline`.
/// [`LeadershipScope`] lists the promises about a term, the assumptions, and what is not promised.
///
/// A term ends in one of two ways:
/// - *given up*: its [`Leadership`] is dropped or released, because its work is over. It is renewed until then, and its
///   lock is released, so that another candidate can lead at once;
/// - *lost*: it could not be renewed by its deadline, another holder was seen, or the control plane has picked another one.
///   The scope ends at once. The lock is not changed while the [`Leadership`] lives, because its work may still run. When
///   it is dropped or released, the lock is read again, and released only if it is still this term's.
///
/// Let the writes of a leader go through a client that refuses them outside of the term: [`gated`](Self::gated) for a client
/// that is created before the term begins, [`RestClient::with_write_gate`] with the [`LeadershipScope`] for one that is
/// created in it.
#[derive(Clone, Debug)]
pub struct LeaderElector(Arc<Inner>);

pub(crate) struct Inner {
    lock: Arc<dyn ResourceLock>,
    options: LeaderElectionOptions,
    memory: Mutex<Memory>,
    leaders: watch::Sender<Str>,
    /// One campaign or term at a time.
    turn: Arc<Semaphore>,
    /// How many campaigns wait for their turn.
    waiting: watch::Sender<usize>,
    terms: Arc<Mutex<Terms>>,
    /// A deadline that no term outlives.
    within: Option<Arc<Deadline>>,
    notes: Mutex<Notes>,
}

/// The handover notes.
#[derive(Default)]
struct Notes {
    /// Writes the note of this candidate.
    leave: Option<HandoverNote>,
    /// The note at the beginning of the newest term.
    found: Option<String>,
}

/// The terms that this candidate has led.
#[derive(Debug, Default)]
struct Terms {
    begun: u64,
    newest: Option<LeadershipScope>,
}

impl LeaderElector {
    /// A candidate for this lock. It does nothing before [`acquire`](Self::acquire) or [`run`](Self::run).
    ///
    /// # Errors
    ///
    /// [`OptionsError`] if the durations contradict each other, or the lock's identity is empty.
    pub fn new(lock: impl ResourceLock) -> Result<Self, OptionsError> {
        Self::with_options(lock, LeaderElectionOptions::default())
    }

    /// As [`new`](Self::new), with options.
    pub fn with_options(
        lock: impl ResourceLock,
        options: LeaderElectionOptions,
    ) -> Result<Self, OptionsError> {
        Self::shared(Arc::new(lock), options)
    }

    /// Like [`with_options`](Self::with_options), with a lock behind `dyn`.
    pub fn shared(lock: Arc<dyn ResourceLock>, options: LeaderElectionOptions) -> Result<Self, OptionsError> {
        Self::within(lock, options, None)
    }

    /// Like [`shared`](Self::shared), for terms that do not outlive a deadline.
    pub(crate) fn within(
        lock: Arc<dyn ResourceLock>,
        options: LeaderElectionOptions,
        within: Option<Arc<Deadline>>,
    ) -> Result<Self, OptionsError> {
        options.validate()?;
        if lock.identity().is_empty() {
            return Err(OptionsError::Identity);
        }
        survive("metrics", || options.metrics.leader_off(&options.name));
        Ok(Self(Arc::new(Inner {
            lock,
            options,
            memory: Mutex::default(),
            leaders: watch::Sender::new(Str::EMPTY),
            turn: Arc::new(Semaphore::new(1)),
            waiting: watch::Sender::new(0),
            terms: Arc::default(),
            within,
            notes: Mutex::default(),
        })))
    }

    /// Campaigns until this candidate leads.
    ///
    /// Cancel safe: if the future is dropped, the campaign ends, and a lock that it may have acquired is released.
    ///
    /// It never fails: errors of the lock are logged and retried every `retry_period`.
    pub async fn acquire(&self) -> Leadership {
        loop {
            let stop = CancellationToken::new();
            let (started, starts) = oneshot::channel();
            // Ends the campaign if this future is dropped.
            let guard = stop.clone().drop_guard();
            let task = self.spawn_campaign(stop.clone(), started);
            if let Ok(scope) = starts.await {
                guard.disarm();
                return Leadership::new(scope, stop, task);
            }
            // The task sends the scope before it ends, unless the caller's lock has panicked, or the runtime is shutting
            // down.
            match task.await {
                Err(error) if error.is_panic() => {
                    tracing::error!(lock = self.0.lock.describe(), "campaign panicked; starting another one");
                    tokio::time::sleep(self.0.options.retry_period).await;
                }
                _ => std::future::pending().await,
            }
        }
    }

    /// A function of its own, so that this crate compiles the task, and not each caller's.
    fn spawn_campaign(
        &self,
        stop: CancellationToken,
        started: oneshot::Sender<LeadershipScope>,
    ) -> JoinHandle<Release> {
        tokio::spawn(campaign(Arc::clone(&self.0), stop, started))
    }

    /// Returns a client that refuses writes unless this candidate leads: `client` behind this candidate's
    /// [write gate](Self::write_gate), with the connections and the rate limit of `client`. Reads are never refused.
    ///
    /// ```
    /// # use client_rs_client::{Request, RestClient};
    /// # use client_rs_leaderelection::{LeaderElector, LeaseLock, LeaseLockOptions};
    /// # use client_rs_transport::Config;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let client = RestClient::from_config(&Config::new("http://127.0.0.1:1".parse()?))?;
    /// # let lock = LeaseLock::new(&client, LeaseLockOptions::new(("shop", "my-controller"), "replica-a"));
    /// let elector = LeaderElector::new(lock)?;
    /// let writes = elector.gated(&client);
    /// // Before the term begins, a write is refused and nothing is sent.
    /// let error = writes.send_raw(Request::post().abs_path(["api", "v1", "nodes"])).await.unwrap_err();
    /// assert!(error.to_string().contains("does not lead yet"), "{error}");
    /// # Ok(())
    /// # }
    /// ```
    pub fn gated(&self, client: &RestClient) -> RestClient {
        client.with_write_gate(self.write_gate())
    }

    /// A gate for the writes of *one* term: the current one, or otherwise the next that [`acquire`](Self::acquire) or
    /// [`run`](Self::run) starts. It is for clients that are created before the term begins.
    ///
    /// It is closed before that term, open in it, and closed forever after it: tasks of an earlier term can't write in a later
    /// one. So a program that leads again must create another gate, or use the [`LeadershipScope`] of each term.
    pub fn write_gate(&self) -> ElectionGate {
        let terms = lock(&self.0.terms);
        let runs = terms.newest.as_ref().is_some_and(LeadershipScope::is_leading);
        ElectionGate { terms: Arc::clone(&self.0.terms), term: terms.begun + u64::from(!runs) }
    }

    /// Campaigns, leads once, and returns when the term is over: leadership was lost, or `cancel` was cancelled. Returns the
    /// reason; `None` if this candidate never led.
    ///
    /// While it leads, this future polls the future of `on_started_leading`. If leadership is lost, that future is dropped at
    /// once. If `cancel` is cancelled, its scope is cancelled while leadership continues; the future is dropped after the renew
    /// deadline if it has not ended. Then the lock is released. `on_stopped_leading` is always called at the end, even if this
    /// candidate never led, as in client-go.
    ///
    /// ```
    /// use client_rs_leaderelection::{CancellationToken, LeaderCallbacks, LeaderElector, LeadershipScope, Loss};
    /// # use std::sync::Mutex;
    /// # use client_rs_leaderelection::{LeaderElectionRecord, LockError, ResourceLock};
    /// # use futures_core::future::BoxFuture;
    /// # struct Memory(Mutex<Option<LeaderElectionRecord>>);
    /// # impl ResourceLock for Memory {
    /// #     fn get(&self) -> BoxFuture<'_, Result<LeaderElectionRecord, LockError>> {
    /// #         Box::pin(async { self.0.lock().unwrap().clone().ok_or(LockError::NotFound) })
    /// #     }
    /// #     fn create(&self, record: LeaderElectionRecord) -> BoxFuture<'_, Result<(), LockError>> {
    /// #         self.update(record)
    /// #     }
    /// #     fn update(&self, record: LeaderElectionRecord) -> BoxFuture<'_, Result<(), LockError>> {
    /// #         *self.0.lock().unwrap() = Some(record);
    /// #         Box::pin(async { Ok(()) })
    /// #     }
    /// #     fn record_event(&self, _: &str) {}
    /// #     fn identity(&self) -> &str { "replica-a" }
    /// #     fn describe(&self) -> String { "memory".to_owned() }
    /// # }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let lock = Memory(Mutex::default());
    /// let elector = LeaderElector::new(lock)?;
    /// let cancel = CancellationToken::new();
    /// let stop = cancel.clone();
    /// let work = move |scope: LeadershipScope| async move {
    ///     assert!(scope.is_leading());
    ///     stop.cancel(); // Here the program ends as soon as it leads.
    /// };
    /// let loss = elector.run(LeaderCallbacks::new(work, || ()), cancel).await;
    /// assert_eq!(loss, Some(Loss::Released));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn run(&self, callbacks: LeaderCallbacks, cancel: CancellationToken) -> Option<Loss> {
        self.run_boxed(callbacks, cancel).await
    }

    /// Boxed, so that this crate compiles it, and not each caller's.
    fn run_boxed(
        &self,
        callbacks: LeaderCallbacks,
        cancel: CancellationToken,
    ) -> BoxFuture<'_, Option<Loss>> {
        Box::pin(self.run_once(callbacks, cancel))
    }

    async fn run_once(&self, callbacks: LeaderCallbacks, cancel: CancellationToken) -> Option<Loss> {
        let LeaderCallbacks { on_started_leading, on_stopped_leading, on_new_leader } = callbacks;
        let observer = on_new_leader.map(|mut on_new_leader| {
            let mut leaders = self.leaders();
            let observer = tokio::spawn(async move {
                while let Some(leader) = leaders.changed().await {
                    on_new_leader(&leader);
                }
            });
            AbortOnDrop(observer)
        });
        let acquired = tokio::select! {
            biased;
            () = cancel.cancelled() => None,
            leadership = self.acquire() => Some(leadership),
        };
        let loss = match acquired {
            None => None,
            Some(leadership) => Some(self.lead(leadership, on_started_leading, &cancel).await),
        };
        // A campaign that was cancelled releases a lock that it may have acquired before this returns.
        drop(self.0.turn.acquire().await);
        drop(observer);
        on_stopped_leading();
        loss
    }

    async fn lead(
        &self,
        leadership: Leadership,
        work: Box<dyn FnOnce(LeadershipScope) -> BoxFuture<'static, ()> + Send>,
        cancel: &CancellationToken,
    ) -> Loss {
        let scope = leadership.scope().clone();
        let mut work = Some(work(scope.clone()));
        let loss = loop {
            tokio::select! {
                biased;
                loss = scope.lost() => break loss,
                () = cancel.cancelled() => {
                    scope.wind_down();
                    if let Some(work) = work.take() {
                        let patience = self.0.options.renew_deadline;
                        // Finished, lost or timed out: in each case the work is not polled again.
                        let _ = leadership.run(tokio::time::timeout(patience, work)).await;
                    }
                    break Loss::Released;
                }
                // Work that has ended does not end the term.
                () = poll_some(&mut work), if work.is_some() => work = None,
            }
        };
        drop(work);
        leadership.release().await;
        loss
    }

    /// Sets the function that writes the note which this candidate, as leader, leaves for the next leader. It replaces an
    /// earlier one; `None` removes it.
    ///
    /// The note is stored in the lock's object, with each renewal and with the release. So the next leader finds the note of
    /// the last successful one of them. A claim keeps the note of the leader before. A [`LeaseLock`](crate::LeaseLock) has
    /// it in the annotation `client-rs.io/handover`; other locks have notes only if they implement
    /// [`ResourceLock::set_note`]. A note is gone with an object that is deleted.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use client_rs_leaderelection::{HandoverNote, LeaderElector};
    /// # use std::sync::Mutex;
    /// # use client_rs_leaderelection::{LeaderElectionRecord, LockError, ResourceLock};
    /// # use futures_core::future::BoxFuture;
    /// # #[derive(Clone, Default)]
    /// # struct Memory(Arc<Mutex<(Option<LeaderElectionRecord>, Option<String>)>>, &'static str);
    /// # impl ResourceLock for Memory {
    /// #     fn get(&self) -> BoxFuture<'_, Result<LeaderElectionRecord, LockError>> {
    /// #         Box::pin(async { self.0.lock().unwrap().0.clone().ok_or(LockError::NotFound) })
    /// #     }
    /// #     fn create(&self, record: LeaderElectionRecord) -> BoxFuture<'_, Result<(), LockError>> {
    /// #         self.update(record)
    /// #     }
    /// #     fn update(&self, record: LeaderElectionRecord) -> BoxFuture<'_, Result<(), LockError>> {
    /// #         self.0.lock().unwrap().0 = Some(record);
    /// #         Box::pin(async { Ok(()) })
    /// #     }
    /// #     fn record_event(&self, _: &str) {}
    /// #     fn identity(&self) -> &str { self.1 }
    /// #     fn describe(&self) -> String { "memory".to_owned() }
    /// #     fn set_note(&self, note: Option<String>) {
    /// #         if note.is_some() { self.0.lock().unwrap().1 = note; }
    /// #     }
    /// #     fn note(&self) -> Option<String> { self.0.lock().unwrap().1.clone() }
    /// # }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let lock = Memory::default();
    /// # let replica = |name: &'static str| LeaderElector::new(Memory(lock.0.clone(), name));
    /// // Each is made as above, and both have the same Lease.
    /// let (first, second) = (replica("a")?, replica("b")?);
    /// let note: HandoverNote = Arc::new(|_| Some("imported up to line 4711".to_owned()));
    /// first.leave_note(Some(note));
    /// first.acquire().await.release().await;
    /// let leadership = second.acquire().await;
    /// assert_eq!(second.found_note().as_deref(), Some("imported up to line 4711"));
    /// # leadership.release().await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn leave_note(&self, note: Option<HandoverNote>) {
        lock(&self.0.notes).leave = note;
    }

    /// The note that the leader before this candidate's newest term had left: see [`leave_note`](Self::leave_note).
    pub fn found_note(&self) -> Option<String> {
        lock(&self.0.notes).found.clone()
    }

    /// The options of the election.
    pub fn options(&self) -> &LeaderElectionOptions {
        &self.0.options
    }

    /// A stream of the leaders from now on.
    pub fn leaders(&self) -> Leaders {
        Leaders::new(self.0.leaders.subscribe())
    }

    /// The leader in the last record that was read; `None` if there is none or it is unknown. May be out of date.
    pub fn leader(&self) -> Option<Str> {
        let memory = self.0.memory();
        let holder = memory.observed.as_ref().map(|observed| observed.record.holder_identity.clone());
        holder.filter(|holder| !holder.is_empty())
    }

    /// Whether this candidate was the leader in the last record that was read. May be out of date;
    /// [`LeadershipScope::is_leading`] is not.
    pub fn is_leader(&self) -> bool {
        self.leader().is_some_and(|leader| leader == self.0.lock.identity())
    }

    /// Passes on an observation of the lock, so that the next campaign need not wait for a lease to expire again.
    pub(crate) fn has_seen(&self, observation: Observation) {
        self.0.memory().note(observation);
    }

    /// The identity of this candidate.
    pub fn identity(&self) -> &str {
        self.0.lock.identity()
    }

    /// Fails if this candidate is a leader that has not renewed for longer than its lease and this tolerance: a process that
    /// should be restarted. For a health check see [`HealthAdaptor`](crate::HealthAdaptor).
    pub fn check(&self, tolerance: Duration) -> Result<(), FailedToRenew> {
        if !self.is_leader() {
            return Ok(());
        }
        let memory = self.0.memory();
        let limit = self.0.options.lease_duration + tolerance;
        match &memory.observed {
            Some(observed) if observed.at.elapsed() > limit => {
                Err(FailedToRenew(self.0.options.name.clone()))
            }
            _ => Ok(()),
        }
    }
}

/// A write gate that is open in one term of a candidate: see [`LeaderElector::write_gate`].
#[derive(Clone, Debug)]
pub struct ElectionGate {
    terms: Arc<Mutex<Terms>>,
    /// The number of the term.
    term: u64,
}

impl WriteGate for ElectionGate {
    fn permit(&self) -> Result<Duration, WriteRefused> {
        let terms = lock(&self.terms);
        match (&terms.newest, terms.begun.cmp(&self.term)) {
            (Some(scope), std::cmp::Ordering::Equal) => scope.permit(),
            (_, std::cmp::Ordering::Greater) => Err(WriteRefused::new(
                "the term of leadership that this client belongs to is over; stop its work, or make a client for the \
                 new term (in a controller, `Context::gated`)",
            )),
            _ => Err(WriteRefused::new(
                "this replica does not lead yet; write only in work that the leader election has started",
            )),
        }
    }
}

/// The error of a leader that could not renew and has not noticed it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("failed to renew leadership of {0:?}")]
pub struct FailedToRenew(pub String);

struct AbortOnDrop(JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn poll_some(work: &mut Option<BoxFuture<'static, ()>>) {
    match work {
        Some(work) => work.await,
        None => std::future::pending().await,
    }
}

/// Calls metrics or events. A panic in them is logged and changes nothing else.
fn survive(what: &str, call: impl FnOnce()) {
    if std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).is_err() {
        tracing::error!("{what} of a leader election panicked");
    }
}

/// Counts a campaign that waits for its turn.
struct Waiting<'i>(&'i Inner);

impl<'i> Waiting<'i> {
    fn new(inner: &'i Inner) -> Self {
        inner.waiting.send_modify(|waiting| *waiting += 1);
        Self(inner)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.send_modify(|waiting| *waiting -= 1);
    }
}

impl Inner {
    fn memory(&self) -> MutexGuard<'_, Memory> {
        lock(&self.memory)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LeaderElector")
            .field("lock", &self.lock.describe())
            .field("identity", &self.lock.identity())
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// One campaign and, if it succeeds, its term.
async fn campaign(
    inner: Arc<Inner>,
    stop: CancellationToken,
    started: oneshot::Sender<LeadershipScope>,
) -> Release {
    let waiting = Waiting::new(&inner);
    let turn = tokio::select! {
        biased;
        () = stop.cancelled() => return Release::NotHeld,
        turn = Arc::clone(&inner.turn).acquire_owned() => turn,
    };
    drop(waiting);
    tracing::info!(
        lock = inner.lock.describe(),
        identity = inner.lock.identity(),
        "campaigning for leadership"
    );
    let memory = inner.memory().clone();
    let machine = Machine::new(inner.options.clone(), inner.lock.identity(), memory, fastrand::u64(..));
    let campaign = Campaign {
        lock: Arc::clone(&inner.lock),
        inner,
        machine,
        started: Some(started),
        scope: None,
        led: false,
        request: None,
        _turn: turn.ok(),
    };
    campaign.run(stop).await
}

type Answer = Pin<Box<dyn Future<Output = Event> + Send>>;

struct Campaign {
    lock: Arc<dyn ResourceLock>,
    inner: Arc<Inner>,
    machine: Machine,
    started: Option<oneshot::Sender<LeadershipScope>>,
    scope: Option<LeadershipScope>,
    /// Whether the term of this campaign has begun.
    led: bool,
    request: Option<Answer>,
    _turn: Option<OwnedSemaphorePermit>,
}

impl Campaign {
    async fn run(mut self, stop: CancellationToken) -> Release {
        let mut event = Event::Start;
        let mut cancelled = false;
        loop {
            let now = Now { instant: Instant::now(), wall: MicroTime::now().truncated() };
            let actions = self.machine.handle(event, now);
            self.inner.memory().clone_from(self.machine.memory());
            // Before any other task is notified.
            if let (Some(scope), Some(deadline)) = (&self.scope, self.machine.leads_until()) {
                scope.extend(deadline);
            }
            for action in actions {
                if let Some(release) = self.act(action) {
                    return release;
                }
            }
            let wake = self.machine.wake_at().unwrap_or_else(|| Instant::now() + Duration::from_hours(1));
            let mut waiting = self.inner.waiting.subscribe();
            event = tokio::select! {
                biased;
                () = stop.cancelled(), if !cancelled => {
                    cancelled = true;
                    Event::Cancel
                }
                // This candidate campaigns again before the work of the lost term is over: the lock is not changed, and
                // the next term has another token.
                _ = waiting.wait_for(|waiting| *waiting > 0), if self.machine.is_lost() => {
                    return Release::NotHeld;
                }
                answer = poll_answer(&mut self.request) => {
                    self.request = None;
                    answer
                }
                () = tokio::time::sleep_until(wake) => Event::Tick,
            };
        }
    }

    /// Carries out an action. Returns the result if the campaign is over.
    fn act(&mut self, action: Action) -> Option<Release> {
        let (metrics, name) = (&self.inner.options.metrics, &self.inner.options.name);
        match action {
            Action::Get => self.request = Some(Box::pin(get(Arc::clone(&self.lock)))),
            Action::Create(record) => {
                self.set_note();
                self.request = Some(Box::pin(write(Arc::clone(&self.lock), record, true)));
            }
            Action::Update(record) => {
                self.set_note();
                self.request = Some(Box::pin(write(Arc::clone(&self.lock), record, false)));
            }
            Action::Abort => self.request = None,
            Action::Started(token) => {
                tracing::info!(lock = self.lock.describe(), %token, "leading");
                survive("metrics", || metrics.leader_on(name));
                survive("events", || self.lock.record_event("became leader"));
                let deadline = self.machine.leads_until().unwrap_or_else(Instant::now);
                let scope = LeadershipScope::new(token, deadline, self.inner.within.clone());
                self.scope = Some(scope.clone());
                self.led = true;
                lock(&self.inner.notes).found = self.lock.note();
                // If the receiver was dropped, the stop token is cancelled, which is the next event.
                if let Some(started) = self.started.take().filter(|started| !started.is_closed()) {
                    {
                        let mut terms = lock(&self.inner.terms);
                        terms.begun += 1;
                        terms.newest = Some(scope.clone());
                    }
                    let _ = started.send(scope);
                }
            }
            Action::Lost(loss) => {
                if let Some(scope) = self.scope.take() {
                    scope.end(loss);
                }
                tracing::info!(lock = self.lock.describe(), ?loss, "no longer leading");
                survive("metrics", || metrics.leader_off(name));
                survive("events", || self.lock.record_event("stopped leading"));
            }
            Action::NewLeader(leader) => {
                self.inner.leaders.send_replace(leader);
            }
            Action::SlowPath => survive("metrics", || metrics.slow_path(name)),
            Action::Over(release) => {
                // The next campaign may begin when the permit is dropped, which is after this.
                return Some(release);
            }
        }
        None
    }
}

impl Campaign {
    /// Sets the note of the next write: none before the term, so that a claim keeps the note of the leader before.
    fn set_note(&self) {
        let mut note = None;
        if self.led {
            let (leave, found) = {
                let notes = lock(&self.inner.notes);
                (notes.leave.clone(), notes.found.clone())
            };
            if let Some(leave) = leave {
                survive("handover note", || note = leave(found.as_deref()));
            }
        }
        self.lock.set_note(note);
    }
}

impl Drop for Campaign {
    fn drop(&mut self) {
        // A runtime that shuts down drops the task: the lock is no longer renewed.
        if let Some(scope) = self.scope.take() {
            scope.end(Loss::Deadline);
        }
    }
}

async fn poll_answer(request: &mut Option<Answer>) -> Event {
    match request {
        Some(request) => request.await,
        None => std::future::pending().await,
    }
}

async fn get(lock: Arc<dyn ResourceLock>) -> Event {
    Event::Got(match lock.get().await {
        Ok(record) => Ok(Some(record)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(failed(&*lock, "read", &error)),
    })
}

async fn write(lock: Arc<dyn ResourceLock>, record: LeaderElectionRecord, create: bool) -> Event {
    let written = if create { lock.create(record).await } else { lock.update(record).await };
    Event::Wrote(written.map_err(|error| failed(&*lock, "written", &error)))
}

fn failed(lock: &dyn ResourceLock, what: &str, error: &LockError) -> Failed {
    if error.is_conflict() {
        tracing::debug!(lock = lock.describe(), "conflict with another candidate");
        Failed::Conflict
    } else {
        tracing::warn!(lock = lock.describe(), %error, "lock could not be {what}");
        Failed::Other
    }
}
