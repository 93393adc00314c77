import { randomUUID } from 'node:crypto';
import type {
  AppendReq,
  BatchAppendReq,
  DeleteReq,
  ReadReq,
  ReadReq_Options,
} from '@sluice/protos/event_store/client/streams';
import { streamIdentifier } from './wire.ts';

const string = { content: { $case: 'string' as const, value: {} } };
export const uuid = (text: string = randomUUID()) => ({
  value: { $case: 'string' as const, value: text },
});

export const proposed = (data = '{}', metadata: Record<string, string> = jsonMetadata) => ({
  id: uuid(),
  metadata,
  customMetadata: Buffer.alloc(0),
  data: Buffer.from(data),
});
const jsonMetadata = { type: 'ThingHappened', 'content-type': 'application/json' };

export const readRequest = (options: Partial<ReadReq_Options>): ReadReq => ({
  options: {
    streamOption: { $case: 'all', value: { allOption: { $case: 'start', value: {} } } },
    readDirection: 'Forwards',
    resolveLinks: false,
    countOption: { $case: 'count', value: 10n },
    filterOption: { $case: 'noFilter', value: {} },
    uuidOption: string,
    controlOption: undefined,
    ...options,
  },
});

export const chunk = (overrides: Partial<BatchAppendReq> = {}): BatchAppendReq => ({
  correlationId: uuid(),
  options: {
    streamIdentifier: streamIdentifier('a-1'),
    expectedStreamPosition: { $case: 'any', value: {} },
    deadlineOption: undefined,
  },
  proposedMessages: [proposed()],
  isFinal: true,
  ...overrides,
});

export const options = (stream = 'a-1'): AppendReq['content'] => ({
  $case: 'options',
  value: {
    streamIdentifier: streamIdentifier(stream),
    expectedStreamRevision: { $case: 'any', value: {} },
  },
});
export const event = (message = proposed()): AppendReq['content'] => ({
  $case: 'proposedMessage',
  value: message,
});

export const removal = (stream: string): DeleteReq => ({
  options: {
    streamIdentifier: streamIdentifier(stream),
    expectedStreamRevision: { $case: 'any', value: {} },
  },
});
