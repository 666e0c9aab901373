import json

import pytest
from agents import Agent, Model, ModelResponse, Runner, Session, Usage, function_tool, set_tracing_disabled
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from ltm_memory.openai_agents import LTMSession

set_tracing_disabled(True)


class Scripted(Model):
    """Gives one answer after the other, and keeps what it was asked."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    async def get_response(self, system_instructions, input, *args, **kwargs):
        self.asked.append(input)
        return ModelResponse(output=[self.answers.pop(0)], usage=Usage(), response_id=None)

    def stream_response(self, *args, **kwargs):
        raise NotImplementedError


def said(text):
    part = ResponseOutputText(type="output_text", text=text, annotations=[])
    return ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[part])


@function_tool
def weather(city: str) -> str:
    """Tell the weather of a city."""
    return f"It rains in {city}."


async def test_a_run_goes_on_where_another_ended(async_memory, name):
    thread = async_memory.user(name).thread()
    call = ResponseFunctionToolCall(
        type="function_call", call_id="c1", name="weather", arguments=json.dumps({"city": "Rome"})
    )
    first = Scripted(call, said("It rains in Rome."))
    session = LTMSession(thread)
    assert isinstance(session, Session)
    await Runner.run(Agent(name="a", model=first, tools=[weather]), "Does it rain in Rome?", session=session)
    second = Scripted(said("You asked about Rome."))
    again = LTMSession(async_memory.user(name).thread(thread.id))
    await Runner.run(Agent(name="a", model=second, tools=[weather]), "Which city was it?", session=again)
    kinds = [item.get("type", item.get("role")) for item in second.asked[0]]
    assert kinds == ["user", "function_call", "function_call_output", "message", "user"]
    assert second.asked[0][2]["output"] == "It rains in Rome."
    context = await async_memory.user(name).context("Does it rain in Rome?")
    assert "It rains in Rome." in context.memory


async def test_items_are_limited_popped_and_cleared(async_memory, name):
    session = LTMSession(async_memory.user(name).thread())
    assert await session.get_items() == [] and await session.pop_item() is None
    await session.clear_session()
    items = [{"role": "user", "content": f"number {n}"} for n in range(5)]
    await session.add_items(items)
    assert await session.get_items() == items
    assert await session.get_items(limit=2) == items[3:]
    assert await session.get_items(limit=0) == []
    assert await session.pop_item() == items[4]
    assert await session.get_items() == items[:4]
    await session.clear_session()
    assert await session.get_items() == []


@pytest.mark.parametrize("text", ["x" * 17_000, "日本語" * 5_000, 'a "quoted"\n' * 4_000])
async def test_long_texts_come_back(async_memory, name, text):
    session = LTMSession(async_memory.user(name).thread())
    items = [
        {"role": "user", "content": text},
        {"type": "function_call_output", "call_id": "c", "output": text},
        {"role": "assistant", "type": "message", "content": [{"type": "output_text", "text": text, "annotations": []}]},
    ]
    await session.add_items(items)
    assert await session.get_items() == items


async def test_what_is_too_large_is_cut(async_memory, name):
    session = LTMSession(async_memory.user(name).thread())
    picture = {"type": "input_image", "image_url": "data:image/png;base64," + "A" * 100_000}
    await session.add_items(
        [
            {"type": "function_call_output", "call_id": "c", "output": "é" * 200_000},
            {"role": "user", "content": [{"type": "input_text", "text": "Look"}, picture]},
            {"type": "reasoning", "summary": [{"text": "x" * 50_000}, {"text": "y" * 50_000}]},
        ]
    )
    output, look, reasoning = await session.get_items()
    assert output["call_id"] == "c" and output["output"].endswith("(cut: it had 200000 characters)")
    note = {"type": "input_text", "text": "(input_image, not kept)"}
    assert look["content"] == [{"type": "input_text", "text": "Look"}, note]
    assert reasoning["summary"][0]["text"] == "x" * 50_000
    assert reasoning["summary"][1]["text"].endswith("(cut: it had 50000 characters)")
