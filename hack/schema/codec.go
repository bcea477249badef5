package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// written is how a generated encoder writes one field: the truth of the wire. The struct tag is not: its wire
// type and its label are what someone typed once, and the protobuf generator reads nothing but its number.
type written struct {
	number int
	wire   string
	// guard is the condition: empty for a field that is always written, "nil" for one that is left out when it is nil,
	// "len" for one that is left out when it is empty.
	guard string
}

var wireNames = map[uint64]string{0: "varint", 1: "fixed64", 2: "bytes", 5: "fixed32"}

// encoderFields reads a MarshalToSizedBuffer that protoc-gen-gogo wrote, and checks that fields go to the wire in
// the order of their numbers. Such a function fills its buffer from the end: the last field comes first.
func encoderFields(f *ast.FuncDecl) (map[string]written, error) {
	receiver := ""
	if names := f.Recv.List[0].Names; len(names) == 1 {
		receiver = names[0].Name
	}
	out := map[string]written{}
	last := 1 << 30
	add := func(field, guard string, tag uint64) error {
		w := written{number: int(tag >> 3), wire: wireNames[tag&7], guard: guard}
		if _, twice := out[field]; twice || field == "" || w.wire == "" || w.number >= last {
			return fmt.Errorf("field %q with tag %#x is not understood", field, tag)
		}
		out[field], last = w, w.number
		return nil
	}
	field, run := "", []byte(nil)
	flush := func() error {
		if run == nil {
			return nil
		}
		tag := joined(run)
		run = nil
		return add(field, "", tag)
	}
	for _, stmt := range f.Body.List {
		if b, ok := tagByte(stmt); ok {
			run = append(run, b)
			continue
		}
		if isDecrement(stmt) {
			continue
		}
		if err := flush(); err != nil {
			return nil, err
		}
		if guarded, ok := stmt.(*ast.IfStmt); ok {
			if guard, name := guardOf(guarded.Cond, receiver); guard != "" {
				if err := add(name, guard, trailingTag(guarded.Body.List)); err != nil {
					return nil, err
				}
				continue
			}
		}
		ast.Inspect(stmt, func(n ast.Node) bool {
			if name := fieldOf(n, receiver); name != "" {
				field = name
			}
			return true
		})
	}
	return out, flush()
}

// trailingTag is the tag that a guarded block ends in: a list's and a map's in its loop.
func trailingTag(stmts []ast.Stmt) uint64 {
	if loop, ok := stmts[len(stmts)-1].(*ast.ForStmt); ok {
		return trailingTag(loop.Body.List)
	}
	var run []byte
	for i := len(stmts) - 1; i >= 0; i-- {
		if b, ok := tagByte(stmts[i]); ok {
			run = append([]byte{b}, run...)
		} else if !isDecrement(stmts[i]) {
			break
		}
	}
	return joined(run)
}

// joined is the varint whose bytes were written last one first.
func joined(run []byte) uint64 {
	value := uint64(0)
	for _, b := range run {
		value = value<<7 | uint64(b&0x7f)
	}
	return value
}

// tagByte recognises `dAtA[i] = 0x12`; a bool's value is written in decimal.
func tagByte(stmt ast.Stmt) (byte, bool) {
	assign, ok := stmt.(*ast.AssignStmt)
	if !ok || assign.Tok != token.ASSIGN || len(assign.Rhs) != 1 {
		return 0, false
	}
	literal, ok := assign.Rhs[0].(*ast.BasicLit)
	if _, indexed := assign.Lhs[0].(*ast.IndexExpr); !ok || !indexed || !strings.HasPrefix(literal.Value, "0x") {
		return 0, false
	}
	value, err := strconv.ParseUint(literal.Value, 0, 8)
	return byte(value), err == nil
}

func isDecrement(stmt ast.Stmt) bool {
	step, ok := stmt.(*ast.IncDecStmt)
	return ok && step.Tok == token.DEC
}

// guardOf recognises `m.Field != nil` and `len(m.Field) > 0`.
func guardOf(cond ast.Expr, receiver string) (guard, field string) {
	binary, ok := cond.(*ast.BinaryExpr)
	if !ok {
		return "", ""
	}
	if call, ok := binary.X.(*ast.CallExpr); ok && binary.Op == token.GTR && len(call.Args) == 1 {
		return "len", fieldOf(call.Args[0], receiver)
	}
	if binary.Op == token.NEQ {
		return "nil", fieldOf(binary.X, receiver)
	}
	return "", ""
}

func fieldOf(n ast.Node, receiver string) string {
	if selector, ok := n.(*ast.SelectorExpr); ok {
		if x, ok := selector.X.(*ast.Ident); ok && x.Name == receiver {
			return selector.Sel.Name
		}
	}
	return ""
}
