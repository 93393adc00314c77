import { chatTelling } from './dialects/chat.ts';
import { responsesTelling, terminalResponse } from './dialects/responses.ts';
import { messagesTelling, wholeMessageTelling } from './dialects/messages.ts';
import { count, type Json, object } from './json.ts';
import type { Telling } from './telling.ts';

interface Question {
  readonly model: string;
  readonly input: string;
  readonly stream: boolean;
}

/** A route of Sluice that answers with a generation. */
export interface Door {
  readonly path: string;
  readonly body: (question: Question) => object;
  readonly whole: (body: Json) => Told;
  readonly streamed: (events: readonly Json[]) => Told;
}

export interface Told {
  readonly telling: Telling;
  /** US dollars; undefined if the dialect of the door has no field for it. */
  readonly costUsd: number | undefined;
}

const costOf = (holder: Json | undefined) => count(object(holder?.['usage'])['cost']);

/** A new door is a row. */
export const doors: readonly Door[] = [
  {
    path: '/responses',
    body: ({ model, input, stream }) => ({ model, input, stream }),
    whole: (body) => ({ telling: responsesTelling(body), costUsd: costOf(body) }),
    streamed: (events) => {
      const response = terminalResponse(events) ?? {};
      return { telling: responsesTelling(response), costUsd: costOf(response) };
    },
  },
  {
    path: '/chat/completions',
    body: ({ model, input, stream }) => ({
      model,
      stream,
      messages: [{ role: 'user', content: input }],
    }),
    whole: (body) => ({ telling: chatTelling([body]), costUsd: costOf(body) }),
    streamed: (events) => ({
      telling: chatTelling(events),
      costUsd: costOf(events.findLast((event) => event['usage'])),
    }),
  },
  {
    path: '/messages',
    body: ({ model, input, stream }) => ({
      model,
      stream,
      max_tokens: 64_000,
      messages: [{ role: 'user', content: input }],
    }),
    whole: (body) => ({ telling: wholeMessageTelling(body), costUsd: undefined }),
    streamed: (events) => ({ telling: messagesTelling(events), costUsd: undefined }),
  },
];
