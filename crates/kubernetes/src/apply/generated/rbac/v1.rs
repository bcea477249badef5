// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/rbac/v1`.

use crate::apply::{configuration, kind, part};

configuration! { AggregationRule
    list cluster_role_selectors "clusterRoleSelectors" crate::apply::meta::v1::LabelSelector;
}

part! { AggregationRule }

configuration! { ClusterRole + metadata
    list rules "rules" PolicyRule;
    set aggregation_rule "aggregationRule" AggregationRule;
}

kind! { ClusterRole "rbac.authorization.k8s.io/v1" cluster stateless client_rs_api::rbac::v1::ClusterRole }

configuration! { ClusterRoleBinding + metadata
    list subjects "subjects" Subject;
    set role_ref "roleRef" RoleRef;
}

kind! { ClusterRoleBinding "rbac.authorization.k8s.io/v1" cluster stateless client_rs_api::rbac::v1::ClusterRoleBinding }

configuration! { PolicyRule
    list verbs "verbs" client_rs_machinery::Str;
    list api_groups "apiGroups" client_rs_machinery::Str;
    list resources "resources" client_rs_machinery::Str;
    list resource_names "resourceNames" client_rs_machinery::Str;
    list non_resource_urls "nonResourceURLs" client_rs_machinery::Str;
}

part! { PolicyRule }

configuration! { Role + metadata
    list rules "rules" PolicyRule;
}

kind! { Role "rbac.authorization.k8s.io/v1" namespaced stateless client_rs_api::rbac::v1::Role }

configuration! { RoleBinding + metadata
    list subjects "subjects" Subject;
    set role_ref "roleRef" RoleRef;
}

kind! { RoleBinding "rbac.authorization.k8s.io/v1" namespaced stateless client_rs_api::rbac::v1::RoleBinding }

configuration! { RoleRef
    set api_group "apiGroup" client_rs_machinery::Str;
    set kind "kind" client_rs_machinery::Str;
    set name "name" client_rs_machinery::Str;
}

part! { RoleRef }

configuration! { Subject
    set kind "kind" client_rs_machinery::Str;
    set api_group "apiGroup" client_rs_machinery::Str;
    set name "name" client_rs_machinery::Str;
    set namespace "namespace" client_rs_machinery::Str;
}

part! { Subject }
