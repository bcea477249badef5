package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// source holds facts that only the packages' source has: constants, and which types have a protobuf codec.
type source struct {
	packages map[string]*packages.Package
	// codecs are the types with a protobuf codec of their own, by Go name: how it writes their fields, or nil where
	// the codec is not generated.
	codecs map[string]map[string]written
	// types are the packages' types with their comments, by import path and name.
	types map[string]map[string]declaration
	// values are the constants of named types, by Go name.
	values map[string][]Value
}

func loadSource(patterns ...string) (*source, error) {
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo |
			packages.NeedImports | packages.NeedDeps | packages.NeedModule,
	}, patterns...)
	if err != nil {
		return nil, err
	}
	out := &source{packages: map[string]*packages.Package{}, codecs: map[string]map[string]written{}}
	out.types, out.values = map[string]map[string]declaration{}, map[string][]Value{}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s: %w", p.PkgPath, p.Errors[0])
		}
		out.packages[p.PkgPath] = p
		out.types[p.PkgPath] = declarations(p.Syntax)
		for _, enum := range out.enums(p.PkgPath) {
			out.values[p.PkgPath+"."+enum.Name] = enum.Values
		}
		for _, file := range p.Syntax {
			generated := strings.HasSuffix(p.Fset.Position(file.Pos()).Filename, "/generated.pb.go")
			for _, decl := range file.Decls {
				method, receiver := methodOf(decl)
				if method == nil || method.Name.Name != "MarshalToSizedBuffer" {
					continue
				}
				name := p.PkgPath + "." + receiver
				out.codecs[name] = nil
				if _, isStruct := p.Types.Scope().Lookup(receiver).Type().Underlying().(*types.Struct); generated && isStruct {
					if out.codecs[name], err = encoderFields(method); err != nil {
						return nil, fmt.Errorf("%s: %w", name, err)
					}
				}
			}
		}
	}
	return out, nil
}

// hasCodec returns whether the type itself, not a struct that it embeds, has a protobuf codec.
func (s *source) hasCodec(t reflect.Type) bool {
	_, ok := s.codecs[qualified(t)]
	return ok
}

// groupName is the constant that a package of kinds names its API group by.
const groupName = "GroupName"

// groupVersion is what the package's kinds are registered under, by its GroupName constant and its path.
func (s *source) groupVersion(path string) (*string, string) {
	name, ok := s.packages[path].Types.Scope().Lookup(groupName).(*types.Const)
	if !ok {
		return nil, ""
	}
	group := constant.StringVal(name.Val())
	return &group, path[strings.LastIndex(path, "/")+1:]
}

// enums are the package's named scalar types with their exported constants, sorted by name.
func (s *source) enums(path string) []Enum {
	byType := map[string]*Enum{}
	for _, c := range s.exported(path) {
		named, ok := types.Unalias(c.Type()).(*types.Named)
		if !ok || named.Obj().Pkg() != c.Pkg() {
			continue
		}
		basic, ok := named.Underlying().(*types.Basic)
		if !ok {
			continue
		}
		name := named.Obj().Name()
		if byType[name] == nil {
			byType[name] = &Enum{Name: name, Scalar: basic.Name(), Closed: closed(s.types[path][name].comment)}
		}
		byType[name].Values = append(byType[name].Values, Value{Name: c.Name(), Value: constant.Val(c.Val())})
	}
	var out []Enum
	for _, name := range slices.Sorted(maps.Keys(byType)) {
		out = append(out, *byType[name])
	}
	return out
}

// constants are the package's exported strings of no named type, sorted by name.
func (s *source) constants(path string) []Value {
	var out []Value
	for _, c := range s.exported(path) {
		if basic, ok := c.Type().(*types.Basic); ok && basic.Info()&types.IsString != 0 && c.Name() != groupName {
			out = append(out, Value{Name: c.Name(), Value: constant.StringVal(c.Val())})
		}
	}
	return out
}

// exported are the package's exported constants, sorted by name.
func (s *source) exported(path string) []*types.Const {
	var out []*types.Const
	scope := s.packages[path].Types.Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && c.Exported() {
			out = append(out, c)
		}
	}
	return out
}

// methodOf returns a declaration as a method with its receiver's type name.
func methodOf(decl ast.Decl) (*ast.FuncDecl, string) {
	f, ok := decl.(*ast.FuncDecl)
	if !ok || f.Recv == nil {
		return nil, ""
	}
	receiver := f.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	name, ok := receiver.(*ast.Ident)
	if !ok {
		return nil, ""
	}
	return f, name.Name
}
