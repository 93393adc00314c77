import { convertToCommandError } from '@eventstore/db-client';
import type { Position } from '@sluice/es';
import {
  type ReadReq,
  ReadReq_Options_ReadDirection,
} from '@sluice/protos/event_store/client/streams';
import type { StoreClient, SubscriptionCall } from './store-client.ts';

/** A checkpoint comes after this many events of other streams. */
const searchWindowEvents = 256;
const checkpointWindows = 4;

/**
 * Subscribes over the client's connection: it finds the node, presents the credentials and connects anew after a
 * failure. Its messages are decoded by us, which takes half of what the client's own subscription does.
 */
export async function callSubscription(
  client: StoreClient,
  after: Position | 'start',
  prefixes: readonly string[],
): Promise<SubscriptionCall> {
  const request = requestOf(after, prefixes);
  return await client.subscribe((streams) =>
    streams.read(request, ...client.argumentsUntil(Infinity)),
  );
}

/** The error as the client's own calls would have thrown it. */
export function callError(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? convertToCommandError(error) : error;
}

function requestOf(after: Position | 'start', prefixes: readonly string[]): ReadReq {
  return {
    options: {
      streamOption: { $case: 'all', value: { allOption: startOf(after) } },
      readDirection: ReadReq_Options_ReadDirection.Forwards,
      resolveLinks: false,
      countOption: { $case: 'subscription', value: {} },
      filterOption: {
        $case: 'filter',
        value: {
          filter: { $case: 'streamIdentifier', value: { regex: '', prefix: [...prefixes] } },
          window: { $case: 'max', value: searchWindowEvents },
          checkpointIntervalMultiplier: checkpointWindows,
        },
      },
      uuidOption: { content: { $case: 'string', value: {} } },
      controlOption: undefined,
    },
  };
}

function startOf(after: Position | 'start') {
  if (after === 'start') return { $case: 'start' as const, value: {} };
  const value = { commitPosition: after.commit, preparePosition: after.prepare };
  return { $case: 'position' as const, value };
}
