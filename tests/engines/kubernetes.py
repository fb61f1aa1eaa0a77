"""Holds an emitted job against the published schema of Kubernetes, and against what the schema leaves open."""

import sys

import kubernetes_validate
import yaml


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        job = yaml.safe_load(file)
    version = kubernetes_validate.validate(job, kubernetes_validate.latest_version(), strict=True)
    spec = job["spec"]
    # One index a task, each tried again by itself, which only pods that are never restarted may be.
    assert spec["completionMode"] == "Indexed" and "backoffLimitPerIndex" in spec
    pod = spec["template"]["spec"]
    assert pod["restartPolicy"] == "Never"
    volumes = {volume["name"] for volume in pod["volumes"]}
    for container in pod["containers"]:
        assert {mount["name"] for mount in container["volumeMounts"]} <= volumes
    print(f"the job is one of Kubernetes {version}")


main()
