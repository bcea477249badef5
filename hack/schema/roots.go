package main

import (
	"reflect"

	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	apidiscoveryv2 "k8s.io/api/apidiscovery/v2"
	apidiscoveryv2beta1 "k8s.io/api/apidiscovery/v2beta1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	imagepolicyv1alpha1 "k8s.io/api/imagepolicy/v1alpha1"
	resourcev1alpha3 "k8s.io/api/resource/v1alpha3"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1beta1 "k8s.io/apimachinery/pkg/apis/meta/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	apiregistrationv1beta1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1beta1"
	custommetricsv1beta1 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta1"
	custommetricsv1beta2 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalmetricsv1beta1 "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	metricsv1 "k8s.io/metrics/pkg/apis/metrics/v1"
	metricsv1alpha1 "k8s.io/metrics/pkg/apis/metrics/v1alpha1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// newScheme holds every kind that the schema starts from: what client-go registers, and what it leaves out.
func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientscheme.AddToScheme,
		admissionv1.AddToScheme,
		admissionv1beta1.AddToScheme,
		apidiscoveryv2.AddToScheme,
		apidiscoveryv2beta1.AddToScheme,
		imagepolicyv1alpha1.AddToScheme,
		apiextensionsv1.AddToScheme,
		apiextensionsv1beta1.AddToScheme,
		apiregistrationv1.AddToScheme,
		apiregistrationv1beta1.AddToScheme,
		metricsv1.AddToScheme,
		metricsv1beta1.AddToScheme,
		metricsv1alpha1.AddToScheme,
		custommetricsv1beta1.AddToScheme,
		custommetricsv1beta2.AddToScheme,
		externalmetricsv1beta1.AddToScheme,
		metav1.AddMetaToScheme,
		metav1beta1.AddMetaToScheme,
	} {
		utilruntime.Must(add(scheme))
	}
	metav1.AddToGroupVersion(scheme, metav1.Unversioned)
	return scheme
}

// unregistered are the published messages that no registered kind refers to.
var unregistered = []reflect.Type{
	reflect.TypeFor[metav1.APIGroup](),
	reflect.TypeFor[metav1.APIGroupList](),
	reflect.TypeFor[metav1.APIResource](),
	reflect.TypeFor[metav1.APIResourceList](),
	reflect.TypeFor[metav1.APIVersions](),
	reflect.TypeFor[metav1.ApplyOptions](),
	reflect.TypeFor[metav1.Condition](),
	reflect.TypeFor[metav1.FieldSelectorRequirement](),
	reflect.TypeFor[metav1.GroupKind](),
	reflect.TypeFor[metav1.GroupResource](),
	reflect.TypeFor[metav1.GroupVersion](),
	reflect.TypeFor[metav1.GroupVersionForDiscovery](),
	reflect.TypeFor[metav1.GroupVersionKind](),
	reflect.TypeFor[metav1.GroupVersionResource](),
	reflect.TypeFor[metav1.LabelSelector](),
	reflect.TypeFor[metav1.List](),
	reflect.TypeFor[metav1.ObjectMeta](),
	reflect.TypeFor[metav1.PartialObjectMetadata](),
	reflect.TypeFor[metav1.PartialObjectMetadataList](),
	reflect.TypeFor[metav1.Patch](),
	reflect.TypeFor[metav1.RootPaths](),
	reflect.TypeFor[metav1.Table](),
	reflect.TypeFor[metav1.TableOptions](),
	reflect.TypeFor[metav1.TypeMeta](),
	reflect.TypeFor[metav1.WatchEvent](),
	reflect.TypeFor[runtime.TypeMeta](),
	reflect.TypeFor[autoscalingv1.HorizontalPodAutoscalerCondition](),
	reflect.TypeFor[autoscalingv1.MetricSpec](),
	reflect.TypeFor[autoscalingv1.MetricStatus](),
	reflect.TypeFor[corev1.AvoidPods](),
	reflect.TypeFor[corev1.Preconditions](),
	reflect.TypeFor[resourcev1alpha3.DeviceSelector](),
	reflect.TypeFor[schedulingv1alpha3.WorkloadCompositePodGroupDisruptionMode](),
	reflect.TypeFor[schedulingv1alpha3.WorkloadCompositePodGroupSchedulingConstraints](),
	reflect.TypeFor[schedulingv1alpha3.WorkloadCompositePodGroupSchedulingPolicy](),
}
