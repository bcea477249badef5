// The side of krt in `cargo xtask bench collections --peers`: the same joins on the same objects, with collections that the
// program writes. One line of JSON on stdout.
//
// "controllers" has the objects of krt's own benchmark of that name: each pod with the names of the services that select it.
// "churn" has as many services as pods, each service with the addresses of the pods that it selects; each tenth change moves a
// pod to another service, the others change its address.
//
// Changes are made in bursts, as krt's benchmark does, and a burst is over when its last result was observed. Times are CPU times of
// the process; bytes are those that were ever allocated.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"syscall"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"istio.io/istio/pkg/kube/krt"
)

const burst = 1000

// workload is a pod with the services that select it.
type workload struct {
	krt.Named
	Services []string
	Address  string
}

func (w workload) Equals(other workload) bool {
	return w.Named == other.Named && w.Address == other.Address && slices.Equal(w.Services, other.Services)
}

// route is a service with the addresses of its pods.
type route struct {
	krt.Named
	Addresses []string
}

func (r route) Equals(other route) bool {
	return r.Named == other.Named && slices.Equal(r.Addresses, other.Addresses)
}

// selecting saves krt the reflection that it uses otherwise.
type selecting struct{ *v1.Service }

func (s selecting) GetLabelSelector() map[string]string { return s.Spec.Selector }

func augmented() krt.CollectionOption {
	return krt.WithObjectAugmentation(func(o any) any { return selecting{o.(*v1.Service)} })
}

func pod(name, namespace, app, address string) *v1.Pod {
	return &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace, Labels: map[string]string{"app": app}},
		Spec:       v1.PodSpec{ServiceAccountName: "fake-sa"},
		Status:     v1.PodStatus{Phase: v1.PodRunning, PodIP: address},
	}
}

func service(name, namespace, app string) *v1.Service {
	return &v1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace},
		Spec:       v1.ServiceSpec{Selector: map[string]string{"app": app}},
	}
}

func address(number int) string {
	return fmt.Sprintf("10.%d.%d.%d", number>>16&255, number>>8&255, number&255)
}

func controllers(changes int) map[string]float64 {
	stop := make(chan struct{})
	defer close(stop)
	make1 := func(i, number int) *v1.Pod {
		return pod(fmt.Sprintf("pod-%d", i), fmt.Sprintf("ns-%d", i%2), fmt.Sprintf("app-%d", i%25), address(number))
	}
	var pods []*v1.Pod
	for i := range 1000 {
		pods = append(pods, make1(i, i))
	}
	var services []*v1.Service
	for i := range 50 {
		services = append(services, service(fmt.Sprintf("pod-%d", i), fmt.Sprintf("ns-%d", i%2), fmt.Sprintf("app-%d", i%25)))
	}
	Pods := krt.NewStaticCollection(nil, pods, krt.WithStop(stop))
	Services := krt.NewStaticCollection(nil, services, krt.WithStop(stop), augmented())
	byNamespace := krt.NewNamespaceIndex[*v1.Service](Services)
	Workloads := krt.NewCollection(Pods, func(ctx krt.HandlerContext, p *v1.Pod) *workload {
		found := byNamespace.Fetch(ctx, p.Namespace, krt.FilterSelectsNonEmpty(p.Labels))
		names := make([]string, 0, len(found))
		for _, s := range found {
			names = append(names, s.Name)
		}
		slices.Sort(names)
		return &workload{Named: krt.NewNamed(p), Address: p.Status.PodIP, Services: names}
	}, krt.WithStop(stop))
	Workloads.WaitUntilSynced(stop)
	last := make(chan string, 1)
	want := "" // Written between bursts only.
	Workloads.RegisterBatch(func(events []krt.Event[workload]) {
		for _, event := range events {
			if event.New != nil && event.New.Address == want {
				last <- want
			}
		}
	}, false)
	var list []*v1.Pod
	for n := range changes {
		list = append(list, make1(n%1000, 1000+n))
	}
	result := measure(list, func(some []*v1.Pod) {
		want = some[len(some)-1].Status.PodIP
		for _, p := range some {
			Pods.UpdateObject(p)
		}
		<-last
	})
	for _, w := range Workloads.List() {
		if len(w.Services) != 1 {
			panic(fmt.Sprintf("%v has the services %v", w.Named, w.Services))
		}
	}
	return result
}

func churn(changes, size int) map[string]float64 {
	stop := make(chan struct{})
	defer close(stop)
	namespace := func(i int) string { return fmt.Sprintf("namespace-%03d", i%100) }
	make1 := func(i, app, number int) *v1.Pod {
		return pod(fmt.Sprintf("pod-%07d", i), namespace(i), fmt.Sprintf("app-%d", app), address(number))
	}
	var pods []*v1.Pod
	var services []*v1.Service
	for i := range size {
		pods = append(pods, make1(i, i, i))
		services = append(services, service(fmt.Sprintf("service-%07d", i), namespace(i), fmt.Sprintf("app-%d", i)))
	}
	Pods := krt.NewStaticCollection(nil, pods, krt.WithStop(stop))
	Services := krt.NewStaticCollection(nil, services, krt.WithStop(stop), augmented())
	byNamespace := krt.NewNamespaceIndex[*v1.Pod](Pods)
	Routes := krt.NewCollection(Services, func(ctx krt.HandlerContext, s *v1.Service) *route {
		found := byNamespace.Fetch(ctx, s.Namespace, krt.FilterLabel(s.Spec.Selector))
		addresses := make([]string, 0, len(found))
		for _, p := range found {
			addresses = append(addresses, p.Status.PodIP)
		}
		slices.Sort(addresses)
		return &route{Named: krt.NewNamed(s), Addresses: addresses}
	}, krt.WithStop(stop))
	Routes.WaitUntilSynced(stop)
	last := make(chan string, 1)
	want := "" // Written between bursts only.
	Routes.RegisterBatch(func(events []krt.Event[route]) {
		for _, event := range events {
			if event.New != nil && slices.Contains(event.New.Addresses, want) {
				select {
				case last <- want:
				default:
				}
			}
		}
	}, false)
	// The same changes as on our side: see bench/collections.
	at := make([]*v1.Pod, size)
	copy(at, pods)
	apps := make([]int, size)
	for i := range apps {
		apps[i] = i
	}
	numbers := make([]int, size)
	for i := range numbers {
		numbers[i] = i
	}
	var list []*v1.Pod
	for n := range changes {
		i := n % size
		// The last change of a burst is an address, so that it can be recognized.
		if n%10 == 5 {
			if apps[i] == i {
				apps[i] = (i + 100) % size
			} else {
				apps[i] = i
			}
		} else {
			numbers[i] = size + n
		}
		list = append(list, make1(i, apps[i], numbers[i]))
		at[i] = list[n]
	}
	result := measure(list, func(some []*v1.Pod) {
		want = some[len(some)-1].Status.PodIP
		for _, p := range some {
			Pods.UpdateObject(p)
		}
		<-last
		select {
		case <-last:
		default:
		}
	})
	expected := map[string][]string{}
	for i, p := range at {
		key := fmt.Sprintf("%s/service-%07d", namespace(i), apps[i])
		expected[key] = append(expected[key], p.Status.PodIP)
	}
	for _, r := range Routes.List() {
		addresses := expected[r.Named.Namespace+"/"+r.Named.Name]
		slices.Sort(addresses)
		if !slices.Equal(addresses, r.Addresses) {
			panic(fmt.Sprintf("%v has the addresses %v, not %v", r.Named, r.Addresses, addresses))
		}
	}
	return result
}

func measure(list []*v1.Pod, change func([]*v1.Pod)) map[string]float64 {
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cpu, wall := cpuTime(), time.Now()
	for some := range slices.Chunk(list, burst) {
		change(some)
	}
	spent, elapsed := cpuTime()-cpu, time.Since(wall)
	runtime.ReadMemStats(&after)
	count := float64(len(list))
	return map[string]float64{
		"ns_a_change":      float64(spent.Nanoseconds()) / count,
		"wall_ns_a_change": float64(elapsed.Nanoseconds()) / count,
		"bytes_a_change":   float64(after.TotalAlloc-before.TotalAlloc) / count,
	}
}

func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func main() {
	scenario := flag.String("scenario", "controllers", "controllers or churn")
	changes := flag.Int("changes", 20_000, "how many changes, a multiple of 1000")
	size := flag.Int("size", 10_000, "how many services and pods of churn")
	flag.Parse()
	var result map[string]float64
	switch *scenario {
	case "controllers":
		result = controllers(*changes)
	case "churn":
		result = churn(*changes, *size)
	default:
		fmt.Fprintln(os.Stderr, "no such scenario")
		os.Exit(2)
	}
	out, err := json.Marshal(result)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(out))
}
