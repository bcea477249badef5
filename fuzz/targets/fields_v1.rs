#![no_main]

#[allow(dead_code)]
#[path = "../../crates/machinery/tests/hostile/mod.rs"]
mod hostile;

libfuzzer_sys::fuzz_target!(|data: &[u8]| hostile::fields_v1(data));
