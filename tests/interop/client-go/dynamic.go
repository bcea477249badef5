package main

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/scale"
)

var dynamicChecks = []check{
	{"dynamic create, get, patch, delete", dynamicLifecycle},
	{"dynamic apply", dynamicApply},
	{"dynamic list keeps kinds", dynamicList},
	{"metadata get and list", metadataOnly},
	{"rest mapper and scale client", mapperAndScale},
}

var configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}

func unstructuredMap(name string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{"name": name},
		"data":     map[string]any{"a": "1"},
	}}
}

func dynamicLifecycle(ctx context.Context, stage *stage) error {
	api := stage.dynamic.Resource(configMaps).Namespace(namespace)
	if _, err := api.Create(ctx, unstructuredMap("any"), metav1.CreateOptions{}); err != nil {
		return err
	}
	patched, err := api.Patch(ctx, "any", types.MergePatchType, []byte(`{"data":{"b":"2"}}`), metav1.PatchOptions{})
	if err != nil {
		return err
	}
	data, _, err := unstructured.NestedStringMap(patched.Object, "data")
	if err != nil || len(data) != 2 {
		return fmt.Errorf("%v, %v", data, err)
	}
	if err := api.Delete(ctx, "any", metav1.DeleteOptions{}); err != nil {
		return err
	}
	_, err = api.Get(ctx, "any", metav1.GetOptions{})
	return expect(apierrors.IsNotFound(err), "after the delete: %v", err)
}

func dynamicApply(ctx context.Context, stage *stage) error {
	api := stage.dynamic.Resource(configMaps).Namespace(namespace)
	applied, err := api.Apply(ctx, "any-applied", unstructuredMap("any-applied"), metav1.ApplyOptions{FieldManager: "dynamic"})
	if err != nil {
		return err
	}
	fields := applied.GetManagedFields()
	return expect(len(fields) == 1 && fields[0].Manager == "dynamic", "%v", fields)
}

func dynamicList(ctx context.Context, stage *stage) error {
	list, err := stage.dynamic.Resource(configMaps).Namespace(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	return expect(list.GetKind() == "ConfigMapList" && len(list.Items) > 0 && list.Items[0].GetKind() == "ConfigMap",
		"%s of %d", list.GetKind(), len(list.Items))
}

func metadataOnly(ctx context.Context, stage *stage) error {
	api := stage.metadata.Resource(configMaps).Namespace(namespace)
	list, err := api.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	if err := expect(len(list.Items) > 0, "none"); err != nil {
		return err
	}
	one, err := api.Get(ctx, list.Items[0].Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	return expect(one.UID == list.Items[0].UID && one.UID != "", "%v", one)
}

func mapperAndScale(ctx context.Context, stage *stage) error {
	discovered, err := discovery.NewDiscoveryClientForConfig(stage.config)
	if err != nil {
		return err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(discovered))
	mapping, err := mapper.RESTMapping(schema.GroupKind{Group: "apps", Kind: "Deployment"})
	if err != nil {
		return err
	}
	scales, err := scale.NewForConfig(stage.config, mapper, dynamic.LegacyAPIPathResolverFunc,
		scale.NewDiscoveryScaleKindResolver(discovered))
	if err != nil {
		return err
	}
	found, err := scales.Scales(namespace).Get(ctx, mapping.Resource.GroupResource(), "web", metav1.GetOptions{})
	if err != nil {
		return err
	}
	return expect(found.Spec.Replicas == 4, "%d replicas", found.Spec.Replicas)
}
