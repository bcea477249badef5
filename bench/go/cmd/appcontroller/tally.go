package main

import (
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
)

// The objects of an App.
const (
	kindApp = iota
	kindConfigMap
	kindService
)

// tally counts runs, as bench/tally does for the Rust programs; change both together. A run is stale if the cache does
// not have this process's own last write to the App or to one of its children.
type tally struct {
	objects             int
	runs, stale, errors atomic.Uint64

	lock sync.Mutex
	// The version of the last write to each object, by App and kind.
	written map[string]*[3]uint64
	// Apps that had a run without an error.
	done map[string]struct{}
}

func newTally(objects int) *tally {
	return &tally{objects: objects, written: map[string]*[3]uint64{}, done: map[string]struct{}{}}
}

// began notes a run and the versions that the cache has; empty if it does not have the object.
func (t *tally) began(app string, cached [3]string) {
	t.runs.Add(1)
	t.lock.Lock()
	defer t.lock.Unlock()
	written := t.written[app]
	if written == nil {
		return
	}
	for kind, version := range cached {
		if parsed(version) < written[kind] {
			t.stale.Add(1)
			return
		}
	}
}

// wrote notes a successful write and the version that the server returned.
func (t *tally) wrote(app string, kind int, returned string) {
	t.lock.Lock()
	defer t.lock.Unlock()
	written := t.written[app]
	if written == nil {
		written = &[3]uint64{}
		t.written[app] = written
	}
	written[kind] = parsed(returned)
}

// ended notes the end of a run. It prints a line when every App had a run without an error for the first time.
func (t *tally) ended(app string, failed bool) {
	if failed {
		t.errors.Add(1)
		return
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	if len(t.done) == t.objects {
		return
	}
	t.done[app] = struct{}{}
	if len(t.done) == t.objects {
		fmt.Printf("{\"ready\":%d}\n", t.objects)
	}
}

func (t *tally) print() {
	fmt.Printf("{\"runs\":%d,\"stale\":%d,\"errors\":%d}\n", t.runs.Load(), t.stale.Load(), t.errors.Load())
}

func parsed(version string) uint64 {
	number, err := strconv.ParseUint(version, 10, 64)
	if err != nil {
		return 0
	}
	return number
}
