import { setImmediate as nextTurn } from 'node:timers/promises';
import type { handleClientStreamingCall } from '@grpc/grpc-js';
import type {
  AppendReq,
  AppendResp,
  AppendResp_WrongExpectedVersion,
} from '@sluice/protos/event_store/client/streams';
import type { ProposedEvent } from '../log/frame.ts';
import type { ExpectedRevision } from '../store/expected-revision.ts';
import { appendSuccess } from './append-success.ts';
import { appendWithin } from './append-within.ts';
import type { NodeContext } from './context.ts';
import { takeAnswerFate, untilTimeout } from './fault-injection.ts';
import { expectedRevisionOf, proposedEvent, sizeOf, streamNameOf } from './proposal.ts';
import {
  accessDenied,
  appendTooLarge,
  invalidArgument,
  requiredMetadataMissing,
  streamDeleted,
  toStatus,
  unavailable,
  writeTimeout,
} from './refusal.ts';

const turnsUntilCanceled = 3;

/** One append, collected from a stream of messages: first its options, then its events. */
export function appendHandler(
  context: NodeContext,
): handleClientStreamingCall<AppendReq, AppendResp> {
  return (call, callback) => {
    const collected = new CollectedAppend(context);
    let answered = false;
    const answer = (error: unknown, response?: AppendResp) => {
      if (answered) return;
      answered = true;
      if (response) callback(null, response);
      else callback(toStatus(error));
    };
    const finishWhole = async () => {
      if (answered || (await breaksOff(call))) return;
      answer(undefined, await finish(context, collected));
    };
    call.on('data', (message: AppendReq) => {
      if (answered) return;
      try {
        collected.add(message);
      } catch (error) {
        answer(error);
      }
    });
    call.on('end', () => {
      finishWhole().catch((error: unknown) => answer(error));
    });
    call.on('error', (error) => answer(error));
  };
}

/**
 * The requests of a call that is canceled in the middle end like those of one that is whole. The transport says that it
 * is canceled two turns later at most: what had come of it is not the append that was meant.
 */
async function breaksOff(call: { readonly cancelled: boolean }): Promise<boolean> {
  for (let turn = 1; turn <= turnsUntilCanceled && !call.cancelled; turn++) await nextTurn();
  return call.cancelled;
}

class CollectedAppend {
  stream: string | undefined;
  expected: ExpectedRevision = 'any';
  readonly events: ProposedEvent[] = [];
  readonly #context: NodeContext;
  #bytes = 0;

  constructor(context: NodeContext) {
    this.#context = context;
  }

  add({ content }: AppendReq): void {
    if (content?.$case === 'options') {
      const identifier = content.value.streamIdentifier;
      // A real node looks for the right to the stream before it looks at the name.
      const isNameless = identifier === undefined || identifier.streamName.length === 0;
      if (isNameless && this.#context.secured) throw accessDenied();
      this.stream = streamNameOf(identifier);
      this.expected = expectedRevisionOf(content.value.expectedStreamRevision);
    }
    if (content?.$case !== 'proposedMessage') return;
    const event = proposedEvent(content.value, requiredMetadataMissing);
    const { appendBytesMax } = this.#context;
    this.#bytes += sizeOf(event);
    if (this.#bytes > appendBytesMax) throw appendTooLarge(appendBytesMax);
    this.events.push(event);
  }
}

async function finish(
  context: NodeContext,
  { stream, expected, events }: CollectedAppend,
): Promise<AppendResp> {
  const { faults, writeTimeoutMs, stopping } = context;
  if (stream === undefined) throw invalidArgument('Options are required.');
  const startedMs = performance.now();
  const outcome = await appendWithin(context, { stream, expected, events }, writeTimeoutMs);
  const fate = takeAnswerFate(faults);
  if (fate === 'lost') throw unavailable('Connection dropped');
  if (fate === 'never') return await new Promise<never>(() => {});
  if (fate === 'timed_out') {
    await untilTimeout(faults, startedMs, stopping);
    throw writeTimeout();
  }
  if (outcome === 'timeout') throw writeTimeout();
  if (outcome.kind === 'stream_deleted') throw streamDeleted(stream);
  if (outcome.kind === 'written')
    return { result: { $case: 'success', value: appendSuccess(outcome) } };
  const value = wrongVersion(expected, outcome.currentRevision);
  return { result: { $case: 'wrongExpectedVersion', value } };
}

/** A normal answer of this call, not an error; the fields of 20.6 are for old clients. */
function wrongVersion(
  expected: ExpectedRevision,
  current: number | undefined,
): AppendResp_WrongExpectedVersion {
  const exact = typeof expected === 'number' ? BigInt(expected) : undefined;
  // `no_stream` is revision -1, which the old field holds as an unsigned number.
  const exact2060 = expected === 'no_stream' ? BigInt.asUintN(64, -1n) : exact;
  const value = {};
  return {
    currentRevisionOption2060:
      current === undefined
        ? { $case: 'noStream2060', value }
        : { $case: 'currentRevision2060', value: BigInt(current) },
    expectedRevisionOption2060:
      exact2060 !== undefined
        ? { $case: 'expectedRevision2060', value: exact2060 }
        : expected === 'stream_exists'
          ? { $case: 'streamExists2060', value }
          : { $case: 'any2060', value },
    currentRevisionOption:
      current === undefined
        ? { $case: 'currentNoStream', value }
        : { $case: 'currentRevision', value: BigInt(current) },
    expectedRevisionOption:
      exact !== undefined
        ? { $case: 'expectedRevision', value: exact }
        : expected === 'stream_exists'
          ? { $case: 'expectedStreamExists', value }
          : expected === 'no_stream'
            ? { $case: 'expectedNoStream', value }
            : { $case: 'expectedAny', value },
  };
}
