// Package published holds figures that others have printed, as data, with their
// source, and readers for them. Nothing here is computed by this module; where
// a printed figure is wrong, the correction stands in a file of its own with
// the reason, and the printed figure stays.
package published
