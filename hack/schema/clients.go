package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	apiregistration "k8s.io/kube-aggregator/pkg/client/clientset_generated/clientset"
	metrics "k8s.io/metrics/pkg/client/clientset/versioned"
)

// Placeholders in the requests that are recorded, and in the paths that are written.
const (
	namespace = "{namespace}"
	name      = "{name}"
)

// clients records the request of every typed client of Go's clientsets: each method is called once, and its request
// stopped. So a resource has its plural name and its scope even if no server serves it any more.
func clients() ([]Client, error) {
	recorder := &recorder{}
	config := &rest.Config{Host: "http://recorded", Transport: recorder, QPS: -1}
	var out []Client
	for _, set := range []struct {
		name string
		set  any
		as   reflect.Type
	}{
		{"kubernetes", kubernetes.NewForConfigOrDie(config), reflect.TypeFor[kubernetes.Interface]()},
		{"apiextensions", apiextensions.NewForConfigOrDie(config), reflect.TypeFor[apiextensions.Interface]()},
		{"apiregistration", apiregistration.NewForConfigOrDie(config), reflect.TypeFor[apiregistration.Interface]()},
		{"metrics", metrics.NewForConfigOrDie(config), reflect.TypeFor[metrics.Interface]()},
	} {
		found, err := recorder.clientset(set.name, reflect.ValueOf(set.set), set.as)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

var errRecorded = errors.New("recorded, not sent")

// recorder is a transport that keeps the last request and answers none.
type recorder struct{ last *http.Request }

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	r.last = request
	return nil, errRecorded
}

// clientset iterates over a clientset's groups, and over their resources.
func (r *recorder) clientset(set string, clientset reflect.Value, as reflect.Type) ([]Client, error) {
	var out []Client
	for i := range as.NumMethod() {
		accessor := as.Method(i)
		if accessor.Name == "Discovery" {
			continue
		}
		group, groupType := clientset.MethodByName(accessor.Name).Call(nil)[0], accessor.Type.Out(0)
		gv := group.MethodByName("RESTClient").Call(nil)[0].Interface().(rest.Interface).APIVersion()
		for i := range groupType.NumMethod() {
			getter := groupType.Method(i)
			if getter.Name == "RESTClient" {
				continue
			}
			client := Client{Clientset: set, Accessor: accessor.Name, Getter: getter.Name, Group: gv.Group, Version: gv.Version}
			var in []reflect.Value
			if client.Namespaced = getter.Type.NumIn() == 1; client.Namespaced {
				in = append(in, reflect.ValueOf(namespace))
			}
			resource := group.MethodByName(getter.Name).Call(in)[0]
			if err := r.resource(&client, resource, getter.Type.Out(0)); err != nil {
				return nil, fmt.Errorf("%s.%s: %w", accessor.Name, getter.Name, err)
			}
			out = append(out, client)
		}
	}
	return out, nil
}

// resource calls every method of a resource's interface.
func (r *recorder) resource(client *Client, value reflect.Value, of reflect.Type) error {
	requests := map[string]Method{}
	var names []string
	for i := range of.NumMethod() {
		method := of.Method(i)
		found, err := r.method(value.MethodByName(method.Name), method.Type)
		if err != nil {
			return fmt.Errorf("%s: %w", method.Name, err)
		}
		found.Name = method.Name
		requests[method.Name] = found
		names = append(names, method.Name)
		switch method.Name {
		case "Create", "Get":
			client.Kind = found.Returns
			client.Protobuf = strings.HasPrefix(r.last.Header.Get("Accept"), runtime.ContentTypeProtobuf)
		case "List":
			client.List = found.Returns
		}
	}
	client.Methods = []string{}
	slices.Sort(names)
	first := requests["Create"]
	if first.HTTP == "" {
		first = requests["List"]
	}
	if first.HTTP != "" {
		if err := client.place(first.Path); err != nil {
			return err
		}
	}
	item := first.Path + "/" + name
	for _, method := range names {
		found := requests[method]
		if standard, ok := standards[method]; ok && found.HTTP == standard.http && found.Path == standard.path(first.Path, item) {
			client.Methods = append(client.Methods, method)
		} else {
			client.Extra = append(client.Extra, found)
		}
	}
	return nil
}

// place reads the resource from a collection's path, which must be of the client's group version.
func (c *Client) place(path string) error {
	gv := schema.GroupVersion{Group: c.Group, Version: c.Version}
	prefix := "/apis/" + gv.String() + "/"
	if c.Group == "" {
		prefix = "/api/" + c.Version + "/"
	}
	if c.Namespaced {
		prefix += "namespaces/" + namespace + "/"
	}
	resource, ok := strings.CutPrefix(path, prefix)
	if !ok || strings.Contains(resource, "/") {
		return fmt.Errorf("its path is %q", path)
	}
	c.Resource = resource
	return nil
}

// standard is a request that every client with the method makes alike.
type standard struct {
	http        string
	item        bool
	subresource string
}

func (s standard) path(collection, item string) string {
	if s.item {
		return item + s.subresource
	}
	return collection
}

var standards = map[string]standard{
	"Apply":            {http.MethodPatch, true, ""},
	"ApplyStatus":      {http.MethodPatch, true, "/status"},
	"Create":           {http.MethodPost, false, ""},
	"Delete":           {http.MethodDelete, true, ""},
	"DeleteCollection": {http.MethodDelete, false, ""},
	"Get":              {http.MethodGet, true, ""},
	"List":             {http.MethodGet, false, ""},
	"Patch":            {http.MethodPatch, true, ""},
	"Update":           {http.MethodPut, true, ""},
	"UpdateStatus":     {http.MethodPut, true, "/status"},
	"Watch":            {http.MethodGet, false, ""},
}

// method calls a method with made-up arguments; one that makes no request of its own has neither verb nor path.
func (r *recorder) method(method reflect.Value, of reflect.Type) (found Method, err error) {
	r.last = nil
	var in []reflect.Value
	for i := range of.NumIn() {
		if of.IsVariadic() && i == of.NumIn()-1 {
			break
		}
		argument, ok := argument(of.In(i))
		if !ok {
			return Method{}, nil
		}
		in = append(in, argument)
	}
	out := method.Call(in)
	if of.NumOut() > 0 {
		if t := of.Out(0); t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct {
			found.Returns = qualified(t.Elem())
		}
		// A method that returns a request instead of sending it returns it here.
		if request, ok := out[0].Interface().(rest.ResponseWrapper); ok && !out[0].IsNil() {
			found.Returns = ""
			_, _ = request.DoRaw(context.Background())
		}
	}
	if r.last == nil {
		return Method{}, nil
	}
	if found.HTTP = r.last.Method; found.HTTP == "" {
		return found, errors.New("a request without a verb")
	}
	found.Path = r.last.URL.Path
	return found, nil
}

// argument makes up a value that a request can be built from.
func argument(t reflect.Type) (reflect.Value, bool) {
	switch {
	case t == reflect.TypeFor[context.Context]():
		return reflect.ValueOf(context.Background()), true
	case t == reflect.TypeFor[types.PatchType]():
		return reflect.ValueOf(types.MergePatchType), true
	case t.Kind() == reflect.String:
		return reflect.ValueOf(name).Convert(t), true
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Struct, t.Kind() == reflect.Map:
		return reflect.Zero(t), true
	case t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct:
		value := reflect.New(t.Elem())
		if object, ok := value.Interface().(metav1.Object); ok {
			object.SetName(name)
			object.SetNamespace(namespace)
		}
		if with := value.MethodByName("WithName"); with.IsValid() {
			with.Call([]reflect.Value{reflect.ValueOf(name)})
		} else if field := value.Elem().FieldByName("Name"); field.IsValid() {
			field.SetString(name)
		}
		return value, true
	}
	return reflect.Value{}, false
}
