const client = "CLIENT"
// ltm's hooks for this client: the memories at the start of a session and with a prompt, and the counts of its calls.
// Whatever fails here, the session goes on without it.
import { spawn } from "node:child_process"

const wait = 5000 // ms that the client waits for a hook

function hook(directory, event, payload) {
  return new Promise((resolve) => {
    let out = ""
    try {
      const env = { ...process.env, PWD: directory }
      const child = spawn("ltm", ["hook", event, "--client", client], { cwd: directory, env, stdio: ["pipe", "pipe", "ignore"] })
      const timer = setTimeout(() => child.kill(), wait)
      const end = (text) => {
        clearTimeout(timer)
        resolve(text)
      }
      child.on("error", () => end(""))
      child.stdin.on("error", () => {})
      child.stdout.on("data", (data) => (out += data))
      child.on("close", () => {
        try {
          end(JSON.parse(out).additionalContext ?? "")
        } catch {
          end("")
        }
      })
      child.stdin.end(JSON.stringify({ hook_event_name: event, cwd: directory, ...payload }))
    } catch {
      resolve("")
    }
  })
}

export const Ltm = async ({ directory }) => {
  const started = new Map() // sessions, with their context
  const failed = new Set() // calls that were counted as failed
  let parts = 0
  const start = (session_id, source) => {
    if (!started.has(session_id)) started.set(session_id, hook(directory, "SessionStart", { session_id, source }))
    return started.get(session_id)
  }
  const call = (event, session_id, tool_name, tool_input, more) =>
    hook(directory, event, { session_id, tool_name, tool_input, ...more })

  return {
    // It runs with every request, so the context of a session is asked for once.
    "experimental.chat.system.transform": async (input, output) => {
      if (!input?.sessionID) return
      const text = await start(input.sessionID, "startup")
      if (text) output.system.push(text)
    },
    "chat.message": async (input, output) => {
      await start(input.sessionID, "startup")
      const prompt = output.parts.filter((p) => p.type === "text" && !p.synthetic).map((p) => p.text).join("\n")
      const text = await hook(directory, "UserPromptSubmit", { session_id: input.sessionID, prompt })
      if (!text) return
      const id = "prt_" + Date.now().toString(16) + "ltm" + ++parts
      const place = { id, sessionID: input.sessionID, messageID: output.message.id }
      output.parts.push({ ...place, type: "text", text, synthetic: true })
    },
    "tool.execute.after": async (input, output) => {
      const exit = output?.metadata?.exit
      const event = exit ? "PostToolUseFailure" : "PostToolUse"
      const tool_response = output?.output ?? output?.content // a server's answer has parts
      const text = await call(event, input.sessionID, input.tool, input.args, { tool_response })
      if (!text) return
      if (typeof output?.output === "string") output.output += "\n\n" + text
      else output?.content?.push({ type: "text", text })
    },
    "experimental.session.compacting": async (input) => {
      await hook(directory, "PreCompact", { session_id: input.sessionID })
    },
    event: async ({ event }) => {
      const part = event.properties?.part
      if (event.type === "session.compacted") {
        started.delete(event.properties.sessionID)
        start(event.properties.sessionID, "compact")
      }
      // A call that fails in the client itself has no other sign.
      if (event.type !== "message.part.updated" || part?.type !== "tool") return
      if (part.state?.status !== "error" || failed.has(part.callID)) return
      failed.add(part.callID)
      await call("PostToolUseFailure", part.sessionID, part.tool, part.state.input, { error: part.state.error })
    },
    dispose: async () => {
      await Promise.all([...started.keys()].map((session_id) => hook(directory, "SessionEnd", { session_id })))
    },
  }
}
