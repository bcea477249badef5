// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/resource/v1alpha3`.

use crate::apply::{configuration, kind, part};

configuration! { DeviceTaint
    set key "key" client_rs_machinery::Str;
    set value "value" client_rs_machinery::Str;
    set effect "effect" client_rs_machinery::Str;
    set time_added "timeAdded" client_rs_machinery::Time;
}

part! { DeviceTaint }

configuration! { DeviceTaintRule + metadata
    set spec "spec" DeviceTaintRuleSpec;
    set status "status" DeviceTaintRuleStatus;
}

kind! { DeviceTaintRule "resource.k8s.io/v1alpha3" cluster status client_rs_api::resource::v1alpha3::DeviceTaintRule }

configuration! { DeviceTaintRuleSpec
    set device_selector "deviceSelector" DeviceTaintSelector;
    set taint "taint" DeviceTaint;
}

part! { DeviceTaintRuleSpec }

configuration! { DeviceTaintRuleStatus
    list conditions "conditions" crate::apply::meta::v1::Condition;
}

part! { DeviceTaintRuleStatus }

configuration! { DeviceTaintSelector
    set driver "driver" client_rs_machinery::Str;
    set pool "pool" client_rs_machinery::Str;
    set device "device" client_rs_machinery::Str;
}

part! { DeviceTaintSelector }

configuration! { PartitionTypeStatus
    set attribute "attribute" client_rs_machinery::Str;
    set type_ "type" client_rs_machinery::Str;
    set total "total" i32;
    set allocatable "allocatable" i32;
}

part! { PartitionTypeStatus }

configuration! { PoolStatus
    set driver "driver" client_rs_machinery::Str;
    set pool_name "poolName" client_rs_machinery::Str;
    set generation "generation" i64;
    set resource_slice_count "resourceSliceCount" i32;
    set total_devices "totalDevices" i32;
    set allocated_devices "allocatedDevices" i32;
    set available_devices "availableDevices" i32;
    set unavailable_devices "unavailableDevices" i32;
    set node_name "nodeName" client_rs_machinery::Str;
    set validation_error "validationError" client_rs_machinery::Str;
    list partition_summary "partitionSummary" PartitionTypeStatus;
    set shareable_summary "shareableSummary" ShareableSummaryStatus;
}

part! { PoolStatus }

configuration! { ResourcePoolStatusRequest + metadata
    set spec "spec" ResourcePoolStatusRequestSpec;
    set status "status" ResourcePoolStatusRequestStatus;
}

kind! { ResourcePoolStatusRequest "resource.k8s.io/v1alpha3" cluster status client_rs_api::resource::v1alpha3::ResourcePoolStatusRequest }

configuration! { ResourcePoolStatusRequestSpec
    set driver "driver" client_rs_machinery::Str;
    set pool_name "poolName" client_rs_machinery::Str;
    set limit "limit" i32;
    set default_partition_type_attribute "defaultPartitionTypeAttribute" client_rs_machinery::Str;
}

part! { ResourcePoolStatusRequestSpec }

configuration! { ResourcePoolStatusRequestStatus
    set pool_count "poolCount" i32;
    list pools "pools" PoolStatus;
    list conditions "conditions" crate::apply::meta::v1::Condition;
}

part! { ResourcePoolStatusRequestStatus }

configuration! { ShareableCapacityStatus
    set name "name" client_rs_machinery::Str;
    set total "total" client_rs_machinery::Quantity;
    set consumed "consumed" client_rs_machinery::Quantity;
    set available "available" client_rs_machinery::Quantity;
}

part! { ShareableCapacityStatus }

configuration! { ShareableSummaryStatus
    set fully_available_devices "fullyAvailableDevices" i32;
    set partially_available_devices "partiallyAvailableDevices" i32;
    list capacity "capacity" ShareableCapacityStatus;
}

part! { ShareableSummaryStatus }
