"""A robot's loop with a memory: what its sensors say are messages of a tool, what people say are the user's.

    pip install ./sdk/python
    LTM_URL=http://127.0.0.1:5860 LTM_KEY=… python examples/robot/robot.py < examples/robot/day.jsonl

Each line of standard input is a JSON object: {"at": time, "sensor": name, "value": …} or {"at": time, "heard": text,
"from": person}. A question that was heard is answered from the memory. One user is one person; what the robot itself
perceived is kept under the user "robot".
"""

import json
import os
import sys
from datetime import datetime
from typing import Any, TextIO

from ltm_memory import LTMError, Memory, Thread

SAME = 0.5
"""A sensor is stored only when its value moves by more than that, as memory is for what happened."""


class Robot:
    """Perceives, hears and answers."""

    def __init__(self, memory: Memory) -> None:
        """Begin a thread of its own."""
        self.memory = memory
        self.own = memory.user("robot").thread(title="Perceptions")
        self.last: dict[str, Any] = {}
        self.people: dict[str, Thread] = {}

    def perceive(self, at: datetime, sensor: str, value: Any) -> bool:
        """Store a value that is new. Reports whether it was stored."""
        before = self.last.get(sensor)
        if isinstance(value, (int, float)) and isinstance(before, (int, float)) and abs(value - before) <= SAME:
            return False
        if value == before:
            return False
        self.last[sensor] = value
        text = f"Sensor {sensor}: {value}" + (f" (before: {before})" if before is not None else "")
        # The key stores it once, also if the loop is started again over the same log.
        self.own.add(
            {
                "role": "tool",
                "agent": sensor,
                "content": text,
                "occurred_at": at,
                "key": f"{sensor}@{at.isoformat()}",
                "meta": {"sensor": sensor, "value": value},
            }
        )
        return True

    def hear(self, at: datetime, person: str, text: str) -> str:
        """Store what a person said, and return the answer to a question."""
        answer = ""
        if text.rstrip().endswith("?"):
            about = self.memory.user(person).context(text, budget=300).memory
            seen = self.memory.user("robot").context(text, budget=300).memory
            # A model would be asked here. Without one, the robot says what it would give it.
            answer = "\n".join(part for part in (about, seen) if part) or "I do not know."
        said = {"role": "user", "content": text, "occurred_at": at, "key": f"heard@{at.isoformat()}"}
        thread = self.people.setdefault(person, self.memory.user(person).thread(title="At home"))
        thread.add([said, {"role": "assistant", "content": answer, "occurred_at": at}])
        return answer


def run(lines: TextIO, robot: Robot) -> None:
    """Go through the lines. One that cannot be read is named and passed over: a robot goes on."""
    for number, line in enumerate(lines, 1):
        try:
            event = json.loads(line)
            at = datetime.fromisoformat(event["at"])
            if "heard" in event:
                answer = robot.hear(at, event["from"], event["heard"])
                if answer:
                    print(f"{event['from']}: {event['heard']}\n{answer}")
            else:
                robot.perceive(at, event["sensor"], event["value"])
        except (ValueError, KeyError, TypeError) as e:
            print(f"line {number} is passed over: {e!r}", file=sys.stderr)
        except LTMError as e:
            print(f"line {number} was not stored: {e}", file=sys.stderr)


if __name__ == "__main__":
    with Memory(os.environ.get("LTM_URL", "http://127.0.0.1:5860"), os.environ.get("LTM_KEY", "")) as own:
        run(sys.stdin, Robot(own))
