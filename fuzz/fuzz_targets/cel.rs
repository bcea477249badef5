#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| client_rs_fuzz::cel(data));
