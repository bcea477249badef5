package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Facts are properties of a field that its Go type and tags don't show: from markers, and from the few phrases that
// every type uses for the same property. A phrase only sets a value here: no sentence is carried over.
type Facts struct {
	// Since is the first release whose Go type has the field, where that is later than the oldest release that is read.
	Since string `json:"since,omitempty"`
	// Optional and Required are markers; a field may have neither.
	Optional bool `json:"optional,omitempty"`
	Required bool `json:"required,omitempty"`
	// Default is a default that the server sets, if it is one value: a scalar, or JSON of a marker.
	Default json.RawMessage `json:"default,omitempty"`
	// Immutable is "afterCreation", "onceSet", "inPod" (in a pod, but not in the template of a workload) or "conditional".
	Immutable string `json:"immutable,omitempty"`
	// Update are changes that validation forbids: "NoSet", "NoUnset", "NoModify", "NoAddItem", "NoRemoveItem".
	Update []string `json:"update,omitempty"`
	// ReadOnly says that the system sets the field.
	ReadOnly   bool     `json:"readOnly,omitempty"`
	Deprecated bool     `json:"deprecated,omitempty"`
	Gates      []string `json:"gates,omitempty"`
	ListType   string   `json:"listType,omitempty"`
	ListKeys   []string `json:"listMapKeys,omitempty"`
	MapType    string   `json:"mapType,omitempty"`
	Format     string   `json:"format,omitempty"`
	// The limits are numbers in text: some exceed what JSON numbers hold.
	Minimum   string `json:"minimum,omitempty"`
	Maximum   string `json:"maximum,omitempty"`
	MaxItems  string `json:"maxItems,omitempty"`
	MaxLength string `json:"maxLength,omitempty"`
	MaxBytes  string `json:"maxBytes,omitempty"`
}

// Lifecycle are the releases of a kind's version.
type Lifecycle struct {
	Introduced string `json:"introduced,omitempty"`
	Deprecated string `json:"deprecated,omitempty"`
	Removed    string `json:"removed,omitempty"`
	// Replacement is "group,version,kind".
	Replacement string `json:"replacement,omitempty"`
}

// declaration is a type's declaration: its comment, and those of its fields by Go name.
type declaration struct {
	comment []string
	fields  map[string][]string
}

// declarations are the package's types by name.
func declarations(files []*ast.File) map[string]declaration {
	out := map[string]declaration{}
	for _, file := range files {
		for _, decl := range file.Decls {
			general, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range general.Specs {
				spec, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				comment := lines(spec.Doc)
				if spec.Doc == nil {
					comment = lines(general.Doc)
				}
				// Markers may stand in a block of their own above the comment.
				for _, group := range file.Comments {
					near := general.Doc != nil && group.End() < general.Doc.Pos() && general.Doc.Pos()-group.End() <= 3
					if near {
						comment = append(lines(group), comment...)
					}
				}
				fields := map[string][]string{}
				if structure, ok := spec.Type.(*ast.StructType); ok {
					for _, field := range structure.Fields.List {
						for _, name := range fieldNames(field) {
							fields[name] = lines(field.Doc)
						}
					}
				}
				out[spec.Name.Name] = declaration{comment, fields}
			}
		}
	}
	return out
}

// fieldNames are a field's names; that of an embedded field is its type's.
func fieldNames(field *ast.Field) []string {
	var out []string
	for _, name := range field.Names {
		out = append(out, name.Name)
	}
	if len(out) == 0 {
		of := field.Type
		if star, ok := of.(*ast.StarExpr); ok {
			of = star.X
		}
		switch of := of.(type) {
		case *ast.Ident:
			out = append(out, of.Name)
		case *ast.SelectorExpr:
			out = append(out, of.Sel.Name)
		}
	}
	return out
}

func lines(group *ast.CommentGroup) []string {
	if group == nil {
		return nil
	}
	var out []string
	for _, comment := range group.List {
		for line := range strings.SplitSeq(strings.TrimSuffix(strings.TrimPrefix(comment.Text, "/*"), "*/"), "\n") {
			out = append(out, strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "//")))
		}
	}
	return out
}

// wrapper is a marker around a marker that only says when the inner one holds.
var wrapper = regexp.MustCompile(`^\+k8s:(?:alpha|beta|ifEnabled)\([^)]*\)=`)

// facts reads a field's comment. `of` is the field's type, and `enum` the values of a named one.
func facts(comment []string, of reflect.Type, enum []Value) (*Facts, error) {
	out := Facts{}
	var prose []string
	for _, line := range comment {
		if !strings.HasPrefix(line, "+") {
			prose = append(prose, line)
			continue
		}
		for wrapper.MatchString(line) {
			line = line[len(wrapper.FindString(line)):]
		}
		if err := out.marker(line); err != nil {
			return nil, fmt.Errorf("%s: %w", line, err)
		}
	}
	out.phrases(strings.Join(prose, "\n"), of, enum)
	slices.Sort(out.Gates)
	out.Gates = slices.Compact(out.Gates)
	slices.Sort(out.Update)
	out.Update = slices.Compact(out.Update)
	if reflect.DeepEqual(out, Facts{}) {
		return nil, nil
	}
	return &out, nil
}

func (f *Facts) marker(line string) error {
	name, value, _ := strings.Cut(strings.TrimPrefix(line, "+"), "=")
	// A comment may follow a value.
	number, _, _ := strings.Cut(value, " ")
	switch strings.TrimPrefix(name, "k8s:") {
	case "optional":
		f.Optional = true
	case "required", "kubebuilder:validation:Required":
		f.Required = true
	case "immutable":
		f.Immutable = "afterCreation"
	case "update":
		f.Update = append(f.Update, value)
	case "featureGate":
		for gate := range strings.SplitSeq(value, ",") {
			f.Gates = append(f.Gates, strings.TrimSpace(gate))
		}
	case "listType":
		f.ListType = value
	case "listMapKey":
		if !slices.Contains(f.ListKeys, value) {
			f.ListKeys = append(f.ListKeys, value)
		}
	case "mapType", "structType":
		f.MapType = value
	case "format":
		f.Format = strings.Trim(value, `"`)
	case "minimum", "kubebuilder:validation:Minimum":
		f.Minimum = number
	case "maximum":
		f.Maximum = number
	case "maxItems":
		f.MaxItems = number
	case "maxLength", "kubebuilder:validation:MaxLength":
		f.MaxLength = number
	case "maxBytes":
		f.MaxBytes = number
	case "default":
		// `ref(…)` names a constant of another package: OpenAPI has its value.
		if strings.HasPrefix(value, "ref(") {
			return nil
		}
		if !json.Valid([]byte(value)) {
			return fmt.Errorf("a default that is not JSON")
		}
		f.Default = json.RawMessage(value)
	}
	return nil
}

var (
	sentences = regexp.MustCompile(`[.;!](?:\s+|$)|\n\s*\n`)
	spaces    = regexp.MustCompile(`\s+`)
	immutable = regexp.MustCompile(`(?i)^(?:this|this field|the field|field|it|the spec|this list|[a-z]+ is the name of the csi driver this field)? ?(?:cannot be updated|is immutable|is required and immutable|immutable)(?: after creation)?(?: and no changes .*|:.*)?$|^populated by the api server on creation and immutable$`)
	onceSet   = regexp.MustCompile(`(?i)^once populated, (?:this field|it) is immutable$|^this field cannot be updated once set$|^this field becomes immutable once set$`)
	partly    = regexp.MustCompile(`(?i)^this field is immutable, |^this field may not be changed through updates unless `)
	readOnly  = regexp.MustCompile(`(?i)^read-only$|^populated by the system(?: when .*)?$`)
	outdated  = regexp.MustCompile(`^(?:Deprecated|DEPRECATED)\b|^This field is deprecated|^deprecated[A-Za-z]+ is the deprecated field`)
	defaults  = regexp.MustCompile(`(?i)^(?:(?:if|when) (?:it is |this field is )?(?:unset|unspecified|not specified|not set|omitted), )?(?:readonly |it |this field |the |optional: |readonly is optional: )?(?:defaults? to|defaults? is|default value is|default value of|has a default value of|it will be defaulted to|defaults to a value of|default) (?P<value>"[^"]*"|` + "`[^`]*`" + `|'[^']*'|[A-Za-z]+|[0-9]+%?|/[a-z/-]+)(?: seconds?)?(?: if unset)?(?: \([^)]*\))?$`)
)

// phrases sets the facts that a comment states in one of the phrases that many fields share.
func (f *Facts) phrases(prose string, of reflect.Type, enum []Value) {
	for _, sentence := range sentences.Split(prose, -1) {
		sentence = strings.TrimSpace(spaces.ReplaceAllString(sentence, " "))
		switch {
		case immutable.MatchString(sentence):
			f.Immutable = "afterCreation"
		case onceSet.MatchString(sentence) && f.Immutable == "":
			f.Immutable = "onceSet"
		case partly.MatchString(sentence) && f.Immutable == "":
			f.Immutable = "conditional"
		case readOnly.MatchString(sentence):
			f.ReadOnly = true
		case outdated.MatchString(sentence):
			f.Deprecated = true
		}
		if found := defaults.FindStringSubmatch(sentence); found != nil && f.Default == nil {
			f.Default = defaultValue(found[1], of, enum)
		}
	}
}

// defaultValue is the JSON of a value, or nil where it isn't one of the field's type.
func defaultValue(text string, of reflect.Type, enum []Value) json.RawMessage {
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	bare := strings.Trim(text, "\"`'")
	quoted := bare != text || strings.HasPrefix(text, "/")
	switch {
	case specials[of] == "IntOrString":
		if _, err := strconv.Atoi(bare); err == nil {
			return json.RawMessage(bare)
		}
		if strings.HasSuffix(bare, "%") {
			return json.RawMessage(strconv.Quote(bare))
		}
	case of.Kind() == reflect.Bool:
		if lower := strings.ToLower(bare); lower == "true" || lower == "false" {
			return json.RawMessage(lower)
		}
	case of.Kind() == reflect.Int32 || of.Kind() == reflect.Int64:
		// A file mode is octal.
		if number, err := strconv.ParseInt(bare, 0, 64); err == nil {
			return json.RawMessage(strconv.FormatInt(number, 10))
		}
	case of.Kind() == reflect.String:
		known := slices.ContainsFunc(enum, func(v Value) bool { return v.Value == bare })
		if known || len(enum) == 0 && quoted && bare != "" && !strings.Contains(bare, "`") {
			return json.RawMessage(strconv.Quote(bare))
		}
	}
	return nil
}

// podParts are the structs of core/v1 that are parts of a pod and of a pod template.
var podParts = []string{"Container", "EphemeralContainerCommon", "PodResourceClaim", "PodSpec", "ResourceRequirements"}

// correct replaces facts that the comments state too broadly.
func (f *Facts) correct(owner reflect.Type, field string) {
	if f == nil || owner.PkgPath() != "k8s.io/api/core/v1" {
		return
	}
	switch owner.Name() + "." + field {
	case "PodSpec.Containers", "PodSpec.InitContainers":
		// Images may change.
		f.Immutable = "conditional"
	case "Container.Resources":
		// The resize subresource changes them.
		f.Immutable = "conditional"
	case "ContainerStatus.Name":
		f.Immutable = ""
	}
	if f.Immutable == "afterCreation" && slices.Contains(podParts, owner.Name()) {
		f.Immutable = "inPod"
	}
}

// lifecycle reads the markers of a kind's release lifecycle.
func lifecycle(comment []string) *Lifecycle {
	out := Lifecycle{}
	for _, line := range comment {
		name, value, _ := strings.Cut(line, "=")
		switch strings.TrimPrefix(name, "+k8s:prerelease-lifecycle-gen:") {
		case "introduced":
			out.Introduced = value
		case "deprecated":
			out.Deprecated = value
		case "removed":
			out.Removed = value
		case "replacement":
			out.Replacement = value
		}
	}
	if out == (Lifecycle{}) {
		return nil
	}
	return &out
}

// closed says whether the comment of a type limits it to its constants.
func closed(comment []string) bool {
	return slices.ContainsFunc(comment, func(line string) bool {
		for wrapper.MatchString(line) {
			line = line[len(wrapper.FindString(line)):]
		}
		return line == "+enum" || line == "+k8s:enum"
	})
}
