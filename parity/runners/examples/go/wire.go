package main

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Turns lines of the conversation into values and back. Numbers are sent as {"f64": "3ff0000000000000"}, the bits of a
// double, and as {"int": "1"}. encoding/json cannot be used: it loses the order of keys, and replaces a lone surrogate
// by U+FFFD. Here a string holds a lone surrogate as the three bytes that UTF-8 would have for it, so that the order of
// bytes is the order of code points, as in Python.

// dict is an object that keeps the order of its keys.
type dict struct {
	keys  []string
	items map[string]any
}

// newDict takes keys and values in turn.
func newDict(members ...any) *dict {
	made := &dict{items: map[string]any{}}
	for at := 0; at < len(members); at += 2 {
		made.set(members[at].(string), members[at+1])
	}
	return made
}

// get returns nil, which is also null, for a missing key.
func (d *dict) get(key string) any { return d.items[key] }

func (d *dict) set(key string, value any) {
	if _, known := d.items[key]; !known {
		d.keys = append(d.keys, key)
	}
	d.items[key] = value
}

// decode turns a line into *dict, []any, string, bool, nil, *big.Int and float64. It trusts that the kit's JSON is valid.
func decode(line string) any { return (&reader{rest: line}).value() }

type reader struct{ rest string }

// after skips white space and then a text, and returns whether the text was there.
func (r *reader) after(text string) bool {
	r.rest = strings.TrimLeft(r.rest, " \t\r\n")
	found := strings.HasPrefix(r.rest, text)
	if found {
		r.rest = r.rest[len(text):]
	}
	return found
}

func (r *reader) value() any {
	switch {
	case r.after("null"):
		return nil
	case r.after("true"):
		return true
	case r.after("false"):
		return false
	case r.after(`"`):
		return r.text()
	case r.after("["):
		items := []any{}
		for !r.after("]") {
			items = append(items, r.value())
			r.after(",")
		}
		return items
	case r.after("{"):
		made := newDict()
		for !r.after("}") {
			key := r.value().(string)
			r.after(":")
			made.set(key, r.value())
			r.after(",")
		}
		return number(made)
	}
	end := strings.IndexFunc(r.rest, func(c rune) bool { return !strings.ContainsRune("-+.eE0123456789", c) })
	plain, err := strconv.ParseFloat(r.rest[:end], 64) // a version, such as that of the protocol
	if err != nil {
		panic(err)
	}
	r.rest = r.rest[end:]
	return plain
}

// number returns the number that an object stands for. A reward key may be "f64", too: with a string it is a number.
func number(made *dict) any {
	if digits, ok := made.get("f64").(string); ok && len(made.keys) == 1 {
		bits, err := strconv.ParseUint(digits, 16, 64)
		if err != nil {
			panic(err)
		}
		return math.Float64frombits(bits)
	}
	if digits, ok := made.get("int").(string); ok && len(made.keys) == 1 {
		made, _ := new(big.Int).SetString(digits, 10)
		return made
	}
	return made
}

func (r *reader) text() string {
	var made []byte
	for r.rest[0] != '"' {
		if r.rest[0] != '\\' {
			made, r.rest = append(made, r.rest[0]), r.rest[1:]
			continue
		}
		escaped := r.rest[1]
		r.rest = r.rest[2:]
		if at := strings.IndexByte("bfnrt", escaped); at >= 0 {
			made = append(made, "\b\f\n\r\t"[at])
		} else if escaped == 'u' {
			made = appendCodePoint(made, r.codePoint())
		} else {
			made = append(made, escaped)
		}
	}
	r.rest = r.rest[1:]
	return string(made)
}

// codePoint reads four hex digits, and those of the second surrogate if two make a pair.
func (r *reader) codePoint() rune {
	first := hex(r.rest[:4])
	r.rest = r.rest[4:]
	if strings.HasPrefix(r.rest, `\u`) {
		if pair := utf16.DecodeRune(first, hex(r.rest[2:6])); pair != utf8.RuneError {
			r.rest = r.rest[6:]
			return pair
		}
	}
	return first
}

func hex(digits string) rune {
	value, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		panic(err)
	}
	return rune(value)
}

func appendCodePoint(made []byte, point rune) []byte {
	if utf16.IsSurrogate(point) {
		return append(made, 0xe0|byte(point>>12), 0x80|byte(point>>6&0x3f), 0x80|byte(point&0x3f))
	}
	return utf8.AppendRune(made, point)
}

// encode is the inverse of decode. It escapes all characters but ASCII.
func encode(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(value)
	case string:
		return quoted(value)
	case float64:
		return fmt.Sprintf(`{"f64":"%016x"}`, math.Float64bits(value))
	case *big.Int:
		return fmt.Sprintf(`{"int":"%v"}`, value)
	case []any:
		items := make([]string, len(value))
		for at, item := range value {
			items[at] = encode(item)
		}
		return "[" + strings.Join(items, ",") + "]"
	case *dict:
		members := make([]string, len(value.keys))
		for at, key := range value.keys {
			members[at] = quoted(key) + ":" + encode(value.items[key])
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	panic(fmt.Sprintf("%T does not travel", value))
}

func quoted(text string) string {
	var made strings.Builder
	made.WriteByte('"')
	for len(text) > 0 {
		point, size := utf8.DecodeRuneInString(text)
		if point == utf8.RuneError && size == 1 { // a surrogate, in its three bytes
			point, size = rune(text[0]&0x0f)<<12|rune(text[1]&0x3f)<<6|rune(text[2]&0x3f), 3
		}
		switch {
		case point == '"' || point == '\\':
			made.WriteString(`\` + string(point))
		case point >= 0x20 && point < 0x7f:
			made.WriteRune(point)
		case point > 0xffff:
			high, low := utf16.EncodeRune(point)
			fmt.Fprintf(&made, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&made, `\u%04x`, point)
		}
		text = text[size:]
	}
	return made.String() + `"`
}
