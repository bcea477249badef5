// Command pods writes the pods that the benchmarks decode: the same for every peer, and for a seed always the same.
//
// Four files of length-prefixed records (see internal/records), a pod each, in the same order:
//
//	pods.pb, pods.json        as a list would bring them
//	updated.pb, updated.json  the same after an update of their status alone
//
// Protobuf is a bare Pod message, without the API server's envelope; JSON is a Pod with kind and apiVersion, compact.
// Both come from the API server's own encoders.
//
// With -kind it writes objects of another kind instead (see kinds.go), and no update of them: objects.pb, objects.json.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"

	"client-rs.example/bench/internal/records"
)

func main() {
	pods := flag.Int("pods", 20_000, "how many")
	seed := flag.Uint64("seed", 1, "of the random parts")
	dir := flag.String("dir", ".", "where the files go")
	kind := flag.String("kind", "", "the resource to write, such as secrets; pods with their updates if it is not set")
	flag.Parse()
	write := run
	if *kind != "" {
		write = func(count int, seed uint64, dir string) error { return runKind(*kind, count, seed, dir) }
	}
	if err := write(*pods, *seed, *dir); err != nil {
		log.Fatal(err)
	}
}

func run(count int, seed uint64, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	before, err := create(dir, "pods")
	if err != nil {
		return err
	}
	after, err := create(dir, "updated")
	if err != nil {
		return err
	}
	cluster := newCluster(rand.New(rand.NewPCG(seed, 0)), count)
	managed := 0
	for range count {
		pod := cluster.pod()
		if err := before.write(pod); err != nil {
			return err
		}
		entries, err := json.Marshal(pod.ManagedFields)
		if err != nil {
			return err
		}
		managed += len(entries)
		cluster.update(pod)
		if err := after.write(pod); err != nil {
			return err
		}
	}
	if err := before.close(); err != nil {
		return err
	}
	if err := after.close(); err != nil {
		return err
	}
	fmt.Printf("%d pods: %d bytes of JSON each, %d of it managedFields; %d bytes of protobuf\n",
		count, before.jsonBytes/count, managed/count, before.pbBytes/count)
	return nil
}

type files struct {
	pb, json           *records.Writer
	pbBytes, jsonBytes int
}

func create(dir, name string) (*files, error) {
	pb, err := records.Create(filepath.Join(dir, name+".pb"))
	if err != nil {
		return nil, err
	}
	text, err := records.Create(filepath.Join(dir, name+".json"))
	if err != nil {
		return nil, err
	}
	return &files{pb: pb, json: text}, nil
}

// object is an object that both encoders of the API server take.
type object interface{ Marshal() ([]byte, error) }

func (f *files) write(pod object) error {
	pb, err := pod.Marshal()
	if err != nil {
		return err
	}
	text, err := json.Marshal(pod)
	if err != nil {
		return err
	}
	f.pbBytes += len(pb)
	f.jsonBytes += len(text)
	if err := f.pb.Write(pb); err != nil {
		return err
	}
	return f.json.Write(text)
}

func (f *files) close() error {
	if err := f.pb.Close(); err != nil {
		return err
	}
	return f.json.Close()
}
