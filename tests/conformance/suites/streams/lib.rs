//! Streams into pods: commands, attachments, ports, logs and proxies, through both servers to a kubelet of ours.

#![allow(clippy::unwrap_used, reason = "scenarios are tests: a panic is caught as a failure")]

mod certificates;
mod copy;
mod exec;
pub mod krs;
mod krs_terminal;
mod kubectl;
mod logs;
mod odd;
mod ports;
mod proxies;
mod scene;

use std::time::Duration;

use client_rs_tests::{Scenario, scenario};

const FALLBACK: &str = "kube-apiserver accepts every WebSocket itself, regardless of its kubelets";

const HELD_OPEN: &str =
    "kube-apiserver keeps the client's connection when the node's is cut: for a minute at least";

const TRANSLATED: &str = "kube-apiserver, where it translates between WebSocket and SPDY, keeps its own connection to the \
    kubelet until the process ends, whether that is silent or writes";

/// The scenarios, in the order in which they begin.
pub static SCENARIOS: &[Scenario] = &[
    scenario!("a command's output, errors and exit code come back", exec::output),
    scenario!("exit codes 0, 1 and 137 are distinguished", exec::codes),
    scenario!("the end of input reaches the process, and its output comes back", exec::half_close),
    scenario!("100 MB go into a process and come out of one unharmed", exec::megabytes)
        .within(Duration::from_mins(6)),
    scenario!("100 MB go through where the node speaks WebSocket itself", exec::megabytes_websocket)
        .within(Duration::from_mins(6)),
    scenario!("fifty processes run at once, each with its own bytes", exec::fifty)
        .within(Duration::from_mins(4)),
    scenario!("a terminal gets the size that the client sets", exec::resize),
    scenario!("an attach reads from and writes to the container's first process", exec::attach),
    scenario!("a server that takes no WebSocket is asked for SPDY, and all works", exec::spdy)
        .embedded_only(FALLBACK),
    scenario!("dropping a process closes its connection and leaves no task", exec::dropped),
    scenario!("dropping a process closes its connection to a node that takes SPDY", exec::dropped_translated)
        .embedded_only(TRANSLATED),
    scenario!("a missing pod, container or command is reported as such", odd::nothing_there),
    scenario!("a connection that is cut in the middle is an error, not an end", odd::cut),
    scenario!("a plain request where streams are served is refused", odd::upgrade_required),
    scenario!("a stream to a port carries 100 MB there and back", ports::megabytes)
        .within(Duration::from_mins(6)),
    scenario!("the end of a port's stream is seen while this side continues to send", ports::half_closed),
    scenario!("fifty connections go through one local port at once", ports::fifty)
        .within(Duration::from_mins(4)),
    scenario!("an idle local connection survives the loss of the connection to its pod", ports::silent)
        .embedded_only(HELD_OPEN),
    scenario!("a port where nobody listens is an error of that connection alone", ports::nobody),
    scenario!(
        "a service's port leads to its pod, and to the next one when that is replaced",
        ports::replaced
    ),
    scenario!("where the server takes no WebSocket, ports go over plain SPDY", ports::spdy)
        .embedded_only(FALLBACK),
    scenario!("a log is read whole, from its tail, and followed to its end", logs::followed),
    scenario!("requests are proxied unchanged to a node and to a pod", proxies::passed_on),
    scenario!("bodies go through a proxy as they come, both ways", proxies::streamed),
    scenario!("a proxied connection is upgraded, if the backend agrees", proxies::upgraded),
    scenario!("a service's proxy leads to a ready pod, by number and by name of its port", proxies::services),
    scenario!("errors of the server are distinguished from responses of the backend", proxies::unreachable),
    scenario!("a certificate is asked for, approved, stored, and makes its user known", certificates::issued),
    scenario!("files and folders go into a container and come back unharmed", copy::there_and_back),
    scenario!("a failed copy leaves no file under its name", copy::nothing_half),
    scenario!("logs are followed through a lost connection, several at once", logs::merged),
    scenario!("kubectl exec, cp, logs, attach and port-forward work with our kubelet", kubectl::works)
        .within(Duration::from_mins(4)),
    scenario!(
        "krs exec, attach and logs print the same as kubectl, with the same exit codes",
        krs::as_kubectl
    )
    .within(Duration::from_mins(4)),
    scenario!("krs cp copies as kubectl cp does, and fails as it does", krs::copies)
        .within(Duration::from_mins(4)),
    scenario!(
        "krs port-forward serves many connections, outlives failures, and ends when interrupted",
        krs::forwards
    )
    .within(Duration::from_mins(4)),
    scenario!("krs logs -f survives lost connections, for several containers at once", krs::follows)
        .within(Duration::from_mins(4)),
    scenario!(
        "krs exec gives a terminal to the process, with its size, and puts it back",
        krs_terminal::given
    )
    .within(Duration::from_mins(4)),
    scenario!("krs restores the terminal after any signal or error", krs_terminal::put_back)
        .within(Duration::from_mins(4)),
    scenario!("krs attach is left by its keys, and the terminal is as before", krs_terminal::detached)
        .within(Duration::from_mins(4)),
];
