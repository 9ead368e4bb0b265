package app

import (
	"os"
	"regexp"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestVersion: the program, CITATION.cff and the first heading of CHANGELOG.md name one version.
// It has a date in both files or in neither.
func TestVersion(t *testing.T) {
	text, err := os.ReadFile("../CITATION.cff")
	if err != nil {
		t.Fatal(err)
	}
	var cited struct {
		Version string
		Date    string `yaml:"date-released"`
	}
	if err := yaml.Unmarshal(text, &cited); err != nil {
		t.Fatal(err)
	}
	changes, err := os.ReadFile("../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	heading := regexp.MustCompile(`(?m)^## ([0-9.]+) \((?:not yet released|([0-9-]{10}))\)$`).FindSubmatch(changes)
	if heading == nil || release != "v"+cited.Version || cited.Version != string(heading[1]) || cited.Date != string(heading[2]) {
		t.Errorf("the program is %s, CITATION.cff has %q of %q, CHANGELOG.md %q", release, cited.Version, cited.Date, heading)
	}
	for built, want := range map[string]string{
		"": release + "-devel", "(devel)": release + "-devel", release: release,
		"v0.0.0-20261128050000-0123456789ab": release + "-0.20261128050000-0123456789ab",
	} {
		if got := versionOf(built); got != want {
			t.Errorf("a build of %q is %s, want %s", built, got, want)
		}
	}
}
