package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Live heap, as the allocator counts it: size classes included.
func heapAlloc() int64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// cpuTime returns the CPU time of the process so far, on all cores, with that of the garbage collector.
func cpuTime() time.Duration {
	usage := rusage()
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// The most memory that was resident so far, in MB. Not getrusage's: that begins with what the parent had.
func peakResident() float64 {
	status, err := os.ReadFile("/proc/self/status")
	must(err)
	for line := range strings.Lines(string(status)) {
		if rest, found := strings.CutPrefix(line, "VmHWM:"); found {
			kib, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 64)
			must(err)
			return kib * 1024 / 1e6
		}
	}
	panic("Linux tells the peak")
}

func rusage() syscall.Rusage {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(fmt.Sprint("getrusage: ", err))
	}
	return usage
}

// heapWatch sees how large the heap becomes, with what is garbage and not collected yet: what is alive is known after a
// collection only, and one that is forced would change what is measured.
type heapWatch struct {
	steady int64
	done   chan struct{}
	peak   chan int64
}

func watchHeap() *heapWatch {
	watch := &heapWatch{steady: heapAlloc(), done: make(chan struct{}), peak: make(chan int64)}
	go func() {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		ticker := time.NewTicker(time.Millisecond)
		var peak int64
		for {
			metrics.Read(sample)
			peak = max(peak, int64(sample[0].Value.Uint64()))
			select {
			case <-ticker.C:
			case <-watch.done:
				watch.peak <- peak
				return
			}
		}
	}()
	return watch
}

// stop returns the peak.
func (w *heapWatch) stop() int64 {
	close(w.done)
	return <-w.peak
}
