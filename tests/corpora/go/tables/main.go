// Computes a table again: reads a corpus on stdin, calls the Go libraries for each of its inputs, and writes it with
// their results on stdout. The caller writes the head, which is the first line.
//
//	go run ./tables labels < ../labels.jsonl
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validate/content"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/labels"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/util/jsonpath"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<24)
	rows := map[string]func([]string) []string{"labels": label, "names": name, "quantity": quantity}
	if os.Args[1] == "jsonpath" {
		jsonPaths(in, out)
		return
	}
	answer := rows[os.Args[1]]
	for in.Scan() {
		var row []string
		if err := json.Unmarshal(in.Bytes(), &row); err != nil {
			continue // the head
		}
		write(out, answer(row))
	}
}

func write(out *bufio.Writer, value any) {
	out.Write(text(value))
	out.WriteByte('\n')
}

// text is JSON in which <, > and & are themselves.
func text(value any) []byte {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	must(encoder.Encode(value))
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func label(row []string) []string {
	selector, err := labels.Parse(row[0])
	if err != nil {
		return []string{row[0], "error", err.Error()}
	}
	return []string{row[0], "ok", selector.String()}
}

var checks = map[string]func(string) []string{
	"dns1123_label":                     validation.IsDNS1123Label,
	"dns1123_subdomain":                 validation.IsDNS1123Subdomain,
	"dns1123_subdomain_caseless":        content.IsDNS1123SubdomainCaseless,
	"dns1123_subdomain_with_underscore": validation.IsDNS1123SubdomainWithUnderscore,
	"dns1035_label":                     validation.IsDNS1035Label,
	"wildcard_dns1123_subdomain":        validation.IsWildcardDNS1123Subdomain,
	"qualified_name":                    content.IsLabelKey,
	"prefixed_label_key":                content.IsPrefixedLabelKey,
	"label_value":                       content.IsLabelValue,
	"c_identifier":                      content.IsCIdentifier,
	"env_var_name":                      validation.IsEnvVarName,
	"relaxed_env_var_name":              validation.IsRelaxedEnvVarName,
	"config_map_key":                    validation.IsConfigMapKey,
	"http_header_name":                  validation.IsHTTPHeaderName,
	"port_name":                         validation.IsValidPortName,
	"percent":                           validation.IsValidPercent,
	"decimal_integer":                   content.IsDecimalInteger,
	"path_segment_name":                 content.IsPathSegmentName,
	"path_segment_prefix":               content.IsPathSegmentPrefix,
	"fully_qualified_name":              listed(validation.IsFullyQualifiedName),
	"fully_qualified_domain_name":       listed(validation.IsFullyQualifiedDomainName),
	"generate_subdomain":                func(name string) []string { return apivalidation.NameIsDNSSubdomain(name, true) },
	"generate_label":                    func(name string) []string { return apivalidation.NameIsDNSLabel(name, true) },
	"generate_1035":                     func(name string) []string { return apivalidation.NameIsDNS1035Label(name, true) },
}

// listed takes the words out of a list of errors.
func listed(check func(*field.Path, string) field.ErrorList) func(string) []string {
	return func(value string) (messages []string) {
		for _, err := range check(nil, value) {
			message := err.Detail
			// Several complaints of one name are one error there.
			if complaints := validation.IsDNS1123Subdomain(value); message == strings.Join(complaints, ",") {
				messages = append(messages, complaints...)
				continue
			}
			if err.Type == field.ErrorTypeRequired && message == "" {
				message = "must be non-empty"
			}
			messages = append(messages, message)
		}
		return messages
	}
}

func name(row []string) []string {
	value := row[1]
	if count, repeated, found := strings.Cut(value, "*"); found {
		if times, err := strconv.Atoi(count); err == nil {
			value = strings.Repeat(repeated, times)
		}
	}
	return []string{row[0], row[1], strings.Join(checks[row[0]](value), "; ")}
}

func quantity(row []string) []string {
	switch row[0] {
	case "parse":
		parsed, err := resource.ParseQuantity(row[1])
		switch {
		case errors.Is(err, resource.ErrFormatWrong):
			return []string{"parse", row[1], "error", "format"}
		case errors.Is(err, resource.ErrNumeric):
			return []string{"parse", row[1], "error", "number"}
		case err != nil:
			return []string{"parse", row[1], "error", "suffix"}
		}
		exact := parsed.DeepCopy()
		return []string{"parse", row[1], parsed.String(), string(parsed.Format), exact.AsDec().String()}
	case "arithmetic":
		a, b := resource.MustParse(row[1]), resource.MustParse(row[2])
		factor, err := strconv.ParseInt(row[6], 10, 64)
		must(err)
		scale, err := strconv.Atoi(row[9])
		must(err)
		changed := func(change func(*resource.Quantity)) string {
			copied := a.DeepCopy()
			change(&copied)
			return copied.String()
		}
		sum := func(q *resource.Quantity) { q.Add(b) }
		return []string{
			"arithmetic", row[1], row[2],
			changed(sum),
			changed(func(q *resource.Quantity) { q.Sub(b) }),
			changed(func(q *resource.Quantity) { q.Mul(factor) }), row[6],
			changed(func(q *resource.Quantity) { q.Neg() }),
			changed(func(q *resource.Quantity) { q.RoundUp(resource.Scale(scale)) }), row[9],
			changed(func(q *resource.Quantity) { sum(q); q.Add(q.DeepCopy()) }),
			strconv.Itoa(a.Cmp(b)),
		}
	case "new":
		value, err := strconv.ParseInt(row[1], 10, 64)
		must(err)
		format := resource.Format(row[2])
		return []string{
			"new", row[1], row[2],
			resource.NewQuantity(value, format).String(), resource.NewMilliQuantity(value, format).String(),
		}
	}
	panic(row[0])
}

type path struct {
	Data             string `json:"data"`
	Template         string `json:"template"`
	AllowMissingKeys bool   `json:"allowMissingKeys,omitempty"`
	Output           string `json:"output"`
	Error            string `json:"error,omitempty"`
}

// jsonPaths reads the whole document and writes it without its head.
func jsonPaths(in *bufio.Scanner, out *bufio.Writer) {
	var whole strings.Builder
	for in.Scan() {
		whole.Write(in.Bytes())
	}
	var table struct {
		Data  json.RawMessage `json:"data"`
		Cases []path          `json:"cases"`
	}
	must(json.Unmarshal([]byte(whole.String()), &table))
	var data map[string]any
	// Decoded like objects of any kind: whole numbers are integers.
	must(utiljson.Unmarshal(table.Data, &data))
	fmt.Fprintf(out, "\"data\":%s,\n\"cases\":[\n", table.Data)
	for at, one := range table.Cases {
		one.Output, one.Error = "", ""
		parser := jsonpath.New("").AllowMissingKeys(one.AllowMissingKeys)
		var printed strings.Builder
		err := parser.Parse(one.Template)
		if err == nil {
			err = parser.Execute(&printed, data[one.Data])
		}
		if err != nil {
			one.Error = err.Error()
		} else {
			one.Output = printed.String()
		}
		if at > 0 {
			out.WriteString(",\n")
		}
		out.Write(text(one))
	}
	out.WriteString("\n]}\n")
}
