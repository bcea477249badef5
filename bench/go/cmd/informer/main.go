// The client-go side of `cargo xtask bench informer` and `bench large`: shared informers of all objects of a kind, or of
// each of many namespaces.
//
// It syncs, becomes idle and prints a line. Then it runs its phases and prints a line for each. A phase ends with a
// deletion that notifies every handler. The Rust side (bench/meter) does the same; change both together.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

// How long a client is left alone before it is measured: garbage is collected and buffers are freed meanwhile.
const pause = 300 * time.Millisecond

func main() {
	kubeconfig := flag.String("kubeconfig", "", "how the server is reached")
	objects := flag.Int("objects", 0, "how many objects there are")
	count := flag.Int("handlers", 1, "how many handlers are told")
	blocked := flag.Bool("blocked", false, "the first handler never returns from the first change that it is told")
	phases := flag.String("phases", "", "what comes after the sync, in order: burst, paced, relist")
	format := flag.String("format", "protobuf", "protobuf or json")
	strip := flag.Bool("strip", false, "leave out managedFields, by a transform")
	kind := flag.String("resource", "pods", "the resource to cache")
	namespaces := flag.Int("namespaces", 0, "make this many informers instead, each of one of the namespaces n-0, n-1, …")
	flag.Parse()
	start, before := time.Now(), heapAlloc()
	handlers := newHandlers(*count, *blocked)
	resource, known := resources[*kind]
	if !known {
		must(fmt.Errorf("unknown resource %q", *kind))
	}
	if *namespaces > 0 {
		must(many(*kubeconfig, *format, resource, *namespaces, *objects))
		return
	}
	informer, err := startInformer(*kubeconfig, *format, *strip, resource, handlers)
	must(err)
	wall := time.Since(start)
	if found := len(informer.GetStore().ListKeys()); found != *objects {
		fmt.Fprintln(os.Stderr, found, "objects in the cache")
		os.Exit(1)
	}
	time.Sleep(pause)
	synced := map[string]any{
		"phase": "synced", "wall_ms": millis(wall), "cpu_ms": millis(cpuTime()), "peak_mb": peakResident(),
	}
	synced["heap_bytes"] = heapAlloc() - before
	live(handlers, synced, strings.FieldsFunc(*phases, func(r rune) bool { return r == ',' }))
	runtime.KeepAlive(informer)
}

// The resources that can be cached.
var resources = map[string]schema.GroupVersionResource{
	"ingresses":    networkingv1.SchemeGroupVersion.WithResource("ingresses"),
	"pods":         corev1.SchemeGroupVersion.WithResource("pods"),
	"replicasets":  appsv1.SchemeGroupVersion.WithResource("replicasets"),
	"rolebindings": rbacv1.SchemeGroupVersion.WithResource("rolebindings"),
	"secrets":      corev1.SchemeGroupVersion.WithResource("secrets"),
}

func connect(kubeconfig, format string) (*kubernetes.Clientset, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	accept(config, format)
	// The comparison is about caches, and not about a limit that delays the first lists.
	config.QPS = -1
	return kubernetes.NewForConfig(config)
}

func startInformer(
	kubeconfig, format string, strip bool, resource schema.GroupVersionResource, handlers *handlers,
) (cache.SharedIndexInformer, error) {
	clients, err := connect(kubeconfig, format)
	if err != nil {
		return nil, err
	}
	var options []informers.SharedInformerOption
	if strip {
		options = append(options, informers.WithTransform(func(object any) (any, error) {
			if object, ok := object.(metav1.Object); ok {
				object.SetManagedFields(nil)
			}
			return object, nil
		}))
	}
	factory := informers.NewSharedInformerFactoryWithOptions(clients, 0, options...)
	generic, err := factory.ForResource(resource)
	if err != nil {
		return nil, err
	}
	informer := generic.Informer()
	var synced []cache.InformerSynced
	for number := range handlers.tallies {
		registration, err := informer.AddEventHandler(handlers.handler(number))
		if err != nil {
			return nil, err
		}
		synced = append(synced, registration.HasSynced)
	}
	ctx := context.Background()
	factory.StartWithContext(ctx)
	// WaitForCacheSync looks ten times a second, which is coarser than what is measured.
	for _, synced := range synced {
		for !synced() {
			time.Sleep(time.Millisecond)
		}
	}
	return informer, nil
}

// accept sets the requested format; typed clients without this setting request protobuf.
func accept(config *rest.Config, format string) {
	switch format {
	case "protobuf":
		config.ContentType = "application/vnd.kubernetes.protobuf"
		config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	default:
		config.ContentType, config.AcceptContentTypes = "application/json", "application/json"
	}
}

// Prints the line of the sync, and one for each phase. A line sets the server going, so all must be ready when it is
// printed.
func live(handlers *handlers, line map[string]any, phases []string) {
	out := json.NewEncoder(os.Stdout)
	for _, phase := range phases {
		handlers.noting.Store(phase == "paced")
		var watched *heapWatch
		if phase == "relist" {
			watched = watchHeap()
		}
		cpu := cpuTime()
		must(out.Encode(line))
		handlers.wait()
		end := time.Now().UnixNano()
		line = map[string]any{"phase": phase, "end_ns": end}
		if watched != nil {
			line["steady_bytes"], line["peak_bytes"] = watched.steady, watched.stop()
		}
		time.Sleep(pause)
		line["cpu_ms"], line["peak_mb"] = millis(cpuTime()-cpu), peakResident()
		told, lags := handlers.tally()
		line["told"] = told
		if slices.Sort(lags); len(lags) > 0 {
			line["lag_p50_us"], line["lag_p99_us"] = lags[len(lags)*50/100], lags[len(lags)*99/100]
		}
	}
	must(out.Encode(line))
}

func millis(duration time.Duration) float64 { return duration.Seconds() * 1e3 }

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
