import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[3] / "examples"


def play(server, script, *args, text):
    env = {**server.environment(), "LTM_URL": server.url, "LTM_KEY": server.key, "OPENAI_API_KEY": ""}
    done = subprocess.run(
        [sys.executable, EXAMPLES / script, *args], input=text, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done


def test_the_robot_answers_from_what_it_heard_and_perceived(server):
    day = (EXAMPLES / "robot" / "day.jsonl").read_text()
    for _ in range(2):  # the same log again stores nothing twice
        done = play(server, "robot/robot.py", text=day)
        keys, _, kitchen = done.stdout.partition("How warm")
        assert "hook by the door" in keys
        assert "24.5" in kitchen
        assert "line 6 is passed over" in done.stderr


def test_the_agent_remembers_from_one_process_to_the_next(server, name):
    assert (
        "Noted: water the plants"
        in play(
            server, "agent/agent.py", name, text="My daughter is called Mia.\nRemind me to water the plants.\n"
        ).stdout
    )
    done = play(server, "agent/agent.py", name, text="What is my daughter called?\nWhat must I not forget?\n")
    assert "Mia" in done.stdout
    assert done.stdout.rstrip().endswith("water the plants")
