// Writes what client-go's broadcasters send to a server for random events, a trace a line, for the tests of
// crates/events to compare with:
//
//	go test ./events -run TestTraces -count=1 -args -out FILE
//
// Everything of client-go runs as it is, recorders, broadcasters, series and timers, in made-up time. A trace that
// chance changes (client-go forgets a message at random once it combines events) is left out.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	v1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
)

var (
	outPath    = flag.String("out", "", "the file to write")
	traceSeed  = flag.Int64("trace-seed", 1, "seed of the random traces")
	traceCount = flag.Int("trace-count", 20, "how many traces of each API")
)

const (
	coreAPI   = "v1"
	eventsAPI = "events.k8s.io/v1"
)

// move is an event of the trace, at this many milliseconds after the start: an event is recorded, the server loses
// its events, or the next writes fail with an error ("forbidden", or "unreachable" until it is "").
type move struct {
	At     int64   `json:"at"`
	Say    *saying `json:"say,omitempty"`
	Forget bool    `json:"forget,omitempty"`
	Answer *string `json:"answer,omitempty"`
}

type saying struct {
	Object      string            `json:"object"`
	Related     string            `json:"related,omitempty"`
	Type        string            `json:"type"`
	Reason      string            `json:"reason"`
	Action      string            `json:"action,omitempty"`
	Text        string            `json:"text"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// call is a request to the server.
type call struct {
	At    int64           `json:"at"`
	Verb  string          `json:"verb"`
	Name  string          `json:"name"`
	Event json.RawMessage `json:"event,omitempty"`
	Patch json.RawMessage `json:"patch,omitempty"`
}

type trace struct {
	API   string `json:"api"`
	Moves []move `json:"moves"`
	Calls []call `json:"calls"`
}

func TestTraces(t *testing.T) {
	if *outPath == "" {
		t.Skip("no -out")
	}
	klog.SetLogger(klog.Logger{})
	random := rand.New(rand.NewSource(*traceSeed))
	var written bytes.Buffer
	for _, api := range []string{coreAPI, eventsAPI} {
		for done := 0; done < *traceCount; {
			moves := coreMoves(random)
			if api == eventsAPI {
				moves = seriesMoves(random)
			}
			first := played(t, api, moves)
			steady := true
			for range 8 {
				steady = steady && bytes.Equal(first, played(t, api, moves))
			}
			if steady {
				written.Write(append(first, '\n'))
				done++
			}
		}
	}
	if err := os.WriteFile(*outPath, written.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// coreMoves mixes repeated and ever new messages of a few objects and reasons, with pauses of all lengths.
func coreMoves(random *rand.Rand) []move {
	var (
		moves    []move
		at       int64
		objects  = 1 + random.Intn(3)
		messages = 1 + random.Intn(14)
		pauses   = [][]int64{{7}, {10, 1000, 5000}, {10, 30_000, 200_000}, {10, 299_000, 301_000, 601_000}}[random.Intn(4)]
	)
	for range 15 + random.Intn(40) {
		at += pauses[random.Intn(len(pauses))]
		switch random.Intn(25) {
		case 0:
			moves = append(moves, move{At: at, Forget: true})
		case 1:
			answer := []string{"forbidden", ""}[random.Intn(2)]
			moves = append(moves, move{At: at, Answer: &answer})
		default:
			said := &saying{
				Object: fmt.Sprintf("pod-%d", random.Intn(objects)),
				Type:   []string{"Normal", "Warning"}[random.Intn(6)/5],
				Reason: []string{"Pulled", "BackOff"}[random.Intn(4)/3],
				Text:   fmt.Sprintf("message %d", random.Intn(messages)),
			}
			if random.Intn(5) == 0 {
				said.Annotations = map[string]string{"note": "by hand"}
			}
			moves = append(moves, move{At: at, Say: said})
		}
	}
	return moves
}

// seriesMoves are lives of a few series: events that come for a while, no more than five minutes apart, then no more.
// None of them ends so that it is found idle just when all series are sent again: which comes first is left to chance.
func seriesMoves(random *rand.Rand) []move {
	const minute = 60_000
	var moves []move
	for index := range 1 + random.Intn(4) {
		said := saying{
			Object: fmt.Sprintf("pod-%d", random.Intn(3)),
			Type:   []string{"Normal", "Warning"}[random.Intn(2)],
			Reason: fmt.Sprintf("Reason%d", index),
			Action: []string{"Binding", "Pulling"}[random.Intn(2)],
		}
		if random.Intn(2) == 0 {
			said.Related = "node-1"
		}
		at, last := int64(random.Intn(10*minute)), int64(random.Intn(70*minute))
		for number := 0; number == 0 || at < last; number++ {
			// Between the whole minutes, so that nothing comes at the same time as a timer.
			at = at/minute*minute + 1000 + int64(random.Intn(58_000))
			one := said
			one.Text = fmt.Sprintf("note %d", number)
			moves = append(moves, move{At: at, Say: &one})
			at += minute * int64(1+random.Intn(4))
			if in := (at / minute) % 30; in >= 17 && in <= 24 && at+minute > last {
				last += 8 * minute
			}
		}
	}
	if random.Intn(3) == 0 {
		moves = append(moves, move{At: int64(random.Intn(40))*minute + 500, Forget: true})
	}
	switch random.Intn(4) {
	case 0:
		// Refused for a while.
		from := int64(random.Intn(20)) * minute
		answer, none := "forbidden", ""
		moves = append(moves, move{At: from + 600, Answer: &answer}, move{At: from + 7*minute + 600, Answer: &none})
	case 1:
		// Out of reach just while the timers of a whole minute go off.
		from := int64(6*(1+random.Intn(8))) * minute
		answer, none := "unreachable", ""
		moves = append(moves, move{At: from - 500, Answer: &answer}, move{At: from + 500, Answer: &none})
	}
	slices.SortStableFunc(moves, func(a, b move) int { return cmp.Compare(a.At, b.At) })
	for index := 1; index < len(moves); index++ {
		// One after the other.
		moves[index].At = max(moves[index].At, moves[index-1].At+1)
	}
	return moves
}

func played(t *testing.T, api string, moves []move) []byte {
	var calls []call
	synctest.Test(t, func(t *testing.T) {
		server := &server{begin: time.Now(), stored: map[string]bool{}}
		ctx, cancel := context.WithCancel(t.Context())
		say := recording(ctx, api, server)
		synctest.Wait()
		for _, move := range moves {
			time.Sleep(time.Duration(move.At)*time.Millisecond - time.Since(server.begin))
			switch {
			case move.Say != nil:
				say(move.Say)
			case move.Forget:
				server.forget()
			case move.Answer != nil:
				server.answer(*move.Answer)
			}
			synctest.Wait()
		}
		// Series that are idle by then are reported for the last time.
		time.Sleep(13*time.Minute + 30*time.Second)
		synctest.Wait()
		calls = server.heard()
		cancel()
	})
	slices.SortStableFunc(calls, func(a, b call) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Name, b.Name))
	})
	text, err := json.Marshal(trace{API: api, Moves: moves, Calls: calls})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func recording(ctx context.Context, api string, server *server) func(*saying) {
	pod := func(name string) *v1.Pod {
		return &v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "shop", UID: "u-1", ResourceVersion: "7"}}
	}
	if api == coreAPI {
		broadcaster := record.NewBroadcaster(record.WithContext(ctx))
		broadcaster.StartRecordingToSink(coreSink{server})
		recorder := broadcaster.NewRecorder(scheme.Scheme, v1.EventSource{Component: "kubelet", Host: "node-1"})
		return func(said *saying) {
			if said.Annotations != nil {
				recorder.AnnotatedEventf(pod(said.Object), said.Annotations, said.Type, said.Reason, "%s", said.Text)
				return
			}
			recorder.Event(pod(said.Object), said.Type, said.Reason, said.Text)
		}
	}
	broadcaster := events.NewBroadcaster(eventsSink{server})
	if err := broadcaster.StartRecordingToSinkWithContext(ctx); err != nil {
		panic(err)
	}
	// It has no context: its task ends with it.
	go func() {
		<-ctx.Done()
		broadcaster.Shutdown()
	}()
	recorder := broadcaster.NewRecorder(scheme.Scheme, "scheduler")
	return func(said *saying) {
		if said.Related == "" {
			recorder.Eventf(pod(said.Object), nil, said.Type, said.Reason, said.Action, "%s", said.Text)
			return
		}
		node := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: said.Related, UID: "u-2"}}
		recorder.Eventf(pod(said.Object), node, said.Type, said.Reason, said.Action, "%s", said.Text)
	}
}

// server keeps the names of events, and the requests.
type server struct {
	mu      sync.Mutex
	begin   time.Time
	stored  map[string]bool
	calls   []call
	mood    string
	version int
}

func (s *server) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stored = map[string]bool{}
}

func (s *server) answer(mood string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mood = mood
}

func (s *server) heard() []call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// asked records a request and returns the version of the stored object.
func (s *server) asked(verb, name string, event any, patch []byte) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, err := json.Marshal(event)
	if err != nil {
		return "", err
	}
	host, _ := os.Hostname()
	text = []byte(strings.ReplaceAll(string(text), "scheduler-"+host, "scheduler-HOST"))
	asked := call{At: time.Since(s.begin).Milliseconds(), Verb: verb, Name: name, Patch: patch}
	if verb == "create" {
		asked.Event = text
	}
	s.calls = append(s.calls, asked)
	resource := schema.GroupResource{Resource: "events"}
	switch {
	case s.mood == "forbidden":
		return "", apierrors.NewForbidden(resource, name, nil)
	case s.mood == "unreachable":
		return "", fmt.Errorf("no route")
	case verb == "create" && s.stored[name]:
		return "", apierrors.NewAlreadyExists(resource, name)
	case verb == "patch" && !s.stored[name]:
		return "", apierrors.NewNotFound(resource, name)
	}
	s.stored[name] = true
	s.version++
	return fmt.Sprint(s.version), nil
}

type coreSink struct{ *server }

func (s coreSink) Create(event *v1.Event) (*v1.Event, error) {
	return s.write("create", event, nil)
}

func (s coreSink) Update(event *v1.Event) (*v1.Event, error) {
	return s.write("update", event, nil)
}

func (s coreSink) Patch(event *v1.Event, data []byte) (*v1.Event, error) {
	return s.write("patch", event, data)
}

func (s coreSink) write(verb string, event *v1.Event, patch []byte) (*v1.Event, error) {
	version, err := s.asked(verb, event.Name, event, patch)
	if err != nil {
		return nil, err
	}
	stored := event.DeepCopy()
	stored.ResourceVersion = version
	return stored, nil
}

type eventsSink struct{ *server }

func (s eventsSink) Create(_ context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	return s.write("create", event, nil)
}

func (s eventsSink) Update(_ context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	return s.write("update", event, nil)
}

func (s eventsSink) Patch(_ context.Context, event *eventsv1.Event, data []byte) (*eventsv1.Event, error) {
	return s.write("patch", event, data)
}

func (s eventsSink) write(verb string, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	version, err := s.asked(verb, event.Name, event, patch)
	if err != nil {
		return nil, err
	}
	stored := event.DeepCopy()
	stored.ResourceVersion = version
	return stored, nil
}
