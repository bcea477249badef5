package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

var informerChecks = []check{
	{"shared informer syncs and follows", sharedInformer},
	{"informer over every built-in list", everyInformer},
	{"dynamic informer", dynamicInformer},
}

func sharedInformer(ctx context.Context, stage *stage) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	api := stage.clients.CoreV1().ConfigMaps(namespace)
	factory := informers.NewSharedInformerFactoryWithOptions(stage.clients, 0, informers.WithNamespace(namespace))
	informer := factory.Core().V1().ConfigMaps()
	seen := make(chan string, 1000)
	note := func(what string, object any) {
		if held, ok := object.(*corev1.ConfigMap); ok && held.Name == "followed" {
			seen <- what
		}
	}
	_, err := informer.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { note("add", object) },
		UpdateFunc: func(_, object any) { note("update", object) },
		DeleteFunc: func(object any) { note("delete", object) },
	})
	if err != nil {
		return err
	}
	factory.StartWithContext(ctx)
	if !cache.WaitForCacheSync(ctx.Done(), informer.Informer().HasSynced) {
		return fmt.Errorf("it did not sync")
	}
	made, err := api.Create(ctx, configMap("followed", nil), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	made.Data = map[string]string{"a": "1"}
	if _, err := api.Update(ctx, made, metav1.UpdateOptions{}); err != nil {
		return err
	}
	for _, expected := range []string{"add", "update"} {
		if found, err := within(ctx, seen); err != nil || found != expected {
			return fmt.Errorf("%q where %q was expected: %v", found, expected, err)
		}
	}
	held, err := informer.Lister().ConfigMaps(namespace).Get("followed")
	if err != nil || held.Data["a"] != "1" {
		return fmt.Errorf("the lister has %v: %v", held, err)
	}
	if err := api.Delete(ctx, "followed", metav1.DeleteOptions{}); err != nil {
		return err
	}
	found, err := within(ctx, seen)
	if err != nil {
		return err
	}
	return expect(found == "delete", "%q at the end", found)
}

func everyInformer(ctx context.Context, stage *stage) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	factory := informers.NewSharedInformerFactory(stage.clients, 0)
	// One per group, and those with the largest types.
	factory.Core().V1().Pods().Informer()
	factory.Core().V1().Nodes().Informer()
	factory.Core().V1().Namespaces().Informer()
	factory.Core().V1().Services().Informer()
	factory.Core().V1().Secrets().Informer()
	factory.Core().V1().PersistentVolumes().Informer()
	factory.Apps().V1().Deployments().Informer()
	factory.Apps().V1().StatefulSets().Informer()
	factory.Batch().V1().Jobs().Informer()
	factory.Networking().V1().Ingresses().Informer()
	factory.Policy().V1().PodDisruptionBudgets().Informer()
	factory.Rbac().V1().ClusterRoles().Informer()
	factory.Coordination().V1().Leases().Informer()
	factory.Discovery().V1().EndpointSlices().Informer()
	factory.Storage().V1().StorageClasses().Informer()
	factory.Autoscaling().V2().HorizontalPodAutoscalers().Informer()
	factory.Scheduling().V1().PriorityClasses().Informer()
	factory.Admissionregistration().V1().ValidatingWebhookConfigurations().Informer()
	factory.StartWithContext(ctx)
	for kind, synced := range factory.WaitForCacheSync(ctx.Done()) {
		if !synced {
			return fmt.Errorf("%s did not sync", kind)
		}
	}
	found, err := factory.Core().V1().Namespaces().Lister().List(labels.Everything())
	if err != nil {
		return err
	}
	return expect(len(found) > 0, "no namespace")
}

func dynamicInformer(ctx context.Context, stage *stage) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(stage.dynamic, 0, namespace, nil)
	informer := factory.ForResource(configMaps)
	informer.Informer()
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), informer.Informer().HasSynced) {
		return fmt.Errorf("it did not sync")
	}
	found, err := informer.Lister().List(labels.Everything())
	if err != nil {
		return err
	}
	return expect(len(found) > 0, "nothing in the cache")
}
