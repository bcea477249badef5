// README's controller with client-go, for `cargo xtask bench build`: a cache of all pods, a queue of keys, and a worker
// that prints the phase of each pod that has changed.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/workqueue"
)

type queue = workqueue.TypedRateLimitingInterface[cache.ObjectName]

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{}).ClientConfig()
	if err != nil {
		return err
	}
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(clients, 0)
	pods := factory.Core().V1().Pods()
	keys := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName]())
	enqueue := func(object any) {
		if key, err := cache.DeletionHandlingObjectToName(object); err == nil {
			keys.Add(key)
		}
	}
	registration, err := pods.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    enqueue,
		UpdateFunc: func(_, object any) { enqueue(object) },
		DeleteFunc: enqueue,
	})
	if err != nil {
		return err
	}
	lister := pods.Lister()
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), registration.HasSynced) {
		return ctx.Err()
	}
	context.AfterFunc(ctx, keys.ShutDown)
	work(keys, lister)
	return nil
}

func work(keys queue, lister corelisters.PodLister) {
	for {
		key, ended := keys.Get()
		if ended {
			return
		}
		if err := reconcile(key, lister); err != nil {
			fmt.Fprintln(os.Stderr, err)
			keys.AddRateLimited(key)
		} else {
			keys.Forget(key)
		}
		keys.Done(key)
	}
}

func reconcile(key cache.ObjectName, lister corelisters.PodLister) error {
	pod, err := lister.Pods(key.Namespace).Get(key.Name)
	switch {
	case errors.IsNotFound(err):
		fmt.Println(key, "is gone")
	case err != nil:
		return err
	default:
		fmt.Println(key, "is", pod.Status.Phase)
	}
	return nil
}
