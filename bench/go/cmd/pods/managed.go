package main

import (
	"encoding/json"
	"sort"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The lists that server-side apply tracks by the keys of their items; all others are one field.
var listKeys = map[string][]string{
	"conditions":       {"type"},
	"containers":       {"name"},
	"env":              {"name"},
	"hostIPs":          {"ip"},
	"imagePullSecrets": {"name"},
	"ownerReferences":  {"uid"},
	"podIPs":           {"ip"},
	"ports":            {"containerPort", "protocol"},
	"volumeMounts":     {"mountPath"},
	"volumes":          {"name"},
}

// Structs that are one field to server-side apply.
var atomic = map[string]bool{
	"fieldRef":     true,
	"nodeSelector": true,
	"secretKeyRef": true,
}

// managedBy lists the fields of a part of an object, as the API server tracks them for a manager.
func managedBy(manager, subresource string, at metav1.Time, part any) metav1.ManagedFieldsEntry {
	text, err := json.Marshal(part)
	if err != nil {
		panic(err)
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		panic(err)
	}
	var fields strings.Builder
	writeFields(&fields, "", value, false)
	return metav1.ManagedFieldsEntry{
		Manager:     manager,
		Operation:   metav1.ManagedFieldsOperationUpdate,
		APIVersion:  "v1",
		Time:        &at,
		FieldsType:  "FieldsV1",
		FieldsV1:    &metav1.FieldsV1{Raw: []byte(fields.String())},
		Subresource: subresource,
	}
}

func writeFields(out *strings.Builder, name string, value any, dot bool) {
	switch value := value.(type) {
	case map[string]any:
		if atomic[name] {
			break
		}
		names := make([]string, 0, len(value))
		for name := range value {
			names = append(names, name)
		}
		sort.Strings(names)
		comma := begin(out, dot && len(names) > 0)
		for _, name := range names {
			comma()
			quote(out, "f:"+name)
			out.WriteByte(':')
			writeFields(out, name, value[name], hasDot(name))
		}
		out.WriteByte('}')
		return
	case []any:
		keys := listKeys[name]
		if keys == nil {
			break
		}
		comma := begin(out, hasDot(name))
		for _, item := range value {
			comma()
			item := item.(map[string]any)
			key := map[string]any{}
			for _, name := range keys {
				if item[name] != nil {
					key[name] = item[name]
				}
			}
			text, err := json.Marshal(key)
			if err != nil {
				panic(err)
			}
			quote(out, "k:"+string(text))
			out.WriteByte(':')
			writeFields(out, "", item, true)
		}
		out.WriteByte('}')
		return
	}
	out.WriteString("{}")
}

// Opens an object; the returned function puts the comma before an entry.
func begin(out *strings.Builder, dot bool) func() {
	out.WriteByte('{')
	if dot {
		out.WriteString(`".":{}`)
	}
	first := !dot
	return func() {
		if !first {
			out.WriteByte(',')
		}
		first = false
	}
}

// Whether a manager also owns the field itself, not only what is in it.
func hasDot(name string) bool {
	switch name {
	case "metadata", "spec", "status", "containers", "conditions":
		return false
	}
	return true
}

func quote(out *strings.Builder, text string) {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	out.Write(quoted)
}
