// A runner for the kit's pipe, in Go, for aggregate and pass_at_k. It needs Go 1.19 or later, and no packages.
// In the kit's checkout, build it, and judge it:
//
//	go build -o /tmp/runner parity/runners/examples/go/*.go
//	pytest parity/ --runner-cmd /tmp/runner
//
// This file is the conversation. The files beside it handle the differences between Go and Python: JSON and strings in
// wire.go, numbers in numbers.go, sums in summation.go.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

// compensatesInts says whether sum() compensates ints that follow a float, as from Python 3.14 on.
var compensatesInts bool

// pythonError is an error as Python raises it: the kit compares the name of its class and nothing else.
type pythonError struct{ kind, message string }

func (err *pythonError) Error() string { return err.message }

func main() {
	input, output := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	for {
		line, err := input.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			panic(err)
		}
		message := decode(line).(*dict)
		if hello, greets := message.get("hello").(*dict); greets {
			fmt.Fprintln(output, encode(newDict("hello", greet(hello))))
		} else {
			member, value := answer(message.get("operation").(string), message.get("input").(*dict))
			fmt.Fprintln(output, encode(newDict("id", message.get("id"), member, value)))
		}
		// Questions may come before others are answered; the answers to all that are here go out together.
		if input.Buffered() == 0 {
			output.Flush()
		}
	}
}

func greet(hello *dict) *dict {
	if hello.get("protocol") != 1.0 {
		panic("this program speaks protocol 1 alone")
	}
	switch series := hello.get("interpreter"); series {
	case "3.12", "3.14":
		compensatesInts = series == "3.14"
	default:
		panic(fmt.Sprintf("the arithmetic of Python %v is not known", series))
	}
	operations := []any{"aggregate", "pass_at_k"}
	return newDict("name", "go-example", "language", "go", "operations", operations, "pipelining", true)
}

// answer returns the member that answers a question: a value, a fault, or unsupported. Any other panic is a mistake in
// this program and ends it, so that a crash is not taken for a fault.
func answer(operation string, input *dict) (string, any) {
	var value any
	var err error
	switch operation {
	case "aggregate":
		metric := input.get("metric").(string)
		if _, known := metrics[metric]; !known {
			return "unsupported", "no " + metric + " yet"
		}
		value, err = aggregate(metric, input.get("rewards").([]any))
	case "pass_at_k":
		value, err = passAtK(input.get("trials").([]any))
	default:
		return "unsupported", "no " + operation + " yet"
	}
	var raised *pythonError
	if errors.As(err, &raised) {
		return "fault", newDict("kind", raised.kind, "message", raised.message)
	}
	return "value", value
}
