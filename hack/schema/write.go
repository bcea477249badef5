package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// writeClients writes one line per client.
func writeClients(path string, clients []Client) error {
	var b bytes.Buffer
	b.WriteString("[")
	for i, client := range clients {
		data, err := marshal(client)
		if err != nil {
			return err
		}
		b.WriteString(comma(i) + "\n  ")
		b.Write(data)
	}
	b.WriteString("\n]\n")
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// writeTypes replaces the folder's files by one file per package.
func writeTypes(out string, packages []*Package) error {
	files, sources := map[string][]byte{}, map[string]string{}
	for _, p := range packages {
		name := fileName(p.Package)
		if other, taken := sources[name]; taken {
			return fmt.Errorf("%s and %s are both written to %s", other, p.Package, name)
		}
		sources[name] = p.Package
		data, err := render(p)
		if err != nil {
			return err
		}
		files[name] = data
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(out, "*.json"))
	if err != nil {
		return err
	}
	for _, path := range old {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(out, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

var versioned = regexp.MustCompile(`^v[0-9]`)

// fileName is the last two parts of a package's path, or the last where it carries no version.
func fileName(path string) string {
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if versioned.MatchString(last) {
		return parts[len(parts)-2] + "_" + last + ".json"
	}
	return last + ".json"
}

// render is JSON with one line a field and a constant: small to open, and a change is a line of diff.
func render(p *Package) ([]byte, error) {
	var b bytes.Buffer
	var failed error
	line := func(indent string, v any, end string) {
		data, err := marshal(v)
		if err != nil {
			failed = err
		}
		b.WriteString(indent)
		b.Write(data)
		b.WriteString(end)
	}
	fmt.Fprintf(&b, "{\n  \"package\": %q,\n", p.Package)
	if p.Group != nil {
		fmt.Fprintf(&b, "  \"group\": %q,\n  \"version\": %q,\n", *p.Group, p.Version)
	}
	b.WriteString("  \"structs\": [")
	for i, s := range p.Structs {
		fmt.Fprintf(&b, "%s\n    {\n      \"name\": %q,\n      \"message\": %t,\n", comma(i), s.Name, s.Message)
		if len(s.Kinds) > 0 {
			line("      \"kinds\": ", s.Kinds, ",\n")
		}
		if s.Everywhere {
			b.WriteString("      \"everywhere\": true,\n")
		}
		if s.Since != "" {
			fmt.Fprintf(&b, "      \"since\": %q,\n", s.Since)
		}
		if s.Lifecycle != nil {
			line("      \"lifecycle\": ", s.Lifecycle, ",\n")
		}
		if s.Deprecated {
			b.WriteString("      \"deprecated\": true,\n")
		}
		b.WriteString("      \"fields\": [")
		for i, f := range s.Fields {
			line(comma(i)+"\n        ", f, "")
		}
		b.WriteString(closing(len(s.Fields), "\n      ") + "\n    }")
	}
	b.WriteString(closing(len(p.Structs), "\n  "))
	if len(p.Enums) > 0 {
		b.WriteString(",\n  \"enums\": [")
		for i, e := range p.Enums {
			fmt.Fprintf(&b, "%s\n    {\n      \"name\": %q,\n      \"scalar\": %q,\n", comma(i), e.Name, e.Scalar)
			if e.Closed {
				b.WriteString("      \"closed\": true,\n")
			}
			b.WriteString("      \"values\": [")
			for i, v := range e.Values {
				line(comma(i)+"\n        ", v, "")
			}
			b.WriteString("\n      ]\n    }")
		}
		b.WriteString("\n  ]")
	}
	if len(p.Constants) > 0 {
		b.WriteString(",\n  \"constants\": [")
		for i, v := range p.Constants {
			line(comma(i)+"\n    ", v, "")
		}
		b.WriteString("\n  ]")
	}
	b.WriteString("\n}\n")
	if failed == nil && !json.Valid(b.Bytes()) {
		failed = fmt.Errorf("%s: what was written is not JSON", p.Package)
	}
	return b.Bytes(), failed
}

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

// closing ends a list that was written over several lines, or an empty one on the line of its beginning.
func closing(items int, indent string) string {
	if items == 0 {
		return "]"
	}
	return indent + "]"
}
