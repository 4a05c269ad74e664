// types FILE writes down how Kubernetes' own Go types read and write JSON: one line per kind, one block per type.
//
// It walks, by reflection, every kind that kube-apiserver serves in a stable version, and what they are made of. The
// file is src/kubewright/cluster/wire/types.txt, whose form is told in types.py beside it; `make generate` calls this.
package main

import (
	"encoding"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"sort"
	"strings"

	autoscaling "k8s.io/api/autoscaling/v1"
	crd "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	aggregation "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/authentication/install"
	_ "k8s.io/kubernetes/pkg/apis/authorization/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/certificates/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
)

var (
	stable       = regexp.MustCompile(`^v[0-9]+$`)
	unmarshaler  = reflect.TypeFor[json.Unmarshaler]()
	marshaler    = reflect.TypeFor[json.Marshaler]()
	unmarshalTxt = reflect.TypeFor[encoding.TextUnmarshaler]()
	marshalTxt   = reflect.TypeFor[encoding.TextMarshaler]()
	shortenings  = strings.NewReplacer(
		"k8s.io/apimachinery/pkg/apis/", "",
		"k8s.io/apimachinery/pkg/api/", "",
		"k8s.io/apimachinery/pkg/util/", "",
		"k8s.io/apimachinery/pkg/", "",
		"k8s.io/apiextensions-apiserver/pkg/apis/", "",
		"k8s.io/kube-aggregator/pkg/apis/", "",
		"k8s.io/api/", "",
	)
)

// special is whether a type reads or writes JSON in a way of its own.
func special(t reflect.Type) bool {
	if t.Name() == "" {
		return false
	}
	p := reflect.PointerTo(t)
	return p.Implements(unmarshaler) || p.Implements(marshaler) || p.Implements(unmarshalTxt) || p.Implements(marshalTxt)
}

// expression is a type as the table spells it.
func expression(t reflect.Type) string {
	if t.PkgPath() != "" {
		return shortenings.Replace(t.PkgPath()) + "." + t.Name()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + expression(t.Elem())
	case reflect.Slice:
		return "[]" + expression(t.Elem())
	case reflect.Map:
		return "map[" + expression(t.Key()) + "]" + expression(t.Elem())
	case reflect.Interface:
		return "any"
	}
	if t.Name() == "" {
		panic(fmt.Sprintf("a type of a shape unknown here: %v", t))
	}
	return t.String()
}

// walker collects the blocks of all types it meets.
type walker map[string][]string

func (w walker) visit(t reflect.Type) {
	if t.PkgPath() != "" {
		name := expression(t)
		if _, seen := w[name]; seen {
			return
		}
		switch {
		case special(t):
			w[name] = nil
			w[name] = w.fields(t, []string{"special " + name})
			return
		case t.Kind() == reflect.Struct:
			w[name] = nil
			w[name] = w.fields(t, []string{"struct " + name})
			return
		}
		w[name] = []string{"name " + name + " " + t.Kind().String()}
		if t.Kind() == reflect.Map || t.Kind() == reflect.Slice {
			element := "[]" + expression(t.Elem())
			if t.Kind() == reflect.Map {
				element = "map[" + expression(t.Key()) + "]" + expression(t.Elem())
			}
			w[name] = []string{"name " + name + " " + element}
		}
	}
	switch t.Kind() {
	case reflect.Map:
		w.visit(t.Key())
		w.visit(t.Elem())
	case reflect.Pointer, reflect.Slice:
		w.visit(t.Elem())
	}
}

func (w walker) fields(t reflect.Type, lines []string) []string {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || !f.IsExported() {
			continue
		}
		inlined := f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct
		if inlined && f.Type.PkgPath() == "time" {
			continue
		}
		if !inlined && name == "" {
			if !special(t) {
				panic(fmt.Sprintf("a field without a JSON name: %v.%s", t, f.Name))
			}
			name = f.Name
		}
		w.visit(f.Type)
		number := "-"
		if proto := strings.Split(f.Tag.Get("protobuf"), ","); len(proto) > 1 {
			// What the tag says of the wire type is not always so; the type tells it, too.
			number = proto[1]
			if !inlined && f.Name != strings.ToUpper(name[:1])+name[1:] {
				number += "," + f.Name
			}
		}
		line := []string{name, expression(f.Type), number}
		if inlined {
			line[0] = "inline"
			line = append(line, f.Name)
		}
		for _, option := range strings.Split(options, ",") {
			switch option {
			case "", "inline":
			case "omitempty", "omitzero":
				line = append(line, option)
			default:
				panic(fmt.Sprintf("an option unknown here: %v.%s %s", t, f.Name, option))
			}
		}
		for _, tag := range []string{"patchStrategy", "patchMergeKey"} {
			if value := f.Tag.Get(tag); value != "" {
				line = append(line, tag+"="+value)
			}
		}
		lines = append(lines, strings.Join(line, " "))
	}
	return lines
}

func main() {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{crd.AddToScheme, aggregation.AddToScheme, meta.AddMetaToScheme} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	types := map[schema.GroupVersionKind]reflect.Type{}
	for _, known := range []*runtime.Scheme{legacyscheme.Scheme, scheme} {
		for kind, t := range known.AllKnownTypes() {
			// Every group knows the types of meta/v1 by its own name; they are told once.
			ofMeta := t.PkgPath() == reflect.TypeFor[meta.Status]().PkgPath()
			if !stable.MatchString(kind.Version) || t.Kind() != reflect.Struct {
				continue
			}
			if ofMeta {
				kind = meta.SchemeGroupVersion.WithKind(kind.Kind)
			}
			types[kind] = t
		}
	}
	w := walker{}
	// What annotations of an autoscaler hold, in the version that has no fields for it.
	w.visit(reflect.TypeFor[[]autoscaling.MetricSpec]())
	w.visit(reflect.TypeFor[[]autoscaling.MetricStatus]())
	w.visit(reflect.TypeFor[[]autoscaling.HorizontalPodAutoscalerCondition]())
	lines := []string{}
	for kind, t := range types {
		if kind.Kind == "InternalEvent" || kind.Kind == "WatchEvent" {
			continue
		}
		w.visit(t)
		lines = append(lines, fmt.Sprintf("kind %s %s %s", kind.GroupVersion(), kind.Kind, expression(t)))
	}
	sort.Strings(lines)
	names := []string{}
	for name := range w {
		names = append(names, name)
	}
	sort.Strings(names)
	blocks := []string{strings.Join(lines, "\n")}
	for _, name := range names {
		blocks = append(blocks, strings.Join(w[name], "\n"))
	}
	if err := os.WriteFile(os.Args[1], []byte(strings.Join(blocks, "\n\n")+"\n"), 0o644); err != nil {
		panic(err)
	}
}
