import { randomUUID } from 'node:crypto';
import {
  type AppendResp,
  ReadReq_Options_ReadDirection,
  type ReadReq,
  type ReadResp,
  type ReadResp_ReadEvent_RecordedEvent,
  StreamsClient,
} from '@sluice/protos/event_store/client/streams';
import { type Answer, inTime, type NodeAccess, refusalOf } from './node-calls.ts';

export interface Rights {
  readonly append: Answer;
  readonly readAll: Answer;
  readonly subscribeAll: Answer;
  /** Milliseconds by which the store's clock is ahead of ours; undefined if no event came back. */
  readonly clockAheadMs: number | undefined;
}

type RecordedEvent = ReadResp_ReadEvent_RecordedEvent;
type Found = Pick<RecordedEvent, 'commitPosition' | 'preparePosition'> | undefined;

const granted: Answer = { kind: 'granted' };
const ticksPerMs = 10_000n;

/** Does what the services do: looks at the end of `$all`, appends one event to `stream`, and waits for it. */
export async function tryRights(access: NodeAccess, stream: string): Promise<Rights> {
  const client = new StreamsClient(access.address, access.channel);
  try {
    const { answer: readAll, end } = await readEnd(client, access);
    const id = randomUUID();
    const beforeMs = Date.now();
    const append = await appendProbe(client, access, { stream, id });
    const afterMs = Date.now();
    const expected = append.kind === 'granted' && readAll.kind === 'granted' ? id : undefined;
    const { answer: subscribeAll, event } = await subscribe(client, access, {
      stream,
      after: end,
      expected,
    });
    const createdMs = event && Number(BigInt(event.metadata['created'] ?? 0) / ticksPerMs);
    return {
      append,
      readAll,
      subscribeAll,
      clockAheadMs: createdMs && aheadOf(createdMs, beforeMs, afterMs),
    };
  } finally {
    client.close();
  }
}

/** Nothing while the instant lies within what our own waiting explains. */
function aheadOf(instantMs: number, beforeMs: number, afterMs: number): number {
  if (instantMs < beforeMs) return instantMs - beforeMs;
  return Math.max(0, instantMs - afterMs);
}

async function readEnd(
  client: StreamsClient,
  { metadata }: NodeAccess,
): Promise<{ readonly answer: Answer; readonly end: Found }> {
  const request = requestOf({
    streamOption: { $case: 'all', value: { allOption: { $case: 'end', value: {} } } },
    readDirection: ReadReq_Options_ReadDirection.Backwards,
    countOption: { $case: 'count', value: 1n },
    filterOption: { $case: 'noFilter', value: {} },
  });
  let end: Found;
  try {
    for await (const { content } of client.read(
      request,
      metadata,
      inTime(),
    ) as AsyncIterable<ReadResp>)
      if (content?.$case === 'event') end = content.value.event;
    return { answer: granted, end };
  } catch (error) {
    return { answer: refusalOf(error), end: undefined };
  }
}

async function appendProbe(
  client: StreamsClient,
  { metadata }: NodeAccess,
  { stream, id }: { readonly stream: string; readonly id: string },
): Promise<Answer> {
  try {
    await new Promise<AppendResp>((resolve, reject) => {
      const call = client.append(metadata, inTime(), (error, response) =>
        error ? reject(error) : resolve(response),
      );
      call.on('error', reject);
      const streamIdentifier = { streamName: Buffer.from(stream) };
      const expectedStreamRevision = { $case: 'any' as const, value: {} };
      call.write({
        content: { $case: 'options', value: { streamIdentifier, expectedStreamRevision } },
      });
      call.write({
        content: {
          $case: 'proposedMessage',
          value: {
            id: { value: { $case: 'string', value: id } },
            metadata: { type: 'StoreExamined', 'content-type': 'application/json' },
            customMetadata: Buffer.from('{}'),
            data: Buffer.from('{}'),
          },
        },
      });
      call.end();
    });
    return granted;
  } catch (error) {
    return refusalOf(error);
  }
}

/** Waits for the expected event, or without one for the word that the subscription stands. */
async function subscribe(
  client: StreamsClient,
  { metadata }: NodeAccess,
  options: {
    readonly stream: string;
    readonly after: Found;
    readonly expected: string | undefined;
  },
): Promise<{ readonly answer: Answer; readonly event?: RecordedEvent }> {
  const { stream, expected } = options;
  const request = requestOf({
    streamOption: { $case: 'all', value: { allOption: startOf(options) } },
    readDirection: ReadReq_Options_ReadDirection.Forwards,
    countOption: { $case: 'subscription', value: {} },
    filterOption: {
      $case: 'filter',
      value: {
        filter: { $case: 'streamIdentifier', value: { regex: '', prefix: [stream] } },
        window: { $case: 'max', value: 256 },
        checkpointIntervalMultiplier: 4,
      },
    },
  });
  const call = client.read(request, metadata, inTime());
  try {
    for await (const { content } of call as AsyncIterable<ReadResp>) {
      if (expected === undefined && content?.$case === 'confirmation') return { answer: granted };
      if (content?.$case !== 'event' || !content.value.event) continue;
      const { event } = content.value;
      if (event.id?.value?.$case === 'string' && event.id.value.value === expected)
        return { answer: granted, event };
    }
    return { answer: { kind: 'failed', reason: 'the subscription was ended' } };
  } catch (error) {
    return { answer: refusalOf(error) };
  } finally {
    call.on('error', () => undefined).cancel();
  }
}

/** An empty log has no end to go on from, and nothing but the probe to be read. */
function startOf({
  after,
  expected,
}: {
  readonly after: Found;
  readonly expected: string | undefined;
}) {
  if (after) return { $case: 'position' as const, value: positionOf(after) };
  return expected === undefined
    ? { $case: 'end' as const, value: {} }
    : { $case: 'start' as const, value: {} };
}

function positionOf({ commitPosition, preparePosition }: NonNullable<Found>) {
  return { commitPosition, preparePosition };
}

type Asked = Pick<
  NonNullable<ReadReq['options']>,
  'streamOption' | 'readDirection' | 'countOption' | 'filterOption'
>;

function requestOf(asked: Asked): ReadReq {
  return {
    options: {
      ...asked,
      resolveLinks: false,
      uuidOption: { content: { $case: 'string', value: {} } },
      controlOption: undefined,
    },
  };
}
