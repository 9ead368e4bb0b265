package cli

import "reflect"

// listed makes the lists that are nil in a record, and in what it holds, empty ones: in JSON a
// list is a list, however little is in it.
func listed(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		if v.IsNil() {
			if v.CanSet() && v.Type().Elem().Kind() != reflect.Uint8 { // bytes are a text
				v.Set(reflect.MakeSlice(v.Type(), 0, 0))
			}
			return
		}
		if holdsLists(v.Type().Elem()) {
			for i := range v.Len() {
				listed(v.Index(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			listed(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			listed(v.Field(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			listed(v.Elem())
		}
	}
}

// holdsLists reports whether values of a type may hold lists: not numbers, of which there may be many.
func holdsLists(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Struct, reflect.Pointer:
		return true
	}
	return false
}
