import type { InferenceRequest, StreamPart } from '@sluice/inference';
import type { Endpoint } from './endpoint.ts';
import type { ServedUsage } from './served-usage.ts';
import type { UpstreamError } from './upstream-error.ts';

/** One upstream language: everything the transport must know of it. All of it is pure. */
export interface Translator {
  /** Added to the endpoint's base URL. */
  readonly path: (endpoint: Endpoint, request: InferenceRequest) => string;
  /** Absent: the key goes as a bearer token. */
  readonly headers?: (
    apiKey: string | undefined,
    betas: readonly string[],
  ) => Readonly<Record<string, string>>;
  /** The wire body of a canonical request. */
  readonly body: (endpoint: Endpoint, request: InferenceRequest) => unknown;
  /** A fresh reader of one event stream. */
  readonly stream: () => StreamReader;
  /** The parts of a whole body; an `error` part when it makes no sense. */
  readonly whole: (body: unknown) => readonly StreamPart[];
  /** It has no custom tools: they are sent as functions, and their calls turned back. */
  readonly emulatesCustomTools?: true;
  /** Reads the body of a status other than 2xx. */
  readonly error: (status: number, body: unknown) => UpstreamError;
  /** The path of a stored answer, and the reader of its body. Absent: the provider stores none. */
  readonly stored?: {
    readonly path: (upstreamId: string) => string;
    readonly read: (body: unknown) => ServedUsage;
  };
}

/** Reads the `data` of one server-sent event after the other. */
export interface StreamReader {
  readonly push: (data: string) => readonly StreamPart[];
  /** The body ended: `finish` or `error` when the stream owes one. */
  readonly end: () => readonly StreamPart[];
}

/** The result of an event: the next state and its parts. */
export type Step<State> = readonly [State, readonly StreamPart[]];

/** Drives a pure step function over a stream. */
export function streamReader<State, Event>(machine: {
  readonly initial: State;
  readonly read: (data: string) => Event;
  readonly step: (state: State, event: Event) => Step<State>;
  readonly end: (state: State) => Step<State>;
}): StreamReader {
  let state = machine.initial;
  const advance = ([next, parts]: Step<State>): readonly StreamPart[] => {
    state = next;
    return parts;
  };
  return {
    push: (data) => advance(machine.step(state, machine.read(data))),
    end: () => advance(machine.end(state)),
  };
}
