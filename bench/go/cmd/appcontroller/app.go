package main

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var groupVersion = schema.GroupVersion{Group: "bench.client-rs.dev", Version: "v1"}

// App is the custom resource. bench/controller/src/lib.rs defines it.
type App struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              AppSpec   `json:"spec"`
	Status            AppStatus `json:"status,omitzero"`
}

// AppSpec is the desired state of an App.
type AppSpec struct {
	Replicas int32  `json:"replicas"`
	Message  string `json:"message"`
}

// AppStatus is the observed state of an App.
type AppStatus struct {
	ObservedGeneration int64  `json:"observedGeneration"`
	Message            string `json:"message"`
	Ready              bool   `json:"ready"`
}

// AppList is a list of Apps.
type AppList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []App `json:"items"`
}

// DeepCopyInto copies an App: spec and status hold no pointers.
func (in *App) DeepCopyInto(out *App) {
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
}

// DeepCopyObject implements runtime.Object.
func (in *App) DeepCopyObject() runtime.Object {
	out := new(App)
	in.DeepCopyInto(out)
	return out
}

// DeepCopyObject implements runtime.Object.
func (in *AppList) DeepCopyObject() runtime.Object {
	out := &AppList{TypeMeta: in.TypeMeta, Items: make([]App, len(in.Items))}
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	for at := range in.Items {
		in.Items[at].DeepCopyInto(&out.Items[at])
	}
	return out
}

func addToScheme(scheme *runtime.Scheme) {
	scheme.AddKnownTypes(groupVersion, &App{}, &AppList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
}

func data(app *App) map[string]string {
	return map[string]string{"message": app.Spec.Message, "replicas": strconv.Itoa(int(app.Spec.Replicas))}
}

func selector(app *App) map[string]string {
	return map[string]string{"app": app.Name}
}

func ports() []corev1.ServicePort {
	return []corev1.ServicePort{{Name: "http", Port: 80, TargetPort: intstr.FromInt32(8080)}}
}

// samePorts compares the fields that ports sets. The server adds others.
func samePorts(existing, desired []corev1.ServicePort) bool {
	if len(existing) != len(desired) {
		return false
	}
	for at := range desired {
		a, b := existing[at], desired[at]
		if a.Name != b.Name || a.Port != b.Port || a.TargetPort != b.TargetPort {
			return false
		}
	}
	return true
}
