import type { handleServerStreamingCall, ServerWritableStream } from '@grpc/grpc-js';
import type { ReadReq, ReadResp } from '@sluice/protos/event_store/client/streams';
import { elementAt } from '../element-at.ts';
import { viewStream } from '../store/stream-view.ts';
import type { NodeContext } from './context.ts';
import { breaking } from './fault-injection.ts';
import { parseReadRequest } from './read-request.ts';
import { ordinalOf, sendAll, type Reading } from './reading.ts';
import { invalidPosition, streamDeleted, toStatus, unavailable } from './refusal.ts';
import { sender } from './sender.ts';
import { subscribeToAll, subscribeToStream } from './subscription.ts';
import { Turn } from './turn.ts';

/** A node that stops ends subscriptions with UNAVAILABLE, so that clients come back to the next process. */
export function readHandler(context: NodeContext): handleServerStreamingCall<ReadReq, ReadResp> {
  const { stopping } = context;
  return (call) => {
    const cancelled = new AbortController();
    call.on('cancelled', () => cancelled.abort());
    call.on('error', () => cancelled.abort());
    const signal = AbortSignal.any([cancelled.signal, stopping]);
    serve(context, call, signal)
      .catch((error: unknown) => {
        if (cancelled.signal.aborted) return;
        call.emit('error', toStatus(stopping.aborted ? unavailable('Server Is Not Ready') : error));
      })
      .finally(() => cancelled.abort());
  };
}

async function serve(
  { store, faults }: NodeContext,
  call: ServerWritableStream<ReadReq, ReadResp>,
  signal: AbortSignal,
): Promise<void> {
  const request = parseReadRequest(call.request);
  const send = sender(call, signal);
  const reading: Reading = { store, faults, request, send, signal };
  if (request.countMax === undefined) {
    const subscribed = { ...reading, send: breaking(send, faults) };
    if (request.stream === undefined) await subscribeToAll(subscribed);
    else await subscribeToStream(subscribed, request.stream);
    signal.throwIfAborted();
  } else if (request.stream === undefined) await readAll(reading, request.countMax);
  else await readStream(reading, request.stream, request.countMax);
  call.end();
}

async function readStream(reading: Reading, name: string, countMax: number): Promise<void> {
  const { store, request } = reading;
  const stream = store.index.stream(name);
  const view = viewStream(store.index, stream, store.nowMs());
  if (view.kind === 'deleted') throw streamDeleted(name);
  if (!stream || view.kind !== 'shown') {
    const streamIdentifier = { streamName: Buffer.from(name) };
    await reading.send({ content: { $case: 'streamNotFound', value: { streamIdentifier } } });
    return;
  }
  const { first, last } = view;
  const from = request.from === 'start' ? 0 : request.from === 'end' ? last : request.from;
  const revisions = request.backwards
    ? countDown(Math.min(from, last), first, countMax)
    : countUp(Math.max(from, first), last, countMax);
  await sendAll(
    reading,
    map(revisions, (revision) => elementAt(stream.ordinals, revision)),
  );
  const isAtEnd = !request.backwards && Math.max(from, first) + countMax > last;
  if (request.tellsLastRevision && isAtEnd)
    await reading.send({ content: { $case: 'lastStreamPosition', value: BigInt(last) } });
}

/** Looks at each event in its turn, and sends what was found at the end of each turn. */
async function readAll(reading: Reading, countMax: number): Promise<void> {
  const { store, request, signal } = reading;
  const start = ordinalOf(store, request.from);
  const isBeyond = typeof request.from === 'number' && request.from > store.endPosition;
  if (request.backwards && isBeyond) throw invalidPosition();
  const ordinals = request.backwards
    ? countDown(start - 1, 0, Number.MAX_SAFE_INTEGER)
    : countUp(start, store.index.visible - 1, Number.MAX_SAFE_INTEGER);
  const turn = new Turn();
  let found: number[] = [];
  let left = countMax;
  for (const ordinal of ordinals) {
    if (left === 0) break;
    if (request.filter(store.index, ordinal)) {
      found.push(ordinal);
      left--;
    }
    if (!turn.isOver()) continue;
    signal.throwIfAborted();
    await sendAll(reading, found);
    found = [];
    await turn.pause();
  }
  await sendAll(reading, found);
}

function* countUp(from: number, last: number, countMax: number): Generator<number> {
  for (let at = from; at <= last && at - from < countMax; at++) yield at;
}

function* countDown(from: number, last: number, countMax: number): Generator<number> {
  for (let at = from; at >= last && from - at < countMax; at--) yield at;
}

function* map(numbers: Iterable<number>, change: (number: number) => number): Generator<number> {
  for (const number of numbers) yield change(number);
}
