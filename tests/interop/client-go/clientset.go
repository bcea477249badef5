package main

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/tools/pager"
	"k8s.io/client-go/util/retry"
	"k8s.io/utils/ptr"
)

var clientsetChecks = []check{
	{"discovery", discover},
	{"openapi v3", openAPI},
	{"clientset create, get, update, delete", lifecycle},
	{"clientset conflict and retry", conflict},
	{"clientset error reasons", reasons},
	{"clientset list in pages", pages},
	{"clientset watch", watchTyped},
	{"clientset patches", patches},
	{"clientset server-side apply", applyTyped},
	{"clientset status and scale", subresources},
	{"clientset eviction and graceful deletion", eviction},
	{"clientset finalizers", finalizers},
	{"clientset delete collection", deleteCollection},
	{"clientset access review", accessReview},
}

func discover(_ context.Context, stage *stage) error {
	version, err := stage.clients.Discovery().ServerVersion()
	if err != nil {
		return err
	}
	groups, resources, err := stage.clients.Discovery().ServerGroupsAndResources()
	if err != nil {
		return err
	}
	return expect(version.Major == "1" && len(groups) > 15 && len(resources) > 15,
		"version %s, %d groups, %d lists", version.Major, len(groups), len(resources))
}

func openAPI(_ context.Context, stage *stage) error {
	paths, err := stage.clients.Discovery().OpenAPIV3().Paths()
	if err != nil {
		return err
	}
	apps, found := paths["apis/apps/v1"]
	if !found {
		return fmt.Errorf("apps/v1 is not among %d paths", len(paths))
	}
	schema, err := apps.Schema(runtime.ContentTypeJSON)
	if err != nil {
		return err
	}
	return expect(len(schema) > 10_000, "%d bytes", len(schema))
}

func lifecycle(ctx context.Context, stage *stage) error {
	api := stage.clients.CoreV1().ConfigMaps(namespace)
	made, err := api.Create(ctx, configMap("life", map[string]string{"a": "1"}), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if err := expect(made.UID != "" && !made.CreationTimestamp.IsZero(), "no uid or time: %v", made); err != nil {
		return err
	}
	made.Data["a"] = "2"
	updated, err := api.Update(ctx, made, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	found, err := api.Get(ctx, "life", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if err := expect(found.Data["a"] == "2" && found.ResourceVersion == updated.ResourceVersion,
		"%v at %s", found.Data, found.ResourceVersion); err != nil {
		return err
	}
	other := types.UID("other")
	err = api.Delete(ctx, "life", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &other}})
	if !apierrors.IsConflict(err) {
		return fmt.Errorf("a delete of another uid: %v", err)
	}
	if err := api.Delete(ctx, "life", metav1.DeleteOptions{}); err != nil {
		return err
	}
	_, err = api.Get(ctx, "life", metav1.GetOptions{})
	return expect(apierrors.IsNotFound(err), "after the delete: %v", err)
}

func conflict(ctx context.Context, stage *stage) error {
	api := stage.clients.CoreV1().ConfigMaps(namespace)
	stale, err := api.Create(ctx, configMap("contended", nil), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	fresh := stale.DeepCopy()
	fresh.Data = map[string]string{"by": "another"}
	if _, err := api.Update(ctx, fresh, metav1.UpdateOptions{}); err != nil {
		return err
	}
	tries := 0
	err = retry.RetryOnConflict(retry.DefaultRetry, func() error {
		tries++
		stale.Labels = map[string]string{"mine": "yes"}
		_, err := api.Update(ctx, stale, metav1.UpdateOptions{})
		if apierrors.IsConflict(err) {
			if newer, failed := api.Get(ctx, "contended", metav1.GetOptions{}); failed == nil {
				stale = newer
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	return expect(tries == 2, "%d tries", tries)
}

func reasons(ctx context.Context, stage *stage) error {
	api := stage.clients.CoreV1().ConfigMaps(namespace)
	_, missing := api.Get(ctx, "missing", metav1.GetOptions{})
	_, exists := api.Create(ctx, configMap("contended", nil), metav1.CreateOptions{})
	_, invalid := api.Create(ctx, configMap("Not A Name", nil), metav1.CreateOptions{})
	_, bad := api.List(ctx, metav1.ListOptions{LabelSelector: "a in"})
	_, elsewhere := stage.clients.CoreV1().ConfigMaps("no-such").Create(ctx,
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "x"}}, metav1.CreateOptions{})
	_, old := api.Watch(ctx, metav1.ListOptions{ResourceVersion: "not-a-number"})
	if err := expect(apierrors.IsNotFound(missing), "missing: %v", missing); err != nil {
		return err
	}
	if err := expect(apierrors.IsAlreadyExists(exists), "exists: %v", exists); err != nil {
		return err
	}
	if err := expect(apierrors.IsInvalid(invalid), "invalid: %v", invalid); err != nil {
		return err
	}
	if err := expect(apierrors.IsBadRequest(bad), "bad selector: %v", bad); err != nil {
		return err
	}
	if err := expect(apierrors.IsNotFound(elsewhere), "no namespace: %v", elsewhere); err != nil {
		return err
	}
	return expect(old != nil, "a version that is no number was accepted")
}

func pages(ctx context.Context, stage *stage) error {
	api := stage.clients.CoreV1().ConfigMaps(namespace)
	for at := range 25 {
		object := configMap(fmt.Sprintf("page-%02d", at), nil)
		object.Labels = map[string]string{"paged": "yes"}
		if _, err := api.Create(ctx, object, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	names := map[string]bool{}
	list := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		return api.List(ctx, options)
	})
	list.PageSize = 7
	err := list.EachListItem(ctx, metav1.ListOptions{LabelSelector: "paged=yes"}, func(object runtime.Object) error {
		names[object.(*corev1.ConfigMap).Name] = true
		return nil
	})
	if err != nil {
		return err
	}
	return expect(len(names) == 25, "%d of 25", len(names))
}

func watchTyped(ctx context.Context, stage *stage) error {
	api := stage.clients.CoreV1().ConfigMaps(namespace)
	before, err := api.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	events, err := api.Watch(ctx, metav1.ListOptions{
		ResourceVersion: before.ResourceVersion, FieldSelector: "metadata.name=seen",
	})
	if err != nil {
		return err
	}
	defer events.Stop()
	made, err := api.Create(ctx, configMap("seen", nil), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	made.Labels = map[string]string{"a": "b"}
	if _, err := api.Update(ctx, made, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if err := api.Delete(ctx, "seen", metav1.DeleteOptions{}); err != nil {
		return err
	}
	for _, expected := range []watch.EventType{watch.Added, watch.Modified, watch.Deleted} {
		event, err := within(ctx, events.ResultChan())
		if err != nil {
			return err
		}
		if err := expect(event.Type == expected, "%s where %s was expected", event.Type, expected); err != nil {
			return err
		}
	}
	return nil
}

func patches(ctx context.Context, stage *stage) error {
	api := stage.clients.CoreV1().ConfigMaps(namespace)
	if _, err := api.Create(ctx, configMap("patched", map[string]string{"a": "1"}), metav1.CreateOptions{}); err != nil {
		return err
	}
	for kind, patch := range map[types.PatchType]string{
		types.JSONPatchType:           `[{"op":"add","path":"/data/json","value":"yes"}]`,
		types.MergePatchType:          `{"data":{"merge":"yes"}}`,
		types.StrategicMergePatchType: `{"data":{"strategic":"yes"}}`,
	} {
		if _, err := api.Patch(ctx, "patched", kind, []byte(patch), metav1.PatchOptions{}); err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
	}
	found, err := api.Get(ctx, "patched", metav1.GetOptions{})
	if err != nil {
		return err
	}
	return expect(len(found.Data) == 4, "%v", found.Data)
}

func applyTyped(ctx context.Context, stage *stage) error {
	api := stage.clients.CoreV1().ConfigMaps(namespace)
	object := applycorev1.ConfigMap("applied", namespace).WithData(map[string]string{"a": "1"})
	if _, err := api.Apply(ctx, object, metav1.ApplyOptions{FieldManager: "one"}); err != nil {
		return err
	}
	object.Data["a"] = "2"
	_, err := api.Apply(ctx, object, metav1.ApplyOptions{FieldManager: "two"})
	if !apierrors.IsConflict(err) {
		return fmt.Errorf("a second manager: %v", err)
	}
	forced, err := api.Apply(ctx, object, metav1.ApplyOptions{FieldManager: "two", Force: true})
	if err != nil {
		return err
	}
	mine, err := applycorev1.ExtractConfigMap(forced, "two")
	if err != nil {
		return err
	}
	return expect(mine.Data["a"] == "2" && len(forced.ManagedFields) > 0, "%v", forced)
}

func deployment(name string) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace},
		Spec: appsv1.DeploymentSpec{
			Replicas: ptr.To[int32](0),
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "registry.example/app:1"}}},
			},
		},
	}
}

func subresources(ctx context.Context, stage *stage) error {
	api := stage.clients.AppsV1().Deployments(namespace)
	made, err := api.Create(ctx, deployment("web"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if err := expect(made.Spec.Strategy.Type == appsv1.RollingUpdateDeploymentStrategyType,
		"defaults: %v", made.Spec.Strategy); err != nil {
		return err
	}
	patch := []byte(`{"status":{"collisionCount":7},"spec":{"paused":true}}`)
	changed, err := api.Patch(ctx, "web", types.MergePatchType, patch, metav1.PatchOptions{}, "status")
	if err != nil {
		return err
	}
	if err := expect(!changed.Spec.Paused && changed.Status.CollisionCount != nil,
		"the status carried the spec, or nothing"); err != nil {
		return err
	}
	scale, err := api.GetScale(ctx, "web", metav1.GetOptions{})
	if err != nil {
		return err
	}
	scale.Spec.Replicas = 4
	var scaled *autoscalingv1.Scale
	if scaled, err = api.UpdateScale(ctx, "web", scale, metav1.UpdateOptions{}); err != nil {
		return err
	}
	found, err := api.Get(ctx, "web", metav1.GetOptions{})
	if err != nil {
		return err
	}
	return expect(scaled.Spec.Replicas == 4 && *found.Spec.Replicas == 4 && found.Generation == 2,
		"%d replicas, generation %d", *found.Spec.Replicas, found.Generation)
}

func newPod(name string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace, Labels: map[string]string{"app": name}},
		Spec: corev1.PodSpec{
			NodeName:                     "nowhere",
			AutomountServiceAccountToken: ptr.To(false),
			Containers:                   []corev1.Container{{Name: "main", Image: "registry.example/app:1"}},
		},
	}
}

func eviction(ctx context.Context, stage *stage) error {
	api := stage.clients.CoreV1().Pods(namespace)
	if err := runner(ctx, stage); err != nil {
		return err
	}
	if _, err := api.Create(ctx, newPod("evicted"), metav1.CreateOptions{}); err != nil {
		return err
	}
	evict := &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: "evicted", Namespace: namespace}}
	if err := api.EvictV1(ctx, evict); err != nil {
		return err
	}
	// It is on a node, so it is deleted when the node confirms.
	found, err := api.Get(ctx, "evicted", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if err := expect(found.DeletionTimestamp != nil && *found.DeletionGracePeriodSeconds == 30,
		"no graceful deletion: %v", found.ObjectMeta); err != nil {
		return err
	}
	if err := api.Delete(ctx, "evicted", metav1.DeleteOptions{GracePeriodSeconds: ptr.To[int64](0)}); err != nil {
		return err
	}
	_, err = api.Get(ctx, "evicted", metav1.GetOptions{})
	return expect(apierrors.IsNotFound(err), "after the last delete: %v", err)
}

// runner waits for the account without which a real server takes no pod, or makes it.
func runner(ctx context.Context, stage *stage) error {
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default", Namespace: namespace}}
	_, err := stage.clients.CoreV1().ServiceAccounts(namespace).Create(ctx, account, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

func finalizers(ctx context.Context, stage *stage) error {
	api := stage.clients.CoreV1().ConfigMaps(namespace)
	object := configMap("held", nil)
	object.Finalizers = []string{"strangers.example/hold"}
	if _, err := api.Create(ctx, object, metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := api.Delete(ctx, "held", metav1.DeleteOptions{}); err != nil {
		return err
	}
	held, err := api.Get(ctx, "held", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if err := expect(held.DeletionTimestamp != nil, "it is not being deleted"); err != nil {
		return err
	}
	held.Finalizers = nil
	if _, err := api.Update(ctx, held, metav1.UpdateOptions{}); err != nil {
		return err
	}
	_, err = api.Get(ctx, "held", metav1.GetOptions{})
	return expect(apierrors.IsNotFound(err), "without its finalizer: %v", err)
}

func deleteCollection(ctx context.Context, stage *stage) error {
	api := stage.clients.CoreV1().ConfigMaps(namespace)
	selected := metav1.ListOptions{LabelSelector: "paged=yes"}
	if err := api.DeleteCollection(ctx, metav1.DeleteOptions{}, selected); err != nil {
		return err
	}
	left, err := api.List(ctx, selected)
	if err != nil {
		return err
	}
	return expect(len(left.Items) == 0, "%d left", len(left.Items))
}

func accessReview(ctx context.Context, stage *stage) error {
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: namespace, Verb: "create", Resource: "pods"},
	}}
	answer, err := stage.clients.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	return expect(answer.Status.Allowed, "%v", answer.Status)
}
