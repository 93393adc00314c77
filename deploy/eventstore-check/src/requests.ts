import { randomUUID } from 'node:crypto';
import type { StreamIdentifier } from '@sluice/protos/event_store/client/shared';
import type {
  BatchAppendReq_ProposedMessage,
  DeleteReq,
  ReadReq,
  ReadReq_Options,
  ReadReq_Options_FilterOptions,
} from '@sluice/protos/event_store/client/streams';

/** The revision that a writer expects. */
export type Expected = 'any' | 'no_stream' | 'stream_exists' | number;

export type Proposed = BatchAppendReq_ProposedMessage;
export type ReadOptions = Partial<ReadReq_Options>;
export type StreamFrom =
  | 'start'
  | 'end'
  /** A request that does not say where to begin. */
  | 'nowhere'
  | bigint;

interface EventOptions {
  readonly id?: string;
  readonly contentType?: string;
  readonly metadata?: Record<string, string>;
  readonly custom?: Buffer;
}

const value = {};

export function identified(stream: string | Buffer): StreamIdentifier {
  return { streamName: Buffer.from(stream) };
}

export function event(
  type = 'tested',
  data: object | Buffer = { n: 1 },
  options: EventOptions = {},
): Proposed {
  const contentType = options.contentType ?? 'application/json';
  return {
    id: { value: { $case: 'string', value: options.id ?? randomUUID() } },
    metadata: options.metadata ?? { type, 'content-type': contentType },
    customMetadata: options.custom ?? Buffer.alloc(0),
    data: Buffer.isBuffer(data) ? data : Buffer.from(JSON.stringify(data)),
  };
}

/** An event of so many bytes. */
export function heavyEvent(bytes: number): Proposed {
  return event('t', Buffer.alloc(bytes));
}

export function expectedRevision<Case extends 'revision' | 'streamPosition'>(
  expected: Expected,
  exact: Case,
) {
  if (typeof expected === 'number') return { $case: exact, value: BigInt(expected) };
  if (expected === 'any') return { $case: 'any', value } as const;
  if (expected === 'no_stream') return { $case: 'noStream', value } as const;
  return { $case: 'streamExists', value } as const;
}

export function deleteRequest(stream: string, expected: Expected): DeleteReq {
  const expectedStreamRevision = expectedRevision(expected, 'revision');
  return { options: { streamIdentifier: identified(stream), expectedStreamRevision } };
}

export function readRequest(options: ReadOptions): ReadReq {
  return {
    options: {
      streamOption: undefined,
      readDirection: 'Forwards',
      resolveLinks: false,
      countOption: undefined,
      filterOption: { $case: 'noFilter', value },
      uuidOption: { content: { $case: 'string', value } },
      controlOption: undefined,
      ...options,
    },
  };
}

export function count(events: number): ReadOptions {
  return { countOption: { $case: 'count', value: BigInt(events) } };
}

export const backwards: ReadOptions = { readDirection: 'Backwards' };
export const subscribed: ReadOptions = { countOption: { $case: 'subscription', value } };

export function inStream(stream: string, from: StreamFrom = 'start'): ReadOptions {
  const revisionOption =
    typeof from === 'bigint'
      ? ({ $case: 'revision', value: from } as const)
      : from === 'nowhere'
        ? undefined
        : ({ $case: from, value } as const);
  const streamIdentifier = identified(stream);
  return { streamOption: { $case: 'stream', value: { streamIdentifier, revisionOption } } };
}

/** Reads a stream to its end. */
export function fromStream(stream: string, from: StreamFrom = 'start'): ReadOptions {
  return { ...inStream(stream, from), ...count(1_000) };
}

export function backFrom(stream: string, from: StreamFrom = 'end'): ReadOptions {
  return { ...fromStream(stream, from), ...backwards };
}

export function subscribeTo(stream: string, from: StreamFrom = 'start'): ReadOptions {
  return { ...inStream(stream, from), ...subscribed };
}

export function inAll(from: 'start' | 'end'): ReadOptions {
  return { streamOption: { $case: 'all', value: { allOption: { $case: from, value } } } };
}

export function inAllAt(commitPosition: bigint, preparePosition = commitPosition): ReadOptions {
  const position = { commitPosition, preparePosition };
  const allOption = { $case: 'position', value: position } as const;
  return { streamOption: { $case: 'all', value: { allOption } } };
}

export interface FilterWindow {
  readonly max?: number;
  readonly multiplier?: number;
}

/** A filter on the names of streams. */
export function filtered(prefix: readonly string[], window: FilterWindow = {}): ReadOptions {
  const expression = { regex: '', prefix: [...prefix] };
  return filterOption({ $case: 'streamIdentifier', value: expression }, window);
}

export function filterOption(
  filter: ReadReq_Options_FilterOptions['filter'],
  { max = 32, multiplier = 4 }: FilterWindow = {},
): ReadOptions {
  const window = { $case: 'max', value: max } as const;
  const options = { filter, window, checkpointIntervalMultiplier: multiplier };
  return { filterOption: { $case: 'filter', value: options } };
}
