import type { InferenceRequest, StreamPart } from '@sluice/inference';
import { openAiChat, type Endpoint } from './endpoint.ts';
import { hasLateInstructions, oneSystemEndpoint } from './openai-chat/system-messages.ts';
import { UpstreamFault } from './upstream-fault.ts';

type Answer = AsyncIterator<readonly StreamPart[], undefined>;

const learnedMax = 1_000;

/**
 * Calls servers of chat completions again with one system message, if they refuse a request because it has more. Each
 * server is asked once, and gets one system message from then on.
 */
export class SystemRetry {
  readonly #learned = new Set<string>();

  /** Begins a call, and another one if the first is refused for its system messages. */
  begin(
    endpoint: Endpoint,
    request: InferenceRequest,
    begin: (endpoint: Endpoint) => Answer,
  ): Answer {
    const { chat = openAiChat } = endpoint;
    const isMeant = endpoint.dialect === 'openai-chat' && !chat.takesOneSystemMessage;
    if (!isMeant || !hasLateInstructions(request)) return begin(endpoint);
    const changed = oneSystemEndpoint(endpoint, chat);
    const name = `${endpoint.baseUrl} ${endpoint.upstreamModel}`;
    if (this.#learned.has(name)) return begin(changed);
    return new RetriedAnswer(begin(endpoint), () => {
      this.#learn(name);
      return begin(changed);
    });
  }

  #learn(name: string): void {
    const [oldest] = this.#learned;
    if (this.#learned.size >= learnedMax && oldest !== undefined) this.#learned.delete(oldest);
    this.#learned.add(name);
  }
}

/** An answer that begins again, once, if its system messages are refused. */
class RetriedAnswer implements Answer {
  #answer: Answer;
  #again: (() => Answer) | undefined;

  constructor(answer: Answer, again: () => Answer) {
    this.#answer = answer;
    this.#again = again;
  }

  async next(): Promise<IteratorResult<readonly StreamPart[], undefined>> {
    const again = this.#again;
    this.#again = undefined;
    try {
      return await this.#answer.next();
    } catch (error) {
      const isRefused = error instanceof UpstreamFault && error.refusesSystemMessages;
      if (!again || !isRefused) throw error;
      this.#answer = again();
      return await this.#answer.next();
    }
  }

  async return(): Promise<IteratorResult<readonly StreamPart[], undefined>> {
    await this.#answer.return?.();
    return { done: true, value: undefined };
  }
}
