// Cel tells what Kubernetes' own compiler makes of validation rules: what it says of a rule it refuses, and what it
// takes one that it accepts to cost at most.
//
//	go run ./cel < questions > answers
//
// A question is a line of JSON: {"schema": …, "rule": "…", "root": true, "optional": false}.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

type question struct {
	Schema   apiextensionsv1.JSONSchemaProps `json:"schema"`
	Rule     string                          `json:"rule"`
	Root     bool                            `json:"root"`
	Optional bool                            `json:"optional"`
}

type answer struct {
	Error       string `json:"error,omitempty"`
	Cost        uint64 `json:"cost,omitempty"`
	Cardinality uint64 `json:"cardinality,omitempty"`
}

func main() {
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	answers := json.NewEncoder(os.Stdout)
	answers.SetEscapeHTML(false)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			fail(err)
		}
		told, err := compile(asked, base)
		if err != nil {
			fail(err)
		}
		if err := answers.Encode(told); err != nil {
			fail(err)
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func compile(asked question, base *environment.EnvSet) (answer, error) {
	var internal apiextensions.JSONSchemaProps
	err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&asked.Schema, &internal, nil)
	if err != nil {
		return answer{}, err
	}
	structural, err := schema.NewStructural(&internal)
	if err != nil {
		return answer{}, err
	}
	rule := apiextensionsv1.ValidationRule{Rule: asked.Rule, OptionalOldSelf: &asked.Optional}
	structural.XValidations = apiextensionsv1.ValidationRules{rule}
	results, err := cel.Compile(structural, model.SchemaDeclType(structural, asked.Root), celconfig.PerCallLimit, base, cel.NewExpressionsEnvLoader())
	if err != nil {
		return answer{}, err
	}
	if failed := results[0].Error; failed != nil {
		return answer{Error: failed.Detail}, nil
	}
	return answer{Cost: results[0].MaxCost, Cardinality: results[0].MaxCardinality}, nil
}
