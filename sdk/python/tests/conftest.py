"""A real ltm-server for the tests: the program that LTM_SERVER names, on loopback, in a directory of its own."""

import os
import re
import subprocess
import uuid
from pathlib import Path

import pytest

from ltm_memory import AsyncMemory, Memory


class Server:
    """A running server, and the key of an application on it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.program = os.environ.get("LTM_SERVER", "")
        if not self.program:
            pytest.fail('LTM_SERVER must name the built ltm-server; "make sdk-test" does')
        self.run("init")
        self.run("app", "create", "tests", "--active-suggestions")
        self.key = self.run("key", "issue", "--app", "tests", "--name", "tests").strip()
        self.process = subprocess.Popen(
            [self.program, "serve", "--addr", "127.0.0.1:0", "--rate-address", "100000", "--rate-user", "100000"],
            env=self.environment(),
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                self.url = found.group()
                return
        raise AssertionError("the server did not say where it listens")

    def environment(self) -> dict[str, str]:
        return {**os.environ, "LTM_SERVER_DB": str(self.directory / "ltm.db")}

    def run(self, *args: str) -> str:
        done = subprocess.run([self.program, *args], env=self.environment(), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def stop(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=30)


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    running = Server(tmp_path_factory.mktemp("server"))
    yield running
    running.stop()


@pytest.fixture
def memory(server):
    with Memory(server.url, server.key) as m:
        yield m


@pytest.fixture
async def async_memory(server):
    async with AsyncMemory(server.url, server.key) as m:
        yield m


@pytest.fixture
def name():
    """The id of a user that no other test has."""
    return f"user-{uuid.uuid4()}"
