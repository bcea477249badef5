// Command schema records the facts about types that only the Go types of the published Kubernetes modules have:
// pointers versus plain values, JSON and protobuf names and numbers, patch tags, constants.
//
// It reflects over every registered kind and the types that it reaches, and reads constants from source. It checks
// the facts against the generated protobuf code and the published fixtures, and writes one file per package. It also
// records the requests of each typed client of Go's clientsets. Markers in comments become facts, and older releases of the modules
// date fields. Facts only: no comment and no description is carried over.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	out := flag.String("out", "", "folder to write to: types/ is replaced, and so is clients.json")
	flag.Parse()
	if *out == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	scheme := newScheme()
	source, err := loadSource(packagePaths(scheme)...)
	if err != nil {
		return err
	}
	walker := newWalker(source)
	packages, err := collect(scheme, walker)
	if err != nil {
		return err
	}
	if err := check(walker, packages); err != nil {
		return err
	}
	if err := date(packages, source); err != nil {
		return err
	}
	clients, err := clients()
	if err != nil {
		return err
	}
	if err := writeTypes(filepath.Join(out, "types"), packages); err != nil {
		return err
	}
	return writeClients(filepath.Join(out, "clients.json"), clients)
}
