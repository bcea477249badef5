package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// unreached are the published messages that the schema leaves out, each with its reason.
var unreached = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1.Timestamp": "the form of Time and MicroTime in protobuf, and no field's type",
	"k8s.io/apimachinery/pkg/runtime.Unknown":        "the envelope around an object, and no field's type",
}

// check compares the collected facts with those that the modules publish next to their types.
func check(walker *walker, packages []*Package) error {
	return errors.Join(checkMessages(walker), checkFixtures(walker.source, packages))
}

// checkMessages fails for a message of the loaded packages that is neither in the walk nor in `unreached`.
func checkMessages(walker *walker) error {
	reached := map[string]bool{}
	for t := range walker.structs {
		reached[qualified(t)] = true
	}
	for t := range walker.seenSpecials {
		reached[qualified(t)] = true
	}
	var missing []string
	for name := range walker.source.codecs {
		if _, excused := unreached[name]; reached[name] == excused {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		return fmt.Errorf("reached and left out, or neither: %s", strings.Join(missing, ", "))
	}
	return nil
}

// checkFixtures fails for a kind of k8s.io/api's fixtures that the schema does not hold.
func checkFixtures(source *source, packages []*Package) error {
	kinds := map[schema.GroupVersionKind]bool{}
	for _, p := range packages {
		for _, s := range p.Structs {
			for _, k := range s.Kinds {
				kinds[schema.GroupVersionKind{Group: k.Group, Version: k.Version, Kind: k.Kind}] = true
			}
		}
	}
	folder := filepath.Join(source.packages["k8s.io/api/core/v1"].Module.Dir, "testdata", "HEAD")
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var missing []string
	for _, entry := range entries {
		// <group>.<version>.<kind>.<format>, and the group may have dots.
		parts := strings.Split(entry.Name(), ".")
		n := len(parts)
		if n < 4 {
			return fmt.Errorf("a fixture is named %s", entry.Name())
		}
		gvk := schema.GroupVersionKind{Group: strings.Join(parts[:n-3], "."), Version: parts[n-3], Kind: parts[n-2]}
		if gvk.Group == "core" {
			gvk.Group = ""
		}
		if !kinds[gvk] && !slices.Contains(missing, gvk.String()) {
			missing = append(missing, gvk.String())
		}
	}
	if len(missing) > 0 || len(entries) == 0 {
		return fmt.Errorf("of %d fixtures, the schema lacks %s", len(entries), strings.Join(missing, "; "))
	}
	fmt.Printf("%d fixtures, every kind is in the schema\n", len(entries))
	return nil
}
