package main

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// specials are types that a generator maps by hand: they are named, never opened.
var specials = map[reflect.Type]string{
	reflect.TypeFor[resource.Quantity]():                                 "Quantity",
	reflect.TypeFor[metav1.Time]():                                       "Time",
	reflect.TypeFor[metav1.MicroTime]():                                  "MicroTime",
	reflect.TypeFor[metav1.Duration]():                                   "Duration",
	reflect.TypeFor[metav1.Timestamp]():                                  "Timestamp",
	reflect.TypeFor[metav1.FieldsV1]():                                   "FieldsV1",
	reflect.TypeFor[intstr.IntOrString]():                                "IntOrString",
	reflect.TypeFor[runtime.RawExtension]():                              "RawExtension",
	reflect.TypeFor[runtime.Unknown]():                                   "Unknown",
	reflect.TypeFor[apiextensionsv1.JSON]():                              "JSON",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrArray]():            "JSONSchemaPropsOrArray",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrBool]():             "JSONSchemaPropsOrBool",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrStringArray]():      "JSONSchemaPropsOrStringArray",
	reflect.TypeFor[apiextensionsv1beta1.JSON]():                         "JSON",
	reflect.TypeFor[apiextensionsv1beta1.JSONSchemaPropsOrArray]():       "JSONSchemaPropsOrArray",
	reflect.TypeFor[apiextensionsv1beta1.JSONSchemaPropsOrBool]():        "JSONSchemaPropsOrBool",
	reflect.TypeFor[apiextensionsv1beta1.JSONSchemaPropsOrStringArray](): "JSONSchemaPropsOrStringArray",
}

// walker collects every struct that its roots reach.
type walker struct {
	source  *source
	structs map[reflect.Type]*Struct
	// named are the named scalar types seen on fields, by Go name.
	named map[string]bool
	// seenSpecials are the special types seen on fields.
	seenSpecials map[reflect.Type]bool
}

func newWalker(source *source) *walker {
	return &walker{
		source:       source,
		structs:      map[reflect.Type]*Struct{},
		named:        map[string]bool{},
		seenSpecials: map[reflect.Type]bool{},
	}
}

func (w *walker) visit(t reflect.Type) error {
	if _, special := specials[t]; special || w.structs[t] != nil {
		return nil
	}
	out := &Struct{Name: t.Name(), Message: w.source.hasCodec(t), Fields: []Field{}}
	w.structs[t] = out
	declared := w.source.types[t.PkgPath()][t.Name()]
	out.Lifecycle = lifecycle(declared.comment)
	if about, err := facts(declared.comment, t, nil); err != nil {
		return fmt.Errorf("%s: %w", qualified(t), err)
	} else if about != nil {
		out.Deprecated = about.Deprecated
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			return fmt.Errorf("%s.%s is not exported", qualified(t), f.Name)
		}
		field, err := w.field(t, f)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", qualified(t), f.Name, err)
		}
		out.Fields = append(out.Fields, field)
	}
	return nil
}

func (w *walker) field(owner reflect.Type, f reflect.StructField) (Field, error) {
	out := Field{Name: f.Name}
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "":
		case "inline":
			out.Inline = true
		case "omitempty":
			out.OmitEmpty = true
		case "omitzero":
			out.OmitZero = true
		default:
			return out, fmt.Errorf("unknown json option %q", option)
		}
	}
	// Go inlines an embedded struct without a JSON name, with or without a tag for it, and nothing else.
	embedded := f.Anonymous && name == ""
	if out.Inline && !embedded {
		return out, fmt.Errorf("inline by its tag, but Go would not inline it")
	}
	out.Inline = embedded
	switch name {
	case "-":
	case "":
		if !out.Inline {
			return out, fmt.Errorf("no JSON name")
		}
	default:
		out.JSON = name
	}
	number, err := protobufNumber(f.Tag)
	if err != nil {
		return out, err
	}
	codec := w.source.codecs[qualified(owner)]
	if encoded, ok := codec[f.Name]; ok != (number != 0) || encoded.number != number {
		return out, fmt.Errorf("protobuf number %d by its tag, %d by the generated code", number, encoded.number)
	} else if ok {
		out.PB = &PB{Number: number, Wire: encoded.wire, Write: writes[encoded.guard]}
	}
	if strategy := f.Tag.Get("patchStrategy"); strategy != "" {
		out.PatchStrategy = strings.Split(strategy, ",")
		slices.Sort(out.PatchStrategy)
	}
	out.PatchMergeKey = f.Tag.Get("patchMergeKey")
	if out.Type, err = w.goType(f.Type); err != nil {
		return out, err
	}
	of := f.Type
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	comment := w.source.types[owner.PkgPath()][owner.Name()].fields[f.Name]
	out.Facts, err = facts(comment, of, w.source.values[qualified(of)])
	out.Facts.correct(owner, f.Name)
	return out, err
}

// writes are the schema's words for an encoder's guard.
var writes = map[string]string{"": "always", "nil": "nonNil", "len": "nonEmpty"}

func protobufNumber(tag reflect.StructTag) (int, error) {
	value := tag.Get("protobuf")
	if value == "" || value == "-" {
		return 0, nil
	}
	parts := strings.Split(value, ",")
	if len(parts) < 2 {
		return 0, fmt.Errorf("protobuf tag %q", value)
	}
	return strconv.Atoi(parts[1])
}

func (w *walker) goType(t reflect.Type) (*Type, error) {
	if special, ok := specials[t]; ok {
		w.seenSpecials[t] = true
		return &Type{Special: special, Name: qualified(t)}, nil
	}
	name := ""
	if t.PkgPath() != "" {
		name = qualified(t)
	}
	switch t.Kind() {
	case reflect.Bool, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64, reflect.String:
		if name != "" {
			w.named[name] = true
		}
		return &Type{Scalar: t.Kind().String(), Name: name}, nil
	case reflect.Pointer:
		inner, err := w.goType(t.Elem())
		return &Type{Ptr: inner}, err
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return &Type{Scalar: "bytes", Name: name}, nil
		}
		if w.source.hasCodec(t) {
			if t.Elem().Kind() != reflect.String {
				return nil, fmt.Errorf("%s is a message, and not of strings", name)
			}
			w.seenSpecials[t] = true
			return &Type{Special: "StringList", Name: name}, nil
		}
		inner, err := w.goType(t.Elem())
		return &Type{Slice: inner, Name: name}, err
	case reflect.Map:
		key, err := w.goType(t.Key())
		if err != nil {
			return nil, err
		}
		if key.Name == "" && key.Scalar == "string" {
			key = nil
		}
		inner, err := w.goType(t.Elem())
		return &Type{Map: inner, Key: key, Name: name}, err
	case reflect.Struct:
		return &Type{Struct: name}, w.visit(t)
	case reflect.Interface:
		if name == "" && t.NumMethod() == 0 {
			return &Type{Special: "Any"}, nil
		}
	}
	return nil, fmt.Errorf("no form for %s", t)
}

func qualified(t reflect.Type) string { return t.PkgPath() + "." + t.Name() }
