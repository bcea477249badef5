package main

import (
	"fmt"
	"math/rand/v2"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The kinds of public reports of caches that filled the memory; pods without their updates among them.
var makers = map[string]func(c *cluster, number int) object{
	"ingresses":    (*cluster).ingress,
	"pods":         func(c *cluster, _ int) object { return c.pod() },
	"replicasets":  (*cluster).replicaSet,
	"rolebindings": (*cluster).roleBinding,
	"secrets":      (*cluster).release,
}

// How many revisions a Deployment and a Helm release keep, by default.
const revisions = 10

func runKind(kind string, count int, seed uint64, dir string) error {
	make, known := makers[kind]
	if !known {
		return fmt.Errorf("unknown kind %q", kind)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	out, err := create(dir, "objects")
	if err != nil {
		return err
	}
	cluster := newCluster(rand.New(rand.NewPCG(seed, 0)), count)
	for number := range count {
		if err := out.write(make(cluster, number)); err != nil {
			return err
		}
	}
	if err := out.close(); err != nil {
		return err
	}
	fmt.Printf("%d %s: %d bytes of JSON each, %d of protobuf\n", count, kind, out.jsonBytes/count, out.pbBytes/count)
	return nil
}

// release returns a Helm release: one of the last revisions of a chart, as gzip in base64, which no layout can share or
// shrink. The sizes are those of small and medium charts.
func (c *cluster) release(number int) object {
	r := c.random
	w := c.workloads[number/revisions%len(c.workloads)]
	name := fmt.Sprintf("%s-%d", w.labels["app.kubernetes.io/instance"], number/revisions)
	revision := number%revisions + 1
	status := "superseded"
	if revision == revisions {
		status = "deployed"
	}
	created := c.time()
	secret := &corev1.Secret{
		TypeMeta: metav1.TypeMeta{Kind: "Secret", APIVersion: "v1"},
		ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprintf("sh.helm.release.v1.%s.v%d", name, revision), Namespace: w.namespace, UID: c.uid(),
			ResourceVersion: c.nextVersion(), CreationTimestamp: created,
			Labels: map[string]string{
				"modifiedAt": fmt.Sprint(created.Unix()), "name": name, "owner": "helm", "status": status,
				"version": fmt.Sprint(revision),
			},
		},
		Type: "helm.sh/release.v1",
		Data: map[string][]byte{
			"release": []byte(c.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 4_000+r.IntN(28_000))),
		},
	}
	secret.ManagedFields = []metav1.ManagedFieldsEntry{managedBy("helm", "", created, map[string]any{
		"data": map[string]string{"release": ""}, "metadata": map[string]any{"labels": secret.Labels}, "type": secret.Type,
	})}
	return secret
}

// replicaSet returns one of the last revisions of a Deployment; only the newest has replicas.
func (c *cluster) replicaSet(number int) object {
	r := c.random
	w := c.workloads[number/revisions%len(c.workloads)]
	app := fmt.Sprintf("%s-%d", w.labels["app.kubernetes.io/instance"], number/revisions)
	revision, hash, created := number%revisions+1, c.letters(10), c.time()
	labels := map[string]string{"pod-template-hash": hash}
	for key, value := range w.labels {
		labels[key] = value
	}
	replicas := int32(0)
	if revision == revisions {
		replicas = int32(1 + r.IntN(8))
	}
	spec := *w.spec.DeepCopy()
	spec.Containers[0].Image = fmt.Sprintf("%s-%d", spec.Containers[0].Image, revision)
	set := &appsv1.ReplicaSet{
		TypeMeta: metav1.TypeMeta{Kind: "ReplicaSet", APIVersion: "apps/v1"},
		ObjectMeta: metav1.ObjectMeta{
			Name: app + "-" + hash, Namespace: w.namespace, UID: c.uid(), ResourceVersion: c.nextVersion(), Generation: 2,
			CreationTimestamp: created, Labels: labels,
			Annotations: map[string]string{
				"deployment.kubernetes.io/desired-replicas": fmt.Sprint(replicas),
				"deployment.kubernetes.io/max-replicas":     fmt.Sprint(replicas + 1),
				"deployment.kubernetes.io/revision":         fmt.Sprint(revision),
			},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "apps/v1", Kind: "Deployment", Name: app, UID: c.uid(), Controller: yes(), BlockOwnerDeletion: yes(),
			}},
		},
		Spec: appsv1.ReplicaSetSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels, Annotations: w.annotations}, Spec: spec,
			},
		},
		Status: appsv1.ReplicaSetStatus{
			Replicas: replicas, FullyLabeledReplicas: replicas, ReadyReplicas: replicas, AvailableReplicas: replicas,
			ObservedGeneration: 2,
		},
	}
	set.ManagedFields = []metav1.ManagedFieldsEntry{
		managedBy("kube-controller-manager", "", created, map[string]any{
			"metadata": map[string]any{
				"annotations": set.Annotations, "labels": labels, "ownerReferences": set.OwnerReferences,
			},
			"spec": set.Spec,
		}),
		managedBy("kube-controller-manager", "status", created, map[string]any{"status": set.Status}),
	}
	return set
}

// roleBinding returns a binding as tools for tenants make them: one per team and namespace.
func (c *cluster) roleBinding(number int) object {
	r, created := c.random, c.time()
	team := teams[r.IntN(len(teams))]
	binding := &rbacv1.RoleBinding{
		TypeMeta: metav1.TypeMeta{Kind: "RoleBinding", APIVersion: "rbac.authorization.k8s.io/v1"},
		ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprintf("%s-%s-%d", team, roles[r.IntN(len(roles))], number), Namespace: fmt.Sprintf("tenant-%d", number/8),
			UID: c.uid(), ResourceVersion: c.nextVersion(), CreationTimestamp: created,
			Labels: map[string]string{
				"app.kubernetes.io/managed-by": "tenants", "tenants.example.com/team": team,
				"tenants.example.com/tenant": fmt.Sprintf("tenant-%d", number/8),
			},
		},
		Subjects: []rbacv1.Subject{
			{Kind: "Group", APIGroup: rbacv1.GroupName, Name: fmt.Sprintf("oidc:%s-developers", team)},
			{Kind: "ServiceAccount", Name: "deployer", Namespace: fmt.Sprintf("tenant-%d", number/8)},
		},
		RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "tenant-" + roles[r.IntN(len(roles))]},
	}
	binding.ManagedFields = []metav1.ManagedFieldsEntry{managedBy("tenants", "", created, map[string]any{
		"metadata": map[string]any{"labels": binding.Labels}, "roleRef": binding.RoleRef, "subjects": binding.Subjects,
	})}
	return binding
}

// ingress returns an Ingress of one host with two paths.
func (c *cluster) ingress(number int) object {
	r, created := c.random, c.time()
	app := fmt.Sprintf("%s-%s-%d", teams[r.IntN(len(teams))], roles[r.IntN(len(roles))], number)
	host, class, prefix := app+".apps.example.com", "nginx", networkingv1.PathTypePrefix
	path := func(path, service string) networkingv1.HTTPIngressPath {
		return networkingv1.HTTPIngressPath{Path: path, PathType: &prefix, Backend: networkingv1.IngressBackend{
			Service: &networkingv1.IngressServiceBackend{Name: service, Port: networkingv1.ServiceBackendPort{Name: "http"}},
		}}
	}
	ingress := &networkingv1.Ingress{
		TypeMeta: metav1.TypeMeta{Kind: "Ingress", APIVersion: "networking.k8s.io/v1"},
		ObjectMeta: metav1.ObjectMeta{
			Name: app, Namespace: fmt.Sprintf("tenant-%d", number/8), UID: c.uid(), ResourceVersion: c.nextVersion(), Generation: 1,
			CreationTimestamp: created,
			Labels:            map[string]string{"app.kubernetes.io/instance": app, "app.kubernetes.io/managed-by": "Helm"},
			Annotations: map[string]string{
				"cert-manager.io/cluster-issuer":              "letsencrypt",
				"nginx.ingress.kubernetes.io/proxy-body-size": "8m",
				"nginx.ingress.kubernetes.io/ssl-redirect":    "true",
			},
		},
		Spec: networkingv1.IngressSpec{
			IngressClassName: &class,
			TLS:              []networkingv1.IngressTLS{{Hosts: []string{host}, SecretName: app + "-tls"}},
			Rules: []networkingv1.IngressRule{{Host: host, IngressRuleValue: networkingv1.IngressRuleValue{
				HTTP: &networkingv1.HTTPIngressRuleValue{Paths: []networkingv1.HTTPIngressPath{
					path("/", app), path("/api", app+"-api"),
				}},
			}}},
		},
		Status: networkingv1.IngressStatus{LoadBalancer: networkingv1.IngressLoadBalancerStatus{
			Ingress: []networkingv1.IngressLoadBalancerIngress{{IP: fmt.Sprintf("203.0.113.%d", r.IntN(8))}},
		}},
	}
	ingress.ManagedFields = []metav1.ManagedFieldsEntry{
		managedBy("helm", "", created, map[string]any{
			"metadata": map[string]any{"annotations": ingress.Annotations, "labels": ingress.Labels}, "spec": ingress.Spec,
		}),
		managedBy("nginx-ingress-controller", "status", created, map[string]any{"status": ingress.Status}),
	}
	return ingress
}
