import type { CatalogQuestion } from './catalog-question.ts';

/** Who calls: what the gateway learnt of a key, and all that routing needs to know of it. */
export interface Principal {
  readonly accountId: string;
  readonly workspaceId: string;
  /** SHA-256 of the key, hex: its public handle. */
  readonly keyHash: string;
  /** null: no cap. */
  readonly limitNanoUsd: bigint | null;
  /** null: a lifetime cap. */
  readonly limitReset: 'daily' | 'weekly' | 'monthly' | null;
  readonly includeByokInLimit: boolean;
  /** Who made the key; absent when nobody of the account did. */
  readonly creatorUserId?: string;
}

/** What the headers of a client say of its application, and ask. Bounded; absent: it did not say. */
export interface ClientApplication {
  readonly referer?: string;
  /** Of an application that names itself by `referer`. */
  readonly title?: string;
  /** Known ones, two at most. */
  readonly categories?: readonly string[];
  /** Features of Anthropic's protocol that are asked for: those that cost nothing besides tokens. */
  readonly anthropicBetas?: readonly string[];
  readonly userAgent?: string;
  /** Used where the body names no session. */
  readonly sessionId?: string;
  /** The answer tells how it was routed. */
  readonly wantsMetadata?: true;
}

export interface InferenceCall {
  readonly principal: Principal;
  /** `req-…`; goes to logs, spans and usage. */
  readonly requestId: string;
  /** The body as it came: parsed once, by routing. */
  readonly body: Uint8Array;
  /** W3C trace context, when the client or the gateway has one. */
  readonly traceparent?: string;
  readonly client?: ClientApplication;
  /** Aborted when the client is gone. What was served is billed all the same. */
  readonly signal: AbortSignal;
}

export interface InferenceReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Whole, or a stream whose end is the end of the reply. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
}

/** What routing offers the gateway: a direct call in one process, HTTP/1.1 between two. */
export interface InferencePort {
  /** Never throws for an error of the request: that is a reply in the public envelope. */
  createResponse(call: InferenceCall): Promise<InferenceReply>;
  /** All models that are listed, whatever they answer with, as JSON bytes. */
  listModels(): Promise<InferenceReply>;
  /** Never throws for an error of the question: that is a reply in the public envelope. */
  readCatalog(question: CatalogQuestion): Promise<InferenceReply>;
}
