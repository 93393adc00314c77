import type { IncomingMessage, ServerResponse } from 'node:http';

export const dialects = [
  'openai-responses',
  'openai-chat',
  'anthropic-messages',
  'google-gemini',
] as const;
export type Dialect = (typeof dialects)[number];

/** A request as a provider gets it. */
export interface Asked {
  readonly isStreamed: boolean;
  readonly request: IncomingMessage;
  readonly body: Buffer;
}

/** Answers as a provider; `left` resolves when Sluice knows that its client has left. */
export type Answer = (
  asked: Asked,
  response: ServerResponse,
  client: Client,
) => void | Promise<void>;

/** The progress of the client whose request is answered. */
export interface Client {
  /** The first bytes of the answer have arrived. */
  readonly heard: Promise<void>;
  /** Sluice has noticed that the client left. */
  readonly left: Promise<void>;
}

export interface Endpoint {
  readonly dialect: Dialect;
  /** The simulator answers when absent. */
  readonly answer?: Answer;
  /** The provider of the endpoint. If absent, it is named after the dialect. */
  readonly provider?: string;
  /** Fields of the provider in the catalog file. */
  readonly providerFacts?: object;
  /** Fields of the endpoint there. */
  readonly facts?: object;
}

/** A key of the account, and what holds for it. */
export interface KeyFacts {
  readonly limitNanoUsd?: bigint;
  readonly limitReset?: string;
  readonly disabled?: boolean;
  readonly expiresAt?: string;
  readonly isManagement?: boolean;
}

export interface Model {
  readonly endpoints: readonly Endpoint[];
  /** Fields of the model in the catalog file. */
  readonly facts?: object;
}

/** One request and all that it leads to: one golden file. */
export interface Case {
  /** The path of its file. */
  readonly name: string;
  /** Without `model`: the first of `models`. A text is sent as it is. */
  readonly body: object | string;
  /** The models by name. The id of each is `golden/<case>/<name>`, and `$name` in a body means it. */
  readonly models?: Readonly<Record<string, Model>>;
  /** Both when absent. */
  readonly modes?: readonly Mode[];
  /** A header that is undefined is not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly method?: string;
  /** Below `/v1`; `/responses` when absent. */
  readonly path?: string;
  readonly key?: KeyFacts;
  /** The rules or the budget of a guardrail of the key. */
  readonly guardrail?: object;
  /** The client leaves when it has read this text. */
  readonly leavesAfter?: string;
  /** The number of times that the request is sent, one after the other. If absent, it is one. */
  readonly times?: number;
  /** The answer is withheld, and paid: a status other than 200 is no failure of the generation. */
  readonly isWithheld?: true;
}

export type Mode = 'streamed' | 'whole';
