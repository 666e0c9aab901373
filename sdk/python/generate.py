"""Make the generated parts of the client anew: run by "make sdk" in an environment with requirements.txt."""

import shutil
import subprocess
import sys
from pathlib import Path

import unasync

HERE = Path(__file__).parent
PACKAGE = HERE / "src" / "ltm_memory"
SYNC = {
    "AsyncMemory": "Memory",
    "AsyncUser": "User",
    "AsyncThread": "Thread",
    "_AsyncHTTP": "_HTTP",
    "_AsyncRetries": "_Retries",
    "AsyncBaseTransport": "BaseTransport",
    "AsyncHTTPTransport": "HTTPTransport",
    "AsyncClient": "Client",
    "AsyncIterator": "Iterator",
    "handle_async_request": "handle_request",
    "set_async_httpx_client": "set_httpx_client",
    "aclose": "close",
    "aread": "read",
}


def main() -> None:
    """Make the transport and models from the description of the server, and the sync client from the async one."""
    generated = PACKAGE / "_generated"
    shutil.rmtree(generated, ignore_errors=True)
    tool = Path(sys.executable).parent
    subprocess.run(
        [
            tool / "openapi-python-client",
            "generate",
            "--path",
            HERE.parent / "openapi.json",
            "--meta",
            "none",
        ]
        + [
            "--config",
            HERE / "generator.yml",
            "--output-path",
            generated,
            "--overwrite",
            "--fail-on-warning",
        ],
        check=True,
        env={"PATH": str(tool)},
    )
    shutil.rmtree(generated / ".ruff_cache", ignore_errors=True)
    for path in sorted(generated.rglob("*.py")):
        path.write_text("\n".join(line.rstrip() for line in path.read_text().splitlines()) + "\n")
    source = PACKAGE / "_async.py"
    text = source.read_text()
    made = PACKAGE / "_sync.py"
    # Of an operation the generated function is called asyncio or sync; the other use of that name is the library's.
    rewritten = text.replace("import asyncio\n", "import time\n").replace("asyncio.sleep(", "time.sleep(")
    rewritten = rewritten.replace(".asyncio(", ".sync(")
    rewritten = rewritten.replace(
        "The module for programs without asyncio is made from this one by unasync.",
        'Made from _async.py by "make sdk".',
    )
    made.write_text(rewritten)
    rule = unasync.Rule("/", "/", additional_replacements=SYNC)
    unasync.unasync_files([str(made)], [rule])
    lines = made.read_text()
    for name in ("Memory", "User", "Thread"):
        lines = lines.replace(f":class:`Async{name}`", f":class:`{name}`").replace(f"`Async{name}.", f"`{name}.")
    made.write_text(lines)


if __name__ == "__main__":
    main()
