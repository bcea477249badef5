package main

// Package is one Go package's share of the schema: one file.
type Package struct {
	// Package is the Go import path.
	Package string `json:"package"`
	// Group and Version are those under which the package's kinds are registered; a package without kinds has none.
	Group   *string  `json:"group,omitempty"`
	Version string   `json:"version,omitempty"`
	Structs []Struct `json:"structs"`
	Enums   []Enum   `json:"enums,omitempty"`
	// Constants are the exported strings of no named type: well-known labels, annotations, reasons.
	Constants []Value `json:"constants,omitempty"`
}

// Struct is one Go struct with its fields in Go's order.
type Struct struct {
	Name string `json:"name"`
	// Message is true if the struct has a generated protobuf codec.
	Message bool `json:"message"`
	// Kinds are the registered kinds that the struct serves as.
	Kinds []Kind `json:"kinds,omitempty"`
	// Everywhere is true if the struct is registered in every group version, and Kinds names one of them.
	Everywhere bool `json:"everywhere,omitempty"`
	// Since is the first release with the kind, where that is later than the oldest release that is read.
	Since     string     `json:"since,omitempty"`
	Lifecycle *Lifecycle `json:"lifecycle,omitempty"`
	// Deprecated says that the whole type is.
	Deprecated bool    `json:"deprecated,omitempty"`
	Fields     []Field `json:"fields"`
}

// Kind is a registered group, version and kind.
type Kind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
}

// Field holds the facts of a Go field's type and tags.
type Field struct {
	Name string `json:"name"`
	// JSON is the JSON name; empty for a field that is inlined or not in JSON at all.
	JSON      string `json:"json,omitempty"`
	Inline    bool   `json:"inline,omitempty"`
	OmitEmpty bool   `json:"omitempty,omitempty"`
	OmitZero  bool   `json:"omitzero,omitempty"`
	// PB is absent where the field is not on the protobuf wire.
	PB            *PB      `json:"pb,omitempty"`
	Type          *Type    `json:"type"`
	PatchStrategy []string `json:"patchStrategy,omitempty"`
	PatchMergeKey string   `json:"patchMergeKey,omitempty"`
	Facts         *Facts   `json:"facts,omitempty"`
}

// PB is how the generated protobuf code writes a field.
type PB struct {
	Number int `json:"number"`
	// Wire is "varint", "fixed64" or "bytes".
	Wire string `json:"wire"`
	// Write is "always", "nonNil" or "nonEmpty".
	Write string `json:"write"`
}

// Type is a Go type: exactly one of the first six is set.
type Type struct {
	Scalar  string `json:"scalar,omitempty"`
	Struct  string `json:"struct,omitempty"`
	Special string `json:"special,omitempty"`
	Ptr     *Type  `json:"ptr,omitempty"`
	Slice   *Type  `json:"slice,omitempty"`
	Map     *Type  `json:"map,omitempty"`
	// Key is a map's key type where it is not a plain string.
	Key *Type `json:"key,omitempty"`
	// Name is the Go name of a named scalar, slice, map or special.
	Name string `json:"name,omitempty"`
}

// Enum is a named scalar type with its exported constants.
type Enum struct {
	Name   string `json:"name"`
	Scalar string `json:"scalar"`
	// Closed says that no other value is allowed.
	Closed bool    `json:"closed,omitempty"`
	Values []Value `json:"values"`
}

// Value is one constant.
type Value struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// Client is one typed client of a Go clientset.
type Client struct {
	// Clientset, Accessor and Getter are how Go spells it: kubernetes, AppsV1, Deployments.
	Clientset string `json:"clientset"`
	Accessor  string `json:"accessor"`
	Getter    string `json:"getter"`
	Group     string `json:"group"`
	Version   string `json:"version"`
	// Resource, Kind and List are empty for a client that only has methods on other resources. Kind and List are Go
	// type names; a client that lists nothing has no List.
	Resource   string `json:"resource,omitempty"`
	Namespaced bool   `json:"namespaced"`
	Kind       string `json:"kind,omitempty"`
	List       string `json:"list,omitempty"`
	// Protobuf is true if the client requests protobuf first.
	Protobuf bool `json:"protobuf,omitempty"`
	// Methods are those that send the request of their name to the resource's own path; sorted.
	Methods []string `json:"methods"`
	// Extra are all others; sorted by name.
	Extra []Method `json:"extra,omitempty"`
}

// Method is a method beyond the usual ones; without HTTP and Path where it makes no single request.
type Method struct {
	Name    string `json:"name"`
	HTTP    string `json:"http,omitempty"`
	Path    string `json:"path,omitempty"`
	Returns string `json:"returns,omitempty"`
}
