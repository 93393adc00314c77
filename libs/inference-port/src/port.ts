import type { CallSignal } from './call-signal.ts';
import type { CatalogQuestion } from './catalog-question.ts';
import type { Principal } from './principal.ts';

/** Describes the application of a client, by its headers. Bounded. A field is absent if its header is. */
export interface ClientApplication {
  readonly referer?: string;
  /** The title of an application that names itself by `referer`. */
  readonly title?: string;
  /** Known ones, two at most. */
  readonly categories?: readonly string[];
  /** Features of Anthropic's protocol that are asked for: those that cost nothing besides tokens. */
  readonly anthropicBetas?: readonly string[];
  readonly userAgent?: string;
  /** A well-known application, by what it calls itself. */
  readonly application?: string;
  /** Used where the body names no session. */
  readonly sessionId?: string;
  /** The answer reports how it was routed. */
  readonly wantsMetadata?: true;
  /** The messages of the request go to no destination. */
  readonly withholdsContents?: true;
  /** Used where the body does not say it. */
  readonly unsupportedFeatures?: 'lenient' | 'strict';
  /** The use of the response cache. */
  readonly cache?: CacheWish;
}

/** The wish of a client for the response cache (contract inference.md 23). */
export interface CacheWish {
  /** Absent: the client leaves it to its preset. */
  readonly isOn?: boolean;
  /** From 1 to 86,400. Absent: the usual one. */
  readonly ttlSeconds?: number;
  /** The answer that is kept is not repeated. */
  readonly clears?: true;
}

/** The API formats of clients, each with a route of its own. */
export const clientDialects = [
  'responses',
  'chat-completions',
  'messages',
  'count-tokens',
  'embeddings',
  'rerank',
] as const;
export type ClientDialectName = (typeof clientDialects)[number];

export interface InferenceCall {
  /** The format of the body and of the answer. */
  readonly dialect: ClientDialectName;
  readonly principal: Principal;
  /** `req-…`; goes to logs, spans and usage. */
  readonly requestId: string;
  /** The body as it came: parsed once, by routing. */
  readonly body: Uint8Array;
  /** W3C trace context, when the client or the gateway has one. */
  readonly traceparent?: string;
  readonly client?: ClientApplication;
  /** Aborted when the client is gone. What was served is billed all the same. */
  readonly signal: CallSignal;
}

export interface InferenceReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Whole, or a stream whose end is the end of the reply. A text stays a text: Node sends it and its head in one write.
   */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>;
}

export function isStream(body: InferenceReply['body']): body is AsyncIterable<Uint8Array> {
  return typeof body !== 'string' && !(body instanceof Uint8Array);
}

/** Returns all of a reply. */
export async function wholeText(body: InferenceReply['body']): Promise<string> {
  if (typeof body === 'string') return body;
  const pieces = body instanceof Uint8Array ? [body] : await Array.fromAsync(body);
  return Buffer.concat(pieces).toString();
}

/** The calls of the gateway to routing: a direct call in one process, HTTP/1.1 between two. */
export interface InferencePort {
  /** Never throws for an error of the request: that is a reply in the public envelope. */
  createResponse(call: InferenceCall): Promise<InferenceReply>;
  /** Never throws for an error of the question: that is a reply in the public envelope. */
  readCatalog(question: CatalogQuestion): Promise<InferenceReply>;
  /**
   * Returns the number of responses that may start in a millisecond. Undefined: as many as the process can. Absent: the
   * other process bounds them in its own queue.
   */
  startsPerMsMax?(): number | undefined;
}
