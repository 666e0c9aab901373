/** For the AI SDK (7): a middleware that adds the context to each call of a model, and stores what was said. */
import type { LanguageModelV4CallOptions, LanguageModelV4Middleware, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { Message, Thread, User } from './index.js';

export interface MiddlewareOptions {
  /** Tokens of the context. Default: 1,000. */
  budget?: number;
  /** Gets failures of the memory, and the model is asked without it. Default: the call fails. */
  onError?: (error: unknown) => void;
}

/**
 * Returns a middleware for wrapLanguageModel. What the model needs to know for the last message of the user, from all
 * of the user's threads, comes as a system message after those at the start. The thread gets that message and the
 * text of the answer, each once: the further steps of a call with tools add their text alone.
 */
export function memoryMiddleware(user: User, thread: Thread, options: MiddlewareOptions = {}): LanguageModelV4Middleware {
  const guarded = async <T>(work: () => Promise<T>, without: T): Promise<T> => {
    try {
      return await work();
    } catch (e) {
      if (!options.onError) throw e;
      options.onError(e);
      return without;
    }
  };
  const store = (params: LanguageModelV4CallOptions, answer: string) =>
    guarded(async () => {
      const last = params.prompt.at(-1);
      const asked: Message[] = last?.role === 'user' ? [{ role: 'user', content: said(params) }] : [];
      await thread.add([...asked, { role: 'assistant', content: answer }]);
    }, undefined);
  return {
    specificationVersion: 'v4',
    transformParams: ({ params }) =>
      guarded(async () => {
        const question = said(params);
        const memory = question.trim() ? (await user.context(question, options.budget)).memory : '';
        if (!memory) return params;
        const start = params.prompt.findIndex((m) => m.role !== 'system');
        return { ...params, prompt: params.prompt.toSpliced(start, 0, { role: 'system', content: memory }) };
      }, params),
    wrapGenerate: async ({ doGenerate, params }) => {
      const result = await doGenerate();
      const texts = result.content.map((part) => (part.type === 'text' ? part.text : ''));
      await store(params, texts.join(''));
      return result;
    },
    wrapStream: async ({ doStream, params }) => {
      const { stream, ...rest } = await doStream();
      let answer = '';
      let failed = false;
      const heard = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        transform(part, out) {
          if (part.type === 'text-delta') answer += part.delta;
          if (part.type === 'error') failed = true;
          out.enqueue(part);
        },
        async flush() {
          if (!failed) await store(params, answer);
        },
      });
      return { stream: stream.pipeThrough(heard), ...rest };
    },
  };
}

/** Returns the text of the last message of the user. */
function said(params: LanguageModelV4CallOptions): string {
  const last = params.prompt.findLast((m) => m.role === 'user');
  return (last?.content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
