// Writes patches that the Go libraries make and apply, a JSON document a line, for the tests of
// crates/machinery/src/patch to compare with.
//
//	go run ./patches -count 100
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"math/rand"
	"os"
	"slices"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

type object = map[string]any

// outcome is a result, or the reason for its absence: "error", "conflict", "panic" or "varies" (with map order).
type outcome struct {
	Result json.RawMessage `json:"result,omitempty"`
	Failed string          `json:"failed,omitempty"`
}

func try(run func() ([]byte, error)) outcome {
	first := once(run)
	for range 4 {
		again := once(run)
		if again.Failed != first.Failed || !bytes.Equal(again.Result, first.Result) {
			return outcome{Failed: "varies"}
		}
	}
	return first
}

func once(run func() ([]byte, error)) (result outcome) {
	defer func() {
		if recover() != nil {
			result = outcome{Failed: "panic"}
		}
	}()
	text, err := run()
	switch {
	case mergepatch.IsConflict(err):
		return outcome{Failed: "conflict"}
	case err != nil:
		return outcome{Failed: "error"}
	}
	return outcome{Result: text}
}

func text(value any) []byte {
	bytes, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return bytes
}

var types = map[string]any{
	"Pod": corev1.Pod{}, "Service": corev1.Service{}, "Deployment": appsv1.Deployment{},
	"PodDisruptionBudget": policyv1.PodDisruptionBudget{},
}

func main() {
	seed := flag.Int64("seed", 1, "seed of the generator")
	count := flag.Int("count", 150, "cases of each sort")
	flag.Parse()
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	g := generator{rand.New(rand.NewSource(*seed))}
	emit := func(line object) {
		out.Write(text(line))
		out.WriteByte('\n')
	}
	for range *count {
		emit(g.created())
		emit(g.applied())
		emit(g.jsonPatch())
		emit(g.mergePatch())
	}
}

// created makes strategic patches between three states of an object.
func (g generator) created() object {
	kind := g.pick("Pod", "Service", "Deployment", "Deployment", "PodDisruptionBudget")
	base := g.object(kind)
	original, modified, current := text(g.mutate(base, true)), text(g.mutate(base, false)), text(g.mutate(base, true))
	schema, err := strategicpatch.NewPatchMetaFromStruct(types[kind])
	if err != nil {
		panic(err)
	}
	twoWay := try(func() ([]byte, error) {
		return strategicpatch.CreateTwoWayMergePatch(original, modified, types[kind])
	})
	line := object{
		"sort": "created", "type": kind,
		"original": json.RawMessage(original), "modified": json.RawMessage(modified), "current": json.RawMessage(current),
		"twoWay": twoWay,
		"threeWay": try(func() ([]byte, error) {
			return strategicpatch.CreateThreeWayMergePatch(original, modified, current, schema, true)
		}),
		"threeWayStrict": try(func() ([]byte, error) {
			return strategicpatch.CreateThreeWayMergePatch(original, modified, current, schema, false)
		}),
	}
	for name, target := range map[string][]byte{"onOriginal": original, "onCurrent": current} {
		if twoWay.Failed == "" {
			line[name] = try(func() ([]byte, error) {
				return strategicpatch.StrategicMergePatch(target, twoWay.Result, types[kind])
			})
		}
	}
	if threeWay := line["threeWay"].(outcome); threeWay.Failed == "" {
		line["threeWayOnCurrent"] = try(func() ([]byte, error) {
			return strategicpatch.StrategicMergePatch(current, threeWay.Result, types[kind])
		})
	}
	return line
}

// applied applies a strategic patch as a person might write it, directives and mistakes included.
func (g generator) applied() object {
	kind := g.pick("Pod", "Service", "Deployment", "PodDisruptionBudget")
	original := text(g.object(kind))
	patch := text(g.direct(kind, g.object(kind), 0))
	return object{
		"sort": "applied", "type": kind,
		"original": json.RawMessage(original), "patch": json.RawMessage(patch),
		"applied": try(func() ([]byte, error) {
			return strategicpatch.StrategicMergePatch(original, patch, types[kind])
		}),
	}
}

func (g generator) jsonPatch() object {
	document := text(object{"a": g.value(3), "b": g.value(3), "l": []any{g.value(2), g.value(2), g.value(1)}})
	operations := []any{}
	for range 1 + g.Intn(4) {
		op := object{"op": g.pick("add", "remove", "replace", "move", "copy", "test"), "path": g.pointer(decode(document))}
		switch op["op"] {
		case "move", "copy":
			op["from"] = g.pointer(decode(document))
		case "remove":
		default:
			op["value"] = g.value(2)
		}
		if op["op"] == "test" && g.Intn(3) > 0 {
			op["path"], op["value"] = "/a", decode(document).(object)["a"]
		}
		operations = append(operations, op)
	}
	patch := text(operations)
	return object{
		"sort": "json", "original": json.RawMessage(document), "patch": json.RawMessage(patch),
		"applied": try(func() ([]byte, error) {
			decoded, err := jsonpatch.DecodePatch(patch)
			if err != nil {
				return nil, err
			}
			return decoded.Apply(document)
		}),
	}
}

func (g generator) mergePatch() object {
	value := func() []byte { return text(object{"a": g.value(3), "b": g.value(3), g.pick("c", "d"): g.value(2)}) }
	original, modified, current := value(), value(), value()
	if g.Intn(2) == 0 {
		current = text(g.change(decode(original)))
		modified = text(g.change(decode(original)))
	}
	return object{
		"sort": "merge", "original": json.RawMessage(original), "patch": json.RawMessage(modified),
		"current": json.RawMessage(current),
		"applied": try(func() ([]byte, error) { return jsonpatch.MergePatch(original, modified) }),
		"diff":    try(func() ([]byte, error) { return jsonpatch.CreateMergePatch(original, modified) }),
		"threeWay": try(func() ([]byte, error) {
			return jsonmergepatch.CreateThreeWayJSONMergePatch(original, modified, current)
		}),
	}
}

type generator struct{ *rand.Rand }

func (g generator) pick(choices ...string) string { return choices[g.Intn(len(choices))] }

// pointer mostly follows existing paths.
func (g generator) pointer(document any) string {
	path, at := "", document
	for range 1 + g.Intn(3) {
		step := g.pick("a", "b", "l", "x", "a/b")
		if list, ok := at.([]any); ok {
			step = g.pick("0", "0", "1", "-", "-1", "-2", "2", "3", "x", "+1", "01")
			at = first(list)
		} else if fields, ok := at.(object); ok {
			if all := names(fields); len(all) > 0 && g.Intn(3) > 0 {
				step = all[g.Intn(len(all))]
			}
			at = fields[step]
		} else if at == nil || g.Intn(8) > 0 {
			break
		}
		path += "/" + strings.ReplaceAll(step, "/", "~1")
	}
	return path
}

func (g generator) value(depth int) any {
	switch choice := g.Intn(8); {
	case choice < 2 && depth > 0:
		value := object{}
		for range g.Intn(4) {
			value[g.pick("a", "b", "l", "x", "a/b")] = g.value(depth - 1)
		}
		return value
	case choice < 4 && depth > 0:
		value := []any{}
		for range g.Intn(4) {
			value = append(value, g.value(depth-1))
		}
		return value
	case choice == 4:
		return nil
	case choice == 5:
		return g.Intn(2) == 0
	case choice == 6:
		return g.Intn(3)
	default:
		return g.pick("", "x", "y")
	}
}

// some keeps each field with its own probability.
func (g generator) some(fields object) object {
	kept := object{}
	for _, name := range names(fields) {
		if g.Intn(3) > 0 {
			kept[name] = fields[name].(func() any)()
		}
	}
	return kept
}

func names(fields object) []string {
	list := []string{}
	for name := range fields {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

func (g generator) words() any {
	list := []any{}
	for _, word := range []string{"a", "b", "c", "d"} {
		if g.Intn(2) == 0 {
			list = append(list, word)
		}
	}
	return list
}

func (g generator) strings() any {
	value := object{}
	for _, word := range g.words().([]any) {
		value[word.(string)] = g.pick("x", "y")
	}
	return value
}

func (g generator) word() any   { return g.pick("x", "y", "z") }
func (g generator) number() any { return g.Intn(3) }

// keyed returns a list of objects, each with another value of the key.
func (g generator) keyed(key string, keys []any, fields object) any {
	list := []any{}
	for _, at := range g.Perm(len(keys)) {
		if g.Intn(2) == 0 {
			element := g.some(fields)
			element[key] = keys[at]
			list = append(list, element)
		}
	}
	return list
}

func (g generator) metadata() any {
	return g.some(object{
		"name": g.word, "labels": g.strings, "annotations": g.strings, "finalizers": g.words, "generation": g.number,
		"ownerReferences": func() any {
			return g.keyed("uid", []any{"u1", "u2", "u3"}, object{"name": g.word, "kind": g.word})
		},
	})
}

func (g generator) container() object {
	return object{
		"image": g.word, "command": g.words, "tty": func() any { return g.Intn(2) == 0 },
		"resources": func() any { return g.some(object{"limits": g.strings, "requests": g.strings}) },
		"env": func() any {
			return g.keyed("name", []any{"A", "B", "C"}, object{
				"value": g.word,
				"valueFrom": func() any {
					return object{"fieldRef": g.some(object{"fieldPath": g.word, "apiVersion": g.word})}
				},
			})
		},
		"ports": func() any {
			return g.keyed("containerPort", []any{80, 443, 8080}, object{"name": g.word, "protocol": g.word})
		},
		"volumeMounts": func() any {
			return g.keyed("mountPath", []any{"/a", "/b"}, object{"name": g.word, "subPath": g.word})
		},
	}
}

func (g generator) podSpec() any {
	return g.some(object{
		"nodeName": g.word, "nodeSelector": g.strings, "priority": g.number,
		"containers":       func() any { return g.keyed("name", []any{"c1", "c2", "c3"}, g.container()) },
		"initContainers":   func() any { return g.keyed("name", []any{"i1", "i2"}, g.container()) },
		"imagePullSecrets": func() any { return g.keyed("name", []any{"s1", "s2", "s3"}, object{}) },
		"tolerations":      func() any { return g.keyed("key", []any{"k1", "k2"}, object{"value": g.word}) },
		"hostAliases":      func() any { return g.keyed("ip", []any{"1", "2"}, object{"hostnames": g.words}) },
		"volumes": func() any {
			return g.keyed("name", []any{"v1", "v2", "v3"}, object{
				"emptyDir": func() any { return g.some(object{"medium": g.word, "sizeLimit": g.word}) },
				"configMap": func() any {
					return g.some(object{"name": g.word, "items": func() any {
						return g.keyed("key", []any{"k1", "k2"}, object{"path": g.word})
					}})
				},
			})
		},
	})
}

func (g generator) selector() any {
	return g.some(object{"matchLabels": g.strings, "matchExpressions": func() any {
		return g.keyed("key", []any{"k1", "k2"}, object{"operator": g.word, "values": g.words})
	}})
}

func (g generator) object(kind string) object {
	spec := g.podSpec
	switch kind {
	case "Service":
		spec = func() any {
			return g.some(object{
				"selector": g.strings, "externalIPs": g.words, "type": g.word,
				"ports": func() any {
					return g.keyed("port", []any{80, 443, 8080}, object{"name": g.word, "targetPort": g.number})
				},
			})
		}
	case "Deployment":
		spec = func() any {
			return g.some(object{
				"replicas": g.number, "selector": g.selector,
				"strategy": func() any {
					return g.some(object{"type": g.word, "rollingUpdate": func() any {
						return g.some(object{"maxSurge": g.number, "maxUnavailable": g.word})
					}})
				},
				"template": func() any { return g.some(object{"metadata": g.metadata, "spec": g.podSpec}) },
			})
		}
	case "PodDisruptionBudget":
		spec = func() any { return g.some(object{"minAvailable": g.number, "selector": g.selector}) }
	}
	value := g.some(object{"metadata": g.metadata, "spec": spec})
	value["kind"] = kind
	return value
}

func decode(bytes []byte) (value any) {
	if err := json.Unmarshal(bytes, &value); err != nil {
		panic(err)
	}
	return value
}

// mutate changes a copy of an object in a few places, within its type.
func (g generator) mutate(base object, keepOrder bool) any {
	other := g.object(base["kind"].(string))
	return g.blend(decode(text(base)), decode(text(other)), keepOrder)
}

// blend takes some parts of one value from another of the same type.
func (g generator) blend(value, other any, keepOrder bool) any {
	switch value := value.(type) {
	case object:
		other, ok := other.(object)
		if !ok {
			return value
		}
		all := object{}
		for name, field := range value {
			all[name] = field
		}
		for name := range other {
			if _, found := all[name]; !found {
				all[name] = nil
			}
		}
		for _, name := range names(all) {
			field, found := value[name]
			replacement, offered := other[name]
			switch {
			case !found && g.Intn(4) == 0:
				value[name] = replacement
			case found && !offered && g.Intn(4) == 0 && name != "kind" && !isKey[name]:
				delete(value, name)
			case found && offered && !isKey[name]:
				value[name] = g.blend(field, replacement, keepOrder)
			}
		}
		return value
	case []any:
		// Go's diff sorts plain lists in place; lists that are sorted from the start hide that.
		if _, plain := first(value).(string); !keepOrder && plain && g.Intn(3) == 0 {
			g.Shuffle(len(value), func(i, j int) { value[i], value[j] = value[j], value[i] })
		}
		if g.Intn(3) > 0 {
			others, _ := other.([]any)
			if _, keyed := first(value).(object); keyed && len(others) == len(value) {
				for at := range value {
					value[at] = g.blend(value[at], others[at], keepOrder)
				}
				g.Shuffle(len(value), func(i, j int) { value[i], value[j] = value[j], value[i] })
			}
			return value
		}
		return other
	}
	if g.Intn(3) == 0 {
		return other
	}
	return value
}

var isKey = map[string]bool{
	"name": true, "uid": true, "containerPort": true, "port": true, "mountPath": true, "ip": true, "key": true,
}

func first(list []any) any {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// change alters any JSON in a few places.
func (g generator) change(value any) any {
	fields, ok := value.(object)
	if !ok {
		return value
	}
	for _, name := range names(fields) {
		switch g.Intn(5) {
		case 0:
			delete(fields, name)
		case 1:
			fields[name] = g.value(2)
		default:
			fields[name] = g.change(fields[name])
		}
	}
	return fields
}

// direct strews directives and mistakes over a patch.
func (g generator) direct(name string, value any, depth int) any {
	switch value := value.(type) {
	case object:
		for _, field := range names(value) {
			if isKey[field] && g.Intn(40) > 0 {
				continue
			}
			inner := value[field]
			value[field] = g.direct(field, inner, depth+1)
			if list, ok := inner.([]any); ok && len(list) > 0 {
				switch g.Intn(8) {
				case 0:
					value["$setElementOrder/"+field] = g.order(list, true)
				case 1:
					value["$setElementOrder/"+field] = g.order(list, false)
				case 2:
					value["$deleteFromPrimitiveList/"+field] = g.words()
					if g.Intn(2) == 0 {
						delete(value, field)
					}
				}
			}
		}
		switch g.Intn(40) {
		case 0, 1:
			value["$patch"] = g.pick("delete", "delete", "replace", "replace", "merge", "other")
		case 2, 3:
			keys := []any{}
			for _, field := range names(value) {
				if g.Intn(8) > 0 {
					keys = append(keys, field)
				}
			}
			value["$retainKeys"] = keys
		case 4:
			value["$retainKeys"] = "all"
		}
		return value
	case []any:
		for at := range value {
			value[at] = g.direct(name, value[at], depth+1)
		}
		switch g.Intn(30) {
		case 0:
			value = append(value, g.value(1))
		case 1, 2:
			if element, ok := first(value).(object); ok {
				deletion := object{"$patch": g.pick("delete", "replace")}
				for key := range isKey {
					if id, found := element[key]; found {
						deletion[key] = id
					}
				}
				value = append(value, deletion)
			}
		}
		return value
	}
	switch g.Intn(20) {
	case 0:
		return nil
	case 1:
		return g.value(1)
	}
	return value
}

// order returns a $setElementOrder list: the whole list's, or a wrong one.
func (g generator) order(list []any, right bool) any {
	order := []any{}
	for _, element := range list {
		if fields, ok := element.(object); ok {
			id := object{}
			for _, name := range names(fields) {
				if isKey[name] {
					id[name] = fields[name]
				}
			}
			element = id
		}
		// Never empty: Go then turns around what the patch adds, by an accident of its sort.
		if right || len(order) == 0 || g.Intn(4) > 0 {
			order = append(order, element)
		}
	}
	if !right && g.Intn(2) == 0 {
		g.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	return order
}
