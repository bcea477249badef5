package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// A cluster of workloads that pods are drawn from.
//
// Pods of one workload have its template in common and nothing else: names, UIDs, addresses, hashes, IDs and times are each
// pod's own, and so is the service-account volume that admission adds with its mounts.
type cluster struct {
	random    *rand.Rand
	workloads []*workload
	nodes     []node
	version   int64
	next      int
	names     map[string]bool
}

type node struct{ name, ip string }

type workload struct {
	kind, apiVersion, name, namespace string
	uid                               types.UID
	labels                            map[string]string
	annotations                       map[string]string
	spec                              corev1.PodSpec
	digests                           []string
	pods                              int
	// The share of all pods that this workload has.
	weight int
}

// The shapes of workload, how many of each there are and which share of all pods, in percent, they have.
var shapes = []struct {
	kind, apiVersion string
	count, percent   int
}{
	{"ReplicaSet", "apps/v1", 400, 80},
	{"DaemonSet", "apps/v1", 12, 10},
	{"StatefulSet", "apps/v1", 40, 7},
	{"Job", "batch/v1", 60, 3},
}

var (
	teams   = []string{"payments", "search", "checkout", "identity", "catalog", "shipping", "billing", "platform", "media", "ads"}
	roles   = []string{"api", "web", "worker", "gateway", "consumer", "indexer", "scheduler", "cache", "proxy", "exporter"}
	tiers   = []string{"frontend", "backend", "data", "edge"}
	regions = []string{"eu-west-1a", "eu-west-1b", "eu-west-1c"}
)

func newCluster(random *rand.Rand, pods int) *cluster {
	c := &cluster{random: random, version: 184_467_440, names: map[string]bool{}}
	for i := range max(10, pods/60) {
		c.nodes = append(c.nodes, node{
			name: fmt.Sprintf("ip-10-%d-%d-%d.eu-west-1.compute.internal", i>>14&63, i>>7&127, i&127),
			ip:   fmt.Sprintf("10.%d.%d.%d", i>>14&63, i>>7&127, i&127),
		})
	}
	for _, shape := range shapes {
		for i := range shape.count {
			w := c.workload(shape.kind, shape.apiVersion, i)
			w.weight = 1 + shape.percent*100/shape.count
			c.workloads = append(c.workloads, w)
		}
	}
	return c
}

func (c *cluster) workload(kind, apiVersion string, number int) *workload {
	r := c.random
	team, role := teams[r.IntN(len(teams))], roles[r.IntN(len(roles))]
	app := fmt.Sprintf("%s-%s-%d", team, role, number)
	w := &workload{
		kind: kind, apiVersion: apiVersion, name: app, namespace: fmt.Sprintf("%s-%s", team, tiers[r.IntN(len(tiers))]),
		uid: c.uid(),
		labels: map[string]string{
			"app.kubernetes.io/component": role, "app.kubernetes.io/instance": app, "app.kubernetes.io/name": role,
			"app.kubernetes.io/part-of": team, "app.kubernetes.io/version": fmt.Sprintf("v%d.%d.%d", r.IntN(4), r.IntN(40), r.IntN(20)),
		},
		annotations: map[string]string{
			"checksum/config":      c.hex(64),
			"prometheus.io/port":   "9090",
			"prometheus.io/scrape": "true",
		},
		digests: []string{c.hex(64), c.hex(64)},
	}
	hash := c.letters(10)
	switch kind {
	case "ReplicaSet":
		w.name = app + "-" + hash
		w.labels["pod-template-hash"] = hash
	case "DaemonSet":
		w.labels["controller-revision-hash"] = hash
		w.labels["pod-template-generation"] = fmt.Sprint(1 + r.IntN(30))
	case "StatefulSet":
		w.labels["controller-revision-hash"] = app + "-" + hash
	case "Job":
		uid := string(c.uid())
		w.labels["batch.kubernetes.io/controller-uid"], w.labels["controller-uid"] = uid, uid
		w.labels["batch.kubernetes.io/job-name"], w.labels["job-name"] = app, app
	}
	w.spec = c.template(w, app)
	return w
}

func (c *cluster) template(w *workload, app string) corev1.PodSpec {
	r := c.random
	port := int32(8000 + r.IntN(1000))
	cpu, memory := fmt.Sprintf("%dm", 50+25*r.IntN(20)), fmt.Sprintf("%dMi", 64+32*r.IntN(30))
	main := corev1.Container{
		Name:  "app",
		Image: fmt.Sprintf("registry.example.com/%s/%s:%s", w.labels["app.kubernetes.io/part-of"], app, w.labels["app.kubernetes.io/version"]),
		Args:  []string{"--listen=:" + fmt.Sprint(port), "--metrics=:9090", "--log-format=json"},
		Ports: []corev1.ContainerPort{
			{Name: "http", ContainerPort: port, Protocol: corev1.ProtocolTCP},
			{Name: "metrics", ContainerPort: 9090, Protocol: corev1.ProtocolTCP},
		},
		Env: []corev1.EnvVar{
			{Name: "POD_NAME", ValueFrom: fieldRef("metadata.name")},
			{Name: "POD_IP", ValueFrom: fieldRef("status.podIP")},
			{Name: "DATABASE_PASSWORD", ValueFrom: secretRef(app+"-database", "password")},
			{Name: "DATABASE_HOST", Value: app + "-db." + w.namespace + ".svc.cluster.local"},
			{Name: "LOG_LEVEL", Value: []string{"info", "debug", "warn"}[r.IntN(3)]},
		},
		Resources: corev1.ResourceRequirements{
			Limits:   quantities("memory", memory),
			Requests: quantities("cpu", cpu, "memory", memory),
		},
		LivenessProbe:  probe("/healthz", 30),
		ReadinessProbe: probe("/readyz", 10),
		VolumeMounts: []corev1.VolumeMount{
			{Name: "config", MountPath: "/etc/" + app, ReadOnly: true},
			{Name: "tmp", MountPath: "/tmp"},
		},
		TerminationMessagePath:   corev1.TerminationMessagePathDefault,
		TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		ImagePullPolicy:          corev1.PullIfNotPresent,
		SecurityContext: &corev1.SecurityContext{
			AllowPrivilegeEscalation: new(bool),
			ReadOnlyRootFilesystem:   yes(),
			Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
		},
	}
	side := corev1.Container{
		Name:  "proxy",
		Image: fmt.Sprintf("registry.example.com/mesh/proxy:v1.%d.%d", 20+r.IntN(3), r.IntN(4)),
		Args:  []string{"run", "--config=/etc/proxy/config.yaml"},
		Ports: []corev1.ContainerPort{{Name: "mesh", ContainerPort: 15001, Protocol: corev1.ProtocolTCP}},
		Env: []corev1.EnvVar{
			{Name: "NODE_NAME", ValueFrom: fieldRef("spec.nodeName")},
			{Name: "SERVICE_NAME", Value: app},
		},
		Resources:                corev1.ResourceRequirements{Requests: quantities("cpu", "10m", "memory", "32Mi")},
		ReadinessProbe:           probe("/ready", 5),
		TerminationMessagePath:   corev1.TerminationMessagePathDefault,
		TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		ImagePullPolicy:          corev1.PullIfNotPresent,
	}
	seconds := int64(30)
	spec := corev1.PodSpec{
		Volumes: []corev1.Volume{
			{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
				LocalObjectReference: corev1.LocalObjectReference{Name: app + "-config"}, DefaultMode: mode(420)}}},
			{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
		},
		Containers:                    []corev1.Container{main, side},
		RestartPolicy:                 corev1.RestartPolicyAlways,
		TerminationGracePeriodSeconds: &seconds,
		DNSPolicy:                     corev1.DNSClusterFirst,
		ServiceAccountName:            app,
		DeprecatedServiceAccount:      app,
		SecurityContext:               &corev1.PodSecurityContext{RunAsNonRoot: yes()},
		SchedulerName:                 corev1.DefaultSchedulerName,
		ImagePullSecrets:              []corev1.LocalObjectReference{{Name: "registry"}},
	}
	switch w.kind {
	case "DaemonSet":
		spec.HostNetwork = true
		spec.Volumes = append(spec.Volumes, corev1.Volume{Name: "host", VolumeSource: corev1.VolumeSource{
			HostPath: &corev1.HostPathVolumeSource{Path: "/var/log"}}})
		spec.PriorityClassName = "system-node-critical"
	case "StatefulSet":
		spec.Volumes = append(spec.Volumes, corev1.Volume{Name: "data"})
		spec.Subdomain = app
	case "Job":
		spec.RestartPolicy = corev1.RestartPolicyOnFailure
		spec.Containers[0].LivenessProbe = nil
	}
	return spec
}

// The next pod, of any of the workloads.
func (c *cluster) pod() *corev1.Pod {
	r := c.random
	w := c.workloads[r.IntN(len(c.workloads))]
	for r.IntN(2001) >= w.weight {
		w = c.workloads[r.IntN(len(c.workloads))]
	}
	host := c.nodes[r.IntN(len(c.nodes))]
	created := c.time()
	pod := &corev1.Pod{
		TypeMeta: metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"},
		ObjectMeta: metav1.ObjectMeta{
			GenerateName: w.name + "-", Namespace: w.namespace, UID: c.uid(), ResourceVersion: c.nextVersion(),
			Generation: 1, CreationTimestamp: created, Labels: map[string]string{}, Annotations: map[string]string{},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: w.apiVersion, Kind: w.kind, Name: w.name, UID: w.uid, Controller: yes(), BlockOwnerDeletion: yes(),
			}},
		},
		Spec: *w.spec.DeepCopy(),
	}
	for key, value := range w.labels {
		pod.Labels[key] = value
	}
	for key, value := range w.annotations {
		pod.Annotations[key] = value
	}
	c.adopt(pod, w)
	w.pods++
	// The controller manages the fields that it sent; admission and the scheduler added the rest.
	controller := managedBy("kube-controller-manager", "", created, map[string]any{
		"metadata": map[string]any{
			"annotations": pod.Annotations, "generateName": pod.GenerateName, "labels": pod.Labels,
			"ownerReferences": pod.OwnerReferences,
		},
		"spec": pod.Spec,
	})
	c.admit(pod, w, host)
	c.status(pod, w, host)
	pod.ManagedFields = []metav1.ManagedFieldsEntry{controller, kubelet(pod, after(created, 2+r.IntN(20)))}
	return pod
}

// adopt sets the fields that differ by the kind of the controller.
func (c *cluster) adopt(pod *corev1.Pod, w *workload) {
	// As the server does, it tries again if the name exists.
	for pod.Name == "" || c.names[pod.Name] {
		pod.Name = pod.GenerateName + c.letters(5)
	}
	c.names[pod.Name] = true
	switch w.kind {
	case "StatefulSet":
		pod.Name = fmt.Sprintf("%s-%d", w.name, w.pods)
		pod.Labels["statefulset.kubernetes.io/pod-name"] = pod.Name
		pod.Labels["apps.kubernetes.io/pod-index"] = fmt.Sprint(w.pods)
		pod.Spec.Hostname = pod.Name
		pod.Spec.Volumes[2].PersistentVolumeClaim = &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data-" + pod.Name}
	case "Job":
		pod.Labels["batch.kubernetes.io/job-completion-index"] = fmt.Sprint(w.pods)
	}
}

func (c *cluster) admit(pod *corev1.Pod, w *workload, host node) {
	pod.Spec.NodeName = host.name
	name := "kube-api-access-" + c.letters(5)
	for i := range pod.Spec.Containers {
		container := &pod.Spec.Containers[i]
		container.VolumeMounts = append(container.VolumeMounts, corev1.VolumeMount{
			Name: name, ReadOnly: true, MountPath: "/var/run/secrets/kubernetes.io/serviceaccount"})
	}
	expiration := int64(3607)
	pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{
		Projected: &corev1.ProjectedVolumeSource{DefaultMode: mode(420), Sources: []corev1.VolumeProjection{
			{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{ExpirationSeconds: &expiration, Path: "token"}},
			{ConfigMap: &corev1.ConfigMapProjection{
				LocalObjectReference: corev1.LocalObjectReference{Name: "kube-root-ca.crt"},
				Items:                []corev1.KeyToPath{{Key: "ca.crt", Path: "ca.crt"}}}},
			{DownwardAPI: &corev1.DownwardAPIProjection{Items: []corev1.DownwardAPIVolumeFile{{
				Path: "namespace", FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "metadata.namespace"}}}}},
		}}}})
	seconds := int64(300)
	pod.Spec.Tolerations = append(pod.Spec.Tolerations,
		corev1.Toleration{Key: corev1.TaintNodeNotReady, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &seconds},
		corev1.Toleration{Key: corev1.TaintNodeUnreachable, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &seconds})
	priority, policy := int32(0), corev1.PreemptLowerPriority
	pod.Spec.Priority, pod.Spec.PreemptionPolicy, pod.Spec.EnableServiceLinks = &priority, &policy, yes()
	if w.kind == "DaemonSet" {
		pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
				MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{host.name}}}}}}}}
	} else {
		pod.Spec.NodeSelector = map[string]string{"topology.kubernetes.io/zone": regions[c.random.IntN(len(regions))]}
	}
}

func (c *cluster) status(pod *corev1.Pod, w *workload, host node) {
	r := c.random
	created := pod.CreationTimestamp
	ip := fmt.Sprintf("10.%d.%d.%d", 128+c.next>>16&63, c.next>>8&255, c.next&255)
	c.next++
	if w.kind == "DaemonSet" {
		ip = host.ip
	}
	ready := after(created, 5+r.IntN(60))
	pod.Status = corev1.PodStatus{
		ObservedGeneration: 1, Phase: corev1.PodRunning, QOSClass: corev1.PodQOSBurstable, StartTime: &created,
		HostIP: host.ip, HostIPs: []corev1.HostIP{{IP: host.ip}}, PodIP: ip, PodIPs: []corev1.PodIP{{IP: ip}},
		Conditions: []corev1.PodCondition{
			condition(corev1.PodReadyToStartContainers, after(created, 1+r.IntN(9))),
			condition(corev1.PodInitialized, created),
			condition(corev1.PodReady, ready),
			condition(corev1.ContainersReady, ready),
			condition(corev1.PodScheduled, created),
		},
	}
	for i, container := range pod.Spec.Containers {
		started := true
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{
			Name: container.Name, Ready: true, Started: &started, Image: container.Image,
			ImageID:            strings.Split(container.Image, ":")[0] + "@sha256:" + w.digests[i],
			ContainerID:        "containerd://" + c.hex(64),
			State:              corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: after(created, 2+r.IntN(30))}},
			AllocatedResources: container.Resources.Requests,
			Resources:          container.Resources.DeepCopy(),
			VolumeMounts:       mounted(container.VolumeMounts),
		})
	}
}

// A change of the pod's status as a kubelet makes it when a container restarts.
func (c *cluster) update(pod *corev1.Pod) {
	r := c.random
	now := c.time()
	pod.ResourceVersion = c.nextVersion()
	for i := range pod.Status.Conditions {
		switch condition := &pod.Status.Conditions[i]; condition.Type {
		case corev1.PodReady, corev1.ContainersReady:
			condition.LastTransitionTime = now
		}
	}
	status := &pod.Status.ContainerStatuses[r.IntN(len(pod.Status.ContainerStatuses))]
	status.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{
		ExitCode: int32(1 + r.IntN(2)), Reason: "Error", StartedAt: status.State.Running.StartedAt, FinishedAt: now,
		ContainerID: status.ContainerID,
	}
	status.State.Running.StartedAt = now
	status.ContainerID = "containerd://" + c.hex(64)
	status.RestartCount++
	pod.ManagedFields[1] = kubelet(pod, now)
}

func kubelet(pod *corev1.Pod, at metav1.Time) metav1.ManagedFieldsEntry {
	status := pod.Status.DeepCopy()
	status.QOSClass = ""
	// The scheduler's own.
	status.Conditions = status.Conditions[:4]
	return managedBy("kubelet", "status", at, map[string]any{"status": status})
}

func mounted(mounts []corev1.VolumeMount) []corev1.VolumeMountStatus {
	var statuses []corev1.VolumeMountStatus
	for _, mount := range mounts {
		status := corev1.VolumeMountStatus{Name: mount.Name, MountPath: mount.MountPath, ReadOnly: mount.ReadOnly}
		if mount.ReadOnly {
			disabled := corev1.RecursiveReadOnlyDisabled
			status.RecursiveReadOnly = &disabled
		}
		statuses = append(statuses, status)
	}
	return statuses
}

func condition(of corev1.PodConditionType, at metav1.Time) corev1.PodCondition {
	return corev1.PodCondition{Type: of, Status: corev1.ConditionTrue, ObservedGeneration: 1, LastTransitionTime: at}
}

func fieldRef(path string) *corev1.EnvVarSource {
	return &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: path}}
}

func secretRef(name, key string) *corev1.EnvVarSource {
	return &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{
		LocalObjectReference: corev1.LocalObjectReference{Name: name}, Key: key}}
}

func probe(path string, period int32) *corev1.Probe {
	return &corev1.Probe{
		ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{
			Path: path, Port: intstr.FromString("http"), Scheme: corev1.URISchemeHTTP}},
		TimeoutSeconds: 1, PeriodSeconds: period, SuccessThreshold: 1, FailureThreshold: 3,
	}
}

func quantities(pairs ...string) corev1.ResourceList {
	list := corev1.ResourceList{}
	for i := 0; i < len(pairs); i += 2 {
		list[corev1.ResourceName(pairs[i])] = resource.MustParse(pairs[i+1])
	}
	return list
}

func yes() *bool {
	value := true
	return &value
}

func mode(value int32) *int32 { return &value }

func after(at metav1.Time, seconds int) metav1.Time {
	return metav1.NewTime(at.Add(time.Duration(seconds) * time.Second))
}

// A second of the last 90 days.
func (c *cluster) time() metav1.Time {
	return metav1.NewTime(time.Unix(1_790_000_000-int64(c.random.IntN(90*24*3600)), 0).UTC())
}

func (c *cluster) nextVersion() string {
	c.version += 1 + c.random.Int64N(40)
	return fmt.Sprint(c.version)
}

func (c *cluster) uid() types.UID {
	return types.UID(fmt.Sprintf("%s-%s-4%s-a%s-%s", c.hex(8), c.hex(4), c.hex(3), c.hex(3), c.hex(12)))
}

func (c *cluster) hex(length int) string { return c.from("0123456789abcdef", length) }

// Kubernetes' alphabet of name suffixes: no vowels, so no words.
func (c *cluster) letters(length int) string { return c.from("bcdfghjklmnpqrstvwxz2456789", length) }

func (c *cluster) from(alphabet string, length int) string {
	text := make([]byte, length)
	for i := range text {
		text[i] = alphabet[c.random.IntN(len(alphabet))]
	}
	return string(text)
}
