"""Checks that what deploy/ names exists: settings, metrics, calls, paths, ports, secrets, files. Called by deploy-check,
with the rendered Kubernetes manifests as arguments."""

import fnmatch
import json
import pathlib
import re
import subprocess
import sys

try:
    import yaml
except ImportError:
    yaml = None

problems = []


def check(good, problem):
    if not good:
        problems.append(problem)


def text(path):
    return pathlib.Path(path).read_text(encoding="utf-8")


def sources(pattern):
    return "\n".join(file.read_text(encoding="utf-8") for file in sorted(pathlib.Path(".").glob(pattern)))


deploy = [file for file in sorted(pathlib.Path("deploy").rglob("*")) if file.is_file()]

# Settings: the server knows every PAVISE_… that is set.
known = set(re.findall(r"`(PAVISE_[A-Z_]+)`", text("docs/configuration.md")))
own = {"PAVISE_PROGRAM"}
for file in deploy:
    for name in set(re.findall(r"\bPAVISE_[A-Z_]+\b", file.read_text(encoding="utf-8"))):
        check(name in known | own, f"{file}: there is no setting {name}")

# The image: every copied file exists and reaches the builder.
ignored, kept = [], []
for line in text(".dockerignore").splitlines():
    if line and not line.startswith("#"):
        (kept if line.startswith("!") else ignored).append(line.lstrip("!"))


def is_ignored(path):
    def matches(patterns):
        return any(
            fnmatch.fnmatch(path, pattern) or path.startswith(pattern + "/") or (pattern.startswith("**/") and fnmatch.fnmatch(path, "*" + pattern[2:]))
            for pattern in patterns
        )

    return matches(ignored) and not matches(kept)


for line in text("deploy/Dockerfile").splitlines():
    if line.startswith("COPY ") and "--from=" not in line:
        for source in [word for word in line.split()[1:-1] if not word.startswith("--")]:
            check(pathlib.Path(source).exists(), f"deploy/Dockerfile copies {source}, which is not there")
            check(source == "." or not is_ignored(source), f"deploy/Dockerfile copies {source}, which .dockerignore keeps away")
tracked = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.splitlines()
for path in tracked:
    needed = path.split("/")[0] in {"Cargo.toml", "Cargo.lock", "crates", "migrations", "package.json", "package-lock.json", "proto", "scripts", "web"}
    check(not (needed and is_ignored(path)), f".dockerignore keeps {path} away, which the build needs")

# Metrics, and the values of their labels.
made = set(re.findall(r'(?:counter|gauge|histogram)!\(\s*"(pavise_[a-z_]+)"', sources("crates/*/src/**/*.rs")))
made |= {name + suffix for name in made for suffix in ("_bucket", "_sum", "_count")}
calls = set(re.findall(r"^\s*rpc (\w+)\(", sources("proto/pavise/*/v1/*.proto"), re.MULTILINE))
codes = set(re.findall(r'=> "([A-Z_]+)",', text("crates/kernel/src/call/refusal_log.rs")))
dashboard = json.loads(text("deploy/grafana/pavise.json"))
asked = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
identities = [panel["id"] for panel in dashboard["panels"]]
check(len(identities) == len(set(identities)), "deploy/grafana/pavise.json: two panels have one id")
for where, expression in [("deploy/grafana/pavise.json", one) for one in asked] + [("deploy/alerts.yml", text("deploy/alerts.yml"))]:
    for name in set(re.findall(r"\bpavise_[a-z_]+\b", expression)):
        check(name in made, f"{where}: nothing makes the metric {name}")
    for label, values, those in (("rpc", calls, "call"), ("code", codes, "code")):
        for named in re.findall(rf'\b{label}(?:=|!=|=~|!~)"([^"$]*)"', expression):
            for value in named.split("|"):
                check(value in values, f"{where}: there is no {those} {value}")

# The health paths, and the longest time of a stop.
admin = text("crates/pavise/src/admin.rs")
for file in deploy:
    for path in re.findall(r"(?:\bpath: |GET )(/\w+)", file.read_text(encoding="utf-8")):
        check(f'"{path}"' in admin, f"{file}: the admin port does not serve {path}")

manifests = 0
if yaml is None:
    print("YAML not read: python3 lacks it (PyYAML)")
else:
    for file in deploy:
        if file.suffix in {".yaml", ".yml"}:
            list(yaml.safe_load_all(file.read_text(encoding="utf-8")))
    # A test fires each alert, and the manual names the action.
    tests = yaml.safe_load(text("deploy/alerts.test.yml"))["tests"]
    fired = {one["alertname"] for test in tests for one in test["alert_rule_test"] if one["exp_alerts"]}
    described = text("docs/operating.md")
    for group in yaml.safe_load(text("deploy/alerts.yml"))["groups"]:
        for alert in [rule["alert"] for rule in group["rules"]]:
            check(alert in fired, f"deploy/alerts.test.yml: {alert} never fires")
            check(re.search(rf"^\| [^|]*\b{alert}\b", described, re.MULTILINE), f"docs/operating.md does not say what to do about {alert}")
    secrets = {one["metadata"]["name"]: set(one["stringData"]) for one in yaml.safe_load_all(text("deploy/kubernetes/secret.example.yaml"))}
    for rendered in sys.argv[1:]:
        objects = [one for one in yaml.safe_load_all(text(rendered)) if one]
        manifests += len(objects)
        names = {(one["kind"], one["metadata"]["name"]) for one in objects}
        check(len(names) == len(objects), f"{rendered}: a name is there twice")
        servers = [one for one in objects if one["kind"] == "Deployment"]
        for one in objects:
            what = f"{rendered}: {one['kind']} {one['metadata']['name']}"
            if one["kind"] in {"Deployment", "Job"}:
                pod = one["spec"]["template"]["spec"]
                check(("ServiceAccount", pod["serviceAccountName"]) in names, f"{what}: no such account")
                for container in pod["containers"]:
                    check(container["resources"]["limits"]["memory"], f"{what}: no limit of memory")
                    check(container["securityContext"]["readOnlyRootFilesystem"], f"{what}: it could write into its image")
                    for source in container.get("envFrom", []):
                        check(("ConfigMap", source["configMapRef"]["name"]) in names, f"{what}: no {source}")
                    for variable in container.get("env", []):
                        reference = variable.get("valueFrom", {}).get("secretKeyRef")
                        if reference:
                            check(reference["key"] in secrets.get(reference["name"], ()), f"{what}: no secret {reference}")
                    ports = {port["name"] for port in container.get("ports", [])}
                    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
                        check(probe not in container or container[probe]["httpGet"]["port"] in ports, f"{what}: {probe} asks no port")
                volumes = {volume["name"] for volume in pod.get("volumes", [])}
                mounted = {mount["name"] for container in pod["containers"] for mount in container.get("volumeMounts", [])}
                check(volumes == mounted, f"{what}: volumes {volumes} and mounts {mounted}")
            if one["kind"] == "Deployment":
                labels, chosen = one["spec"]["template"]["metadata"]["labels"], one["spec"]["selector"]["matchLabels"]
                check(chosen.items() <= labels.items(), f"{what}: its selector is not its pods'")
                pause = int(one["spec"]["template"]["spec"]["containers"][0]["lifecycle"]["preStop"]["exec"]["command"][-1])
                check(one["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] >= pause + 20 + 5, f"{what}: it is killed while it drains")
                environment = {variable["name"]: variable.get("value", "") for variable in one["spec"]["template"]["spec"]["containers"][0]["env"]}
                scheme = "https" if "PAVISE_PEER_CA" in environment else "http"
                for peer in filter(None, environment.get("PAVISE_PEERS", "").split(",")):
                    host = re.fullmatch(rf"(?:\w+=)?{scheme}://([\w-]+):8080", peer)
                    check(host and ("Service", host[1]) in names, f"{what}: no service for {peer}")
            if one["kind"] in {"Service", "PodDisruptionBudget"}:
                selector = one["spec"]["selector"]
                selector = selector.get("matchLabels", selector)
                of = [server for server in servers if selector.items() <= server["spec"]["template"]["metadata"]["labels"].items()]
                check(len(of) == 1, f"{what}: it selects {len(of)} Deployments")
                jobs = [job for job in objects if job["kind"] == "Job" and selector.items() <= job["spec"]["template"]["metadata"]["labels"].items()]
                check(not jobs, f"{what}: it selects the migration too")

for problem in problems:
    print(f"deploy: {problem}", file=sys.stderr)
print(f"deploy: {len(deploy)} files, {manifests} manifests, {len(asked)} questions of the dashboard")
sys.exit(1 if problems else 0)
