"""Runs the examples of docs/chatbot.md in a language, and the first ones of the READMEs, as they are written there.

The arguments are the language and the command that runs a file of it.
"""

import os
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
    "js": """
async function model(system, text) { return system; }
await reply('bob', 'My cat is called Socks.');
console.log(await reply('bob', 'What is the name of my cat?'));
""",
    "go": """
func model(system, text string) string { return system }

func main() {
	ctx := context.Background()
	memory, err := connect()
	for _, text := range []string{"My cat is called Socks.", "What is the name of my cat?"} {
		thread := ""
		if err == nil {
			thread, err = memory.CreateThread(ctx, client.NewThread{User: "bob"})
		}
		if err == nil {
			text, err = reply(ctx, memory, "bob", thread, text)
		}
		if err != nil {
			panic(err)
		}
		os.Stdout.WriteString(text)
	}
}
""",
    "sh": "",
}
READMES = {"python": "python", "js": "typescript"}


def main(language: str, *program: str) -> None:
    """Run the examples against a server of their own, and require what they print."""
    texts = [example(HERE.parent / "docs" / "chatbot.md", language)]
    lines = [len(texts[0].splitlines())]
    texts[0] += CHATBOT[language]
    if language in READMES:
        texts.append(example(HERE / READMES[language] / "README.md", language if language == "python" else "ts"))
        lines.append(len(texts[1].splitlines()))
    with tempfile.TemporaryDirectory() as place:
        server = Server(Path(place))
        try:
            for text in texts:
                # Node finds packages beside the program, and Go in the module where it runs.
                file = Path.cwd() / "hello.mjs" if language == "js" else Path(place) / f"hello.{language}"
                file.write_text(text.replace("http://127.0.0.1:5860", server.url))
                env = {**os.environ, "LTM_KEY": server.key}
                done = subprocess.run([*program, str(file)], env=env, capture_output=True, text=True)
                assert done.returncode == 0 and "Socks" in done.stdout, done.stdout + done.stderr
        finally:
            server.stop()
    print(f"{language}: the examples ran, of {' and '.join(map(str, lines))} lines")


main(*sys.argv[1:])
