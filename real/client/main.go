// client KUBECONFIG STORY runs one story with Kubernetes' own Go client, in the namespace of the kubeconfig's context,
// and prints what it saw: the same on every server that is a Kubernetes API. tests/integration/test_go.py runs it.
//
// The typed clients speak protobuf, as those of Kubernetes' own programs and of controller-runtime do.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"
	"sync"
	"time"

	apps "k8s.io/api/apps/v1"
	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	autoscaling "k8s.io/api/autoscaling/v1"
	core "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	failures "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	applied "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typed "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
)

const (
	protobuf = "application/vnd.kubernetes.protobuf"
	patience = 20 * time.Second
)

// world is what every story has.
type world struct {
	ctx       context.Context
	config    *rest.Config
	client    kubernetes.Interface
	namespace string
}

var stories = map[string]func(*world) error{
	"objects":   objects,
	"only":      only,
	"workloads": workloads,
	"reviews":   reviews,
	"options":   options,
	"informers": informed,
	"metadata":  described,
	"election":  election,
	"events":    recorded,
	"apply":     apply,
}

func main() {
	if len(os.Args) != 3 || stories[os.Args[2]] == nil {
		names := []string{}
		for name := range stories {
			names = append(names, name)
		}
		sort.Strings(names)
		fmt.Fprintf(os.Stderr, "client KUBECONFIG STORY, where a story is one of: %s\n", strings.Join(names, " "))
		os.Exit(2)
	}
	if err := run(os.Args[1], stories[os.Args[2]]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(kubeconfig string, story func(*world) error) error {
	loaded := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
		&clientcmd.ClientConfigLoadingRules{ExplicitPath: kubeconfig}, nil)
	config, err := loaded.ClientConfig()
	if err != nil {
		return err
	}
	namespace, _, err := loaded.Namespace()
	if err != nil {
		return err
	}
	config.ContentType = protobuf
	config.AcceptContentTypes = protobuf + ",application/json"
	config.QPS = -1
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	return story(&world{ctx, config, client, namespace})
}

func configMap(name string, data map[string]string) *core.ConfigMap {
	return &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: name, Labels: map[string]string{"story": "go"}}, Data: data}
}

// objects: create, read, change, list, watch and delete.
func objects(w *world) error {
	maps := w.client.CoreV1().ConfigMaps(w.namespace)
	watch, err := maps.Watch(w.ctx, meta.ListOptions{LabelSelector: "story=go"})
	if err != nil {
		return err
	}
	defer watch.Stop()
	made, err := maps.Create(w.ctx, configMap("a", map[string]string{"k": "v", "u": "ü ✓"}), meta.CreateOptions{})
	if err != nil {
		return err
	}
	fmt.Println("created", made.Name, made.Namespace == w.namespace, made.UID != "", made.Data)
	stale := made.DeepCopy()
	made.BinaryData = map[string][]byte{"b": {0, 1, 255}, "e": {}}
	made, err = maps.Update(w.ctx, made, meta.UpdateOptions{})
	if err != nil {
		return err
	}
	fmt.Println("updated", made.BinaryData)
	stale.Data["k"] = "late"
	_, err = maps.Update(w.ctx, stale, meta.UpdateOptions{})
	fmt.Println("conflict", failures.IsConflict(err))
	_, err = maps.Create(w.ctx, configMap("a", nil), meta.CreateOptions{})
	fmt.Println("again", failures.IsAlreadyExists(err), err)
	_, err = maps.Create(w.ctx, configMap("A b", nil), meta.CreateOptions{})
	fmt.Println("invalid", failures.IsInvalid(err), err)
	patched, err := maps.Patch(w.ctx, "a", types.StrategicMergePatchType, []byte(`{"data":{"k":null,"n":"1"}}`), meta.PatchOptions{})
	if err != nil {
		return err
	}
	fmt.Println("patched", patched.Data)
	for i := range 3 {
		if _, err = maps.Create(w.ctx, configMap(fmt.Sprintf("b%d", i), nil), meta.CreateOptions{}); err != nil {
			return err
		}
	}
	page, err := maps.List(w.ctx, meta.ListOptions{LabelSelector: "story=go", Limit: 2})
	if err != nil {
		return err
	}
	rest, err := maps.List(w.ctx, meta.ListOptions{LabelSelector: "story=go", Limit: 2, Continue: page.Continue})
	if err != nil {
		return err
	}
	fmt.Println("listed", len(page.Items), page.Continue != "", len(rest.Items), rest.Continue == "")
	_, err = maps.Get(w.ctx, "nope", meta.GetOptions{})
	fmt.Println("missing", failures.IsNotFound(err), err)
	zero := int64(0)
	err = maps.Delete(w.ctx, "a", meta.DeleteOptions{
		GracePeriodSeconds: &zero, Preconditions: &meta.Preconditions{UID: &made.UID}})
	if err != nil {
		return err
	}
	err = maps.DeleteCollection(w.ctx, meta.DeleteOptions{}, meta.ListOptions{LabelSelector: "story=go"})
	if err != nil {
		return err
	}
	for range 9 {
		select {
		case event := <-watch.ResultChan():
			fmt.Println("saw", event.Type, event.Object.(*core.ConfigMap).Name)
		case <-time.After(patience):
			return errors.New("the watch went silent")
		}
	}
	return nil
}

// only: a client that takes protobuf and nothing else.
func only(w *world) error {
	config := rest.CopyConfig(w.config)
	config.AcceptContentTypes = protobuf
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	maps := client.CoreV1().ConfigMaps(w.namespace)
	watch, err := maps.Watch(w.ctx, meta.ListOptions{LabelSelector: "story=go"})
	if err != nil {
		return err
	}
	defer watch.Stop()
	made, err := maps.Create(w.ctx, configMap("a", map[string]string{"k": "v"}), meta.CreateOptions{})
	if err != nil {
		return err
	}
	fmt.Println("created", made.Name, made.Data, made.CreationTimestamp.IsZero())
	for i := range 40 {
		if _, err = maps.Create(w.ctx, configMap(fmt.Sprintf("b%d", i), nil), meta.CreateOptions{}); err != nil {
			return err
		}
	}
	all, err := maps.List(w.ctx, meta.ListOptions{LabelSelector: "story=go"})
	if err != nil {
		return err
	}
	fmt.Println("listed", len(all.Items), all.Items[0].Name, all.Items[40].Name, all.ResourceVersion != "")
	_, err = maps.Get(w.ctx, "nope", meta.GetOptions{})
	fmt.Println("missing", failures.IsNotFound(err), err)
	fmt.Println("deleted", maps.Delete(w.ctx, "a", meta.DeleteOptions{}))
	for range 41 {
		<-watch.ResultChan()
	}
	event := <-watch.ResultChan()
	fmt.Println("saw", event.Type, event.Object.(*core.ConfigMap).Name)
	return nil
}

// workloads: larger objects, their scale and their status.
func workloads(w *world) error {
	one, quarter := intstr.FromInt32(1), intstr.FromString("25%")
	replicas, grace := int32(0), int64(5)
	labels := map[string]string{"app": "web"}
	spec := core.PodSpec{
		TerminationGracePeriodSeconds: &grace,
		Volumes:                       []core.Volume{{Name: "v", VolumeSource: core.VolumeSource{EmptyDir: &core.EmptyDirVolumeSource{}}}},
		Containers: []core.Container{{
			Name: "c", Image: "example.com/web:1", Args: []string{"--verbose", ""},
			Env:   []core.EnvVar{{Name: "A", Value: "1"}},
			Ports: []core.ContainerPort{{Name: "http", ContainerPort: 80}},
			Resources: core.ResourceRequirements{
				Requests: core.ResourceList{core.ResourceCPU: resource.MustParse("0.5"), core.ResourceMemory: resource.MustParse("1024Mi")}},
			LivenessProbe: &core.Probe{ProbeHandler: core.ProbeHandler{
				HTTPGet: &core.HTTPGetAction{Path: "/", Port: intstr.FromString("http")}}},
			VolumeMounts: []core.VolumeMount{{Name: "v", MountPath: "/v"}},
		}},
	}
	deployments := w.client.AppsV1().Deployments(w.namespace)
	made, err := deployments.Create(w.ctx, &apps.Deployment{
		ObjectMeta: meta.ObjectMeta{Name: "web"},
		Spec: apps.DeploymentSpec{
			Replicas: &replicas,
			Selector: &meta.LabelSelector{MatchLabels: labels},
			Strategy: apps.DeploymentStrategy{
				Type: apps.RollingUpdateDeploymentStrategyType, RollingUpdate: &apps.RollingUpdateDeployment{MaxSurge: &one, MaxUnavailable: &quarter}},
			Template: core.PodTemplateSpec{ObjectMeta: meta.ObjectMeta{Labels: labels}, Spec: spec},
		},
	}, meta.CreateOptions{})
	if err != nil {
		return err
	}
	container := made.Spec.Template.Spec.Containers[0]
	fmt.Println("created", made.Name, made.Generation, *made.Spec.Replicas, made.Spec.Strategy.RollingUpdate.MaxUnavailable)
	fmt.Println("container", container.Resources.Requests.Cpu(), container.Resources.Requests.Memory(), container.LivenessProbe.HTTPGet.Port.String())
	scale, err := deployments.GetScale(w.ctx, "web", meta.GetOptions{})
	if err != nil {
		return err
	}
	scale.Spec.Replicas = 0
	scale.ResourceVersion = "" // controllers write, too
	scale, err = deployments.UpdateScale(w.ctx, "web", scale, meta.UpdateOptions{})
	if err != nil {
		return err
	}
	fmt.Println("scaled", scale.Spec, scale.Status.Selector)
	_, err = w.client.AutoscalingV1().HorizontalPodAutoscalers(w.namespace).Create(w.ctx, &autoscaling.HorizontalPodAutoscaler{
		ObjectMeta: meta.ObjectMeta{Name: "web"},
		Spec: autoscaling.HorizontalPodAutoscalerSpec{
			MaxReplicas: 3, ScaleTargetRef: autoscaling.CrossVersionObjectReference{Kind: "Deployment", Name: "web", APIVersion: "apps/v1"}},
	}, meta.CreateOptions{})
	if err != nil {
		return err
	}
	scaler, err := w.client.AutoscalingV2().HorizontalPodAutoscalers(w.namespace).Get(w.ctx, "web", meta.GetOptions{})
	if err != nil {
		return err
	}
	fmt.Println("autoscaler", scaler.Spec.MaxReplicas, scaler.Spec.Metrics[0].Type, *scaler.Spec.Metrics[0].Resource.Target.AverageUtilization)
	made.Status.ObservedGeneration = 7
	made, err = deployments.Get(w.ctx, "web", meta.GetOptions{})
	if err != nil {
		return err
	}
	foreground := meta.DeletePropagationForeground
	fmt.Println("deleted", deployments.Delete(w.ctx, "web", meta.DeleteOptions{PropagationPolicy: &foreground}))
	pods := w.client.CoreV1().Pods(w.namespace)
	no := false
	spec.AutomountServiceAccountToken = &no
	spec.SchedulerName = "nobody" // or a node would write to it as well
	pod, err := pods.Create(w.ctx, &core.Pod{ObjectMeta: meta.ObjectMeta{Name: "p", Labels: labels}, Spec: spec}, meta.CreateOptions{})
	if err != nil {
		return err
	}
	fmt.Println("pod", pod.Status.Phase, pod.Spec.RestartPolicy)
	pod.Status.Conditions = append(pod.Status.Conditions, core.PodCondition{Type: "example.com/x", Status: core.ConditionTrue})
	pod, err = pods.UpdateStatus(w.ctx, pod, meta.UpdateOptions{})
	if err != nil {
		return err
	}
	fmt.Println("status", len(pod.Status.Conditions))
	err = pods.EvictV1(w.ctx, &policy.Eviction{ObjectMeta: meta.ObjectMeta{Name: "p"}})
	fmt.Println("evicted", err)
	return nil
}

// reviews: kinds that are only asked.
func reviews(w *world) error {
	may, err := w.client.AuthorizationV1().SelfSubjectAccessReviews().Create(w.ctx, &authorization.SelfSubjectAccessReview{
		Spec: authorization.SelfSubjectAccessReviewSpec{ResourceAttributes: &authorization.ResourceAttributes{
			Namespace: w.namespace, Verb: "get", Resource: "pods"}}}, meta.CreateOptions{})
	if err != nil {
		return err
	}
	fmt.Println("may", may.Status.Allowed)
	other, err := w.client.AuthorizationV1().SubjectAccessReviews().Create(w.ctx, &authorization.SubjectAccessReview{
		Spec: authorization.SubjectAccessReviewSpec{
			User: "nobody", Groups: []string{"a", "b"}, Extra: map[string]authorization.ExtraValue{"x": {"1", "2"}},
			ResourceAttributes: &authorization.ResourceAttributes{Namespace: w.namespace, Verb: "get", Resource: "pods"}}}, meta.CreateOptions{})
	if err != nil {
		return err
	}
	fmt.Println("may another", other.Status.Allowed, other.Spec.Extra)
	hour := int64(3600)
	accounts := w.client.CoreV1().ServiceAccounts(w.namespace)
	if _, err = accounts.Create(w.ctx, &core.ServiceAccount{ObjectMeta: meta.ObjectMeta{Name: "me"}}, meta.CreateOptions{}); err != nil {
		return err
	}
	token, err := accounts.CreateToken(w.ctx, "me", &authentication.TokenRequest{
		Spec: authentication.TokenRequestSpec{ExpirationSeconds: &hour}}, meta.CreateOptions{})
	if err != nil {
		return err
	}
	review, err := w.client.AuthenticationV1().TokenReviews().Create(w.ctx, &authentication.TokenReview{
		Spec: authentication.TokenReviewSpec{Token: token.Status.Token}}, meta.CreateOptions{})
	if err != nil {
		return err
	}
	fmt.Println("is", review.Status.Authenticated, review.Status.User.Username == "system:serviceaccount:"+w.namespace+":me")
	return nil
}

// options: what a request says beside the object.
func options(w *world) error {
	maps := w.client.CoreV1().ConfigMaps(w.namespace)
	_, err := maps.Create(w.ctx, configMap("dry", nil), meta.CreateOptions{DryRun: []string{meta.DryRunAll}})
	fmt.Println("dry", err)
	_, err = maps.Get(w.ctx, "dry", meta.GetOptions{})
	fmt.Println("missing", failures.IsNotFound(err))
	kept := configMap("kept", nil)
	kept.Finalizers = []string{"example.com/wait"}
	if _, err = maps.Create(w.ctx, kept, meta.CreateOptions{FieldManager: "story", FieldValidation: "Strict"}); err != nil {
		return err
	}
	wrong := types.UID("wrong")
	err = maps.Delete(w.ctx, "kept", meta.DeleteOptions{Preconditions: &meta.Preconditions{UID: &wrong}})
	fmt.Println("refused", failures.IsConflict(err))
	if err = maps.Delete(w.ctx, "kept", meta.DeleteOptions{}); err != nil {
		return err
	}
	kept, err = maps.Get(w.ctx, "kept", meta.GetOptions{})
	if err != nil {
		return err
	}
	fmt.Println("waits", kept.DeletionTimestamp != nil, kept.Finalizers)
	kept.Finalizers = nil
	_, err = maps.Update(w.ctx, kept, meta.UpdateOptions{})
	fmt.Println("let go", err)
	_, err = maps.Get(w.ctx, "kept", meta.GetOptions{})
	fmt.Println("gone", failures.IsNotFound(err))
	return nil
}

// informed: a shared informer sees what happens, once each.
func informed(w *world) error {
	maps := w.client.CoreV1().ConfigMaps(w.namespace)
	if _, err := maps.Create(w.ctx, configMap("before", nil), meta.CreateOptions{}); err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactoryWithOptions(w.client, 0, informers.WithNamespace(w.namespace),
		informers.WithTweakListOptions(func(o *meta.ListOptions) { o.LabelSelector = "story=go" }))
	informer := factory.Core().V1().ConfigMaps()
	told := make(chan string, 100)
	_, err := informer.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { told <- "added " + obj.(*core.ConfigMap).Name },
		UpdateFunc: func(_, obj any) { told <- "updated " + obj.(*core.ConfigMap).Name },
		DeleteFunc: func(obj any) { told <- "deleted " + obj.(*core.ConfigMap).Name },
	})
	if err != nil {
		return err
	}
	factory.Start(w.ctx.Done())
	if !cache.WaitForCacheSync(w.ctx.Done(), informer.Informer().HasSynced) {
		return errors.New("the informer did not sync")
	}
	if err := hear(told, 1); err != nil {
		return err
	}
	if _, err := maps.Create(w.ctx, configMap("after", nil), meta.CreateOptions{}); err != nil {
		return err
	}
	if err := hear(told, 1); err != nil {
		return err
	}
	if _, err := maps.Patch(w.ctx, "after", types.MergePatchType, []byte(`{"data":{"k":"1"}}`), meta.PatchOptions{}); err != nil {
		return err
	}
	if err := hear(told, 1); err != nil {
		return err
	}
	if err := maps.Delete(w.ctx, "before", meta.DeleteOptions{}); err != nil {
		return err
	}
	if err := hear(told, 1); err != nil {
		return err
	}
	found, err := informer.Lister().ConfigMaps(w.namespace).Get("after")
	if err != nil {
		return err
	}
	fmt.Println("cached", found.Data)
	return nil
}

func hear(told <-chan string, count int) error {
	for range count {
		select {
		case what := <-told:
			fmt.Println(what)
		case <-time.After(patience):
			return errors.New("nothing was told")
		}
	}
	return nil
}

// described: the client that wants metadata alone.
func described(w *world) error {
	if _, err := w.client.CoreV1().ConfigMaps(w.namespace).Create(w.ctx, configMap("a", nil), meta.CreateOptions{}); err != nil {
		return err
	}
	client, err := metadata.NewForConfig(metadata.ConfigFor(w.config))
	if err != nil {
		return err
	}
	maps := client.Resource(core.SchemeGroupVersion.WithResource("configmaps")).Namespace(w.namespace)
	one, err := maps.Get(w.ctx, "a", meta.GetOptions{})
	if err != nil {
		return err
	}
	all, err := maps.List(w.ctx, meta.ListOptions{LabelSelector: "story=go"})
	if err != nil {
		return err
	}
	fmt.Println("described", one.Kind, one.Name, one.Labels, len(all.Items))
	return nil
}

// election: two candidates for one lease; when the first steps down, the second leads.
func election(w *world) error {
	var mutex sync.Mutex
	say := func(words ...any) {
		mutex.Lock()
		defer mutex.Unlock()
		fmt.Println(words...)
	}
	leading := make(chan string, 2)
	stand := func(ctx context.Context, name string) {
		leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
			Lock: &resourcelock.LeaseLock{
				LeaseMeta:  meta.ObjectMeta{Name: "election", Namespace: w.namespace},
				Client:     w.client.CoordinationV1(),
				LockConfig: resourcelock.ResourceLockConfig{Identity: name},
			},
			LeaseDuration: 4 * time.Second, RenewDeadline: 3 * time.Second, RetryPeriod: 200 * time.Millisecond,
			ReleaseOnCancel: true,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { leading <- name },
				OnStoppedLeading: func() {},
			},
		})
	}
	first, stepDown := context.WithCancel(w.ctx)
	over := make(chan struct{})
	go func() { stand(first, "first"); close(over) }()
	say("leads", <-leading)
	second, end := context.WithCancel(w.ctx)
	defer end()
	go stand(second, "second")
	time.Sleep(600 * time.Millisecond)
	stepDown()
	<-over
	say("leads", <-leading)
	lease, err := w.client.CoordinationV1().Leases(w.namespace).Get(w.ctx, "election", meta.GetOptions{})
	if err != nil {
		return err
	}
	say("lease", *lease.Spec.HolderIdentity, *lease.Spec.LeaseDurationSeconds, *lease.Spec.LeaseTransitions, lease.Spec.RenewTime != nil)
	return nil
}

// recorded: events of a recorder are counted, and seen in both groups.
func recorded(w *world) error {
	owner, err := w.client.CoreV1().ConfigMaps(w.namespace).Create(w.ctx, configMap("a", nil), meta.CreateOptions{})
	if err != nil {
		return err
	}
	broadcaster := record.NewBroadcaster()
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(&typed.EventSinkImpl{Interface: w.client.CoreV1().Events(w.namespace)})
	recorder := broadcaster.NewRecorder(scheme.Scheme, core.EventSource{Component: "story"})
	for range 3 {
		recorder.Event(owner, core.EventTypeNormal, "Told", "It happened.")
	}
	selector := meta.ListOptions{FieldSelector: "involvedObject.name=a,reason=Told"}
	deadline := time.Now().Add(patience)
	for time.Now().Before(deadline) {
		found, err := w.client.CoreV1().Events(w.namespace).List(w.ctx, selector)
		if err != nil {
			return err
		}
		if len(found.Items) == 1 && found.Items[0].Count == 3 {
			same, err := w.client.EventsV1().Events(w.namespace).Get(w.ctx, found.Items[0].Name, meta.GetOptions{})
			if err != nil {
				return err
			}
			fmt.Println("event", same.Regarding.Name, same.Note, same.DeprecatedCount, same.DeprecatedSource.Component)
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return errors.New("the event was not counted")
}

// apply: server-side apply by typed configurations.
func apply(w *world) error {
	maps := w.client.CoreV1().ConfigMaps(w.namespace)
	wanted := applied.ConfigMap("a", w.namespace).WithData(map[string]string{"k": "1", "l": "1"})
	if _, err := maps.Apply(w.ctx, wanted, meta.ApplyOptions{FieldManager: "one"}); err != nil {
		return err
	}
	wanted = applied.ConfigMap("a", w.namespace).WithData(map[string]string{"k": "2"})
	_, err := maps.Apply(w.ctx, wanted, meta.ApplyOptions{FieldManager: "two"})
	fmt.Println("conflict", failures.IsConflict(err))
	made, err := maps.Apply(w.ctx, wanted, meta.ApplyOptions{FieldManager: "two", Force: true})
	if err != nil {
		return err
	}
	fmt.Println("forced", made.Data)
	wanted = applied.ConfigMap("a", w.namespace)
	made, err = maps.Apply(w.ctx, wanted, meta.ApplyOptions{FieldManager: "one"})
	if err != nil {
		return err
	}
	fmt.Println("let go", made.Data)
	again, err := applied.ExtractConfigMap(made, "two")
	if err != nil {
		return err
	}
	fmt.Println("extracted", again.Data)
	return nil
}
