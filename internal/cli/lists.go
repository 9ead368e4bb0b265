package cli

import "reflect"

// listed replaces nil lists in a record by empty ones: in JSON every list is a list.
func listed(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		if v.IsNil() {
			if v.CanSet() && v.Type().Elem().Kind() != reflect.Uint8 { // a []byte is a text in JSON, not a list
				v.Set(reflect.MakeSlice(v.Type(), 0, 0))
			}
			return
		}
		fallthrough
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
