use super::*;

const ME: &str = "me";

/// A machine and its clock.
struct Sim {
    machine: Machine,
    start: Instant,
    at: Duration,
}

fn options() -> LeaderElectionOptions {
    LeaderElectionOptions::default()
}

fn record(holder: &str, transitions: i32, renewed: i64) -> LeaderElectionRecord {
    LeaderElectionRecord {
        holder_identity: holder.into(),
        lease_duration_seconds: 15,
        acquire_time: MicroTime::new(1000, 0),
        renew_time: MicroTime::new(renewed, 0),
        leader_transitions: transitions,
        ..LeaderElectionRecord::EMPTY
    }
}

impl Sim {
    fn new(options: LeaderElectionOptions) -> Self {
        let machine = Machine::new(options, ME, Memory::default(), 7);
        Self { machine, start: Instant::now(), at: Duration::ZERO }
    }

    /// Advances the clock by this many seconds.
    fn after(&mut self, seconds: f64, event: Event) -> Vec<Action> {
        self.at += Duration::from_secs_f64(seconds);
        let wall = MicroTime::new(5_000_000, 0).unwrap().checked_add(self.at.into()).unwrap().truncated();
        self.machine.handle(event, Now { instant: self.start + self.at, wall })
    }

    fn now(&mut self, event: Event) -> Vec<Action> {
        self.after(0.0, event)
    }

    /// Advances the clock to the next tick.
    fn tick(&mut self) -> Vec<Action> {
        self.at = self.machine.wake_at().unwrap() - self.start;
        self.now(Event::Tick)
    }

    fn got(&mut self, record: LeaderElectionRecord) -> Vec<Action> {
        self.now(Event::Got(Ok(Some(record))))
    }

    fn wake_in(&self) -> f64 {
        (self.machine.wake_at().unwrap() - (self.start + self.at)).as_secs_f64()
    }

    /// A leader with a record that has just been written.
    fn leading(options: LeaderElectionOptions) -> (Self, LeaderElectionRecord) {
        let mut sim = Self::new(options);
        let mut held = record(ME, 4, 4000);
        if !sim.machine.options.coordinated {
            held = record("", 4, 4000);
        }
        sim.now(Event::Start);
        let actions = sim.got(held);
        let written = update(&actions);
        assert!(matches!(&sim.now(Event::Wrote(Ok(())))[..], [.., Action::Started(_)]));
        (sim, written)
    }
}

fn update(actions: &[Action]) -> LeaderElectionRecord {
    match actions {
        [.., Action::Update(record) | Action::Create(record)] => record.clone(),
        _ => panic!("{actions:?}"),
    }
}

fn failed() -> Event {
    Event::Wrote(Err(Failed::Other))
}

#[test]
fn a_record_of_a_late_request_does_not_bring_back_an_old_token() {
    let mut sim = Sim::new(options());
    sim.now(Event::Start);
    sim.got(record("other", 9, 4000));
    // That lock was deleted. Then a request of this candidate arrived that it had given up long before.
    sim.tick();
    // The leader by the deleted lock may not have noticed it.
    assert_eq!(sim.got(record(ME, 3, 3000)), [Action::NewLeader(ME.into())]);
    sim.after(15.0, Event::Tick);
    assert_eq!(update(&sim.got(record(ME, 3, 3000))).leader_transitions, 10);
    // Another candidate's record of that kind is taken over in the same way.
    let mut sim = Sim::new(options());
    sim.now(Event::Start);
    sim.got(record("other", 9, 4000));
    sim.tick();
    assert_eq!(update(&sim.got(record("", 3, 3000))).leader_transitions, 10);
    // Both created a lock in the same second, with the same count.
    let mut sim = Sim::new(options());
    sim.now(Event::Start);
    sim.got(record("other", 9, 4000));
    sim.tick();
    assert_eq!(sim.got(record(ME, 9, 3000)), [Action::NewLeader(ME.into())]);
    sim.after(15.0, Event::Tick);
    assert_eq!(update(&sim.got(record(ME, 9, 3000))).leader_transitions, 10);
}

#[test]
fn t7_01_acquired_from_none_unled_empty_and_expired() {
    // None: created.
    let mut sim = Sim::new(options());
    assert_eq!(sim.now(Event::Start), [Action::Get]);
    let actions = sim.now(Event::Got(Ok(None)));
    let [Action::Create(created)] = &actions[..] else { panic!("{actions:?}") };
    // The clock is not set: it begins with 0.
    assert_eq!((created.holder_identity.as_str(), created.leader_transitions), (ME, 0));
    assert_eq!((created.lease_duration_seconds, created.acquire_time), (15, created.renew_time));
    let fence = FencingToken { transitions: 0, holder: ME.into() };
    assert_eq!(sim.now(Event::Wrote(Ok(()))), [Action::NewLeader(ME.into()), Action::Started(fence)]);

    // Unled: an empty record. Empty: released. Both are free at once.
    for (free, transitions) in [(LeaderElectionRecord::EMPTY, 1), (record("", 8, 4000), 9)] {
        let mut sim = Sim::new(options());
        sim.now(Event::Start);
        let taken = update(&sim.got(free));
        assert_eq!((taken.leader_transitions, taken.acquire_time), (transitions, taken.renew_time));
    }

    // Held by another: after the lease, counted from when the record was seen to change. The other's clock does not
    // matter.
    for renewed in [0, 5_000_000, 9_000_000] {
        let mut sim = Sim::new(options());
        sim.now(Event::Start);
        assert_eq!(sim.got(record("other", 3, renewed)), [Action::NewLeader("other".into())]);
        while sim.at < Duration::from_secs(15) {
            sim.tick();
            if sim.at < Duration::from_secs(15) {
                assert_eq!(sim.got(record("other", 3, renewed)), []);
            }
        }
        let taken = update(&sim.got(record("other", 3, renewed)));
        assert_eq!((taken.holder_identity.as_str(), taken.leader_transitions), (ME, 4));
    }

    // A record without a duration: at once.
    let mut sim = Sim::new(options());
    sim.now(Event::Start);
    let never = LeaderElectionRecord { lease_duration_seconds: 0, ..record("other", 3, 1) };
    assert_eq!(update(&sim.got(never)).leader_transitions, 4);
}

#[test]
fn t7_02_a_lease_of_another_that_was_seen_to_change_is_not_taken() {
    let mut sim = Sim::new(options());
    sim.now(Event::Start);
    // It renews every 14 s: never expired.
    for renewed in 0..10 {
        sim.after(14.0, Event::Got(Ok(Some(record("other", 3, renewed)))));
        assert!((2.0..=4.4).contains(&sim.wake_in()), "jitter: {}", sim.wake_in());
        assert_eq!(sim.tick(), [Action::Get]);
    }
}

#[test]
fn t7_03_the_own_lease_is_renewed_keeping_acquire_time_and_transitions() {
    let mut sim = Sim::new(options());
    sim.now(Event::Start);
    let own = record(ME, 6, 4000);
    let renewed = update(&sim.got(own.clone()));
    assert_eq!((renewed.acquire_time, renewed.leader_transitions), (own.acquire_time, 6));
    assert_eq!(renewed.renew_time, MicroTime::new(5_000_000, 0));
    sim.now(Event::Wrote(Ok(())));
    let again = update(&sim.tick());
    assert_eq!((again.acquire_time, again.leader_transitions), (own.acquire_time, 6));
    assert_eq!(again.renew_time, MicroTime::new(5_000_002, 0));
}

#[test]
fn t7_04_coordinated_only_renews_what_it_was_given() {
    let coordinated = || LeaderElectionOptions { coordinated: true, ..options() };
    // Missing, held by another, free, or marked: not taken.
    let marked = LeaderElectionRecord { preferred_holder: "other".into(), ..record(ME, 1, 4000) };
    for seen in [None, Some(record("other", 1, 4000)), Some(record("", 1, 4000)), Some(marked.clone())] {
        let mut sim = Sim::new(coordinated());
        sim.now(Event::Start);
        let actions = sim.now(Event::Got(Ok(seen)));
        assert!(
            !actions.iter().any(|action| matches!(action, Action::Create(_) | Action::Update(_))),
            "{actions:?}"
        );
        assert!(sim.machine.leads_until().is_none());
    }
    // Expired: not taken, though it is ours.
    let mut sim = Sim::new(coordinated());
    sim.now(Event::Start);
    sim.now(Event::Got(Ok(Some(record(ME, 1, 4000)))));
    sim.now(failed());
    sim.after(15.0, Event::Tick);
    assert_eq!(sim.got(record(ME, 1, 4000)), []);

    // Held: renewed, always read first, with its strategy. The term counts, which the control plane leaves to us.
    let held = LeaderElectionRecord { strategy: "OldestEmulationVersion".into(), ..record(ME, 1, 4000) };
    let mut sim = Sim::new(coordinated());
    sim.now(Event::Start);
    let written = update(&sim.got(held.clone()));
    assert_eq!((written.strategy.as_str(), written.leader_transitions), ("OldestEmulationVersion", 2));
    assert_ne!(written.acquire_time, held.acquire_time);
    sim.now(Event::Wrote(Ok(())));
    assert_eq!(sim.tick(), [Action::Get]);
    let renewed = update(&sim.got(written.clone()));
    assert_eq!((renewed.leader_transitions, renewed.acquire_time), (2, written.acquire_time));
    sim.now(Event::Wrote(Ok(())));
    assert_eq!(sim.tick(), [Action::Get]);
    // The end of its term: the lock is released when its work is over.
    let marked = LeaderElectionRecord { leader_transitions: 2, ..marked };
    assert_eq!(sim.got(marked)[..], [Action::Lost(Loss::EndOfTerm)]);
    assert_eq!(sim.now(Event::Cancel), [Action::Get]);
}

#[test]
fn t7_06_releasing_without_a_lease_reports_failure() {
    for answer in [Ok(None), Err(Failed::Other)] {
        let (mut sim, _) = Sim::leading(options());
        assert_eq!(sim.now(Event::Cancel), [Action::Lost(Loss::Released), Action::Get]);
        assert_eq!(sim.now(Event::Got(answer)), [Action::Over(Release::Failed)]);
    }
}

#[test]
fn t7_07_release_reads_before_it_updates() {
    let (mut sim, written) = Sim::leading(options());
    sim.now(Event::Cancel);
    let released = update(&sim.got(written.clone()));
    assert_eq!((released.holder_identity.as_str(), released.lease_duration_seconds), ("", 1));
    assert_eq!((released.leader_transitions, released.acquire_time), (5, released.renew_time));
    let actions = sim.now(Event::Wrote(Ok(())));
    assert_eq!(actions, [Action::NewLeader("".into()), Action::Over(Release::Released)]);

    // Another's, or another term of ours: left alone.
    for other in [record("other", 6, 9), record(ME, 6, 9)] {
        let (mut sim, _) = Sim::leading(options());
        sim.now(Event::Cancel);
        assert_eq!(sim.got(other), [Action::Over(Release::NotHeld)]);
    }
    // Not to be released.
    let (mut sim, _) = Sim::leading(LeaderElectionOptions { release_on_cancel: false, ..options() });
    assert_eq!(sim.now(Event::Cancel), [Action::Lost(Loss::Released), Action::Over(Release::NotHeld)]);
}

#[test]
fn t7_08_a_conflict_during_release_is_retried_until_done() {
    let (mut sim, written) = Sim::leading(options());
    sim.now(Event::Cancel);
    for _ in 0..5 {
        update(&sim.got(written.clone()));
        assert_eq!(sim.now(Event::Wrote(Err(Failed::Conflict))), [Action::Get]);
    }
    update(&sim.got(written));
    assert!(matches!(&sim.now(Event::Wrote(Ok(())))[..], [_, Action::Over(Release::Released)]));

    // But not forever.
    let (mut sim, _) = Sim::leading(options());
    sim.now(Event::Cancel);
    assert_eq!(sim.tick(), [Action::Abort, Action::Over(Release::Failed)]);
    assert_eq!(sim.at, Duration::from_secs(10));
    // Any other error ends it.
    let (mut sim, written) = Sim::leading(options());
    sim.now(Event::Cancel);
    sim.got(written);
    assert_eq!(sim.now(failed()), [Action::Over(Release::Failed)]);
}

#[test]
fn t7_09_cancel_while_a_request_is_in_flight_still_releases() {
    // A renewal.
    let (mut sim, written) = Sim::leading(options());
    sim.tick();
    assert_eq!(sim.now(Event::Cancel), [Action::Abort, Action::Lost(Loss::Released), Action::Get]);
    assert!(matches!(&sim.got(written.clone())[..], [Action::Update(_)]));
    // A read of the slow path.
    let (mut sim, _) = Sim::leading(options());
    sim.tick();
    sim.now(failed());
    assert_eq!(sim.now(Event::Cancel), [Action::Abort, Action::Lost(Loss::Released), Action::Get]);
    // A first claim, which may have been carried out.
    let mut sim = Sim::new(options());
    sim.now(Event::Start);
    let claim = update(&sim.now(Event::Got(Ok(None))));
    assert_eq!(sim.now(Event::Cancel), [Action::Abort, Action::Get]);
    assert!(matches!(&sim.got(claim)[..], [Action::Update(_)]));
    // Nothing that could have been carried out.
    let mut sim = Sim::new(options());
    sim.now(Event::Start);
    assert_eq!(sim.now(Event::Cancel), [Action::Abort, Action::Over(Release::NotHeld)]);
    assert_eq!(sim.now(Event::Cancel), []);
}

#[test]
fn t7_11_a_renewal_is_one_update_and_falls_back_to_get_and_update() {
    let (mut sim, _) = Sim::leading(options());
    let renewed = update(&sim.tick());
    assert_eq!(sim.now(Event::Wrote(Ok(()))), []);
    assert!((sim.wake_in() - 2.0).abs() < 1e-9);
    sim.tick();
    assert_eq!(sim.now(Event::Wrote(Err(Failed::Conflict))), [Action::Get]);
    let actions = sim.got(renewed.clone());
    assert!(matches!(&actions[..], [Action::SlowPath, Action::Update(_)]), "{actions:?}");
    assert_eq!(update(&actions).leader_transitions, renewed.leader_transitions);
    assert_eq!(sim.now(Event::Wrote(Ok(()))), []);
}

#[test]
fn leading_ends_at_the_deadline_after_the_last_renewal_was_sent() {
    let (mut sim, written) = Sim::leading(options());
    // Sent at 2 s, answered at 5 s: it counts from 2 s.
    sim.after(2.0, Event::Tick);
    sim.after(3.0, Event::Wrote(Ok(())));
    assert_eq!(sim.machine.leads_until(), Some(sim.start + Duration::from_secs(12)));
    // Then all requests fail: it retries every 2 s until the deadline.
    let mut tries = 0;
    loop {
        let actions = sim.tick();
        if actions.contains(&Action::Lost(Loss::Deadline)) {
            break;
        }
        assert!(matches!(&actions[..], [Action::Update(_)]), "{actions:?}");
        tries += 1;
        assert_eq!(sim.after(0.25, failed()), [Action::Get]);
        assert_eq!(sim.after(0.25, Event::Got(Err(Failed::Other))), []);
        let wake = if tries < 3 { 1.5 } else { 0.5 };
        assert!((sim.wake_in() - wake).abs() < 1e-9, "{}", sim.wake_in());
    }
    assert_eq!((sim.at, tries), (Duration::from_secs(12), 3));
    // Its work is over: it releases the lock that it may hold.
    assert_eq!(sim.after(3.0, Event::Cancel), [Action::Get]);
    assert!(
        matches!(&sim.got(written)[..], [Action::Update(released)] if released.holder_identity.is_empty())
    );
}

#[test]
fn a_lost_lock_is_not_released_while_its_work_may_run() {
    let (mut sim, written) = Sim::leading(options());
    assert_eq!(sim.after(10.0, Event::Tick), [Action::Lost(Loss::Deadline)]);
    assert!(sim.machine.is_lost() && sim.machine.wake_at().is_none());
    assert_eq!(sim.after(60.0, Event::Tick), []);
    // Its work has ended in the meantime: it checks whether the lock is still this term's.
    for (found, expected) in [
        (record("other", 6, 9), Release::NotHeld),
        (record(ME, 6, 9), Release::NotHeld),
        (record("", 5, 9), Release::NotHeld),
    ] {
        let (mut sim, _) = Sim::leading(options());
        sim.after(10.0, Event::Tick);
        assert_eq!(sim.after(1.0, Event::Cancel), [Action::Get]);
        let actions = sim.got(found);
        assert_eq!(actions.last(), Some(&Action::Over(expected)), "{actions:?}");
    }
    assert_eq!(sim.now(Event::Cancel), [Action::Get]);
    assert!(update(&sim.got(written)).holder_identity.is_empty());
    // Cancelled at the very deadline: both happen.
    let (mut sim, _) = Sim::leading(options());
    assert_eq!(sim.after(10.0, Event::Cancel), [Action::Lost(Loss::Deadline), Action::Get]);
}

#[test]
fn every_event_after_the_deadline_is_too_late() {
    // A process that was paused for a minute, while a renewal was in flight that has succeeded.
    let (mut sim, _) = Sim::leading(options());
    sim.tick();
    assert_eq!(sim.after(60.0, Event::Wrote(Ok(())))[..], [Action::Lost(Loss::Deadline)]);
    let (mut sim, _) = Sim::leading(options());
    sim.tick();
    assert_eq!(sim.after(60.0, Event::Tick)[..], [Action::Abort, Action::Lost(Loss::Deadline)]);
    // A first claim whose response took a minute: not a term, but the next attempt is.
    let mut sim = Sim::new(options());
    sim.now(Event::Start);
    let claim = update(&sim.now(Event::Got(Ok(None))));
    assert_eq!(sim.after(60.0, Event::Wrote(Ok(()))), [Action::NewLeader(ME.into())]);
    assert_eq!(sim.tick(), [Action::Get]);
    assert_eq!(update(&sim.got(claim)).leader_transitions, 0);
    // A request that hangs times out.
    let mut sim = Sim::new(options());
    sim.now(Event::Start);
    assert_eq!(sim.tick(), [Action::Abort]);
    assert_eq!(sim.at, Duration::from_secs(10));
    assert_eq!(sim.tick(), [Action::Get]);
}

#[test]
fn a_leader_that_sees_another_stops_at_once() {
    for other in [record("other", 6, 9), record("", 5, 9), record(ME, 6, 9)] {
        let (mut sim, _) = Sim::leading(options());
        sim.tick();
        sim.now(Event::Wrote(Err(Failed::Conflict)));
        let actions = sim.got(other);
        assert_eq!(
            actions[actions.len() - 2..],
            [Action::Lost(Loss::Superseded), Action::Over(Release::NotHeld)]
        );
    }
}

#[test]
fn tokens_grow() {
    // Its own record, left from a term that it lost: a new term.
    let (mut sim, written) = Sim::leading(LeaderElectionOptions { release_on_cancel: false, ..options() });
    sim.after(10.0, Event::Tick);
    let memory = sim.machine.memory().clone();
    let mut again = Sim::new(options());
    again.machine = Machine::new(options(), ME, memory, 7);
    again.now(Event::Start);
    let next = update(&again.got(written));
    assert_eq!(next.leader_transitions, 6);
    assert_eq!(next.acquire_time, next.renew_time);

    // A candidate that has seen a deleted lock continues its count; a leader creates the same record again.
    let mut sim = Sim::new(options());
    sim.now(Event::Start);
    sim.got(record("other", 8, 1));
    while sim.at < Duration::from_secs(40) {
        sim.tick();
        if let [Action::Create(created)] = &sim.now(Event::Got(Ok(None)))[..] {
            assert_eq!(created.leader_transitions, 9);
            break;
        }
    }
    assert!(sim.at < Duration::from_secs(40), "never created");
    let (mut sim, written) = Sim::leading(options());
    sim.tick();
    sim.now(failed());
    let created = update(&sim.now(Event::Got(Ok(None))));
    assert_eq!((created.leader_transitions, created.acquire_time), (5, written.acquire_time));
    // And never overflow.
    let mut sim = Sim::new(options());
    sim.now(Event::Start);
    assert_eq!(update(&sim.got(record("", i32::MAX, 1))).leader_transitions, i32::MAX);
}

#[test]
fn a_lock_that_was_deleted_is_not_taken_while_its_leader_may_lead() {
    let mut sim = Sim::new(options());
    sim.now(Event::Start);
    sim.got(record("other", 8, 1));
    // Partitioned for so long that the lease has expired; its leader may have renewed it unseen until it was deleted.
    sim.at += Duration::from_secs(20);
    sim.tick();
    assert_eq!(sim.now(Event::Got(Ok(None))), []);
    let seen = sim.at;
    loop {
        sim.tick();
        let actions = sim.now(Event::Got(Ok(None)));
        if !actions.is_empty() {
            assert_eq!(update(&actions).leader_transitions, 9);
            break;
        }
        assert!(sim.at < seen + Duration::from_secs(15));
    }
    assert!(sim.at >= seen + Duration::from_secs(15));
    // Its leader has created it again in the meantime: a change like any other.
    let mut sim = Sim::new(options());
    sim.now(Event::Start);
    sim.got(record("other", 8, 1));
    sim.tick();
    sim.now(Event::Got(Ok(None)));
    sim.tick();
    assert_eq!(sim.got(record("other", 8, 2)), []);
    sim.at += Duration::from_secs(10);
    sim.tick();
    assert_eq!(sim.now(Event::Got(Ok(None))), []);
}

#[test]
fn a_leader_that_can_not_create_its_lock_again_reads_it_at_once() {
    let (mut sim, _) = Sim::leading(options());
    sim.tick();
    assert_eq!(sim.now(failed()), [Action::Get]);
    assert!(matches!(&sim.now(Event::Got(Ok(None)))[..], [Action::Create(_)]));
    assert_eq!(sim.now(Event::Wrote(Err(Failed::Conflict))), [Action::Get]);
    let actions = sim.got(record("other", 9, 9));
    assert!(actions.contains(&Action::Lost(Loss::Superseded)), "{actions:?}");
    // But it does not spin over a lock that changes all the time.
    let (mut sim, written) = Sim::leading(options());
    sim.tick();
    sim.now(Event::Wrote(Err(Failed::Conflict)));
    sim.got(written.clone());
    assert_eq!(sim.now(Event::Wrote(Err(Failed::Conflict))), [Action::Get]);
    sim.got(written);
    assert_eq!(sim.now(Event::Wrote(Err(Failed::Conflict))), []);
}

#[test]
fn a_lock_that_was_never_seen_begins_above_every_count_of_changes() {
    // Deleted with its namespace, and created again by processes that have never seen it.
    let at = |seconds: i64| Now { instant: Instant::now(), wall: MicroTime::new(seconds, 0).unwrap() };
    let created = |seconds| {
        let mut machine = Machine::new(options(), ME, Memory::default(), 7);
        machine.handle(Event::Start, at(seconds));
        update(&machine.handle(Event::Got(Ok(None)), at(seconds))).leader_transitions
    };
    let (first, second) = (created(1_800_000_000), created(1_800_086_400));
    assert_eq!((first, second - first), (222_163_200, 86_400));
    // A day with a change of the leader every two seconds.
    let mut fence = crate::Fence::default();
    let token = |transitions, holder: &str| FencingToken { transitions, holder: holder.into() };
    fence.admit(&token(first + 43_200, "old")).unwrap();
    fence.admit(&token(second, "new")).unwrap();
    assert_eq!((created(0), created(9_000_000_000)), (0, i32::MAX));
}
