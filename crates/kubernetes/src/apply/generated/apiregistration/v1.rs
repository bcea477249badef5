// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/kube-aggregator/pkg/apis/apiregistration/v1`.

use crate::apply::{configuration, kind, part};

configuration! { APIService + metadata
    set spec "spec" APIServiceSpec;
    set status "status" APIServiceStatus;
}

kind! { APIService "apiregistration.k8s.io/v1" cluster status client_rs_api::apiregistration::v1::APIService }

configuration! { APIServiceCondition
    set type_ "type" client_rs_machinery::Str;
    set status "status" client_rs_machinery::Str;
    set last_transition_time "lastTransitionTime" client_rs_machinery::Time;
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
}

part! { APIServiceCondition }

configuration! { APIServiceSpec
    set service "service" ServiceReference;
    set group "group" client_rs_machinery::Str;
    set version "version" client_rs_machinery::Str;
    set insecure_skip_tls_verify "insecureSkipTLSVerify" bool;
    set ca_bundle "caBundle" client_rs_machinery::Blob;
    set group_priority_minimum "groupPriorityMinimum" i32;
    set version_priority "versionPriority" i32;
}

part! { APIServiceSpec }

configuration! { APIServiceStatus
    list conditions "conditions" APIServiceCondition;
}

part! { APIServiceStatus }

configuration! { ServiceReference
    set namespace "namespace" client_rs_machinery::Str;
    set name "name" client_rs_machinery::Str;
    set port "port" i32;
}

part! { ServiceReference }
