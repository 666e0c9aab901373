from typing import Annotated, TypedDict

from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages

from ltm_memory.langchain import LTMChatMessageHistory, context_node, remember_node


def test_history_keeps_what_was_said(memory, name):
    thread = memory.user(name).thread()
    history = LTMChatMessageHistory(thread)
    assert history.messages == []
    history.clear()
    history.add_user_message("I live in Rome.")
    history.add_messages(
        [
            AIMessage(content="", tool_calls=[{"name": "weather", "args": {"city": "Rome"}, "id": "1"}]),
            ToolMessage(content="It rains.", tool_call_id="1"),
            AIMessage(content=[{"type": "text", "text": "It rains in Rome."}], id="m1"),
        ]
    )
    history.add_messages([AIMessage(content="It rains in Rome.", id="m1")])
    again = LTMChatMessageHistory(memory.user(name).thread(thread.id))
    assert [(m.type, m.content) for m in again.messages] == [("human", "I live in Rome."), ("ai", "It rains in Rome.")]
    again.clear()
    assert history.messages == []


class State(TypedDict):
    messages: Annotated[list, add_messages]
    context: str


def test_a_graph_knows_what_an_earlier_one_was_told(memory, name):
    ann = memory.user(name)
    seen = []

    def run(question, answer):
        model = GenericFakeChatModel(messages=iter([AIMessage(content=answer)]))

        def ask(state):
            prompt = [SystemMessage(content=state["context"]), *state["messages"]]
            seen.append(prompt)
            return {"messages": [model.invoke(prompt)]}

        graph = StateGraph(State)
        graph.add_node("context", context_node(ann))
        graph.add_node("model", ask)
        graph.add_node("remember", remember_node(ann.thread()))
        graph.add_edge(START, "context")
        graph.add_edge("context", "model")
        graph.add_edge("model", "remember")
        graph.add_edge("remember", END)
        return graph.compile().invoke({"messages": [HumanMessage(content=question)]})

    run("My cat is called Socks.", "A fine name.")
    assert seen[0][0].content == "" or "Socks" not in seen[0][0].content
    run("What is the name of my cat?", "Socks.")
    assert "Socks" in seen[1][0].content
    assert sorted(len(list(ann.thread(t.id).messages())) for t in ann.threads()) == [2, 2]
