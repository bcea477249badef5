//! Deterministic simulation of Kubernetes controllers: *your* manager, through crashes, lost responses and stale caches, with a seed
//! for every failure.
//!
//! A [`Simulation`] runs one to four replicas of a program in one thread, on a simulated clock, against embedded API servers. A
//! user creates, changes and deletes objects, and faults happen to the replicas and to their network. Then all faults end, and
//! the properties are checked. A test makes hundreds of such histories in seconds.
//!
//! ```no_run
//! use client_rs_api::core::v1::ConfigMap;
//! use client_rs_controller::{Action, Context, Controller, Manager, ReconcileError};
//! use client_rs_informers::SharedInformerFactory;
//! use client_rs_machinery::ObjectKey;
//! use client_rs_simulation::{Replica, Simulation};
//!
//! fn manager(replica: &Replica) -> Manager {
//!     let factory = SharedInformerFactory::new(replica.client.clone());
//!     let maps = factory.of::<ConfigMap>();
//!     let controller = Controller::new("maps", maps.informer())
//!         .reconcile(|_: ObjectKey, _: Context| async { Ok::<_, ReconcileError>(Action::done()) });
//!     Manager::new(&factory).controller(controller)
//! }
//!
//! #[client_rs_simulation::test]
//! fn survives_faults() -> Simulation {
//!     let mut settings = ConfigMap::EMPTY;
//!     settings.metadata.name = "settings".into();
//!     Simulation::new(|replica| async move { Ok::<_, String>(manager(&replica)) }).workload([settings])
//! }
//! ```
//!
//! Kinds with a schema need no objects that are written down: [`generated`](Simulation::generated) makes them.
//!
//! # Histories
//!
//! | histories | faults |
//! |---|---|
//! | one | none: a property that is broken here needs no fault |
//! | ten per write of that one | one each: a crash before the write, a crash after it, the request lost, the response lost, an error, errors for 4 s from there on, a conflict, and a restart with a watch cache that is 1, 3 or 8 changes behind |
//! | 100 random ones | one to four: these, and pauses, restarts, watches that are cut, silent or late, servers that refuse, lose or answer with errors, lost history |
//!
//! # Properties
//!
//! [`Property`] lists those that need no code. [`always`](Simulation::always) and [`eventually`](Simulation::eventually) add others, as functions
//! of the [`Objects`] on the server.
//!
//! # A failure
//!
//! The panic of the test names the property, the seed, the fewest steps that break it, and everything that happened: the
//! changes of the user, the versions that reached the caches of the program, its writes with the version that it knew and the
//! version on the server, and the faults. `CLIENT_RS_SEED=… cargo test NAME` repeats it. A JSON file has the same for tools.
//!
//! # One seed, one history
//!
//! Nothing needs a flag of the compiler: this crate defines `getrandom` and `clock_gettime` of libc. Without a simulation they
//! call the kernel. In the processes of a simulation, random numbers come from the seed, and the time is simulated: hash
//! maps, `select!`, `SystemTime` and `Instant` follow. Each history runs in a copy of a process (`fork`), because counters of
//! tokio live as long as a process. One seed is run in two processes; if their histories differ, the test fails and shows the
//! first difference.
//!
//! # Limits
//!
//! Linux with 64 bits only: elsewhere [`check`](Simulation::check) panics, so use `#[cfg(target_os = "linux")]` on the test. Programs that call `fork`,
//! or the kernel without libc, are not simulated. [`Simulation`] documents what a program may do.

#![cfg_attr(docsrs, feature(doc_cfg))]
// Elsewhere nothing can run.
#![cfg_attr(not(all(target_os = "linux", target_pointer_width = "64")), allow(dead_code))]

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod campaign;
#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
mod elsewhere;
mod generate;
mod network;
pub mod os;
mod path;
mod plan;
mod process;
mod properties;
mod record;
mod replay;
mod report;
mod simulation;
mod state;
mod tap;
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod worker;
mod world;

pub mod harness {
    //! The parts of a simulation, for simulations of another shape: a process with a clock of its own, and its network.

    pub use crate::network::{Network, State, service};
    pub use crate::process::Process;
}

/// Makes a test of a function that returns a [`Simulation`]: the test runs [`check`](Simulation::check).
///
/// ```no_run
/// use client_rs_simulation::Simulation;
/// # fn operator() -> Simulation { unimplemented!() }
///
/// #[client_rs_simulation::test]
/// fn survives_faults() -> Simulation {
///     operator().replicas(2)
/// }
/// ```
///
/// The function has no parameters and is not async. It is called once in the process of the test and once in each worker, so it must
/// return the same each time. Other attributes of the function stay. On systems without simulation the test is listed as ignored.
pub use client_rs_derive::simulation_test as test;
pub use record::{Event, What};
pub use replay::{Difference, Replay, ReplayReport};
pub use report::{Failure, Summary};
pub use simulation::{Mode, Property, Replica, Simulation, Step};
pub use state::Objects;
