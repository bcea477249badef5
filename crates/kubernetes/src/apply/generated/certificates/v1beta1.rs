// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/certificates/v1beta1`.

use crate::apply::{configuration, kind, part};

configuration! { ClusterTrustBundle + metadata
    set spec "spec" ClusterTrustBundleSpec;
}

kind! { ClusterTrustBundle "certificates.k8s.io/v1beta1" cluster stateless client_rs_api::certificates::v1beta1::ClusterTrustBundle }

configuration! { ClusterTrustBundleSpec
    set signer_name "signerName" client_rs_machinery::Str;
    set trust_bundle "trustBundle" client_rs_machinery::Str;
}

part! { ClusterTrustBundleSpec }

configuration! { PodCertificateRequest + metadata
    set spec "spec" PodCertificateRequestSpec;
    set status "status" PodCertificateRequestStatus;
}

kind! { PodCertificateRequest "certificates.k8s.io/v1beta1" namespaced status client_rs_api::certificates::v1beta1::PodCertificateRequest }

configuration! { PodCertificateRequestSpec
    set signer_name "signerName" client_rs_machinery::Str;
    set pod_name "podName" client_rs_machinery::Str;
    set pod_uid "podUID" client_rs_machinery::Str;
    set service_account_name "serviceAccountName" client_rs_machinery::Str;
    set service_account_uid "serviceAccountUID" client_rs_machinery::Str;
    set node_name "nodeName" client_rs_machinery::Str;
    set node_uid "nodeUID" client_rs_machinery::Str;
    set max_expiration_seconds "maxExpirationSeconds" i32;
    set pkix_public_key "pkixPublicKey" client_rs_machinery::Blob;
    set proof_of_possession "proofOfPossession" client_rs_machinery::Blob;
    set stub_pkcs10_request "stubPKCS10Request" client_rs_machinery::Blob;
    map unverified_user_annotations "unverifiedUserAnnotations" client_rs_machinery::Str;
}

part! { PodCertificateRequestSpec }

configuration! { PodCertificateRequestStatus
    list conditions "conditions" crate::apply::meta::v1::Condition;
    set certificate_chain "certificateChain" client_rs_machinery::Str;
    set not_before "notBefore" client_rs_machinery::Time;
    set begin_refresh_at "beginRefreshAt" client_rs_machinery::Time;
    set not_after "notAfter" client_rs_machinery::Time;
}

part! { PodCertificateRequestStatus }
