"""Runs the first examples of the READMEs and of docs/chatbot.md with the packages that a program has.

The program is a Python, or node with the directory of its packages.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "python" / "tests"), str(HERE / "python" / "src")]

from conftest import Server  # noqa: E402


def example(document: Path, language: str) -> str:
    """Return the first example of a document in a language."""
    found = re.search(rf"```{language}\n(.*?)```", document.read_text(), re.DOTALL)
    assert found, f"{document} has no example in {language}"
    return found.group(1)


# What turns the chatbot of docs/chatbot.md into a program: a model that repeats its prompt, and two questions.
CHATBOT = {
    "python": """
def model(system, text):
    return system

reply("bob", "My cat is called Socks.")
print(reply("bob", "What is the name of my cat?"))
""",
    "ts": """
async function model(system, text) { return system; }
await reply('bob', 'My cat is called Socks.');
console.log(await reply('bob', 'What is the name of my cat?'));
""",
}


def main(program: str, directory: str | None = None) -> None:
    """Run the examples against a server of their own, and require what they print."""
    client, language = ("typescript", "ts") if directory else ("python", "python")
    hello = example(HERE / client / "README.md", language)
    chatbot = example(HERE.parent / "docs" / "chatbot.md", {"ts": "js"}.get(language, language))
    with tempfile.TemporaryDirectory() as place:
        server = Server(Path(place))
        try:
            for text in (hello, chatbot + CHATBOT[language]):
                text = text.replace("http://127.0.0.1:5860", server.url)
                file = Path(directory or place) / ("hello.mjs" if directory else "hello.py")
                file.write_text(text)
                env = {"LTM_KEY": server.key, "PATH": "/usr/bin:/bin"}
                done = subprocess.run([program, str(file)], env=env, cwd=file.parent, capture_output=True, text=True)
                assert done.returncode == 0 and "Socks" in done.stdout, done.stdout + done.stderr
        finally:
            server.stop()
    print(f"{client}: hello world has {len(hello.strip().splitlines())} lines, the chatbot {len(chatbot.splitlines())}")


main(*sys.argv[1:])
