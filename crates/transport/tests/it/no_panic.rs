//! Broken kubeconfigs by the thousand. The fuzz target of the same name feeds more.

use client_rs_test_inputs::hostile_kubeconfig as hostile;
use proptest::prelude::*;

const SEED: &[u8] = include_bytes!("../../../../fuzz/seeds/kubeconfig/full.yaml");

#[test]
fn the_seed_itself() {
    hostile::kubeconfig(SEED);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn bytes_changed_here_and_there(changes in proptest::collection::vec((0..SEED.len(), any::<u8>()), 1..6)) {
        let mut data = SEED.to_vec();
        for (at, byte) in changes {
            data[at] = byte;
        }
        hostile::kubeconfig(&data);
    }

    #[test]
    fn characters_of_yaml_put_in(changes in proptest::collection::vec((0..SEED.len(), "[-:\\[\\]{}&*!|>'\"%@`#,?~ \\n\\t<=0-9yneE.]{1,3}"), 1..6)) {
        let mut data = SEED.to_vec();
        for (at, text) in changes {
            data.splice(at..at, text.into_bytes());
        }
        hostile::kubeconfig(&data);
    }

    #[test]
    fn a_piece_cut_out(from in 0..SEED.len(), length in 0..64_usize) {
        let mut data = SEED.to_vec();
        data.drain(from..(from + length).min(SEED.len()));
        hostile::kubeconfig(&data);
    }
}
