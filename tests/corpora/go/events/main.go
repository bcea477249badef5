// Writes what client-go's correlator makes of random events, a sequence a line, for the tests of crates/events to
// compare with.
//
//	go run ./events
//
// client-go forgets a message at random once it combines events. A sequence whose outcome that changes is left out.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	clocktesting "k8s.io/utils/clock/testing"
)

// step is an event that comes some seconds after the one before, and what is made of it.
type step struct {
	After     int    `json:"after"`
	Component string `json:"component"`
	Object    string `json:"object"`
	FieldPath string `json:"fieldPath,omitempty"`
	Type      string `json:"type"`
	Reason    string `json:"reason"`
	Message   string `json:"message"`
	Out       out    `json:"out"`
}

type out struct {
	Skip    bool            `json:"skip,omitempty"`
	Name    string          `json:"name,omitempty"`
	Version string          `json:"version,omitempty"`
	Message string          `json:"message,omitempty"`
	Count   int32           `json:"count,omitempty"`
	First   string          `json:"first,omitempty"`
	Last    string          `json:"last,omitempty"`
	Patch   json.RawMessage `json:"patch,omitempty"`
}

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func main() {
	seed := flag.Int64("seed", 1, "seed of the random events")
	count := flag.Int("count", 24, "how many sequences")
	flag.Parse()
	writer := bufio.NewWriter(os.Stdout)
	defer writer.Flush()
	random := rand.New(rand.NewSource(*seed))
	for written := 0; written < *count; {
		steps := sequence(random)
		first := run(steps)
		steady := true
		for range 8 {
			steady = steady && bytes.Equal(first, run(steps))
		}
		if steady {
			writer.Write(append(first, '\n'))
			written++
		}
	}
}

// sequence mixes repeated and ever new messages, a few objects and reasons, and pauses of all lengths.
func sequence(random *rand.Rand) []step {
	var (
		objects  = 1 + random.Intn(3)
		messages = 1 + random.Intn(14)
		pauses   = [][]int{{0}, {0, 1, 5}, {0, 30, 200}, {0, 1, 299, 300, 301, 599, 600, 601, 3600}}[random.Intn(4)]
		unique   = random.Intn(3) == 0
		steps    = make([]step, 20+random.Intn(60))
	)
	for i := range steps {
		message := fmt.Sprintf("message %d", random.Intn(messages))
		if unique {
			message = fmt.Sprintf("unique %d", i)
		}
		steps[i] = step{
			After:     pauses[random.Intn(len(pauses))],
			Component: []string{"kubelet", "scheduler"}[random.Intn(10)/9],
			Object:    fmt.Sprintf("pod-%d", random.Intn(objects)),
			FieldPath: []string{"", "spec.containers{app}"}[random.Intn(8)/7],
			Type:      []string{"Normal", "Warning"}[random.Intn(6)/5],
			Reason:    []string{"Pulled", "BackOff"}[random.Intn(4)/3],
			Message:   message,
		}
	}
	return steps
}

func run(steps []step) []byte {
	clock := clocktesting.NewFakeClock(start)
	correlator := record.NewEventCorrelator(clock)
	done := make([]step, len(steps))
	for i, step := range steps {
		clock.Step(time.Duration(step.After) * time.Second)
		now := metav1.NewTime(clock.Now())
		event := &v1.Event{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("event-%d", i), Namespace: "shop"},
			InvolvedObject: v1.ObjectReference{
				Kind: "Pod", Namespace: "shop", Name: step.Object, UID: "uid", APIVersion: "v1", FieldPath: step.FieldPath,
			},
			Reason: step.Reason, Message: step.Message, Type: step.Type, Count: 1,
			Source:         v1.EventSource{Component: step.Component},
			FirstTimestamp: now, LastTimestamp: now,
		}
		result, err := correlator.EventCorrelate(event)
		if err != nil {
			panic(err)
		}
		step.Out = out{Skip: result.Skip}
		if !result.Skip {
			made := result.Event
			step.Out = out{
				Name: made.Name, Version: made.ResourceVersion, Message: made.Message, Count: made.Count,
				First: made.FirstTimestamp.UTC().Format(time.RFC3339), Last: made.LastTimestamp.UTC().Format(time.RFC3339),
				Patch: result.Patch,
			}
			// Imitate a server.
			stored := made.DeepCopy()
			stored.ResourceVersion = fmt.Sprint(100 + i)
			correlator.UpdateState(stored)
		}
		done[i] = step
	}
	text, err := json.Marshal(done)
	if err != nil {
		panic(err)
	}
	return text
}
