"""Sends the example requests of the server's /docs, as they are there, in each language, and compares the answers."""

import html
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
import uuid
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "python" / "tests"), str(HERE / "python" / "src")]

from conftest import Server  # noqa: E402

GO = """package main

import ("context"; "fmt"; "net/http"; "os"; "strings")

func main() {
	ctx, url, key := context.Background(), os.Getenv("LTM_URL"), os.Getenv("LTM_KEY")
	_ = strings.NewReader
	VARIABLES
	CALLS
}
"""


def programs(examples: list[list[str]], names: dict[str, str]) -> dict[str, tuple[list[str], str]]:
    """Return for each language the command that runs a file of it, and a program that prints the statuses."""
    curl, python, script, go = zip(*examples, strict=True)
    given = [f"{name}={value!r}" for name, value in names.items()]
    calls = "\n".join(f"func() {{\n{c}\nif err != nil {{ panic(err) }}\nfmt.Println(res.StatusCode)\n}}()" for c in go)
    variables = "\n".join(f"{name} := {json.dumps(value)}; _ = {name}" for name, value in names.items())
    return {
        "sh": (
            ["bash", "-eu"],
            "\n".join([*given, *(f"{c} -o /dev/null -w '%{{http_code}}\\n'" for c in curl)]),
        ),
        "py": (
            [sys.executable],
            "\n".join(
                ["import httpx, os", "url, key = os.environ['LTM_URL'], os.environ['LTM_KEY']", *given]
                + [f"print({c}.status_code)" for c in python]
            ),
        ),
        "mjs": (
            ["node"],
            "\n".join(
                ["const { LTM_URL: url, LTM_KEY: key } = process.env;", *(f"const {g};" for g in given)]
                + [f"console.log(({c}).status);" for c in script]
            ),
        ),
        "go": (["go", "run"], GO.replace("VARIABLES", variables).replace("CALLS", calls)),
    }


def main() -> None:
    """Require that each request is one that the server knows, and that the languages get the same answers."""
    with tempfile.TemporaryDirectory() as place:
        server = Server(Path(place))
        try:
            with urllib.request.urlopen(server.url + "/docs") as page:
                routes = page.read().decode().split('<h3 id="')[1:]
            examples = {
                r.partition('"')[0]: [html.unescape(e) for e in re.findall(r"<pre>(.*?)</pre>", r, re.DOTALL)]
                for r in routes
            }
            examples = {name: calls for name, calls in examples.items() if calls and "Bearer" not in calls[0]}
            used = {n for calls in examples.values() for n in re.findall(r"\{(\w+)\}", calls[1])} - {"url", "key"}
            answers = {}
            for end, (command, text) in programs([*examples.values()], {n: str(uuid.uuid4()) for n in used}).items():
                file = Path(place) / f"all.{end}"
                file.write_text(text)
                env = {**os.environ, "LTM_URL": server.url, "LTM_KEY": server.key}
                done = subprocess.run([*command, str(file)], env=env, capture_output=True, text=True)
                assert done.returncode == 0, done.stderr
                answers[end] = [int(line) for line in done.stdout.split()]
            assert len({tuple(a) for a in answers.values()}) == 1, answers
        finally:
            server.stop()
    statuses = dict(zip(examples, answers["sh"], strict=True))
    wrong = {name: s for name, s in statuses.items() if s in (400, 405, 415) or s >= 500}
    assert wrong == {"chat": 503, "import-user": 400}, wrong  # no model, and no lines to import
    print(f"reference: {len(statuses)} requests are answered alike in {', '.join(answers)}")


main()
