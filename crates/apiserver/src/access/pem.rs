//! PEM.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Writes a value in PEM.
pub(super) fn write(label: &str, der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    let mut pem = format!("-----BEGIN {label}-----\n");
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (line, after) = rest.split_at(rest.len().min(64));
        pem.extend([line, "\n"]);
        rest = after;
    }
    pem.extend(["-----END ", label, "-----\n"]);
    pem
}

#[cfg(test)]
mod tests {
    use rustls::pki_types::CertificateDer;
    use rustls::pki_types::pem::PemObject as _;

    #[test]
    fn lines_have_64_characters() {
        for length in [0, 1, 47, 48, 49, 500] {
            let der = vec![7; length];
            let text = super::write("CERTIFICATE", &der);
            assert!(text.lines().all(|line| line.len() <= 64));
            assert_eq!(CertificateDer::from_pem_slice(text.as_bytes()).unwrap().as_ref(), der);
        }
    }
}
