package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// The releases that are compared, as minor versions. A field of the oldest one has an unknown origin.
const (
	oldest = 17
	newest = 37
)

// structures are the structs of one release: JSON names by Go type name. Embedded structs are opened.
type structures map[string]map[string]bool

// releases reads the structs of the packages in every release from `oldest` to the one before `newest`.
func releases(paths []string, source *source) (map[int]structures, error) {
	modules := map[string][]string{}
	for _, path := range paths {
		module := source.packages[path].Module
		if want := fmt.Sprintf("v0.%d.", newest); !strings.HasPrefix(module.Version, want) {
			return nil, fmt.Errorf("%s is of %s, and the newest release here is %s", path, module.Version, want)
		}
		modules[module.Path] = append(modules[module.Path], path)
	}
	out := map[int]structures{}
	for minor := oldest; minor < newest; minor++ {
		out[minor] = structures{}
		for module, paths := range modules {
			folder, err := download(fmt.Sprintf("%s@v0.%d.0", module, minor))
			if err != nil {
				return nil, err
			}
			for _, path := range paths {
				if err := out[minor].read(path, filepath.Join(folder, strings.TrimPrefix(path, module))); err != nil {
					return nil, err
				}
			}
		}
	}
	return out, nil
}

// download is the folder of a module's version.
func download(module string) (string, error) {
	command := exec.Command("go", "mod", "download", "-json", module)
	// Outside of this program's module, whose requirements are of another release.
	command.Dir = os.TempDir()
	data, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("go mod download %s: %w: %s", module, err, data)
	}
	var found struct{ Dir string }
	err = json.Unmarshal(data, &found)
	return found.Dir, err
}

// read adds the structs of a package's folder; a package that the release lacks adds none.
func (s structures) read(path, folder string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	own := map[string]*ast.StructType{}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.Contains(name, "generated") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(node ast.Node) bool {
			if spec, ok := node.(*ast.TypeSpec); ok {
				if structure, ok := spec.Type.(*ast.StructType); ok {
					own[spec.Name.Name] = structure
				}
			}
			return true
		})
	}
	for name, structure := range own {
		names := map[string]bool{}
		open(structure, own, names)
		s[path+"."+name] = names
	}
	return nil
}

// open collects a struct's JSON names, and those of the structs of its package that it embeds.
func open(structure *ast.StructType, own map[string]*ast.StructType, names map[string]bool) {
	for _, field := range structure.Fields.List {
		tag := ""
		if field.Tag != nil {
			tag, _ = strconv.Unquote(field.Tag.Value)
		}
		json, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		if json != "" {
			names[json] = true
			continue
		}
		if name, ok := field.Type.(*ast.Ident); ok && len(field.Names) == 0 && own[name.Name] != nil {
			open(own[name.Name], own, names)
		}
	}
}

// date sets the release that each kind and each field came with.
func date(packages []*Package, source *source) error {
	var paths []string
	for _, p := range packages {
		if p.Version != "" {
			paths = append(paths, p.Package)
		}
	}
	history, err := releases(paths, source)
	if err != nil {
		return err
	}
	for _, p := range packages {
		if p.Version == "" {
			continue
		}
		for i := range p.Structs {
			of := &p.Structs[i]
			name := p.Package + "." + of.Name
			first := newest
			for first > oldest && history[first-1][name] != nil {
				first--
			}
			if len(of.Kinds) > 0 && first > oldest {
				of.Since = release(first)
			}
			for i := range of.Fields {
				field := &of.Fields[i]
				if field.JSON == "" {
					continue
				}
				minor := newest
				for minor > first && history[minor-1][name][field.JSON] {
					minor--
				}
				if minor > first {
					if field.Facts == nil {
						field.Facts = &Facts{}
					}
					field.Facts.Since = release(minor)
				}
			}
		}
	}
	return nil
}

func release(minor int) string { return fmt.Sprintf("1.%d", minor) }
