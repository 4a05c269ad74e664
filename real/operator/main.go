// operator KUBECONFIG runs what bench/operator measures, written with controller-runtime as its users write it: a
// WebServer becomes a Deployment and a Service by server-side apply, then its status is written if it differs.
// It works on sixteen objects at once and, like kubewright, wakes for its own kind only when the spec changes.
//
// operator KUBECONFIG sync webservers|pods fills one cache, and prints how many objects it then has and the seconds of
// CPU time that took.
package main

import (
	"context"
	"fmt"
	"os"
	"syscall"

	"github.com/go-logr/logr"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	v1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	applyapps "k8s.io/client-go/applyconfigurations/apps/v1"
	applycore "k8s.io/client-go/applyconfigurations/core/v1"
	applymeta "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	control "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

const manager = "web-operator"

var version = schema.GroupVersion{Group: "web.example.com", Version: "v1"}

type WebServer struct {
	v1.TypeMeta   `json:",inline"`
	v1.ObjectMeta `json:"metadata,omitempty"`
	Spec          Spec   `json:"spec,omitempty"`
	Status        Status `json:"status,omitempty"`
}

type Spec struct {
	Image    string `json:"image"`
	Replicas int32  `json:"replicas"`
	Port     int32  `json:"port"`
}

type Status struct {
	Conditions         []v1.Condition `json:"conditions,omitempty"`
	ObservedGeneration int64          `json:"observedGeneration,omitempty"`
	ReadyReplicas      int32          `json:"readyReplicas"`
}

type WebServerList struct {
	v1.TypeMeta `json:",inline"`
	v1.ListMeta `json:"metadata,omitempty"`
	Items       []WebServer `json:"items"`
}

func (from *WebServer) DeepCopyInto(to *WebServer) {
	*to = *from
	from.ObjectMeta.DeepCopyInto(&to.ObjectMeta)
	if from.Status.Conditions != nil {
		to.Status.Conditions = make([]v1.Condition, len(from.Status.Conditions))
		for i := range from.Status.Conditions {
			from.Status.Conditions[i].DeepCopyInto(&to.Status.Conditions[i])
		}
	}
}

func (from *WebServer) DeepCopyObject() runtime.Object {
	to := new(WebServer)
	from.DeepCopyInto(to)
	return to
}

func (from *WebServerList) DeepCopyObject() runtime.Object {
	to := &WebServerList{TypeMeta: from.TypeMeta}
	from.ListMeta.DeepCopyInto(&to.ListMeta)
	for i := range from.Items {
		to.Items = append(to.Items, WebServer{})
		from.Items[i].DeepCopyInto(&to.Items[i])
	}
	return to
}

type Reconciler struct{ client.Client }

func (r *Reconciler) Reconcile(ctx context.Context, request control.Request) (control.Result, error) {
	web := &WebServer{}
	if err := r.Get(ctx, request.NamespacedName, web); err != nil {
		return control.Result{}, client.IgnoreNotFound(err)
	}
	if web.DeletionTimestamp != nil {
		return control.Result{}, nil
	}
	before := web.Status.DeepCopy()

	deployment := deploymentFor(web)
	if err := r.Apply(ctx, deployment, client.FieldOwner(manager), client.ForceOwnership); err != nil {
		return control.Result{}, err
	}
	if err := r.Apply(ctx, serviceFor(web), client.FieldOwner(manager), client.ForceOwnership); err != nil {
		return control.Result{}, err
	}

	ready := int32(0)
	if deployment.Status != nil && deployment.Status.ReadyReplicas != nil {
		ready = *deployment.Status.ReadyReplicas
	}
	available := v1.ConditionFalse
	if ready == web.Spec.Replicas {
		available = v1.ConditionTrue
	}
	web.Status.ReadyReplicas = ready
	web.Status.ObservedGeneration = web.Generation
	meta.SetStatusCondition(&web.Status.Conditions, v1.Condition{Type: "Available", Status: available, Reason: "Rollout"})
	if equality.Semantic.DeepEqual(before, &web.Status) {
		return control.Result{}, nil
	}
	return control.Result{}, r.Status().Update(ctx, web)
}

func (from *Status) DeepCopy() *Status {
	to := *from
	to.Conditions = append([]v1.Condition(nil), from.Conditions...)
	return &to
}

func labelsFor(web *WebServer) map[string]string {
	return map[string]string{"app.kubernetes.io/name": web.Name, "app.kubernetes.io/managed-by": manager}
}

func ownerOf(web *WebServer) *applymeta.OwnerReferenceApplyConfiguration {
	return applymeta.OwnerReference().WithAPIVersion(version.String()).WithKind("WebServer").
		WithName(web.Name).WithUID(web.UID).WithController(true).WithBlockOwnerDeletion(true)
}

func deploymentFor(web *WebServer) *applyapps.DeploymentApplyConfiguration {
	labels := map[string]string{"app.kubernetes.io/name": web.Name}
	return applyapps.Deployment(web.Name, web.Namespace).WithLabels(labelsFor(web)).WithOwnerReferences(ownerOf(web)).
		WithSpec(applyapps.DeploymentSpec().WithReplicas(web.Spec.Replicas).
			WithSelector(applymeta.LabelSelector().WithMatchLabels(labels)).
			WithTemplate(applycore.PodTemplateSpec().WithLabels(labels).
				WithSpec(applycore.PodSpec().WithContainers(applycore.Container().WithName("web").
					WithImage(web.Spec.Image).
					WithPorts(applycore.ContainerPort().WithContainerPort(web.Spec.Port))))))
}

func serviceFor(web *WebServer) *applycore.ServiceApplyConfiguration {
	return applycore.Service(web.Name, web.Namespace).WithLabels(labelsFor(web)).WithOwnerReferences(ownerOf(web)).
		WithSpec(applycore.ServiceSpec().WithSelector(map[string]string{"app.kubernetes.io/name": web.Name}).
			WithClusterIP("None").
			WithPorts(applycore.ServicePort().WithName("http").WithPort(80).
				WithTargetPort(intstr.FromInt32(web.Spec.Port))))
}

func run(config *rest.Config) error {
	work, err := control.NewManager(config, control.Options{
		Scheme:  scheme.Scheme,
		Metrics: server.Options{BindAddress: "0"},
	})
	if err != nil {
		return err
	}
	err = control.NewControllerManagedBy(work).
		For(&WebServer{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&apps.Deployment{}).
		Owns(&core.Service{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: 32}).
		Complete(&Reconciler{work.GetClient()})
	if err != nil {
		return err
	}
	return work.Start(control.SetupSignalHandler())
}

func sync(ctx context.Context, config *rest.Config, kind string) error {
	kinds := map[string]client.Object{"webservers": &WebServer{}, "pods": &core.Pod{}}
	began := spent()
	objects, err := cache.New(config, cache.Options{Scheme: scheme.Scheme})
	if err != nil {
		return err
	}
	go objects.Start(ctx)
	informer, err := objects.GetInformer(ctx, kinds[kind])
	if err != nil {
		return err
	}
	count := 0
	told, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{AddFunc: func(any) { count++ }})
	if err != nil {
		return err
	}
	if !toolscache.WaitForCacheSync(ctx.Done(), told.HasSynced) {
		return fmt.Errorf("the cache of %s is not complete", kind)
	}
	fmt.Printf("{\"objects\": %d, \"cpu\": %f}\n", count, spent()-began)
	return nil
}

func spent() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	seconds := func(time syscall.Timeval) float64 { return float64(time.Sec) + float64(time.Usec)/1e6 }
	return seconds(usage.Utime) + seconds(usage.Stime)
}

func main() {
	scheme.Scheme.AddKnownTypes(version, &WebServer{}, &WebServerList{})
	v1.AddToGroupVersion(scheme.Scheme, version)
	control.SetLogger(logr.Discard())
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	if err == nil {
		config.QPS = -1
		if len(os.Args) > 3 && os.Args[2] == "sync" {
			err = sync(context.Background(), config, os.Args[3])
		} else {
			err = run(config)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
