// controller-runtime's side of `cargo xtask bench controller`: an operator of Apps with two children each, with default
// options except for the number of workers, the client's rate limit, and its read-your-writes client if a flag requests it.
// It ends when its standard input closes, and prints its counts.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func main() {
	// A set of our own: controller-runtime adds flags to the default one.
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "how the server is reached")
	objects := flags.Int("objects", 0, "how many Apps there are")
	workers := flags.Int("workers", 1, "how many Apps are reconciled in parallel")
	consistent := flags.Bool("read-your-writes", false, "reads of the client wait for its own writes")
	_ = flags.Parse(os.Args[1:])
	if err := run(*kubeconfig, *objects, *workers, *consistent); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(kubeconfig string, objects, workers int, consistent bool) error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		// An error is an end too.
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	ctrl.SetLogger(logr.Discard())
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS = -1
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return err
	}
	addToScheme(scheme)
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
		Client:  client.Options{Cache: &client.CacheOptions{EnableReadYourWritesConsistency: &consistent}},
	})
	if err != nil {
		return err
	}
	reconciler := &reconciler{client: manager.GetClient(), scheme: scheme, tally: newTally(objects)}
	err = ctrl.NewControllerManagedBy(manager).
		For(&App{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&corev1.Service{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		Complete(reconciler)
	if err != nil {
		return err
	}
	if err := manager.Start(ctx); err != nil {
		return err
	}
	reconciler.tally.print()
	return nil
}

type reconciler struct {
	client client.Client
	scheme *runtime.Scheme
	tally  *tally
}

// Reconcile implements reconcile.Reconciler.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	err := r.run(ctx, request)
	r.tally.ended(request.Name, err != nil)
	return ctrl.Result{}, err
}

func (r *reconciler) run(ctx context.Context, request ctrl.Request) error {
	var app App
	if err := r.client.Get(ctx, request.NamespacedName, &app); err != nil {
		return client.IgnoreNotFound(err)
	}
	var configMap corev1.ConfigMap
	mapFound, err := r.get(ctx, request, &configMap)
	if err != nil {
		return err
	}
	var service corev1.Service
	serviceFound, err := r.get(ctx, request, &service)
	if err != nil {
		return err
	}
	r.tally.began(app.Name, [3]string{app.ResourceVersion, configMap.ResourceVersion, service.ResourceVersion})

	if err := r.writeConfigMap(ctx, &app, &configMap, mapFound); err != nil {
		return err
	}
	if err := r.writeService(ctx, &app, &service, serviceFound); err != nil {
		return err
	}
	desired := AppStatus{ObservedGeneration: app.Generation, Message: app.Spec.Message, Ready: true}
	if app.Status == desired {
		return nil
	}
	app.Status = desired
	if err := r.client.Status().Update(ctx, &app); err != nil {
		return err
	}
	r.tally.wrote(app.Name, kindApp, app.ResourceVersion)
	return nil
}

// get reports whether the cache has a child.
func (r *reconciler) get(ctx context.Context, request ctrl.Request, child client.Object) (bool, error) {
	err := r.client.Get(ctx, request.NamespacedName, child)
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	return err == nil, err
}

func (r *reconciler) writeConfigMap(ctx context.Context, app *App, configMap *corev1.ConfigMap, found bool) error {
	var err error
	switch desired := data(app); {
	case !found:
		configMap.ObjectMeta = metav1.ObjectMeta{Name: app.Name, Namespace: app.Namespace}
		configMap.Data = desired
		if err := ctrl.SetControllerReference(app, configMap, r.scheme); err != nil {
			return err
		}
		err = r.client.Create(ctx, configMap)
	case !maps.Equal(configMap.Data, desired):
		configMap.Data = desired
		err = r.client.Update(ctx, configMap)
	default:
		return nil
	}
	if err == nil {
		r.tally.wrote(app.Name, kindConfigMap, configMap.ResourceVersion)
	}
	return err
}

func (r *reconciler) writeService(ctx context.Context, app *App, service *corev1.Service, found bool) error {
	var err error
	switch {
	case !found:
		service.ObjectMeta = metav1.ObjectMeta{Name: app.Name, Namespace: app.Namespace}
		// Headless, so that no server runs out of addresses.
		service.Spec = corev1.ServiceSpec{ClusterIP: corev1.ClusterIPNone, Selector: selector(app), Ports: ports()}
		if err := ctrl.SetControllerReference(app, service, r.scheme); err != nil {
			return err
		}
		err = r.client.Create(ctx, service)
	case !maps.Equal(service.Spec.Selector, selector(app)) || !samePorts(service.Spec.Ports, ports()):
		service.Spec.Selector, service.Spec.Ports = selector(app), ports()
		err = r.client.Update(ctx, service)
	default:
		return nil
	}
	if err == nil {
		r.tally.wrote(app.Name, kindService, service.ResourceVersion)
	}
	return err
}
