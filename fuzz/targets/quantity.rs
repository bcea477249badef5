#![no_main]

use client_rs_test_inputs::hostile;

libfuzzer_sys::fuzz_target!(|data: &[u8]| hostile::quantity(data));
