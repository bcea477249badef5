//! [`Recorder`]: the ring in memory.

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, TryLockError, Weak};
use std::time::{Duration, SystemTime};

use client_rs_machinery::MicroTime;
use tokio::time::Instant;

use super::record::{Name, Record, What};
use super::segment::{Decoder, Encoder};
use super::stage::{EndedRun, Stage, StagedEvent};

/// How many records can be written at once. A thread uses the first free place.
const WRITERS: usize = 4;
/// How many segments the ring has. The oldest is dropped as a whole.
const SEGMENTS: usize = 16;
/// The smallest segment.
const SEGMENT_MIN: usize = 4 << 10;
/// The ring that controllers share unless they have their own.
static SHARED: LazyLock<Recorder> = LazyLock::new(Recorder::new);

/// A flight recorder: remembers the last events, decisions and runs of controllers, so that
/// [`why`](crate::RunnableController::why) can explain them.
///
/// All controllers of a process share one recorder of 16 MiB by default, which lasts for ten minutes at 1,000 events per second.
/// Give a controller its own with [`ControllerOptions::recorder`](crate::ControllerOptions::recorder) if another one is so busy
/// that it pushes out the records of a quiet one, or [turn it off](Self::off).
///
/// - **Recorded**: events (object, version, which part changed), the verdicts of predicates and mapping functions, keys that are
///   enqueued and why, runs (versions of the caches, requests, outcome), waits for caches, shards, phases, relists and failed
///   watches. Keys, versions, codes and times only: no value of any object, and no text of an error.
/// - **Blocking**: none. A record that finds four others being written at the same moment is dropped and counted.
/// - **Memory**: grows with the records up to the limit, then the oldest sixteenth is dropped. All that it allocates is counted.
///
/// Cheap to clone; clones are the same recorder.
///
/// ```
/// use client_rs_controller::{ControllerOptions, Recorder};
///
/// let own = Recorder::with_limit(4 << 20);
/// let options = ControllerOptions::default().with_recorder(own.clone());
/// assert_eq!(own.limit(), 4 << 20);
/// assert!(own.used() < 64 << 10);
/// # drop(options);
/// ```
#[derive(Clone)]
pub struct Recorder(Arc<Ring>);

struct Ring {
    limit: usize,
    segment: usize,
    epoch: Instant,
    /// The time of the day at `epoch`.
    epoch_time: SystemTime,
    /// The newest records. Its lock is taken before those of `writers`.
    stage: Mutex<Stage>,
    writers: [Mutex<Encoder>; WRITERS],
    sealed: Mutex<VecDeque<Arc<Sealed>>>,
    /// Bytes of `stage`, `writers` and `sealed`.
    used: AtomicUsize,
    /// Everything after this time is remembered. `i64::MIN` if nothing was dropped.
    complete_after: AtomicI64,
    lost: AtomicU64,
    lost_at: AtomicI64,
    /// The names of the controllers, by their numbers.
    controllers: Mutex<Vec<Weak<str>>>,
}

/// A part of the ring that does not change any more.
pub(crate) struct Sealed {
    bytes: Box<[u8]>,
    newest: i64,
    records: u64,
}

impl Sealed {
    pub(crate) fn records(&self) -> Decoder<'_> {
        Decoder::new(&self.bytes)
    }

    /// The time of its newest record.
    pub(crate) fn newest(&self) -> i64 {
        self.newest
    }

    fn memory(&self) -> usize {
        self.bytes.len() + size_of::<Self>() + size_of::<Arc<Self>>() + 2 * size_of::<usize>()
    }
}

impl Recorder {
    /// The default limit: 16 MiB.
    pub const DEFAULT_LIMIT: usize = 16 << 20;

    /// A recorder of its own, with the default limit.
    pub fn new() -> Self {
        Self::with_limit(Self::DEFAULT_LIMIT)
    }

    /// A recorder of its own that uses at most this many bytes. Less than 64 KiB count as 64 KiB.
    pub fn with_limit(bytes: usize) -> Self {
        Self::from_limit(bytes.max(SEGMENT_MIN * SEGMENTS))
    }

    /// A recorder that records nothing.
    pub fn off() -> Self {
        Self::from_limit(0)
    }

    /// The recorder of this process, which controllers use unless they have their own.
    pub fn shared() -> Self {
        SHARED.clone()
    }

    fn from_limit(limit: usize) -> Self {
        Self(Arc::new(Ring {
            limit,
            segment: limit / SEGMENTS,
            epoch: Instant::now(),
            epoch_time: SystemTime::now(),
            stage: Mutex::default(),
            writers: Default::default(),
            sealed: Mutex::default(),
            used: AtomicUsize::new(0),
            complete_after: AtomicI64::new(i64::MIN),
            lost: AtomicU64::new(0),
            lost_at: AtomicI64::new(i64::MIN),
            controllers: Mutex::default(),
        }))
    }

    /// The most bytes that it uses; zero if it is off.
    pub fn limit(&self) -> usize {
        self.0.limit
    }

    /// The bytes that it uses.
    pub fn used(&self) -> usize {
        self.0.used.load(Ordering::Relaxed)
    }

    /// The number of records that were dropped because too many were being written at the same moment.
    pub fn lost(&self) -> u64 {
        self.0.lost.load(Ordering::Relaxed)
    }

    /// The number of records that it remembers.
    pub fn records(&self) -> u64 {
        self.flush();
        let sealed: u64 = lock(&self.0.sealed).iter().map(|sealed| sealed.records).sum();
        sealed + self.0.writers.iter().map(|writer| lock(writer).records()).sum::<u64>()
    }

    pub(crate) fn is_off(&self) -> bool {
        self.0.limit == 0
    }

    /// A number for a new controller.
    pub(crate) fn number(&self, name: &Arc<str>) -> u32 {
        let mut controllers = lock(&self.0.controllers);
        controllers.push(Arc::downgrade(name));
        u32::try_from(controllers.len() - 1).unwrap_or(u32::MAX)
    }

    /// The name of a controller that exists.
    pub(crate) fn controller_name(&self, number: u32) -> String {
        let controllers = lock(&self.0.controllers);
        let name = usize::try_from(number).ok().and_then(|number| controllers.get(number)?.upgrade());
        name.map_or_else(|| "that no longer exists".to_owned(), |name| name.to_string())
    }

    /// The time in microseconds since the recorder was made.
    pub(crate) fn at(&self, instant: Instant) -> i64 {
        let micros = |duration: Duration| i64::try_from(super::run_log::micros(duration)).unwrap_or(i64::MAX);
        match instant.checked_duration_since(self.0.epoch) {
            Some(since) => micros(since),
            None => -micros(self.0.epoch.saturating_duration_since(instant)),
        }
    }

    /// The time of the day of such a time.
    pub(crate) fn time(&self, at: i64) -> MicroTime {
        let distance = Duration::from_micros(at.unsigned_abs());
        let time = if at < 0 { self.0.epoch_time - distance } else { self.0.epoch_time + distance };
        MicroTime::try_from(time).unwrap_or(MicroTime::ZERO).truncated()
    }

    /// Writes a record, or counts it as lost.
    pub(crate) fn write(&self, record: &Record<'_>) {
        if !self.is_off() && !self.write_with(|writer| writer.write(record)) {
            self.lose(1, record.at);
        }
    }

    /// Records an event, which is encoded together with others. If that is happening at this moment, it is encoded by itself.
    pub(crate) fn stage_event(&self, event: StagedEvent) {
        if self.is_off() {
            return;
        }
        if let Some(stage) = try_lock(&self.0.stage) {
            self.add_to(stage, |stage| stage.add_event(event));
        } else if !self.write_with(|writer| writer.write_event(event.at, event.controller, &event.event())) {
            self.lose(1, event.at);
        }
    }

    /// Records a run in the same way.
    pub(crate) fn stage_run(&self, run: EndedRun) {
        if self.is_off() {
            return;
        }
        match try_lock(&self.0.stage) {
            Some(stage) => self.add_to(stage, |stage| stage.add_run(run)),
            None => self.write_run(run),
        }
    }

    /// Adds a record with a function that returns whether it is time to encode.
    fn add_to(&self, mut stage: MutexGuard<'_, Stage>, add: impl FnOnce(&mut Stage) -> bool) {
        let before = stage.memory();
        let is_full = add(&mut stage);
        self.count(before, stage.memory());
        if is_full {
            self.encode(&mut stage);
        }
    }

    /// Encodes the records that wait, so that readers find them.
    pub(crate) fn flush(&self) {
        let mut stage = lock(&self.0.stage);
        if !stage.is_empty() {
            self.encode(&mut stage);
        }
    }

    #[cold]
    fn encode(&self, stage: &mut Stage) {
        // Readers hold the writers for long only one at a time. If all are busy, the records wait.
        let before = stage.memory();
        let free = self.0.writers.iter().find_map(try_lock);
        let Some(mut writer) = free else {
            if stage.is_over() {
                let last =
                    stage.events.iter().map(|event| event.at).chain(stage.runs.iter().map(|run| run.at));
                self.lose((stage.events.len() + stage.runs.len()) as u64, last.max().unwrap_or_default());
                (stage.events, stage.runs) = Default::default();
                stage.emptied();
                self.count(before, stage.memory());
            }
            return;
        };
        for event in stage.events.drain(..) {
            self.write_to(&mut writer, |writer| {
                writer.write_event(event.at, event.controller, &event.event());
            });
        }
        drop(writer);
        for run in stage.runs.drain(..) {
            self.write_run(run);
        }
        stage.emptied();
        self.count(before, stage.memory());
    }

    fn write_run(&self, run: EndedRun) {
        let written = self.write_with(|writer| {
            writer.write_run(run.at, run.controller, &run.run(), run.requests.sent(&run.key, run.took));
        });
        if !written {
            self.lose(1, run.at);
        }
        for informer in &run.requests.unsynced {
            let what = What::UnsyncedRead { key: Name::of(&run.key), informer };
            self.write(&Record { at: run.at, controller: run.controller, what });
        }
        Arc::clone(&run.sink).recorded(run);
    }

    fn lose(&self, records: u64, at: i64) {
        self.0.lost.fetch_add(records, Ordering::Relaxed);
        self.0.lost_at.fetch_max(at, Ordering::Relaxed);
    }

    /// Calls a function that writes one record. Returns whether there was a free writer.
    #[inline]
    fn write_with(&self, write: impl FnOnce(&mut Encoder)) -> bool {
        let Some(mut writer) = self.0.writers.iter().find_map(try_lock) else { return false };
        self.write_to(&mut writer, write);
        true
    }

    #[inline]
    fn write_to(&self, writer: &mut Encoder, write: impl FnOnce(&mut Encoder)) {
        let before = writer.memory();
        writer.reserve(self.0.segment);
        write(writer);
        self.count(before, writer.memory());
        let over = self.used() > self.0.limit;
        if writer.bytes().len() + 256 > self.0.segment || (over && writer.records() > 1) {
            self.seal(writer, over);
        }
    }

    /// Counts memory that has grown or shrunk.
    #[inline]
    fn count(&self, before: usize, after: usize) {
        if after != before {
            self.0.used.fetch_add(after.wrapping_sub(before), Ordering::Relaxed);
        }
    }

    /// Moves the records of a writer to the ring, and drops the oldest until there is space for another segment.
    #[cold]
    fn seal(&self, writer: &mut Encoder, over: bool) {
        // A reader that holds the ring: the writer grows until the next record.
        let Ok(mut sealed) = self.0.sealed.try_lock() else { return };
        let ring = &self.0;
        let is_full = writer.bytes().len() + 256 > ring.segment;
        // Over the limit with a segment that has just begun: drop old ones instead of making many small ones.
        if is_full || (over && sealed.is_empty()) {
            let (memory, newest, records) = (writer.memory(), writer.newest(), writer.records());
            let bytes = std::mem::take(writer).into_bytes();
            let full = Sealed { bytes, newest, records };
            ring.used.fetch_add(full.memory().wrapping_sub(memory), Ordering::Relaxed);
            sealed.push_back(Arc::new(full));
        }
        // A new segment may grow to its size, and has an index of its names.
        let wanted = ring.limit - ring.segment - ring.segment / 2;
        let limit = if over { ring.limit } else { wanted };
        while ring.used.load(Ordering::Relaxed) > limit
            && let Some(oldest) = sealed.pop_front()
        {
            ring.used.fetch_sub(oldest.memory(), Ordering::Relaxed);
            ring.complete_after.fetch_max(oldest.newest, Ordering::Relaxed);
        }
    }

    /// The segments, in no particular order. Readers wait for writers, never the other way round.
    pub(crate) fn segments(&self) -> Vec<Arc<Sealed>> {
        self.flush();
        // Under the ring's lock, so that no segment moves in between. A writer that wants to seal does not wait for it.
        let sealed = lock(&self.0.sealed);
        let mut segments: Vec<Arc<Sealed>> = sealed.iter().cloned().collect();
        for writer in &self.0.writers {
            let writer = lock(writer);
            if writer.records() > 0 {
                let bytes = writer.bytes().to_vec().into_boxed_slice();
                let (newest, records) = (writer.newest(), writer.records());
                segments.push(Arc::new(Sealed { bytes, newest, records }));
            }
        }
        segments
    }

    /// The time after which everything is remembered; `None` if nothing was dropped from the ring.
    pub(crate) fn complete_after(&self) -> Option<i64> {
        let after = self.0.complete_after.load(Ordering::Relaxed);
        (after != i64::MIN).then_some(after)
    }

    /// When a record was lost for the last time.
    pub(crate) fn lost_at(&self) -> Option<i64> {
        let at = self.0.lost_at.load(Ordering::Relaxed);
        (at != i64::MIN).then_some(at)
    }
}

impl Default for Recorder {
    /// The recorder of this process: [`Recorder::shared`].
    fn default() -> Self {
        Self::shared()
    }
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder")
            .field("limit", &self.limit())
            .field("used", &self.used())
            .finish_non_exhaustive()
    }
}

fn try_lock<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use client_rs_machinery::ObjectKey;

    use super::super::record::{Event, EventKind, Method, Name, ResourceName, Run, Sent, Verdict, What};
    use super::super::run_log::RunLog;
    use super::super::stage::{RunSink, StagedVerdict};
    use super::*;
    use crate::ReconcileOutcome;

    fn event<'a>(at: i64, namespace: &'a str, name: &'a str, version: u64) -> Record<'a> {
        let event = Event {
            source: 0,
            object: Name { namespace, name },
            version,
            kind: EventKind::Updated,
            changed: 1,
            verdict: Verdict::Own,
            panicked: false,
        };
        Record { at, controller: 3, what: What::Event(event) }
    }

    fn run<'a>(
        at: i64,
        namespace: &'a str,
        name: &'a str,
        writes: &'a [Sent<'a>],
        version: u64,
    ) -> Record<'a> {
        let run = Run {
            key: Name { namespace, name },
            took: 3_700,
            waited: Some(140),
            failures: 0,
            outcome: ReconcileOutcome::Success,
            again: None,
            code: 0,
            error: 0,
            versions: vec![version, version - 3].into(),
            more: 0,
        };
        Record { at, controller: 3, what: What::Run(run, writes.to_vec()) }
    }

    /// The seconds that the default ring remembers at 1,000 events per second over some keys.
    fn seconds(keys: u64, mut write: impl FnMut(&Recorder, i64, &str, u64)) -> f64 {
        let recorder = Recorder::new();
        let names: Vec<String> = (0..keys).map(|key| format!("checkout-{key:06}-7d9f8c")).collect();
        let (mut at, mut version) = (0, 40_000_000);
        for number in 0..700_000_u64 {
            at += 1_000;
            version += 7;
            // Steps through the keys in another order than that of their numbers.
            let name = &names[usize::try_from(number * 7_919 % keys).unwrap()];
            write(&recorder, at, name, version);
            assert!(recorder.used() <= recorder.limit());
        }
        let first = recorder.complete_after().expect("the ring is full");
        let held: usize = lock(&recorder.0.sealed).iter().map(|sealed| sealed.memory()).sum();
        let writing: usize = recorder.0.writers.iter().map(|writer| lock(writer).memory()).sum();
        assert_eq!(recorder.used(), held + writing, "the count is exact");
        #[allow(clippy::cast_precision_loss)]
        let remembered = (at - first) as f64 / 1e6;
        remembered
    }

    #[test]
    fn ten_minutes_of_a_thousand_events_per_second_fit() {
        let each = seconds(2_000, |recorder, at, name, version| {
            recorder.write(&event(at, "shop-production", name, version));
            recorder.write(&run(at + 400, "shop-production", name, &[], version));
        });
        assert!(each >= 600.0, "an event and a run: {each}");
        // Every other event is that of a write of a run.
        let mut own = false;
        let written = seconds(2_000, |recorder, at, name, version| {
            let (namespace, key) = ("shop-production", Name { namespace: "shop-production", name });
            recorder.write(&event(at, namespace, name, version));
            own = !own;
            if own {
                let sent = Sent {
                    verb: Method::Patch,
                    resource: ResourceName { group: "apps", resource: "deployments", subresource: "status" },
                    object: key,
                    status: 200,
                    after: 310,
                    took: 3_300,
                    version: version + 7,
                };
                recorder.write(&run(at + 400, namespace, name, &[sent], version));
            }
        });
        assert!(written >= 600.0, "a run with a write for every other event: {written}");
        println!("{each:.0} s with a run for each event, {written:.0} s with writes");
    }

    #[test]
    fn the_newest_records_stay_and_the_limit_holds() {
        let recorder = Recorder::with_limit(256 << 10);
        for number in 0..200_000_i64 {
            let name = format!("name-{}", number % 5_000);
            recorder.write(&event(number, "a", &name, 5));
            assert!(recorder.used() <= recorder.limit(), "{} at {number}", recorder.used());
        }
        let complete_after = recorder.complete_after().unwrap();
        let mut times = HashSet::new();
        for segment in recorder.segments() {
            times.extend(segment.records().map(|record| record.at));
        }
        assert!((complete_after + 1..200_000).all(|at| times.contains(&at)));
        assert!(times.len() > 5_000 && recorder.records() == times.len() as u64);
        assert_eq!(recorder.lost(), 0);
    }

    #[test]
    fn nothing_is_allocated_before_the_first_record_nor_when_it_is_off() {
        let recorder = Recorder::new();
        assert_eq!((recorder.used(), recorder.records()), (0, 0));
        recorder.write(&event(1, "a", "b", 1));
        assert!(recorder.used() > 0 && recorder.used() < 4 << 10);
        let off = Recorder::off();
        off.write(&event(1, "a", "b", 1));
        assert_eq!((off.used(), off.limit(), off.records()), (0, 0, 0));
    }

    #[test]
    fn a_busy_writer_is_skipped_and_only_then_is_a_record_lost() {
        let recorder = Recorder::new();
        let held: Vec<_> = recorder.0.writers[..3].iter().map(lock).collect();
        recorder.write(&event(1, "a", "b", 1));
        assert_eq!(recorder.lost(), 0);
        let last = lock(&recorder.0.writers[3]);
        recorder.write(&event(2, "a", "b", 2));
        assert_eq!((recorder.lost(), recorder.lost_at()), (1, Some(2)));
        drop((held, last));
        let at: Vec<i64> =
            recorder.segments().iter().flat_map(|part| part.records().map(|record| record.at)).collect();
        assert_eq!(at, [1]);
    }

    #[test]
    fn threads_write_at_once_and_every_record_is_there_or_counted() {
        let recorder = Recorder::new();
        std::thread::scope(|scope| {
            for thread in 0..8_i64 {
                let recorder = &recorder;
                scope.spawn(move || {
                    for number in 0..5_000 {
                        recorder.write(&event(thread * 5_000 + number, "a", "b", 1));
                    }
                });
            }
        });
        assert_eq!(recorder.records() + recorder.lost(), 40_000);
        let times: HashSet<i64> =
            recorder.segments().iter().flat_map(|part| part.records().map(|record| record.at)).collect();
        assert_eq!(times.len() as u64, recorder.records());
    }

    #[test]
    fn a_reader_does_not_stop_the_writers() {
        let recorder = Recorder::with_limit(64 << 10);
        let reading = lock(&recorder.0.sealed);
        for number in 0..2_000 {
            recorder.write(&event(number, "a", &format!("name-{number}"), 1));
        }
        drop(reading);
        recorder.write(&event(2_000, "a", "b", 1));
        assert_eq!(recorder.lost(), 0);
        assert!(recorder.used() <= recorder.limit());
    }

    #[tokio::test(start_paused = true)]
    async fn times_follow_the_clock() {
        let recorder = Recorder::new();
        let before = recorder.time(0);
        tokio::time::advance(Duration::from_secs(90)).await;
        let at = recorder.at(Instant::now());
        assert_eq!(at, 90_000_000);
        assert!((89.9..90.1).contains(&(recorder.time(at) - before).as_secs_f64()));
        assert!(recorder.time(-1_000_000) < before);
    }

    /// Keeps the runs that were recorded.
    #[derive(Default)]
    struct Sink(Mutex<Vec<i64>>);

    impl RunSink for Sink {
        fn recorded(&self, run: EndedRun) {
            lock(&self.0).push(run.at);
        }
    }

    fn staged_event(at: i64, name: &str) -> StagedEvent {
        StagedEvent {
            at,
            controller: 3,
            source: 0,
            kind: EventKind::Updated,
            changed: 1,
            panicked: false,
            version: 7,
            object: ObjectKey::new("a", name),
            verdict: StagedVerdict::mapped(&[ObjectKey::new("a", name), ObjectKey::new("a", "owner")]),
        }
    }

    fn ended_run(at: i64, sink: &Arc<Sink>) -> EndedRun {
        let log = RunLog::new(ObjectKey::new("a", "b"), [5].into_iter(), Arc::new(Nobody), None);
        let mut requests = log.take_requests();
        requests.unsynced.push("Secret".to_owned());
        EndedRun {
            at,
            controller: 3,
            key: ObjectKey::new("a", "b"),
            outcome: ReconcileOutcome::Success,
            took: 10,
            waited: None,
            failures: 0,
            again: None,
            code: 0,
            error: 0,
            versions: log.versions().clone(),
            requests,
            sink: Arc::clone(sink) as _,
        }
    }

    struct Nobody;

    impl client_rs_machinery::WriteObserver for Nobody {
        fn written(&self, _: &client_rs_machinery::Write<'_>) {}
    }

    fn used(recorder: &Recorder) -> usize {
        let writing: usize = recorder.0.writers.iter().map(|writer| lock(writer).memory()).sum();
        writing + lock(&recorder.0.stage).memory()
    }

    #[test]
    fn events_and_runs_wait_and_readers_find_them() {
        let (recorder, sink) = (Recorder::new(), Arc::<Sink>::default());
        recorder.stage_event(staged_event(1, "x"));
        recorder.stage_run(ended_run(2, &sink));
        assert_eq!((recorder.used(), lock(&sink.0).len()), (used(&recorder), 0), "nothing is encoded yet");
        assert!(lock(&recorder.0.writers[0]).records() == 0 && recorder.used() > 0);
        let segments = recorder.segments();
        let seen: Vec<_> = segments.iter().flat_map(|segment| segment.records()).collect();
        let [first, run, unsynced] = &seen[..] else { panic!("{seen:?}") };
        assert_eq!((first.at, run.at, unsynced.at), (1, 2, 2));
        let What::Event(Event { verdict: Verdict::Mapped { keys, total: 2 }, .. }) = &first.what else {
            panic!("{first:?}")
        };
        assert_eq!(keys.iter().map(ToString::to_string).collect::<Vec<_>>(), ["a/x", "a/owner"]);
        assert!(matches!(&run.what, What::Run(run, _) if *run.versions == [5]));
        assert!(matches!(unsynced.what, What::UnsyncedRead { informer: "Secret", .. }));
        assert_eq!((recorder.records(), lock(&sink.0).clone()), (3, vec![2]));
        assert_eq!(recorder.used(), used(&recorder), "the count is exact");
    }

    #[test]
    fn many_are_encoded_at_a_time_and_none_is_lost_while_readers_are_busy() {
        let (recorder, sink) = (Recorder::new(), Arc::<Sink>::default());
        for at in 0..1_000 {
            recorder.stage_event(staged_event(at, "x"));
            recorder.stage_run(ended_run(at, &sink));
        }
        assert!(lock(&sink.0).len() > 900);
        {
            // Another thread encodes: those of this one are written at once.
            let _encoding = lock(&recorder.0.stage);
            recorder.stage_event(staged_event(1_000, "x"));
            recorder.stage_run(ended_run(1_000, &sink));
            assert_eq!(lock(&sink.0).last(), Some(&1_000));
        }
        let segments = recorder.segments();
        let mut times: Vec<i64> =
            segments.iter().flat_map(|part| part.records().map(|record| record.at)).collect();
        times.sort_unstable();
        let all: Vec<i64> = (0..=1_000).flat_map(|at| [at; 3]).collect();
        assert!(times == all && recorder.lost() == 0);
        assert_eq!(segments.last().map(|segment| segment.newest()), Some(1_000));
        assert_eq!(recorder.used(), used(&recorder));
    }

    #[test]
    fn records_wait_for_busy_writers_up_to_a_bound() {
        let recorder = Recorder::new();
        let busy: Vec<_> = recorder.0.writers.iter().map(lock).collect();
        for at in 0..511 {
            recorder.stage_event(staged_event(at, "x"));
        }
        assert_eq!(recorder.lost(), 0);
        recorder.stage_event(staged_event(511, "x"));
        assert_eq!((recorder.lost(), recorder.lost_at()), (512, Some(511)));
        drop(busy);
        assert_eq!((recorder.records(), recorder.used()), (0, used(&recorder)));
    }

    #[test]
    fn events_are_encoded_at_the_end_of_a_run() {
        let (recorder, sink) = (Recorder::new(), Arc::<Sink>::default());
        let encoded = |recorder: &Recorder| lock(&recorder.0.writers[0]).records();
        (0..100).for_each(|at| recorder.stage_event(staged_event(at, "x")));
        assert_eq!(encoded(&recorder), 0, "their runs are waiting");
        recorder.stage_run(ended_run(100, &sink));
        assert_eq!(encoded(&recorder), 102);
        // Without a run, at a limit.
        (0..256).for_each(|at| recorder.stage_event(staged_event(at, "x")));
        assert_eq!(encoded(&recorder), 358);
    }

    #[test]
    fn a_recorder_that_is_off_keeps_nothing() {
        let (recorder, sink) = (Recorder::off(), Arc::<Sink>::default());
        recorder.stage_event(staged_event(1, "x"));
        recorder.stage_run(ended_run(1, &sink));
        assert_eq!((recorder.records(), recorder.used(), recorder.lost()), (0, 0, 0));
    }
}
