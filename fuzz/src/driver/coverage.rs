//! The edges of the program that an input has reached.
//!
//! A build with `-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-inline-8bit-counters` (stable `rustc` accepts both)
//! has one byte for each edge, and calls [`__sanitizer_cov_8bit_counters_init`] for each object file before `main`. In a build
//! without these flags there are no counters, and the driver mutates seeds without feedback.

use std::slice;
use std::sync::Mutex;

/// Where the counters are: first and one past the last, as addresses.
static REGIONS: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

/// Called by the instrumentation, on the main thread, before `main`.
#[unsafe(no_mangle)]
pub extern "C" fn __sanitizer_cov_8bit_counters_init(start: *mut u8, stop: *mut u8) {
    let mut regions = REGIONS.lock().unwrap();
    let region = (start as usize, stop as usize);
    if region.0 < region.1 && !regions.contains(&region) {
        regions.push(region);
    }
}

/// The edges that all inputs so far have reached.
pub struct Coverage {
    regions: Vec<(usize, usize)>,
    /// For each edge, the classes of counts that were seen.
    seen: Vec<u8>,
    edges: usize,
}

impl Coverage {
    pub fn new() -> Self {
        let regions = REGIONS.lock().unwrap().clone();
        let edges = regions.iter().map(|(start, stop)| stop - start).sum();
        Self { regions, seen: vec![0; edges], edges: 0 }
    }

    /// Whether this build counts edges.
    pub fn is_on(&self) -> bool {
        !self.seen.is_empty()
    }

    /// How many edges were reached.
    pub fn edges(&self) -> usize {
        self.edges
    }

    /// Clears the counters before an input is run.
    pub fn reset(&self) {
        for region in &self.regions {
            counters(*region).fill(0);
        }
    }

    /// Adds what the counters say; true if they say something new.
    pub fn is_new(&mut self) -> bool {
        let (mut found, mut at) = (false, 0);
        for region in &self.regions {
            let counters = counters(*region);
            let seen = &mut self.seen[at..at + counters.len()];
            at += counters.len();
            // Most counters are 0, and comparing slices is fast in a build without optimization too.
            for (page, seen) in counters.chunks(4096).zip(seen.chunks_mut(4096)) {
                if *page == [0; 4096][..page.len()] {
                    continue;
                }
                for (line, seen) in page.chunks(64).zip(seen.chunks_mut(64)) {
                    if *line == [0; 64][..line.len()] {
                        continue;
                    }
                    for (count, seen) in line.iter().zip(seen) {
                        let class = class(*count);
                        if class & !*seen != 0 {
                            self.edges += usize::from(*seen == 0);
                            *seen |= class;
                            found = true;
                        }
                    }
                }
            }
        }
        found
    }
}

fn counters((start, stop): (usize, usize)) -> &'static mut [u8] {
    // SAFETY: the instrumentation gave the bounds of a static array of bytes, which lives as long as the program. Only the
    // driver's thread makes a slice of it, one at a time. Instrumented code on other threads may count in it meanwhile, with
    // plain adds of a byte: a lost count costs precision, and the worst is an input kept or dropped by chance.
    unsafe { slice::from_raw_parts_mut(start as *mut u8, stop - start) }
}

/// One bit for each order of magnitude.
fn class(count: u8) -> u8 {
    match count {
        0 => 0,
        1 => 1,
        2 => 2,
        3 => 4,
        4..=7 => 8,
        8..=15 => 16,
        16..=31 => 32,
        32..=127 => 64,
        128.. => 128,
    }
}
