import type { Fault } from '@sluice/errors';
import type { StreamPart } from '@sluice/inference';
import type { UpstreamError } from '../upstream-error.ts';
import type { BodyReader } from './body-reader.ts';
import type { CallProgress } from './call-progress.ts';
import type { CallLimits } from './deadlines.ts';
import type { FlowBounds } from './reply-flow.ts';

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A reply is either read for its parts, or collected to learn what the failure was. */
export type ReplyReader =
  | { readonly type: 'parts'; readonly body: BodyReader }
  | {
      readonly type: 'failure';
      /** False: enough was read. */
      readonly push: (chunk: Uint8Array) => boolean;
      readonly fault: () => Fault;
    };

/** Tells a call to end: an AbortSignal, or what does as much of it for less. */
export interface CallSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The facts and decisions that an exchange needs from outside. */
export interface Conversation {
  readonly limits: CallLimits;
  readonly signal: CallSignal;
  readonly progress: CallProgress | undefined;
  readonly bounds: FlowBounds;
  /** Chooses how a reply is read, from its status and headers. May throw a Fault. */
  reader(status: number, headers: Headers): ReplyReader;
  /** Turns what an upstream said inside a 200 before any output into a fault. */
  faultOf(error: UpstreamError): Fault;
  /** A part without what nobody may see. */
  shown(part: StreamPart): StreamPart;
  /** The upstream has named its answer. Called at most once, before its output is given. */
  named(upstreamId: string): void;
  /** The socket is free again, or gone. Called once. */
  settled(): void;
}
