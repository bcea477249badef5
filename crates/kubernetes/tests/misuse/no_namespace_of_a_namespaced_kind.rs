use client_rs_kubernetes::Clientset;

fn misuse(clientset: &Clientset) {
    let _ = clientset.core_v1().pods();
}

fn main() {}
