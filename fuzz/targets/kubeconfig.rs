#![no_main]

#[path = "../../crates/transport/tests/hostile/mod.rs"]
mod hostile;

libfuzzer_sys::fuzz_target!(|data: &[u8]| hostile::kubeconfig(data));
