package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

// How long the informers are left alone before they are observed, and how long they are observed while nothing happens.
const settle, idle = 15 * time.Second, 20 * time.Second

// many runs one informer for each namespace, each with a handler, and prints what they cost until they are synced and
// then while nothing happens.
func many(kubeconfig, format string, resource schema.GroupVersionResource, namespaces, objects int) error {
	clients, err := connect(kubeconfig, format)
	if err != nil {
		return err
	}
	start, before := time.Now(), heapAlloc()
	var all []cache.SharedIndexInformer
	var synced []cache.InformerSynced
	for number := range namespaces {
		factory := informers.NewSharedInformerFactoryWithOptions(clients, 0, informers.WithNamespace(fmt.Sprintf("n-%d", number)))
		generic, err := factory.ForResource(resource)
		if err != nil {
			return err
		}
		registration, err := generic.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{})
		if err != nil {
			return err
		}
		factory.StartWithContext(context.Background())
		all, synced = append(all, generic.Informer()), append(synced, registration.HasSynced)
	}
	for _, synced := range synced {
		for !synced() {
			time.Sleep(time.Millisecond)
		}
	}
	wall, found := time.Since(start), 0
	for _, informer := range all {
		found += len(informer.GetStore().ListKeys())
	}
	if found != objects {
		return fmt.Errorf("%d objects in the caches", found)
	}
	time.Sleep(pause)
	line := map[string]any{
		"phase": "synced", "wall_ms": millis(wall), "cpu_ms": millis(cpuTime()), "peak_mb": peakResident(),
		"heap_bytes": heapAlloc() - before, "connections": connections(),
	}
	time.Sleep(settle)
	cpu := cpuTime()
	time.Sleep(idle)
	line["idle_us_a_second"] = float64((cpuTime() - cpu).Microseconds()) / idle.Seconds()
	runtime.KeepAlive(all)
	return json.NewEncoder(os.Stdout).Encode(line)
}

// connections returns the number of open TCP connections.
func connections() int {
	numbers := map[string]bool{}
	for _, table := range []string{"tcp", "tcp6"} {
		text, err := os.ReadFile("/proc/self/net/" + table)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			// The tenth column is the number of the socket.
			if fields := strings.Fields(line); len(fields) > 9 {
				numbers["socket:["+fields[9]+"]"] = true
			}
		}
	}
	entries, err := os.ReadDir("/proc/self/fd")
	must(err)
	count := 0
	for _, entry := range entries {
		if target, err := os.Readlink("/proc/self/fd/" + entry.Name()); err == nil && numbers[target] {
			count++
		}
	}
	return count
}
