"""An agent with tools and a memory, on the OpenAI Agents SDK.

    pip install './sdk/python[openai-agents]'
    LTM_URL=http://127.0.0.1:5860 LTM_KEY=… python examples/agent/agent.py ann

Each line of standard input is something that the user says. The session keeps the conversation, so that the program
goes on with it the next day; the context brings what the user said in all others. With OPENAI_API_KEY the SDK's model
answers; without it, a stand-in that calls the tool for "remind me" and otherwise shows what a model would be told.
"""

import asyncio
import json
import os
import sys
from dataclasses import dataclass
from typing import Any

from agents import (
    Agent,
    Model,
    ModelResponse,
    RunContextWrapper,
    Runner,
    Usage,
    function_tool,
    set_tracing_disabled,
)
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from ltm_memory import AsyncMemory, AsyncUser
from ltm_memory.openai_agents import LTMSession


@dataclass
class Turn:
    """What one run is about."""

    user: AsyncUser
    asked: str


@function_tool
async def remind(wrapper: RunContextWrapper[Turn], what: str) -> str:
    """Note something that the user must not forget."""
    await wrapper.context.user.state("NEXT_ACTIONS", what)
    return f"Noted: {what}"


@function_tool
async def reminders(wrapper: RunContextWrapper[Turn]) -> str:
    """List what the user must not forget."""
    return "\n".join([c.text async for c in wrapper.context.user.claims(bucket="NEXT_ACTIONS")]) or "Nothing."


class StandIn(Model):
    """Calls the tool for "remind me to …", and otherwise repeats what a model would be told."""

    async def get_response(
        self, system_instructions: str | None, input: Any, *args: Any, **kwargs: Any
    ) -> ModelResponse:
        """Answer the newest item."""
        last = input[-1] if isinstance(input, list) else {"role": "user", "content": input}
        asked = str(last.get("content", ""))
        if last.get("type") == "function_call_output":
            return self._says(str(last["output"]))
        if asked.lower().startswith("remind me to "):
            return self._calls("remind", what=asked[len("remind me to ") :].rstrip("."))
        if "not forget" in asked:
            return self._calls("reminders")
        return self._says(system_instructions or "")

    def stream_response(self, *args: Any, **kwargs: Any) -> Any:
        """The example does not stream."""
        raise NotImplementedError

    def _says(self, text: str) -> ModelResponse:
        part = ResponseOutputText(type="output_text", text=text, annotations=[])
        message = ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[part])
        return ModelResponse(output=[message], usage=Usage(), response_id=None)

    def _calls(self, name: str, **arguments: str) -> ModelResponse:
        call = ResponseFunctionToolCall(
            type="function_call", call_id=os.urandom(8).hex(), name=name, arguments=json.dumps(arguments)
        )
        return ModelResponse(output=[call], usage=Usage(), response_id=None)


async def instructions(wrapper: RunContextWrapper[Turn], agent: Agent[Turn]) -> str:
    """Tell the model what it needs to know for the question."""
    context = await wrapper.context.user.context(wrapper.context.asked, budget=800)
    return f"You help one person. What you know of them:\n{context.memory or 'nothing yet'}"


async def main(name: str) -> None:
    """Answer one line after the other."""
    set_tracing_disabled(True)
    url, key = os.environ.get("LTM_URL", "http://127.0.0.1:5860"), os.environ.get("LTM_KEY", "")
    async with AsyncMemory(url, key) as memory:
        user = memory.user(name)
        threads = [t async for t in user.threads() if t.title == "agent"]
        session = LTMSession(user.thread(threads[0].id if threads else None, title="agent"))
        model = None if os.environ.get("OPENAI_API_KEY") else StandIn()
        agent = Agent[Turn](name="helper", instructions=instructions, tools=[remind, reminders], model=model)
        for line in sys.stdin:
            if asked := line.strip():
                result = await Runner.run(agent, asked, context=Turn(user, asked), session=session)
                print(result.final_output)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: agent.py USER")
    asyncio.run(main(sys.argv[1]))
