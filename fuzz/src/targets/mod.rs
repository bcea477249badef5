//! The properties that hold for any bytes of a surface: one function for each.

pub mod apply;
pub mod archive;
pub mod cel;
pub mod certificates;
pub mod client;
pub mod collections;
pub mod generate;
pub mod kubeconfig;
pub mod manifests;
pub mod patches;
pub mod schema;
pub mod server;
pub mod streams;
pub mod texts;

use std::future::Future;

use client_rs_machinery::Json;
use client_rs_streams::Role;

/// The bytes between the parts of an input.
const DIVIDER: &[u8] = b"\n%%\n";

/// The parts of an input; those that are not there are empty, and the last one has all that is left.
fn sections<const N: usize>(data: &[u8]) -> [&[u8]; N] {
    let mut rest = Some(data);
    std::array::from_fn(|at| {
        let Some(all) = rest else { return &[][..] };
        let found = all.windows(DIVIDER.len()).position(|window| window == DIVIDER).filter(|_| at + 1 < N);
        match found {
            Some(end) => {
                rest = Some(&all[end + DIVIDER.len()..]);
                &all[..end]
            }
            None => {
                rest = None;
                all
            }
        }
    })
}

/// Bytes as text. Invalid UTF-8 is replaced.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// JSON of a part of an input, if that is JSON.
fn json(bytes: &[u8]) -> Option<Json> {
    Json::parse(bytes).ok()
}

/// The first two bytes of an input of a connection: the side that reads it, and the size of its chunks.
fn role_and_chunk(data: &[u8]) -> (Role, usize, &[u8]) {
    let (head, bytes) = data.split_at(data.len().min(2));
    let [role, chunk] = [0, 1].map(|at| head.get(at).copied().unwrap_or(0));
    (if role % 2 == 0 { Role::Client } else { Role::Server }, usize::from(chunk).max(1), bytes)
}

/// Runs a future to its end on a clock that never waits: whenever all tasks wait, it jumps to the next timer.
fn paused(future: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime can be built").block_on(future);
}
