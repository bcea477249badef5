//! The steps of a history, as data.

use fastrand::Rng;
use serde::{Deserialize, Serialize};

/// The least number of steps.
const STEPS: usize = 40;
/// The least number of faults.
const FAULTS: usize = 6;

/// A history before it happens. A list of steps without some of them is a list of steps too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The setup.
    pub setup: Setup,
    /// The steps.
    pub ops: Vec<Op>,
}

/// The settings of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// The seed of what no step decides: latencies.
    pub seed: u64,
    /// How many streams the server allows per connection.
    pub streams: u32,
    /// The window of a stream to the server.
    pub server_window: u32,
    /// The window of a stream to the client.
    pub client_window: u32,
    /// The bytes that a pipe holds.
    pub pipe: u32,
}

/// One step. A step that is not possible in the current state does nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Op {
    /// Everything runs for this many milliseconds.
    Run(u32),
    /// A request starts.
    Request(Call),
    /// A watch starts.
    Watch,
    /// A connection is cut when this many more bytes have passed in a direction.
    Cut {
        /// One of the open connections.
        connection: u8,
        /// The direction whose bytes count.
        toward: Toward,
        /// The number of bytes.
        after: u32,
        /// Whether the client sees a reset, or an orderly end.
        reset: bool,
    },
    /// Nothing passes in a direction from now on; the connection stays open.
    Stall {
        /// One of the open connections.
        connection: u8,
        /// The direction.
        toward: Toward,
    },
    /// Bytes pass slowly in a direction.
    Trickle {
        /// One of the open connections.
        connection: u8,
        /// The direction.
        toward: Toward,
        /// So many at once.
        bytes: u16,
        /// The pause after them, in milliseconds.
        pause: u16,
    },
    /// All pipes work again, except those that were cut.
    Heal,
    /// The server announces the end of a connection, and finishes what it has accepted.
    GoAway(u8),
    /// The server ends a connection with this error, in the middle of everything.
    Abort(u8, u8),
    /// New connections are refused, until `Heal`.
    Refuse,
    /// New connections are accepted and stay silent, until `Heal`.
    Mute,
}

/// A direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Toward {
    /// Requests.
    Server,
    /// Responses.
    Client,
}

/// A request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The method.
    pub verb: Verb,
    /// Whether it is sent by the REST client, with its retries and a time limit, or by the transport alone.
    pub rest: bool,
    /// The bytes of the request's body, if it has one.
    pub upload: u32,
    /// Whether that body is a stream.
    pub streamed: bool,
    /// The bytes of the response's body.
    pub download: u32,
    /// How the client reads the response.
    pub reader: Reader,
    /// The fate of the first attempt, of the second, and so on. Further ones are answered.
    pub fates: Vec<Fate>,
}

/// A method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verb {
    /// GET.
    Get,
    /// POST.
    Post,
    /// PUT.
    Put,
    /// PATCH.
    Patch,
    /// DELETE.
    Delete,
}

/// How a client reads a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reader {
    /// At once.
    Eager,
    /// One frame in so many milliseconds.
    Slow(u16),
    /// Not for so many milliseconds, then at once.
    Late(u16),
    /// The request is dropped after so many milliseconds.
    Cancel(u16),
}

/// The server's reaction to an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fate {
    /// It answers.
    Answer {
        /// Before the head, in milliseconds.
        delay: u16,
        /// Whether the head has the length.
        length: bool,
        /// Whether the body is compressed.
        gzip: bool,
        /// Between parts of the body, in milliseconds.
        pause: u16,
    },
    /// It refuses the stream. The request has no effect.
    Refuse,
    /// It answers 429 with `Retry-After`. The request has no effect.
    Throttle,
    /// It answers 503 with `Retry-After`, before or after the effect.
    Unavailable {
        /// Whether the request has an effect.
        effect: bool,
    },
    /// It ends the stream with this error, after the effect and before the head.
    Reset(u8),
    /// It ends the stream with this error after so many bytes of the body.
    Break {
        /// The error.
        error: u8,
        /// The bytes.
        after: u32,
        /// Whether the head has the length.
        length: bool,
    },
    /// It answers without having read the request, and ends the stream without an error.
    Early,
    /// It does nothing after the effect. Only for requests with a time limit.
    Hang,
}

/// The error codes of HTTP/2 that a server sends here, by their place. The first one says that nothing is wrong.
pub const ERRORS: [h2::Reason; 5] = [
    h2::Reason::NO_ERROR,
    h2::Reason::INTERNAL_ERROR,
    h2::Reason::CANCEL,
    h2::Reason::ENHANCE_YOUR_CALM,
    h2::Reason::PROTOCOL_ERROR,
];

/// Returns the error of a place.
pub fn error(place: u8) -> h2::Reason {
    ERRORS[usize::from(place) % ERRORS.len()]
}

impl Op {
    /// Returns whether the step is a fault.
    pub fn is_fault(&self) -> bool {
        match self {
            Self::Run(_) | Self::Watch | Self::Heal => false,
            Self::Request(call) => call.fates.iter().any(|fate| !matches!(fate, Fate::Answer { .. })),
            Self::Cut { .. }
            | Self::Stall { .. }
            | Self::Trickle { .. }
            | Self::GoAway(_)
            | Self::Abort(..)
            | Self::Refuse
            | Self::Mute => true,
        }
    }
}

impl Plan {
    /// Makes the plan of a seed.
    pub fn of_seed(seed: u64) -> Self {
        // Seeds are close to each other, and their histories must not be.
        let mut random = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1_e995);
        let pick = |random: &mut Rng, from: &[u32]| from[random.usize(..from.len())];
        let setup = Setup {
            seed: random.u64(..),
            streams: pick(&mut random, &[1, 2, 3, 10, 100]),
            server_window: pick(&mut random, &[1_000, 65_535, 1_000_000]),
            client_window: pick(&mut random, &[2_000, 65_535, 4_194_304]),
            pipe: pick(&mut random, &[64, 1_000, 65_536]),
        };
        let (mut ops, mut faults) = (Vec::new(), 0);
        while ops.len() < STEPS || faults < FAULTS {
            let op = choose(&mut random);
            faults += usize::from(op.is_fault());
            ops.push(op);
        }
        Self { setup, ops }
    }
}

fn choose(random: &mut Rng) -> Op {
    let connection = random.u8(..4);
    let toward = if random.u8(..3) == 0 { Toward::Server } else { Toward::Client };
    match random.u8(..64) {
        0..10 => Op::Run(random.u32(1..50)),
        10..16 => Op::Run(random.u32(50..2_000)),
        16..18 => Op::Run(random.u32(2_000..40_000)),
        18..40 => Op::Request(call(random)),
        40..43 => Op::Watch,
        43..50 => Op::Cut { connection, toward, after: random.u32(..400), reset: random.bool() },
        50..52 => Op::Cut { connection, toward, after: random.u32(400..100_000), reset: random.bool() },
        52..54 => Op::Stall { connection, toward },
        54..56 => Op::Trickle { connection, toward, bytes: random.u16(1..200), pause: random.u16(1..30) },
        56..58 => Op::GoAway(connection),
        58..60 => Op::Abort(connection, random.u8(..8)),
        60 => Op::Refuse,
        61 => Op::Mute,
        _ => Op::Heal,
    }
}

fn call(random: &mut Rng) -> Call {
    let verb = [Verb::Get, Verb::Get, Verb::Post, Verb::Put, Verb::Patch, Verb::Delete][random.usize(..6)];
    let rest = random.bool();
    let size = |random: &mut Rng| match random.u8(..10) {
        0 => 0,
        1..4 => random.u32(1..100),
        4..7 => random.u32(100..9_000),
        7..9 => random.u32(9_000..80_000),
        _ => random.u32(80_000..400_000),
    };
    let upload = if matches!(verb, Verb::Get | Verb::Delete) { 0 } else { size(random) };
    let reader = match random.u8(..8) {
        0 => Reader::Slow(random.u16(1..300)),
        1 => Reader::Late(random.u16(1..20_000)),
        2 => Reader::Cancel(random.u16(..5_000)),
        _ => Reader::Eager,
    };
    let attempts = [0, 1, 1, 1, 2, 3, 5][random.usize(..7)];
    let fates = (0..attempts).map(|_| fate(random, rest)).collect();
    let streamed = upload > 0 && !rest && random.u8(..4) == 0;
    Call { verb, rest, upload, streamed, download: size(random), reader, fates }
}

fn fate(random: &mut Rng, rest: bool) -> Fate {
    match random.u8(..16) {
        0..5 => Fate::Answer {
            delay: if random.bool() { 0 } else { random.u16(..3_000) },
            length: random.bool(),
            gzip: random.u8(..3) == 0,
            pause: if random.bool() { 0 } else { random.u16(..200) },
        },
        5..7 => Fate::Refuse,
        7 => Fate::Throttle,
        8 => Fate::Unavailable { effect: random.bool() },
        9..11 => Fate::Reset(random.u8(..8)),
        11..14 => Fate::Break { error: random.u8(..8), after: random.u32(..20_000), length: random.bool() },
        14 => Fate::Early,
        _ if rest => Fate::Hang,
        _ => Fate::Reset(random.u8(..8)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_has_enough_steps_and_faults_and_is_data() {
        for seed in 0..200 {
            let plan = Plan::of_seed(seed);
            assert_eq!(plan, Plan::of_seed(seed));
            assert!(plan.ops.len() >= STEPS);
            assert!(plan.ops.iter().filter(|op| op.is_fault()).count() >= FAULTS);
            let text = serde_json::to_string(&plan).unwrap();
            assert_eq!(serde_json::from_str::<Plan>(&text).unwrap(), plan);
            let hangs = plan
                .ops
                .iter()
                .any(|op| matches!(op, Op::Request(call) if !call.rest && call.fates.contains(&Fate::Hang)));
            assert!(!hangs, "a request without a time limit may hang forever");
        }
        assert_ne!(Plan::of_seed(1).ops, Plan::of_seed(2).ops);
    }
}
