import type { Fault } from '@sluice/errors';
import type { StreamPart } from '@sluice/inference';
import type { UpstreamError } from '../upstream-error.ts';
import type { BodyReader } from './body-reader.ts';
import type { CallProgress } from './call-progress.ts';
import type { CallLimits } from './deadlines.ts';
import type { FlowBounds } from './reply-flow.ts';

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Reads a reply either as parts or, after an error status, as a fault. */
export type ReplyReader =
  | { readonly type: 'parts'; readonly body: BodyReader }
  | {
      readonly type: 'failure';
      /** Returns false if enough was read. */
      readonly push: (chunk: Uint8Array) => boolean;
      readonly fault: () => Fault;
    };

/** Ends a call. An AbortSignal or a cheaper object with the same events. */
export interface CallSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The settings, bounds and callbacks of an exchange. */
export interface Conversation extends FlowBounds {
  readonly limits: CallLimits;
  readonly signal: CallSignal;
  readonly progress: CallProgress | undefined;
  /** Chooses how a reply is read, from its status and headers. May throw a Fault. */
  reader(status: number, headers: Headers): ReplyReader;
  /** Turns an error inside a 200, before any output, into a fault. */
  faultOf(error: UpstreamError): Fault;
  /** Returns a part without secrets. */
  shown(part: StreamPart): StreamPart;
  /** Gets the upstream's id of the answer. Called at most once, before the first output. */
  named(upstreamId: string): void;
  /** The socket is free or closed. Called once. */
  settled(): void;
}
