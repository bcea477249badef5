//! Three candidates, and what may happen to a leader.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use client_rs_leaderelection::FencingToken;
use client_rs_tests::Stage;

use super::child::timings;
use super::processes::Process;
use super::sink::Sink;

/// The time that an election may take on a busy machine, beyond the lease.
const SOON: Duration = Duration::from_secs(40);
/// The delay with which a process may report, on a busy machine.
const SLACK: Duration = Duration::from_millis(1500);

struct Play<'a> {
    stage: &'a Stage,
    sink: Sink,
    namespace: String,
    processes: Vec<Process>,
    started: u32,
}

impl<'a> Play<'a> {
    async fn begin(stage: &'a Stage) -> Result<Self> {
        let (sink, namespace) = (Sink::start().await?, stage.namespace().await?);
        let mut play = Self { stage, sink, namespace, processes: Vec::new(), started: 0 };
        for _ in 0..3 {
            play.add().await?;
        }
        Ok(play)
    }

    async fn add(&mut self) -> Result<()> {
        self.started += 1;
        let identity = format!("candidate-{}", self.started);
        let process = Process::start(self.stage, &self.sink, &self.namespace, "candidate", &identity).await?;
        self.processes.push(process);
        Ok(())
    }

    /// The next leader that writes, after this one.
    async fn leader_after(&self, before: Option<&FencingToken>) -> Result<(usize, FencingToken)> {
        let patience = timings().lease_duration + SOON;
        let token = self
            .sink
            .until("another leader that writes", patience, |heard| {
                heard.newest().filter(|newest| Some(*newest) != before).cloned()
            })
            .await?;
        let index = self.processes.iter().position(|process| token.holder == process.identity);
        Ok((index.context("the leader is not a candidate")?, token))
    }
}

pub(super) async fn faults(stage: &Stage) -> Result<()> {
    let mut play = Play::begin(stage).await?;
    let (leader, first) = play.leader_after(None).await?;

    // Killed: another takes over when the lease has expired.
    let killed = Instant::now();
    play.processes.remove(leader).kill().await?;
    let (leader, second) = play.leader_after(Some(&first)).await?;
    ensure!(second.transitions > first.transitions, "{second} follows {first}");
    let least = timings().lease_duration.checked_sub(timings().retry_period * 2).context("timings")?;
    ensure!(killed.elapsed() >= least, "a lease was taken after {:?}", killed.elapsed());
    play.add().await?;

    // Stopped in its tracks, in the middle of writing: it wakes up when another leads, and writes on.
    play.processes[leader].stop()?;
    let (next, third) = play.leader_after(Some(&second)).await?;
    ensure!(next != leader, "the stopped one leads again");
    play.processes[leader].go_on()?;
    let holder = second.holder.to_string();
    play.sink
        .until("late writes that are refused", SOON, |heard| heard.refused.get(&holder).copied())
        .await?;
    let lost = play
        .sink
        .until("the stopped leader to notice", SOON, |heard| {
            heard.lost.iter().find(|(token, ..)| *token == second).map(|(_, why, _)| why.clone())
        })
        .await?;
    ensure!(lost == "Deadline", "{lost}");

    // Cut off from the server, not from the sink: its scope ends within the renew deadline, before another leads.
    let (leader, third) = if play.sink.heard().newest() == Some(&third) {
        (next, third)
    } else {
        play.leader_after(Some(&third)).await?
    };
    play.processes[leader].network.cut();
    let cut = Instant::now();
    let (ended, why) = play
        .sink
        .until("the cut leader to give up", SOON, |heard| {
            let lost = heard.lost.iter().find(|(token, ..)| *token == third);
            lost.map(|(_, why, at)| (*at, why.clone()))
        })
        .await?;
    ensure!(why == "Deadline", "{why}");
    let lasted = ended.saturating_duration_since(cut);
    ensure!(lasted <= timings().renew_deadline + SLACK, "its scope ended after {lasted:?}");
    let (_, fourth) = play.leader_after(Some(&third)).await?;
    ensure!(fourth.transitions > third.transitions && fourth.holder != third.holder, "{fourth}");
    let led = play.sink.heard().led.iter().find(|(token, _)| *token == fourth).map(|(_, at)| *at);
    ensure!(led.is_some_and(|led| led > ended), "another led before the cut one's scope had ended");
    play.processes[leader].network.mend();
    Ok(())
}

pub(super) async fn hand_over(stage: &Stage) -> Result<()> {
    let play = Play::begin(stage).await?;
    play.leader_after(None).await?;
    play.sink.end_all();
    for process in play.processes {
        ensure!(process.ended().await?, "a process failed");
    }
    let heard = play.sink.heard();
    // The leader released its Lease; the others had none.
    ensure!(!heard.released.is_empty(), "no Lease was released");
    ensure!(heard.released.iter().all(|how| how.ends_with(" Released")), "{:?}", heard.released);
    ensure!(heard.refused.is_empty(), "{:?}", heard.refused);
    Ok(())
}
