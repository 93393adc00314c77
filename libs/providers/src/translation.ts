import type { InferenceRequest, StreamPart } from '@sluice/inference';
import type { Endpoint } from './endpoint.ts';
import type { HistoryNeeds } from './history/history-needs.ts';
import type { ServedUsage } from './served-usage.ts';
import type { StreamReader } from './stream-reader.ts';
import type { NamePattern, PlainRequest } from './plain-request.ts';
import type { UpstreamError } from './upstream-error.ts';

/** The functions of one dialect that the transport needs. All of them are pure. */
export type Translator = Dialect & (PlainTools | AllTools);

/** The dialect has functions alone. Other tools are rendered as functions, and their calls are restored. */
interface PlainTools {
  readonly hasAllTools?: never;
  /** Returns the wire body of a canonical request. */
  readonly body: (endpoint: Endpoint, request: PlainRequest) => unknown;
}

/** The dialect has namespaces and freeform tools. */
interface AllTools {
  readonly hasAllTools: true;
  readonly body: (endpoint: Endpoint, request: InferenceRequest) => unknown;
}

interface Dialect {
  /** Returns the path that is appended to the endpoint's base URL. */
  readonly path: (endpoint: Endpoint, request: InferenceRequest) => string;
  /** Returns the headers of a request. Absent: the key is sent as a bearer token. */
  readonly headers?: (
    apiKey: string | undefined,
    betas: readonly string[],
  ) => Readonly<Record<string, string>>;
  /** The form that the dialect needs of a conversation. */
  readonly history: HistoryNeeds;
  /** The names that the API accepts of functions. */
  readonly names: NamePattern;
  /** Models end their turn after the results of tools without a word, as Anthropic documents it. */
  readonly maySayNothing?: true;
  /** Creates a reader of one event stream. Calls `onStray` for each event that is none of the dialect. */
  readonly stream: (onStray?: () => void) => StreamReader;
  /** Parses a whole body. Absent: no object in it passes on as it is, so its numbers may be rounded. */
  readonly parse?: (text: string) => unknown;
  /** Returns the parts of a whole body, or an `error` part if it is malformed. */
  readonly whole: (body: unknown) => readonly StreamPart[];
  /** The calls for vectors. Absent: the dialect has none. */
  readonly embeddings?: EmbeddingsWire;
  /** The call that ranks documents. Absent: the dialect has none. */
  readonly ranking?: RankingWire;
  /** The call that counts the input of a request. Absent: the dialect has none. */
  readonly counting?: CountingWire;
  /** Reads the body of a status other than 2xx. */
  readonly error: (status: number, body: unknown) => UpstreamError;
  /** The path of a stored answer and the reader of its body. Absent if the provider stores none. */
  readonly stored?: {
    readonly path: (upstreamId: string) => string;
    readonly read: (body: unknown) => ServedUsage;
  };
}

/** The calls of a dialect that ask for vectors. */
export interface EmbeddingsWire {
  /** The most inputs of one call. */
  readonly inputsMax: number;
  readonly path: (endpoint: Endpoint) => string;
  readonly body: (endpoint: Endpoint, request: InferenceRequest) => unknown;
  /** Returns the parts of a body with one vector per input, or an `error` part if it is malformed. */
  readonly whole: (body: unknown, inputs: number) => readonly StreamPart[];
}

/** The call of a dialect that ranks documents. */
export interface RankingWire {
  readonly path: (endpoint: Endpoint) => string;
  readonly body: (endpoint: Endpoint, request: InferenceRequest) => unknown;
  /** Returns the parts of a body with the ranks, or an `error` part if it is malformed. */
  readonly whole: (body: unknown, request: InferenceRequest) => readonly StreamPart[];
}

/** The call of a dialect that counts the input of a request and generates nothing. */
export interface CountingWire {
  readonly path: (endpoint: Endpoint) => string;
  /** Returns the body of the call. Takes the body of the request itself. */
  readonly body: (endpoint: Endpoint, request: Readonly<Record<string, unknown>>) => object;
  /** The field of the answer that has the count. */
  readonly field: string;
}
