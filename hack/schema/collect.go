package main

import (
	"cmp"
	"maps"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// everywhere is the number of group versions from which on a type counts as registered in all of them.
const everywhere = 10

// known are the scheme's kinds by Go type, without internal versions.
func known(scheme *runtime.Scheme) map[reflect.Type][]schema.GroupVersionKind {
	out := map[reflect.Type][]schema.GroupVersionKind{}
	for gvk, t := range scheme.AllKnownTypes() {
		if gvk.Version != runtime.APIVersionInternal {
			out[t] = append(out[t], gvk)
		}
	}
	for _, gvks := range out {
		slices.SortFunc(gvks, func(a, b schema.GroupVersionKind) int {
			return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Version, b.Version), cmp.Compare(a.Kind, b.Kind))
		})
	}
	return out
}

// packagePaths are the Go packages of the scheme's types and of the specials.
func packagePaths(scheme *runtime.Scheme) []string {
	paths := map[string]bool{}
	for t := range known(scheme) {
		paths[t.PkgPath()] = true
	}
	for t := range specials {
		paths[t.PkgPath()] = true
	}
	for _, t := range unregistered {
		paths[t.PkgPath()] = true
	}
	return slices.Sorted(maps.Keys(paths))
}

// collect walks every root and sorts what it reached into packages.
func collect(scheme *runtime.Scheme, walker *walker) ([]*Package, error) {
	kinds := known(scheme)
	for t := range kinds {
		if err := walker.visit(t); err != nil {
			return nil, err
		}
	}
	for _, t := range unregistered {
		if err := walker.visit(t); err != nil {
			return nil, err
		}
	}
	byPath := map[string]*Package{}
	for t, s := range walker.structs {
		path := t.PkgPath()
		if byPath[path] == nil {
			group, version := walker.source.groupVersion(path)
			byPath[path] = &Package{Package: path, Group: group, Version: version}
		}
		gvks := kinds[t]
		if len(gvks) >= everywhere {
			s.Everywhere = true
			gvks = slices.DeleteFunc(slices.Clone(gvks), func(gvk schema.GroupVersionKind) bool {
				return gvk.GroupVersion() != schema.GroupVersion{Version: "v1"}
			})
		}
		for _, gvk := range gvks {
			s.Kinds = append(s.Kinds, Kind{Group: gvk.Group, Version: gvk.Version, Kind: gvk.Kind})
		}
		byPath[path].Structs = append(byPath[path].Structs, *s)
	}
	var out []*Package
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		p := byPath[path]
		slices.SortFunc(p.Structs, func(a, b Struct) int { return cmp.Compare(a.Name, b.Name) })
		p.Constants = walker.source.constants(path)
		for _, enum := range walker.source.enums(path) {
			if walker.named[path+"."+enum.Name] {
				p.Enums = append(p.Enums, enum)
			}
		}
		out = append(out, p)
	}
	return out, nil
}
