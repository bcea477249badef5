// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/networking/v1`.

use crate::apply::{configuration, kind, part};

configuration! { HTTPIngressPath
    set path "path" client_rs_machinery::Str;
    set path_type "pathType" client_rs_machinery::Str;
    set backend "backend" IngressBackend;
}

part! { HTTPIngressPath }

configuration! { HTTPIngressRuleValue
    list paths "paths" HTTPIngressPath;
}

part! { HTTPIngressRuleValue }

configuration! { IPAddress + metadata
    set spec "spec" IPAddressSpec;
}

kind! { IPAddress "networking.k8s.io/v1" cluster stateless client_rs_api::networking::v1::IPAddress }

configuration! { IPAddressSpec
    set parent_ref "parentRef" ParentReference;
}

part! { IPAddressSpec }

configuration! { IPBlock
    set cidr "cidr" client_rs_machinery::Str;
    list except "except" client_rs_machinery::Str;
}

part! { IPBlock }

configuration! { Ingress + metadata
    set spec "spec" IngressSpec;
    set status "status" IngressStatus;
}

kind! { Ingress "networking.k8s.io/v1" namespaced status client_rs_api::networking::v1::Ingress }

configuration! { IngressBackend
    set service "service" IngressServiceBackend;
    set resource "resource" crate::apply::core::v1::TypedLocalObjectReference;
}

part! { IngressBackend }

configuration! { IngressClass + metadata
    set spec "spec" IngressClassSpec;
}

kind! { IngressClass "networking.k8s.io/v1" cluster stateless client_rs_api::networking::v1::IngressClass }

configuration! { IngressClassParametersReference
    set api_group "apiGroup" client_rs_machinery::Str;
    set kind "kind" client_rs_machinery::Str;
    set name "name" client_rs_machinery::Str;
    set scope "scope" client_rs_machinery::Str;
    set namespace "namespace" client_rs_machinery::Str;
}

part! { IngressClassParametersReference }

configuration! { IngressClassSpec
    set controller "controller" client_rs_machinery::Str;
    set parameters "parameters" IngressClassParametersReference;
}

part! { IngressClassSpec }

configuration! { IngressLoadBalancerIngress
    set ip "ip" client_rs_machinery::Str;
    set hostname "hostname" client_rs_machinery::Str;
    list ports "ports" IngressPortStatus;
}

part! { IngressLoadBalancerIngress }

configuration! { IngressLoadBalancerStatus
    list ingress "ingress" IngressLoadBalancerIngress;
}

part! { IngressLoadBalancerStatus }

configuration! { IngressPortStatus
    set port "port" i32;
    set protocol "protocol" client_rs_machinery::Str;
    set error "error" client_rs_machinery::Str;
}

part! { IngressPortStatus }

configuration! { IngressRule
    set host "host" client_rs_machinery::Str;
    set http "http" HTTPIngressRuleValue;
}

part! { IngressRule }

configuration! { IngressServiceBackend
    set name "name" client_rs_machinery::Str;
    set port "port" ServiceBackendPort;
}

part! { IngressServiceBackend }

configuration! { IngressSpec
    set ingress_class_name "ingressClassName" client_rs_machinery::Str;
    set default_backend "defaultBackend" IngressBackend;
    list tls "tls" IngressTLS;
    list rules "rules" IngressRule;
}

part! { IngressSpec }

configuration! { IngressStatus
    set load_balancer "loadBalancer" IngressLoadBalancerStatus;
}

part! { IngressStatus }

configuration! { IngressTLS
    list hosts "hosts" client_rs_machinery::Str;
    set secret_name "secretName" client_rs_machinery::Str;
}

part! { IngressTLS }

configuration! { NetworkPolicy + metadata
    set spec "spec" NetworkPolicySpec;
}

kind! { NetworkPolicy "networking.k8s.io/v1" namespaced stateless client_rs_api::networking::v1::NetworkPolicy }

configuration! { NetworkPolicyEgressRule
    list ports "ports" NetworkPolicyPort;
    list to "to" NetworkPolicyPeer;
}

part! { NetworkPolicyEgressRule }

configuration! { NetworkPolicyIngressRule
    list ports "ports" NetworkPolicyPort;
    list from "from" NetworkPolicyPeer;
}

part! { NetworkPolicyIngressRule }

configuration! { NetworkPolicyPeer
    set pod_selector "podSelector" crate::apply::meta::v1::LabelSelector;
    set namespace_selector "namespaceSelector" crate::apply::meta::v1::LabelSelector;
    set ip_block "ipBlock" IPBlock;
}

part! { NetworkPolicyPeer }

configuration! { NetworkPolicyPort
    set protocol "protocol" client_rs_machinery::Str;
    set port "port" client_rs_machinery::IntOrString;
    set end_port "endPort" i32;
}

part! { NetworkPolicyPort }

configuration! { NetworkPolicySpec
    set pod_selector "podSelector" crate::apply::meta::v1::LabelSelector;
    list ingress "ingress" NetworkPolicyIngressRule;
    list egress "egress" NetworkPolicyEgressRule;
    list policy_types "policyTypes" client_rs_machinery::Str;
}

part! { NetworkPolicySpec }

configuration! { ParentReference
    set group "group" client_rs_machinery::Str;
    set resource "resource" client_rs_machinery::Str;
    set namespace "namespace" client_rs_machinery::Str;
    set name "name" client_rs_machinery::Str;
}

part! { ParentReference }

configuration! { ServiceBackendPort
    set name "name" client_rs_machinery::Str;
    set number "number" i32;
}

part! { ServiceBackendPort }

configuration! { ServiceCIDR + metadata
    set spec "spec" ServiceCIDRSpec;
    set status "status" ServiceCIDRStatus;
}

kind! { ServiceCIDR "networking.k8s.io/v1" cluster status client_rs_api::networking::v1::ServiceCIDR }

configuration! { ServiceCIDRSpec
    list cidrs "cidrs" client_rs_machinery::Str;
}

part! { ServiceCIDRSpec }

configuration! { ServiceCIDRStatus
    list conditions "conditions" crate::apply::meta::v1::Condition;
}

part! { ServiceCIDRStatus }
