// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/certificates/v1`.

use crate::apply::{configuration, kind, part};

configuration! { CertificateSigningRequest + metadata
    set spec "spec" CertificateSigningRequestSpec;
    set status "status" CertificateSigningRequestStatus;
}

kind! { CertificateSigningRequest "certificates.k8s.io/v1" cluster status client_rs_api::certificates::v1::CertificateSigningRequest }

configuration! { CertificateSigningRequestCondition
    set type_ "type" client_rs_machinery::Str;
    set status "status" client_rs_machinery::Str;
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
    set last_update_time "lastUpdateTime" client_rs_machinery::Time;
    set last_transition_time "lastTransitionTime" client_rs_machinery::Time;
}

part! { CertificateSigningRequestCondition }

configuration! { CertificateSigningRequestSpec
    set request "request" client_rs_machinery::Blob;
    set signer_name "signerName" client_rs_machinery::Str;
    set expiration_seconds "expirationSeconds" i32;
    list usages "usages" client_rs_machinery::Str;
    set username "username" client_rs_machinery::Str;
    set uid "uid" client_rs_machinery::Str;
    list groups "groups" client_rs_machinery::Str;
    map extra "extra" Vec<client_rs_machinery::Str>;
}

part! { CertificateSigningRequestSpec }

configuration! { CertificateSigningRequestStatus
    list conditions "conditions" CertificateSigningRequestCondition;
    set certificate "certificate" client_rs_machinery::Blob;
}

part! { CertificateSigningRequestStatus }

configuration! { ClusterTrustBundle + metadata
    set spec "spec" ClusterTrustBundleSpec;
}

kind! { ClusterTrustBundle "certificates.k8s.io/v1" cluster stateless client_rs_api::certificates::v1::ClusterTrustBundle }

configuration! { ClusterTrustBundleSpec
    set signer_name "signerName" client_rs_machinery::Str;
    set trust_bundle "trustBundle" client_rs_machinery::Str;
}

part! { ClusterTrustBundleSpec }

configuration! { PodCertificateRequest + metadata
    set spec "spec" PodCertificateRequestSpec;
    set status "status" PodCertificateRequestStatus;
}

kind! { PodCertificateRequest "certificates.k8s.io/v1" namespaced status client_rs_api::certificates::v1::PodCertificateRequest }

configuration! { PodCertificateRequestSpec
    set signer_name "signerName" client_rs_machinery::Str;
    set pod_name "podName" client_rs_machinery::Str;
    set pod_uid "podUID" client_rs_machinery::Str;
    set service_account_name "serviceAccountName" client_rs_machinery::Str;
    set service_account_uid "serviceAccountUID" client_rs_machinery::Str;
    set node_name "nodeName" client_rs_machinery::Str;
    set node_uid "nodeUID" client_rs_machinery::Str;
    set max_expiration_seconds "maxExpirationSeconds" i32;
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
