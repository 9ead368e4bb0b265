// Command manifest checks Jobs of Kubernetes against the published types of its API, and for faults
// that the API server would refuse:
//
//	go run -modfile=.ci/tools.mod ./.ci/manifest FILE...
package main

import (
	"errors"
	"fmt"
	"os"

	batch "k8s.io/api/batch/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	code := 0
	for _, name := range os.Args[1:] {
		if err := check(name); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			code = 1
		}
	}
	if code == 0 {
		fmt.Printf("%d manifests are Jobs of batch/v1\n", len(os.Args)-1)
	}
	os.Exit(code)
}

func check(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var job batch.Job
	if err := yaml.UnmarshalStrict(text, &job); err != nil {
		return err
	}
	pod := job.Spec.Template.Spec
	switch {
	case job.APIVersion != "batch/v1" || job.Kind != "Job" || job.Name == "" || len(job.Name) > 63:
		return fmt.Errorf("%s %s %q is no Job with a name", job.APIVersion, job.Kind, job.Name)
	case len(pod.Containers) != 1 || pod.Containers[0].Image == "" || len(pod.Containers[0].Args) == 0:
		return errors.New("want one container with an image and arguments")
	case pod.RestartPolicy != "Never" && pod.RestartPolicy != "OnFailure":
		return fmt.Errorf("restartPolicy %q: a Job wants Never or OnFailure", pod.RestartPolicy)
	case job.Spec.BackoffLimitPerIndex != nil && (job.Spec.CompletionMode == nil || *job.Spec.CompletionMode != batch.IndexedCompletion || pod.RestartPolicy != "Never"):
		return errors.New("backoffLimitPerIndex wants an Indexed Job whose pods never restart")
	case pod.SecurityContext == nil || pod.SecurityContext.RunAsNonRoot == nil || !*pod.SecurityContext.RunAsNonRoot:
		return errors.New("the pod may run as root")
	}
	mounted := map[string]bool{}
	for _, v := range pod.Volumes {
		mounted[v.Name] = true
	}
	for _, m := range pod.Containers[0].VolumeMounts {
		if !mounted[m.Name] {
			return fmt.Errorf("there is no volume %s", m.Name)
		}
	}
	return nil
}
