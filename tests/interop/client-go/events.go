package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

var eventChecks = []check{
	{"event recorder", recordEvent},
	{"event recorder counts what repeats", recordAgain},
	{"event recorder, events.k8s.io", recordNew},
}

// written waits for an event about the config map of this name that holds this.
func written(ctx context.Context, stage *stage, reason string, holds func(*corev1.Event) bool) error {
	api := stage.clients.CoreV1().Events(namespace)
	seen, err := api.Watch(ctx, metav1.ListOptions{FieldSelector: "reason=" + reason})
	if err != nil {
		return err
	}
	defer seen.Stop()
	for {
		event, err := within(ctx, seen.ResultChan())
		if err != nil {
			return fmt.Errorf("no event %s: %w", reason, err)
		}
		if found, ok := event.Object.(*corev1.Event); ok && event.Type != watch.Deleted && holds(found) {
			return nil
		}
	}
}

func regarding(ctx context.Context, stage *stage, name string) (*corev1.ConfigMap, error) {
	return stage.clients.CoreV1().ConfigMaps(namespace).Create(ctx, configMap(name, nil), metav1.CreateOptions{})
}

func recorder(stage *stage) (record.EventBroadcaster, record.EventRecorder) {
	broadcaster := record.NewBroadcaster()
	broadcaster.StartRecordingToSink(&corev1client.EventSinkImpl{Interface: stage.clients.CoreV1().Events("")})
	return broadcaster, broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "stranger"})
}

func recordEvent(ctx context.Context, stage *stage) error {
	object, err := regarding(ctx, stage, "told")
	if err != nil {
		return err
	}
	broadcaster, recorder := recorder(stage)
	defer broadcaster.Shutdown()
	recorder.Event(object, corev1.EventTypeNormal, "Told", "once")
	return written(ctx, stage, "Told", func(event *corev1.Event) bool {
		return event.Message == "once" && event.Source.Component == "stranger" && event.InvolvedObject.UID == object.UID
	})
}

func recordAgain(ctx context.Context, stage *stage) error {
	object, err := regarding(ctx, stage, "told-often")
	if err != nil {
		return err
	}
	broadcaster, recorder := recorder(stage)
	defer broadcaster.Shutdown()
	for range 3 {
		recorder.Event(object, corev1.EventTypeWarning, "Repeated", "again and again")
	}
	return written(ctx, stage, "Repeated", func(event *corev1.Event) bool { return event.Count == 3 })
}

func recordNew(ctx context.Context, stage *stage) error {
	object, err := regarding(ctx, stage, "told-anew")
	if err != nil {
		return err
	}
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: stage.clients.EventsV1()})
	defer broadcaster.Shutdown()
	if err := broadcaster.StartRecordingToSinkWithContext(ctx); err != nil {
		return err
	}
	broadcaster.NewRecorder(scheme.Scheme, "strangers.example/go").
		Eventf(object, nil, corev1.EventTypeNormal, "Anew", "Telling", "in the new form")
	return written(ctx, stage, "Anew", func(event *corev1.Event) bool {
		return event.Message == "in the new form" && event.ReportingController == "strangers.example/go"
	})
}
