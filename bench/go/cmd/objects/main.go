// Command objects measures the cost of client-go's typed objects: live heap per object, and the time to decode one.
//
// It makes one measurement and prints one line of JSON, so that its heap contains no data of another measurement.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	kjson "sigs.k8s.io/json"

	"client-rs.example/bench/internal/records"
)

func main() {
	dir := flag.String("dir", ".", "where the pods are")
	format := flag.String("format", "protobuf", "protobuf or json")
	strip := flag.Bool("strip", false, "leave out managedFields, as a transform does")
	flag.Parse()
	if err := run(*dir, *format, *strip); err != nil {
		log.Fatal(err)
	}
}

func run(dir, format string, strip bool) error {
	name, decode := "pods.pb", func(record []byte, pod *corev1.Pod) error { return pod.Unmarshal(record) }
	if format == "json" {
		// client-go's JSON serializer makes the same call for a typed object.
		name, decode = "pods.json", func(record []byte, pod *corev1.Pod) error {
			return kjson.UnmarshalCaseSensitivePreserveInts(record, pod)
		}
	}
	input, err := records.Read(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	pods := make([]*corev1.Pod, len(input))
	// The first decode of a type builds its tables.
	if err := decode(input[0], &corev1.Pod{}); err != nil {
		return err
	}
	heap, cpu, wall := heapAlloc(), cpuTime(), time.Now()
	for i, record := range input {
		pod := &corev1.Pod{}
		if err := decode(record, pod); err != nil {
			return err
		}
		if strip {
			pod.ManagedFields = nil
		}
		pods[i] = pod
	}
	elapsed, used := time.Since(wall), cpuTime()-cpu
	heap = heapAlloc() - heap
	n := float64(len(pods))
	err = json.NewEncoder(os.Stdout).Encode(map[string]float64{
		"heap": float64(heap) / n, "decode_us": used.Seconds() * 1e6 / n, "wall_us": elapsed.Seconds() * 1e6 / n,
	})
	runtime.KeepAlive(pods)
	runtime.KeepAlive(input)
	return err
}

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
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(fmt.Sprint("getrusage: ", err))
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
