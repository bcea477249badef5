package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// source is what only the packages' source tells: constants, and which types have a protobuf codec.
type source struct {
	packages map[string]*packages.Package
	// codecs are the types with a protobuf codec of their own, by Go name: how it writes their fields, or nil where
	// the codec is not generated.
	codecs map[string]map[string]written
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
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s: %w", p.PkgPath, p.Errors[0])
		}
		out.packages[p.PkgPath] = p
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

// hasCodec says whether the type itself, not a struct that it embeds, has a protobuf codec.
func (s *source) hasCodec(t reflect.Type) bool {
	_, ok := s.codecs[qualified(t)]
	return ok
}

// groupVersion is what the package's kinds are registered under, by its GroupName constant and its path.
func (s *source) groupVersion(path string) (*string, string) {
	name, ok := s.packages[path].Types.Scope().Lookup("GroupName").(*types.Const)
	if !ok {
		return nil, ""
	}
	group := constant.StringVal(name.Val())
	return &group, path[strings.LastIndex(path, "/")+1:]
}

// enums are the package's named scalar types with their exported constants, in the order of their names.
func (s *source) enums(path string) []Enum {
	p := s.packages[path]
	if p == nil {
		return nil
	}
	byType := map[string]*Enum{}
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || !c.Exported() {
			continue
		}
		named, ok := types.Unalias(c.Type()).(*types.Named)
		if !ok || named.Obj().Pkg() != p.Types {
			continue
		}
		basic, ok := named.Underlying().(*types.Basic)
		if !ok {
			continue
		}
		enum := byType[named.Obj().Name()]
		if enum == nil {
			enum = &Enum{Name: named.Obj().Name(), Scalar: basic.Name()}
			byType[named.Obj().Name()] = enum
		}
		enum.Values = append(enum.Values, Value{Name: name, Value: constant.Val(c.Val())})
	}
	var out []Enum
	for _, enum := range byType {
		out = append(out, *enum)
	}
	slices.SortFunc(out, func(a, b Enum) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// methodOf gives a declaration as a method with its receiver's type name.
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
