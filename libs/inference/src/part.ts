import type { ErrorCode } from '@sluice/errors';
import type { TokenUsage } from './usage.ts';

/**
 * What an upstream says, in order, in one closed union. `part` numbers the open parts of one
 * generation from 0; several may be open at once. One that is still open at `finish` with `length`
 * or `content-filter`, or at `error`, was cut short.
 */
export type StreamPart =
  | { readonly type: 'response-start'; readonly upstreamId: string | undefined }
  | { readonly type: 'text-start'; readonly part: number }
  | { readonly type: 'text-delta'; readonly part: number; readonly delta: string }
  | { readonly type: 'text-end'; readonly part: number }
  | { readonly type: 'refusal-start'; readonly part: number }
  | { readonly type: 'refusal-delta'; readonly part: number; readonly delta: string }
  | { readonly type: 'refusal-end'; readonly part: number }
  | { readonly type: 'reasoning-start'; readonly part: number }
  | { readonly type: 'reasoning-delta'; readonly part: number; readonly delta: string }
  | { readonly type: 'reasoning-end'; readonly part: number }
  | {
      readonly type: 'tool-call-start';
      readonly part: number;
      readonly callId: string;
      readonly name: string;
    }
  | { readonly type: 'tool-call-delta'; readonly part: number; readonly delta: string }
  | { readonly type: 'tool-call-end'; readonly part: number }
  /** The upstream told a usage that cannot be true: as it came, cut off where it is long. */
  | { readonly type: 'unread-usage'; readonly raw: string }
  | {
      readonly type: 'finish';
      readonly reason: FinishReason;
      /** The upstream's own word for it. */
      readonly nativeReason: string | undefined;
      /** undefined: the upstream gave none; the meter estimates and says so. */
      readonly usage: TokenUsage | undefined;
    }
  /** The generation broke. Before the first output it may become another attempt or a status. */
  | {
      readonly type: 'error';
      readonly code: ErrorCode;
      readonly message: string;
      readonly providerCode: string | undefined;
      /** What was served until then, when the upstream said so. */
      readonly usage: TokenUsage | undefined;
    };

export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter';

/** The commit point: from the first of these on, no other endpoint is tried. */
export function isOutput(part: StreamPart): boolean {
  return part.type !== 'response-start' && part.type !== 'error' && part.type !== 'unread-usage';
}
