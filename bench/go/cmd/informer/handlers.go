package main

import (
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// handlers are all handlers of the client; each has a number.
type handlers struct {
	tallies []tally
	blocked bool
	// Whether times of arrival are recorded.
	noting atomic.Bool
	ends   chan struct{}
}

type tally struct {
	told atomic.Int64
	lock sync.Mutex
	lags []int64
}

func newHandlers(count int, blocked bool) *handlers {
	return &handlers{tallies: make([]tally, count), blocked: blocked, ends: make(chan struct{}, count)}
}

func (h *handlers) handler(number int) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, object any) {
			if object, ok := object.(metav1.Object); ok {
				h.changed(number, object.GetResourceVersion())
			}
		},
		DeleteFunc: func(any) {
			if !h.isBlocked(number) {
				h.ends <- struct{}{}
			}
		},
	}
}

// changed is called when a handler is notified of a change. The server's resource versions are the nanoseconds at
// which it sent them.
func (h *handlers) changed(number int, resourceVersion string) {
	if h.isBlocked(number) {
		select {}
	}
	tally := &h.tallies[number]
	tally.told.Add(1)
	if h.noting.Load() {
		sent, _ := strconv.ParseInt(resourceVersion, 10, 64)
		lag := (time.Now().UnixNano() - sent) / 1000
		tally.lock.Lock()
		tally.lags = append(tally.lags, lag)
		tally.lock.Unlock()
	}
}

func (h *handlers) isBlocked(number int) bool { return h.blocked && number == 0 }

// wait returns when all handlers except the blocked one are notified of the end of the phase.
func (h *handlers) wait() {
	expected := len(h.tallies)
	if h.blocked {
		expected--
	}
	for range expected {
		<-h.ends
	}
}

// tally returns the number of notifications since the last tally and their delays, and resets both.
func (h *handlers) tally() (int64, []int64) {
	var told int64
	var lags []int64
	for i := range h.tallies {
		tally := &h.tallies[i]
		told += tally.told.Swap(0)
		tally.lock.Lock()
		lags = append(lags, tally.lags...)
		tally.lags = nil
		tally.lock.Unlock()
	}
	return told, lags
}
