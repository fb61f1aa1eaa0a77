"""Holds an emitted job against what batch/v1 asks of an indexed one.

The published schema is not to be had offline; these are the fields that it requires and the types it gives
them (kubernetes.io, Job v1 batch: `completionMode`, `backoffLimitPerIndex` and `maxFailedIndexes` belong
together, and `restartPolicy` must be `Never` then).
"""

import sys

import yaml


def main():
    job = yaml.safe_load(open(sys.argv[1], encoding="utf-8"))
    assert (job["apiVersion"], job["kind"]) == ("batch/v1", "Job")
    spec = job["spec"]
    known = {"completionMode", "completions", "parallelism", "backoffLimitPerIndex",
             "maxFailedIndexes", "template"}
    assert set(spec) == known, set(spec) ^ known
    assert spec["completionMode"] == "Indexed"
    numbers = [spec[key] for key in ("completions", "parallelism", "backoffLimitPerIndex", "maxFailedIndexes")]
    assert all(isinstance(number, int) for number in numbers)
    pod = spec["template"]["spec"]
    assert pod["restartPolicy"] == "Never"
    volumes = {volume["name"] for volume in pod["volumes"]}
    for container in pod["containers"]:
        assert all(isinstance(word, str) for word in container["command"])
        assert {mount["name"] for mount in container["volumeMounts"]} <= volumes
    name = job["metadata"]["name"]
    assert len(name) <= 63 and name == name.lower()
    print("the job is an indexed one")


main()
