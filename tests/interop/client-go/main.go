// The client-go side of `cargo xtask strangers`: one line of JSON a check on stdout.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	namespace = "strangers-go"
	// The longest that anything may take that is to happen.
	patience = time.Minute
)

// stage is what every check acts on.
type stage struct {
	config   *rest.Config
	clients  *kubernetes.Clientset
	dynamic  *dynamic.DynamicClient
	metadata metadata.Interface
}

type check struct {
	name string
	run  func(context.Context, *stage) error
}

func main() {
	path := flag.String("kubeconfig", "", "how the server is reached")
	flag.Parse()
	stage, err := newStage(*path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	var checks []check
	for _, part := range [][]check{clientsetChecks, dynamicChecks, informerChecks, electionChecks, eventChecks} {
		checks = append(checks, part...)
	}
	out := json.NewEncoder(os.Stdout)
	for _, check := range checks {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		line := map[string]string{"check": check.name}
		if err := check.run(ctx, stage); err != nil {
			line["error"] = err.Error()
		}
		cancel()
		if err := out.Encode(line); err != nil {
			os.Exit(1)
		}
	}
	_ = stage.clients.CoreV1().Namespaces().Delete(context.Background(), namespace, metav1.DeleteOptions{})
}

func newStage(path string) (*stage, error) {
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		return nil, err
	}
	config.QPS = -1
	// Typed clients use protobuf, as those of the control plane do; the dynamic one supports only JSON.
	typed := rest.CopyConfig(config)
	typed.ContentType = "application/vnd.kubernetes.protobuf"
	typed.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	clients, err := kubernetes.NewForConfig(typed)
	if err != nil {
		return nil, err
	}
	dynamicClient, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	metadataClient, err := metadata.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	stage := &stage{config: config, clients: clients, dynamic: dynamicClient, metadata: metadataClient}
	made := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}
	_, err = clients.CoreV1().Namespaces().Create(context.Background(), made, metav1.CreateOptions{})
	return stage, err
}

// expect returns an error with the actual value unless the condition holds.
func expect(holds bool, format string, arguments ...any) error {
	if holds {
		return nil
	}
	return fmt.Errorf(format, arguments...)
}

// within waits for something to be sent.
func within[T any](ctx context.Context, from <-chan T) (T, error) {
	select {
	case value, open := <-from:
		if !open {
			return value, errors.New("it ended")
		}
		return value, nil
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

func configMap(name string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace},
		Data:       data,
	}
}
