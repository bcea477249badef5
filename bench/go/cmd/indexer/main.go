// The client-go side of `cargo xtask bench indexer`: one line of JSON on stdout.
//
// The Rust side (bench/indexer) does the same work over the same objects; change both together.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
)

// Times are nanoseconds an operation.
type outcome struct {
	Add           float64 `json:"add"`
	Update        float64 `json:"update"`
	Get           float64 `json:"get"`
	GetAndRead    float64 `json:"get_and_read"`
	ByIndex       float64 `json:"by_index"`
	List          float64 `json:"list"`
	ReplaceSame   float64 `json:"replace_same"`
	Delete        float64 `json:"delete"`
	BytesAnObject float64 `json:"bytes_an_object"`
}

func main() {
	count := flag.Int("objects", 20_000, "how many objects")
	group := flag.Int("group", 200, "how many share a value of the second index")
	rounds := flag.Int("rounds", 9, "how many rounds; of each number the least counts")
	flag.Parse()
	out := measure(*count, *group)
	for range *rounds - 1 {
		next := measure(*count, *group)
		out = outcome{
			Add:           min(out.Add, next.Add),
			Update:        min(out.Update, next.Update),
			Get:           min(out.Get, next.Get),
			GetAndRead:    min(out.GetAndRead, next.GetAndRead),
			ByIndex:       min(out.ByIndex, next.ByIndex),
			List:          min(out.List, next.List),
			ReplaceSame:   min(out.ReplaceSame, next.ReplaceSame),
			Delete:        min(out.Delete, next.Delete),
			BytesAnObject: min(out.BytesAnObject, next.BytesAnObject),
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func measure(count, group int) outcome {
	var out outcome
	objects := make([]*metav1.PartialObjectMetadata, count)
	newer := make([]*metav1.PartialObjectMetadata, count)
	keys := make([]string, count)
	order := make([]int, count)
	for i := range count {
		objects[i] = object(i, count/group, 1)
		newer[i] = object(i, count/group, 2)
		keys[i] = objects[i].Namespace + "/" + objects[i].Name
		order[i] = i * 7919 % count
	}
	store := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{
		cache.NamespaceIndex: cache.MetaNamespaceIndexFunc,
		"node": func(obj any) ([]string, error) {
			return []string{obj.(*metav1.PartialObjectMetadata).Labels["node"]}, nil
		},
	})
	before := heap()
	out.Add = timed(count, func() {
		for _, i := range order {
			must(store.Add(objects[i]))
		}
	})
	out.BytesAnObject = float64(heap()-before) / float64(count)
	out.Update = timed(count, func() {
		for _, i := range order {
			must(store.Update(newer[i]))
		}
	})
	found := 0
	out.Get = timed(count, func() {
		for _, i := range order {
			if _, ok, _ := store.GetByKey(keys[i]); ok {
				found++
			}
		}
	})
	length := 0
	out.GetAndRead = timed(count, func() {
		for _, i := range order {
			item, _, _ := store.GetByKey(keys[i])
			length += len(item.(*metav1.PartialObjectMetadata).ResourceVersion)
		}
	})
	if length < count {
		panic("versions are missing")
	}
	nodes := make([]string, count/group)
	for i := range nodes {
		nodes[i] = fmt.Sprintf("node-%05d", i)
	}
	out.ByIndex = timed(len(nodes)*10, func() {
		for i := range len(nodes) * 10 {
			items, err := store.ByIndex("node", nodes[i%len(nodes)])
			must(err)
			found += len(items)
		}
	})
	out.List = timed(20, func() {
		for range 20 {
			found += len(store.List())
		}
	})
	list := make([]any, count)
	for i := range list {
		list[i] = newer[i]
	}
	out.ReplaceSame = timed(count, func() { must(store.Replace(list, "9")) })
	out.Delete = timed(count, func() {
		for _, i := range order {
			must(store.Delete(newer[i]))
		}
	})
	if found != count+group*len(nodes)*10+20*count {
		panic("not all was found")
	}
	runtime.KeepAlive(objects)
	return out
}

func timed(operations int, work func()) float64 {
	start := time.Now()
	work()
	return float64(time.Since(start).Nanoseconds()) / float64(operations)
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func object(number, nodes, version int) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		Name:            fmt.Sprintf("deployment-%04d-6f6b679f8f-%06d", number/50, number),
		Namespace:       fmt.Sprintf("namespace-%03d", number%100),
		UID:             types.UID(fmt.Sprintf("00000000-0000-4000-8000-%012d", number)),
		ResourceVersion: fmt.Sprint(version*1_000_000_000 + number),
		Labels:          map[string]string{"node": fmt.Sprintf("node-%05d", number%nodes)},
	}}
}
