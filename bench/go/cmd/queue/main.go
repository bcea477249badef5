// The client-go side of `cargo xtask bench queue`: one scenario a process, one line of JSON on stdout.
//
// The Rust side (bench/queue) does the same work over the same keys; change both together.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/bits"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"

	"k8s.io/client-go/util/workqueue"
)

type result struct {
	WallSeconds  float64 `json:"wall_seconds"`
	CPUSeconds   float64 `json:"cpu_seconds"`
	Processed    uint64  `json:"processed"`
	DistinctKeys uint64  `json:"distinct_keys"`
	BytesAnItem  float64 `json:"bytes_an_item"`
}

func main() {
	scenario := flag.String("scenario", "distinct", "distinct, repeated, delayed or memory")
	width := flag.Int("width", 1, "producers, and as many workers")
	adds := flag.Int("adds", 1_000_000, "how many adds in all")
	keys := flag.Int("keys", 1_000_000, "over how many keys")
	flag.Parse()

	names := make([]string, *keys)
	for i := range names {
		names[i] = fmt.Sprintf("namespace-%03d/object-%07d", i%500, i)
	}
	runtime.GC()

	var out result
	switch *scenario {
	case "distinct", "repeated":
		out = through(names, *adds, *width)
	case "delayed":
		out = delayed(names, *width)
	case "memory":
		out = memory(names)
	default:
		fmt.Fprintf(os.Stderr, "unknown scenario %q\n", *scenario)
		os.Exit(2)
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// through takes every add from `width` producers to `width` workers.
func through(names []string, adds, width int) result {
	q := workqueue.NewTyped[string]()
	return measured(func() []seen {
		workers := startWorkers(q, len(names), width)
		var producers sync.WaitGroup
		for p := range width {
			producers.Go(func() {
				for i := p * adds / width; i < (p+1)*adds/width; i++ {
					q.Add(names[i%len(names)])
				}
			})
		}
		producers.Wait()
		q.ShutDown()
		return workers()
	})
}

// delayed adds every key with a delay of 1 to 100 ms and waits until all were processed.
func delayed(names []string, width int) result {
	q := workqueue.NewTypedDelayingQueue[string]()
	return measured(func() []seen {
		var left sync.WaitGroup
		left.Add(len(names))
		found := make([]seen, width)
		var workers sync.WaitGroup
		for w := range width {
			found[w] = newSeen(len(names))
			workers.Go(func() {
				for {
					key, stopped := q.Get()
					if stopped {
						return
					}
					found[w].mark(key)
					q.Done(key)
					left.Done()
				}
			})
		}
		for p := range width {
			go func() {
				for i := p * len(names) / width; i < (p+1)*len(names)/width; i++ {
					q.AddAfter(names[i], time.Duration(1+i*7919%100)*time.Millisecond)
				}
			}()
		}
		left.Wait()
		q.ShutDown()
		workers.Wait()
		return found
	})
}

// memory fills the queue and nothing more: live heap an item, the keys themselves not counted.
func memory(names []string) result {
	q := workqueue.NewTyped[string]()
	before := liveHeap()
	for _, name := range names {
		q.Add(name)
	}
	after := liveHeap()
	queued := q.Len()
	runtime.KeepAlive(names)
	return result{
		Processed:    uint64(queued),
		DistinctKeys: uint64(queued),
		BytesAnItem:  (float64(after) - float64(before)) / float64(len(names)),
	}
}

func startWorkers(q workqueue.TypedInterface[string], keys, width int) func() []seen {
	found := make([]seen, width)
	var workers sync.WaitGroup
	for w := range width {
		found[w] = newSeen(keys)
		workers.Go(func() {
			for {
				key, stopped := q.Get()
				if stopped {
					return
				}
				found[w].mark(key)
				q.Done(key)
			}
		})
	}
	return func() []seen {
		workers.Wait()
		return found
	}
}

func measured(work func() []seen) result {
	cpu := cpuTime()
	start := time.Now()
	found := work()
	wall := time.Since(start)
	cpu = cpuTime() - cpu

	var out result
	out.WallSeconds, out.CPUSeconds = wall.Seconds(), cpu.Seconds()
	all := found[0].bits
	for w := range found {
		out.Processed += found[w].processed
		for i, word := range found[w].bits {
			all[i] |= word
		}
	}
	for _, word := range all {
		out.DistinctKeys += uint64(bits.OnesCount64(word))
	}
	return out
}

// seen is what one worker processed: how many, and which keys.
type seen struct {
	processed uint64
	bits      []uint64
	_         [32]byte // a cache line of its own
}

func newSeen(keys int) seen {
	return seen{bits: make([]uint64, (keys+63)/64)}
}

// mark reads the key's number from its last seven digits.
func (s *seen) mark(key string) {
	index := 0
	for i := len(key) - 7; i < len(key); i++ {
		index = index*10 + int(key[i]-'0')
	}
	s.bits[index/64] |= 1 << (index % 64)
	s.processed++
}

func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func liveHeap() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
