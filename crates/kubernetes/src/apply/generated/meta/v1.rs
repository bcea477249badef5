// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/apimachinery/pkg/apis/meta/v1`.

use crate::apply::{configuration, part};

configuration! { Condition
    set type_ "type" client_rs_machinery::Str;
    set status "status" client_rs_machinery::Str;
    set observed_generation "observedGeneration" i64;
    set last_transition_time "lastTransitionTime" client_rs_machinery::Time;
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
}

part! { Condition }

configuration! { GroupResource
    set group "group" client_rs_machinery::Str;
    set resource "resource" client_rs_machinery::Str;
}

part! { GroupResource }

configuration! { LabelSelector
    map match_labels "matchLabels" client_rs_machinery::Str;
    list match_expressions "matchExpressions" LabelSelectorRequirement;
}

part! { LabelSelector }

configuration! { LabelSelectorRequirement
    set key "key" client_rs_machinery::Str;
    set operator "operator" client_rs_machinery::Str;
    list values "values" client_rs_machinery::Str;
}

part! { LabelSelectorRequirement }

configuration! { OwnerReference
    set api_version "apiVersion" client_rs_machinery::Str;
    set kind "kind" client_rs_machinery::Str;
    set name "name" client_rs_machinery::Str;
    set uid "uid" client_rs_machinery::Str;
    set controller "controller" bool;
    set block_owner_deletion "blockOwnerDeletion" bool;
}

part! { OwnerReference }
