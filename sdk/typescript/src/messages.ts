import type { BatchEvent } from './generated/index.js';

/** A part of a message's content. Only parts with a text are stored. */
export interface Part {
  readonly type: string;
  readonly text?: string | undefined;
}

/**
 * A message, in the form that models' APIs have, and what else an event may have. Fields that the server does not
 * know are left out.
 */
export interface Message extends Partial<Omit<BatchEvent, 'actor' | 'content' | 'occurred_at'>> {
  role: 'user' | 'assistant' | 'system' | 'tool' | 'developer' | 'function';
  content: string | readonly (Part | string)[] | null;
  /** When it was said. Default: now. */
  occurred_at?: Date | string;
}

/** A text of the user, a message, or several. */
export type Messages = string | Message | readonly (string | Message)[];

const most = 1000;
const mostBytes = 3 << 20; // of 16 MiB
const roles = new Map([
  ['developer', 'system'],
  ['function', 'tool'],
]);
const actors = ['assistant', 'system', 'tool', 'user'];
const more = ['agent', 'embed', 'id', 'importance', 'key', 'lang', 'meta', 'occurred_at', 'session'] as const;

/** Returns the events of messages, as many together as a request may have. undefined is one without text. */
export function batches(messages: Messages): (BatchEvent | undefined)[][] {
  const out: (BatchEvent | undefined)[][] = [];
  let size = 0;
  for (const message of isList(messages) ? messages : [messages]) {
    const one = event(message);
    const length = one ? 256 + 3 * one.content.length : 0;
    let last = out.at(-1);
    if (!last || size + length > mostBytes || last.length === most) {
      out.push((last = []));
      size = 0;
    }
    last.push(one);
    size += length;
  }
  return out;
}

const longestQuestion = 8000; // characters that the server takes

/** Returns a question as the server takes it: of a longer one, the beginning and the end. */
export function asked(question: string): string {
  if (question.length <= longestQuestion) return question;
  const half = longestQuestion / 2;
  return `${question.slice(0, half - 1)}\n${question.slice(-half)}`.toWellFormed();
}

function isList(messages: Messages): messages is readonly (string | Message)[] {
  return Array.isArray(messages);
}

/** Returns the event of a message, or undefined if it has no text, as a call of a tool has none. */
function event(message: string | Message): BatchEvent | undefined {
  if (typeof message === 'string') message = { role: 'user', content: message };
  if (message === null || typeof message !== 'object') {
    throw new TypeError(`a message is a text or an object with role and content, not ${JSON.stringify(message)}`);
  }
  const actor = roles.get(message.role) ?? message.role;
  if (!actors.includes(actor)) {
    throw new TypeError(`role must be one of ${actors.join(', ')}, not ${JSON.stringify(message.role)}`);
  }
  const content = text(message.content);
  if (!content.trim()) return undefined;
  const out: Record<string, unknown> = { actor, content };
  for (const name of more) {
    const value = message[name];
    if (value !== undefined && value !== null) out[name] = value instanceof Date ? value.toISOString() : value;
  }
  return out as unknown as BatchEvent;
}

/** Returns the text of a content: a text, or parts of which some have text. Pictures have none. */
function text(content: Message['content']): string {
  if (content === null || content === undefined || typeof content === 'string') return content ?? '';
  if (!Array.isArray(content)) throw new TypeError(`content is a text or a list of parts, not ${typeof content}`);
  return (content as readonly (Part | string)[])
    .map((part) => (typeof part === 'string' ? part : (part?.text ?? '')))
    .filter(Boolean)
    .join('\n');
}
