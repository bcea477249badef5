//! Systems on which nothing can be simulated.

use crate::report::{Failure, Summary};
use crate::simulation::Simulation;

const WHY: &str = "the simulation needs Linux with 64 bits: put #[cfg(target_os = \"linux\")] on the test";

impl Simulation {
    /// Runs the simulation in a test. Not on this system.
    ///
    /// # Panics
    ///
    /// Always.
    pub fn check(self, name: &str) {
        panic!("{}", Failure::cannot_run(name, WHY));
    }

    /// Not on this system: it always panics.
    #[doc(hidden)]
    pub fn check_in(self, _: &str, function: &str) {
        self.check(function);
    }

    /// Runs the simulation. Not on this system: it always fails.
    pub fn campaign(&self, name: &str, _: &[String]) -> Result<Summary, Box<Failure>> {
        Err(Box::new(Failure::cannot_run(name, WHY)))
    }
}
