import type { handleBidiStreamingCall } from '@grpc/grpc-js';
import type { UUID } from '@sluice/protos/event_store/client/shared';
import type {
  BatchAppendReq,
  BatchAppendReq_Options,
  BatchAppendResp,
} from '@sluice/protos/event_store/client/streams';
import type { ProposedEvent } from '../log/frame.ts';
import { appendWithin } from './append-within.ts';
import { isAnonymous } from './authentication.ts';
import {
  accessDeniedResult,
  batchResult,
  electionResult,
  failedResult,
  timedOutResult,
  tooLargeResult,
} from './batch-result.ts';
import type { NodeContext } from './context.ts';
import {
  type AnswerFate,
  electionText,
  takeAnswerFate,
  takeNotLeader,
  untilTimeout,
} from './fault-injection.ts';
import { expectedRevisionOf, proposedEvent, sizeOf, streamNameOf } from './proposal.ts';
import { keyNotPresent, tooManyUnfinished, toStatus, unavailable } from './refusal.ts';

/** Appends of one call that are not answered yet; more are not read from the wire. */
const unansweredMax = 1_024;
/** Appends of one call whose last chunk has not come. */
const unfinishedMax = 64;

type Answer = BatchAppendResp['result'];
/** The append was made, and a fault switch keeps its answer back. */
type Unanswered = Extract<AnswerFate, 'lost' | 'never'>;

const accessDenied = accessDeniedResult();

/** One append as its chunks arrive. */
interface Batch {
  readonly correlationId: UUID;
  readonly options: BatchAppendReq_Options;
  readonly events: ProposedEvent[];
  bytes: number;
  /** Decided before the last chunk: what still comes is dropped. */
  answer: Answer;
}

/**
 * Many appends over one call, correlated by id. An append that fails is answered like any other:
 * the call stays open, since all appends of a client share it.
 */
export function batchAppendHandler(
  context: NodeContext,
): handleBidiStreamingCall<BatchAppendReq, BatchAppendResp> {
  const { stopping, faults } = context;
  return (call) => {
    const batches = new Map<string, Batch>();
    const refused = context.secured && isAnonymous(call.metadata) ? accessDenied : undefined;
    let unanswered = 0;
    let ended = false;
    const endWhenDone = () => {
      if (unanswered > 0) return;
      if (ended) call.end();
      else if (stopping.aborted) call.emit('error', toStatus(unavailable('Server Is Not Ready')));
    };
    const settled = () => {
      unanswered--;
      if (unanswered < unansweredMax && call.isPaused()) call.resume();
      endWhenDone();
    };
    call.on('data', (message: BatchAppendReq) => {
      const key = keyOf(message.correlationId);
      const started = batches.get(key) ?? newBatch(message, refused);
      const batch = collect(started, message, context);
      if (!message.isFinal) {
        batches.set(key, batch);
        if (batches.size > unfinishedMax) call.emit('error', toStatus(tooManyUnfinished()));
        return;
      }
      batches.delete(key);
      unanswered++;
      if (unanswered >= unansweredMax) call.pause();
      const notLeader = takeNotLeader(faults);
      if (notLeader) {
        call.emit('error', toStatus(notLeader));
        return;
      }
      void answer(context, batch).then((response) => {
        if (response === 'lost') call.emit('error', toStatus(unavailable('Dropped')));
        else if (response === 'never') settled();
        else if (call.writable) call.write(response, settled);
      });
    });
    call.on('end', () => {
      ended = true;
      endWhenDone();
    });
    call.on('error', () => batches.clear());
    call.on('close', () => stopping.removeEventListener('abort', endWhenDone));
    stopping.addEventListener('abort', endWhenDone);
  };
}

function newBatch({ correlationId, options }: BatchAppendReq, answer: Answer): Batch {
  return {
    correlationId: correlationId ?? { value: undefined },
    options: options ?? {
      streamIdentifier: undefined,
      expectedStreamPosition: undefined,
      deadlineOption: undefined,
    },
    events: [],
    bytes: 0,
    answer,
  };
}

/** Never throws: what is wrong with a chunk becomes the answer to its append. */
function collect(batch: Batch, message: BatchAppendReq, { appendBytesMax }: NodeContext): Batch {
  try {
    for (const proposed of batch.answer ? [] : message.proposedMessages) {
      const event = proposedEvent(proposed, keyNotPresent);
      batch.bytes += sizeOf(event);
      batch.events.push(event);
    }
    if (batch.bytes > appendBytesMax) batch.answer ??= tooLargeResult(appendBytesMax);
  } catch (error) {
    batch.answer = failedResult(error);
  }
  if (batch.answer) batch.events.length = 0;
  return batch;
}

async function answer(context: NodeContext, batch: Batch): Promise<BatchAppendResp | Unanswered> {
  const { correlationId, options } = batch;
  const { streamIdentifier, expectedStreamPosition } = options;
  let result: Answer | Unanswered;
  try {
    result = await resultOf(context, batch);
  } catch (error) {
    result = failedResult(error);
  }
  if (result === 'lost' || result === 'never') return result;
  return { correlationId, result, streamIdentifier, expectedStreamPosition };
}

/** A client without rights learns nothing else; then a deadline that is over wins, as on a real node. */
async function resultOf(context: NodeContext, batch: Batch): Promise<Answer | Unanswered> {
  if (batch.answer === accessDenied) return accessDenied;
  const timeoutMs = remainingMs(batch.options, context.store.nowMs());
  if (timeoutMs <= 0) return timedOutResult();
  const refused = electionText(context.faults);
  if (refused !== undefined) return electionResult(refused);
  return batch.answer ?? (await append(context, batch, timeoutMs));
}

async function append(
  context: NodeContext,
  batch: Batch,
  remaining: number,
): Promise<Answer | Unanswered> {
  const { faults, stopping, writeTimeoutMs } = context;
  const { options, events } = batch;
  const stream = streamNameOf(options.streamIdentifier);
  const expected = expectedRevisionOf(options.expectedStreamPosition);
  const timeoutMs = Math.min(writeTimeoutMs, remaining);
  const startedMs = performance.now();
  const outcome = await appendWithin(context, { stream, expected, events }, timeoutMs);
  const fate = takeAnswerFate(faults);
  if (fate === 'lost' || fate === 'never') return fate;
  if (fate === 'timed_out') await untilTimeout(faults, startedMs, stopping);
  const isTimeout = outcome === 'timeout' || fate === 'timed_out';
  return isTimeout ? timedOutResult() : batchResult(stream, expected, outcome);
}

/** Client 6 sends when it gives up, later ones how long they wait. */
function remainingMs({ deadlineOption }: BatchAppendReq_Options, nowMs: number): number {
  if (!deadlineOption) return Number.POSITIVE_INFINITY;
  const { value } = deadlineOption;
  const milliseconds =
    value instanceof Date
      ? value.getTime() - nowMs
      : Number(value.seconds) * 1_000 + value.nanos / 1_000_000;
  return Number.isNaN(milliseconds) ? Number.POSITIVE_INFINITY : milliseconds;
}

/** An append without a correlation id is answered without one. */
function keyOf(id: UUID | undefined): string {
  const { value } = id ?? {};
  if (!value) return '';
  if (value.$case === 'string') return value.value;
  return `${value.value.mostSignificantBits} ${value.value.leastSignificantBits}`;
}
