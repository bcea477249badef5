//! Each checker finds a history that breaks its rule.

use super::*;
use crate::content::{PASSES, SELECTED, State};
use crate::history::{Answer, ChangeKind, Fact, Phase, Verb};

const GOOD: u8 = SELECTED | PASSES;

fn state(version: u32, content: u8) -> State {
    State { version, uid: 1, content }
}

/// A history of facts, one second apart.
fn history(facts: impl IntoIterator<Item = Fact>) -> History {
    let mut history = History::default();
    for (second, fact) in (0..).zip(facts) {
        history.push(second * 1_000_000, 1, Phase::Ok, fact);
    }
    history
}

fn write(version: u32, content: u8) -> Fact {
    Fact::Write { key: 0, state: state(version, content), deleted: false }
}

/// A store at this version with object 0 in this state.
fn commit(history: &mut History, version: u32, stored: State) {
    let first = u32::try_from(history.states.len()).unwrap();
    history.states.push((0, stored));
    let fact = Fact::Commit { version, first, len: 1, stale: 0, indexed: 1, unsure: false };
    history.push(10_000_000, 1, Phase::Info, fact);
}

fn quiet(version: u32) -> Fact {
    Fact::Quiet { settled: true, unsure: false, version, views: [0xcbf2_9ce4_8422_2325; 4] }
}

fn finds(checker: Checker, history: &History, words: &str) {
    let message = checker(history).unwrap_err().to_string();
    assert!(message.contains(words), "{message}");
}

#[test]
fn a_store_is_the_storage_at_its_version() {
    let mut right = history([write(2, GOOD), write(3, GOOD)]);
    commit(&mut right, 2, state(2, GOOD));
    commit(&mut right, 3, state(3, GOOD));
    assert_eq!(all(&INFORMER, &right), Ok(()));
    let mut wrong = right.clone();
    commit(&mut wrong, 3, state(2, GOOD));
    finds(snapshot::check, &wrong, "at version 3 the store has");
    let mut back = right.clone();
    commit(&mut back, 2, state(2, GOOD));
    finds(snapshot::check, &back, "went back from version 3 to 2");
    let mut behind = right;
    behind.push(11_000_000, 1, Phase::Info, quiet(3));
    assert_eq!(progress::check(&behind), Ok(()));
    behind.push(12_000_000, 1, Phase::Info, write(4, GOOD));
    behind.push(13_000_000, 1, Phase::Info, quiet(4));
    finds(progress::check, &behind, "the store is at version 3, the server at 4");
}

#[test]
fn a_handler_sees_a_valid_history_and_knows_the_store() {
    let join = Fact::Join { handler: 0, filtered: true };
    let notify = |change, old, new| Fact::Notify { handler: 0, change, key: 0, old, new };
    let added = notify(ChangeKind::Added, State::default(), state(2, GOOD));
    let mut facts = vec![join, added];
    assert_eq!(handlers::check(&history(facts.clone())), Ok(()));
    // The end of an update and a deletion that became the deletion of a state that it does not know.
    facts.push(notify(ChangeKind::Deleted, State::default(), state(4, SELECTED)));
    finds(handlers::check, &history(facts.clone()), "is not the one that it knows");
    facts[2] = notify(ChangeKind::Updated, state(3, GOOD), state(4, GOOD));
    finds(handlers::check, &history(facts.clone()), "the old state is not the last one");
    facts[2] = added;
    finds(handlers::check, &history(facts.clone()), "already knows");
    facts[2] = quiet(2);
    finds(handlers::check, &history(facts), "handler 0 knows");
}

#[test]
fn the_last_run_of_a_key_has_seen_the_end() {
    let run = |view| Fact::Run { worker: 0, key: 0, view };
    finds(level::check, &history([run(7), run(7)]), "two runs at once");
    let done = Fact::Done { worker: 0, key: 0 };
    finds(level::check, &history([run(7), done, quiet(1)]), "has not seen the newest state");
    let seen = 0xcbf2_9ce4_8422_2325;
    assert_eq!(level::check(&history([run(seen), done, quiet(1)])), Ok(()));
    let mut failed = history([run(seen), done, quiet(1)]);
    failed.entries[1].phase = Phase::Fail;
    finds(level::check, &failed, "has not seen the newest state");
}

#[test]
fn a_reader_gets_its_own_write() {
    let read = |answer| Fact::AtLeast { key: 0, wanted: 3, store: 3, answer };
    let writes = [write(2, GOOD), write(3, GOOD)];
    let with = |fact| history(writes.into_iter().chain([fact]));
    assert_eq!(reads::check(&with(read(Answer::Object(state(3, GOOD))))), Ok(()));
    for wrong in [Answer::Object(state(2, GOOD)), Answer::Missing, Answer::Stale, Answer::Waits] {
        finds(reads::check, &with(read(wrong)), "a reader wants object 0 at 3");
    }
    let reads = [3, 2].map(|version| Fact::Read { key: 0, state: state(version, GOOD) });
    finds(reads::check, &history(reads), "was read at 3, then at 2");
}

#[test]
fn hot_loops_and_full_queues_are_found() {
    let mut loops = History::default();
    for _ in 0..15 {
        loops.push(5, 1, Phase::Invoke, Fact::Request { verb: Verb::List, version: None });
    }
    finds(rate::check, &loops, "requests without progress");
    let gauge = |pending| history([Fact::Gauge { queued: 0, pending, handler: 0, limit: 2 }]);
    assert_eq!(bounds::check(&gauge(14)), Ok(()));
    finds(bounds::check, &gauge(100), "100 notifications wait");
}

#[test]
fn writes_of_two_terms_do_not_overlap() {
    let (one, two) = (Fact::Effect { token: 1 }, Fact::Effect { token: 2 });
    assert_eq!(leadership::check(&history([one, two])), Ok(()));
    finds(leadership::check, &history([one, two, one]), "token 1 writes after token 2 has");
    let term = Fact::Term { token: 1 };
    finds(leadership::check, &history([term, term]), "is given again");
    finds(leadership::check, &history([Fact::Release { running: true }]), "while its work runs");
    finds(leadership::check_progress, &history([Fact::Heal, quiet(0)]), "nobody leads");
    assert_eq!(leadership::check_progress(&history([Fact::Heal, one, quiet(0)])), Ok(()));
    // A person has removed the holder from the lock: until the old leader reads it, both may write.
    assert_eq!(leadership::check(&history([Fact::Edited, term, two, one])), Ok(()));
    let seen = Fact::Seen { token: 2, own: false };
    finds(
        leadership::check,
        &history([Fact::Edited, term, two, seen, one]),
        "has read that its term is over",
    );
}

#[test]
fn a_shard_has_one_writer_and_in_the_end_one_holder() {
    let write = |shard, token, count| Fact::ShardWrite { shard, token, count };
    let term = |shard, token, count| Fact::ShardTerm { shard, token, count };
    let two = [write(0, 5, 2), write(1, 4, 2), write(0, 6, 2)];
    assert_eq!(sharding::check(&history(two)), Ok(()));
    let back = two.into_iter().chain([write(0, 5, 2)]);
    finds(sharding::check, &history(back), "token 5 of shard 0 writes after token 6");
    finds(sharding::check, &history([term(1, 3, 2), term(1, 3, 2)]), "is given again");
    let release = Fact::ShardRelease { shard: 0, running: true };
    finds(sharding::check, &history([release]), "releases shard 0 under a claim");
    // Two numbers of shards.
    let other = [term(0, 1, 2), write(0, 1, 2), term(1, 1, 3), write(1, 1, 3)];
    assert_eq!(sharding::check_numbers(&history(other)), Ok(()));
    let again = other.into_iter().chain([write(0, 1, 2)]);
    finds(sharding::check_numbers, &history(again), "a replica with 2 shards works, although one with 3 has");
    // The end.
    let share = |held, takes_part| Fact::Share { held, count: 2, takes_part };
    let end = |shares: &[Fact], shards: u8| {
        let mut end = history([Fact::Heal]);
        for shard in 0..shards {
            end.push(100_000_000, 1, Phase::Ok, write(shard, 9, 2));
        }
        for share in shares.iter().chain([&quiet(0)]) {
            end.push(101_000_000, 1, Phase::Info, *share);
        }
        sharding::check_progress(&end).map_err(|violation| violation.message)
    };
    assert_eq!(end(&[share(1, true), share(1, true), share(0, false)], 2), Ok(()));
    assert!(end(&[share(1, true), share(1, true)], 1).unwrap_err().contains("shard 1 is not worked on"));
    assert!(end(&[share(2, true), share(0, true)], 2).unwrap_err().contains("shards and holders in the end"));
    assert!(end(&[share(0, true)], 2).unwrap_err().contains("no shard is held"));
}

#[test]
fn replicas_converge_and_leave_nothing_behind() {
    assert_eq!(convergence::check(&history([Fact::Heal, quiet(0)])), Ok(()));
    let found = |fact, words| finds(convergence::check, &history([fact]), words);
    found(Fact::Unsettled { key: 2, wanted: Some(1), found: None }, "object 2 should have the value Some(1)");
    found(Fact::Busy { writes: 3 }, "3 writes");
    found(Fact::Leak { tasks: 4 }, "has left 4 tasks behind");
    found(Fact::Ended, "process 1 has ended by itself");
}

#[test]
fn a_list_asks_for_a_known_version() {
    let request = |verb, version| (Phase::Invoke, Fact::Request { verb, version });
    let answer = |version, more| (Phase::Ok, Fact::Answer { verb: Verb::List, version, more });
    let expired = (Phase::Fail, Fact::Error { error: crate::history::Fault::Expired });
    let of = |facts: &[(Phase, Fact)]| {
        let mut history = History::default();
        for (phase, fact) in facts {
            history.push(0, 1, *phase, *fact);
        }
        history
    };
    let watch = [request(Verb::Watch, Some(5)), expired];
    let first = [request(Verb::List, Some(0)), answer(5, false), watch[0]];
    let newest = request(Verb::List, None);
    finds(versions::check, &of(&[&first[..], &[newest]].concat()), "asks for no version");
    // A watch that has expired is no reason, a list that has expired is one. Other pages have no version.
    finds(versions::check, &of(&[&first[..], &watch, &[newest]].concat()), "5 is known");
    let refused = [request(Verb::List, Some(5)), expired, newest, answer(7, true), newest, answer(7, false)];
    assert_eq!(versions::check(&of(&[&first[..], &refused].concat())), Ok(()));
    // A list that is older than the cache is one too.
    let older = [request(Verb::List, Some(5)), answer(3, false), newest];
    assert_eq!(versions::check(&of(&[&first[..], &older].concat())), Ok(()));
}
