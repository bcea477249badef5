// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/resource/v1beta1`.

use crate::apply::{configuration, kind, part};

configuration! { AllocatedDeviceStatus
    set driver "driver" client_rs_machinery::Str;
    set pool "pool" client_rs_machinery::Str;
    set device "device" client_rs_machinery::Str;
    set share_id "shareID" client_rs_machinery::Str;
    list conditions "conditions" crate::apply::meta::v1::Condition;
    set data "data" client_rs_machinery::Json;
    set network_data "networkData" NetworkDeviceData;
}

part! { AllocatedDeviceStatus }

configuration! { AllocationResult
    set devices "devices" DeviceAllocationResult;
    set node_selector "nodeSelector" crate::apply::core::v1::NodeSelector;
    set allocation_timestamp "allocationTimestamp" client_rs_machinery::Time;
}

part! { AllocationResult }

configuration! { BasicDevice
    map attributes "attributes" DeviceAttribute;
    map capacity "capacity" DeviceCapacity;
    list consumes_counters "consumesCounters" DeviceCounterConsumption;
    set node_name "nodeName" client_rs_machinery::Str;
    set node_selector "nodeSelector" crate::apply::core::v1::NodeSelector;
    set all_nodes "allNodes" bool;
    list taints "taints" DeviceTaint;
    set binds_to_node "bindsToNode" bool;
    list binding_conditions "bindingConditions" client_rs_machinery::Str;
    list binding_failure_conditions "bindingFailureConditions" client_rs_machinery::Str;
    set allow_multiple_allocations "allowMultipleAllocations" bool;
    map node_allocatable_resources "nodeAllocatableResources" NodeAllocatableResource;
}

part! { BasicDevice }

configuration! { CELDeviceSelector
    set expression "expression" client_rs_machinery::Str;
}

part! { CELDeviceSelector }

configuration! { CapacityRequestPolicy
    set default "default" client_rs_machinery::Quantity;
    list valid_values "validValues" client_rs_machinery::Quantity;
    set valid_range "validRange" CapacityRequestPolicyRange;
}

part! { CapacityRequestPolicy }

configuration! { CapacityRequestPolicyRange
    set min "min" client_rs_machinery::Quantity;
    set max "max" client_rs_machinery::Quantity;
    set step "step" client_rs_machinery::Quantity;
}

part! { CapacityRequestPolicyRange }

configuration! { CapacityRequirements
    map requests "requests" client_rs_machinery::Quantity;
}

part! { CapacityRequirements }

configuration! { Counter
    set value "value" client_rs_machinery::Quantity;
}

part! { Counter }

configuration! { CounterSet
    set name "name" client_rs_machinery::Str;
    map counters "counters" Counter;
}

part! { CounterSet }

configuration! { Device
    set name "name" client_rs_machinery::Str;
    set basic "basic" BasicDevice;
}

part! { Device }

configuration! { DeviceAllocationConfiguration
    set source "source" client_rs_machinery::Str;
    list requests "requests" client_rs_machinery::Str;
    set opaque "opaque" OpaqueDeviceConfiguration;
}

part! { DeviceAllocationConfiguration }

configuration! { DeviceAllocationResult
    list results "results" DeviceRequestAllocationResult;
    list config "config" DeviceAllocationConfiguration;
}

part! { DeviceAllocationResult }

configuration! { DeviceAttribute
    set int "int" i64;
    set bool "bool" bool;
    set string "string" client_rs_machinery::Str;
    set version "version" client_rs_machinery::Str;
    list ints "ints" i64;
    list bools "bools" bool;
    list strings "strings" client_rs_machinery::Str;
    list versions "versions" client_rs_machinery::Str;
}

part! { DeviceAttribute }

configuration! { DeviceCapacity
    set value "value" client_rs_machinery::Quantity;
    set request_policy "requestPolicy" CapacityRequestPolicy;
}

part! { DeviceCapacity }

configuration! { DeviceClaim
    list requests "requests" DeviceRequest;
    list constraints "constraints" DeviceConstraint;
    list config "config" DeviceClaimConfiguration;
}

part! { DeviceClaim }

configuration! { DeviceClaimConfiguration
    list requests "requests" client_rs_machinery::Str;
    set opaque "opaque" OpaqueDeviceConfiguration;
}

part! { DeviceClaimConfiguration }

configuration! { DeviceClass + metadata
    set spec "spec" DeviceClassSpec;
}

kind! { DeviceClass "resource.k8s.io/v1beta1" cluster stateless client_rs_api::resource::v1beta1::DeviceClass }

configuration! { DeviceClassConfiguration
    set opaque "opaque" OpaqueDeviceConfiguration;
}

part! { DeviceClassConfiguration }

configuration! { DeviceClassSpec
    list selectors "selectors" DeviceSelector;
    list config "config" DeviceClassConfiguration;
    set extended_resource_name "extendedResourceName" client_rs_machinery::Str;
}

part! { DeviceClassSpec }

configuration! { DeviceConstraint
    list requests "requests" client_rs_machinery::Str;
    set match_attribute "matchAttribute" client_rs_machinery::Str;
    set distinct_attribute "distinctAttribute" client_rs_machinery::Str;
}

part! { DeviceConstraint }

configuration! { DeviceCounterConsumption
    set counter_set "counterSet" client_rs_machinery::Str;
    map counters "counters" Counter;
    list compatibility_groups "compatibilityGroups" client_rs_machinery::Str;
}

part! { DeviceCounterConsumption }

configuration! { DeviceDerivedAttribute
    set name "name" client_rs_machinery::Str;
    set expression "expression" client_rs_machinery::Str;
}

part! { DeviceDerivedAttribute }

configuration! { DeviceRequest
    set name "name" client_rs_machinery::Str;
    set device_class_name "deviceClassName" client_rs_machinery::Str;
    list selectors "selectors" DeviceSelector;
    set allocation_mode "allocationMode" client_rs_machinery::Str;
    set count "count" i64;
    set admin_access "adminAccess" bool;
    list first_available "firstAvailable" DeviceSubRequest;
    list tolerations "tolerations" DeviceToleration;
    set capacity "capacity" CapacityRequirements;
    list derived_attributes "derivedAttributes" DeviceDerivedAttribute;
}

part! { DeviceRequest }

configuration! { DeviceRequestAllocationResult
    set request "request" client_rs_machinery::Str;
    set driver "driver" client_rs_machinery::Str;
    set pool "pool" client_rs_machinery::Str;
    set device "device" client_rs_machinery::Str;
    set admin_access "adminAccess" bool;
    list tolerations "tolerations" DeviceToleration;
    list binding_conditions "bindingConditions" client_rs_machinery::Str;
    list binding_failure_conditions "bindingFailureConditions" client_rs_machinery::Str;
    set share_id "shareID" client_rs_machinery::Str;
    map consumed_capacity "consumedCapacity" client_rs_machinery::Quantity;
    list skip_node_operations "skipNodeOperations" client_rs_machinery::Str;
}

part! { DeviceRequestAllocationResult }

configuration! { DeviceSelector
    set cel "cel" CELDeviceSelector;
}

part! { DeviceSelector }

configuration! { DeviceSubRequest
    set name "name" client_rs_machinery::Str;
    set device_class_name "deviceClassName" client_rs_machinery::Str;
    list selectors "selectors" DeviceSelector;
    set allocation_mode "allocationMode" client_rs_machinery::Str;
    set count "count" i64;
    list tolerations "tolerations" DeviceToleration;
    set capacity "capacity" CapacityRequirements;
    list derived_attributes "derivedAttributes" DeviceDerivedAttribute;
}

part! { DeviceSubRequest }

configuration! { DeviceTaint
    set key "key" client_rs_machinery::Str;
    set value "value" client_rs_machinery::Str;
    set effect "effect" client_rs_machinery::Str;
    set time_added "timeAdded" client_rs_machinery::Time;
}

part! { DeviceTaint }

configuration! { DeviceToleration
    set key "key" client_rs_machinery::Str;
    set operator "operator" client_rs_machinery::Str;
    set value "value" client_rs_machinery::Str;
    set effect "effect" client_rs_machinery::Str;
    set toleration_seconds "tolerationSeconds" i64;
}

part! { DeviceToleration }

configuration! { NetworkDeviceData
    set interface_name "interfaceName" client_rs_machinery::Str;
    list ips "ips" client_rs_machinery::Str;
    set hardware_address "hardwareAddress" client_rs_machinery::Str;
}

part! { NetworkDeviceData }

configuration! { NodeAllocatableMapping
    set capacity_key "capacityKey" client_rs_machinery::Str;
    set capacity_multiplier "capacityMultiplier" client_rs_machinery::Quantity;
    set device_multiplier "deviceMultiplier" client_rs_machinery::Quantity;
}

part! { NodeAllocatableMapping }

configuration! { NodeAllocatableOverhead
    set per_pod "perPod" client_rs_machinery::Quantity;
    set per_container "perContainer" client_rs_machinery::Quantity;
}

part! { NodeAllocatableOverhead }

configuration! { NodeAllocatableResource
    set mapping "mapping" NodeAllocatableMapping;
    set overhead "overhead" NodeAllocatableOverhead;
}

part! { NodeAllocatableResource }

configuration! { OpaqueDeviceConfiguration
    set driver "driver" client_rs_machinery::Str;
    set parameters "parameters" client_rs_machinery::Json;
}

part! { OpaqueDeviceConfiguration }

configuration! { ResourceClaim + metadata
    set spec "spec" ResourceClaimSpec;
    set status "status" ResourceClaimStatus;
}

kind! { ResourceClaim "resource.k8s.io/v1beta1" namespaced status client_rs_api::resource::v1beta1::ResourceClaim }

configuration! { ResourceClaimConsumerReference
    set api_group "apiGroup" client_rs_machinery::Str;
    set resource "resource" client_rs_machinery::Str;
    set name "name" client_rs_machinery::Str;
    set uid "uid" client_rs_machinery::Str;
}

part! { ResourceClaimConsumerReference }

configuration! { ResourceClaimSpec
    set devices "devices" DeviceClaim;
}

part! { ResourceClaimSpec }

configuration! { ResourceClaimStatus
    set allocation "allocation" AllocationResult;
    list reserved_for "reservedFor" ResourceClaimConsumerReference;
    list devices "devices" AllocatedDeviceStatus;
}

part! { ResourceClaimStatus }

configuration! { ResourceClaimTemplate + metadata
    set spec "spec" ResourceClaimTemplateSpec;
}

kind! { ResourceClaimTemplate "resource.k8s.io/v1beta1" namespaced stateless client_rs_api::resource::v1beta1::ResourceClaimTemplate }

configuration! { ResourceClaimTemplateSpec + metadata
    set spec "spec" ResourceClaimSpec;
}

part! { ResourceClaimTemplateSpec }

configuration! { ResourcePool
    set name "name" client_rs_machinery::Str;
    set generation "generation" i64;
    set resource_slice_count "resourceSliceCount" i64;
}

part! { ResourcePool }

configuration! { ResourceSlice + metadata
    set spec "spec" ResourceSliceSpec;
}

kind! { ResourceSlice "resource.k8s.io/v1beta1" cluster stateless client_rs_api::resource::v1beta1::ResourceSlice }

configuration! { ResourceSliceSpec
    set driver "driver" client_rs_machinery::Str;
    set pool "pool" ResourcePool;
    set node_name "nodeName" client_rs_machinery::Str;
    set node_selector "nodeSelector" crate::apply::core::v1::NodeSelector;
    set all_nodes "allNodes" bool;
    list devices "devices" Device;
    set per_device_node_selection "perDeviceNodeSelection" bool;
    list shared_counters "sharedCounters" CounterSet;
    set partition_type_attribute "partitionTypeAttribute" client_rs_machinery::Str;
    list skip_node_operations "skipNodeOperations" client_rs_machinery::Str;
}

part! { ResourceSliceSpec }
