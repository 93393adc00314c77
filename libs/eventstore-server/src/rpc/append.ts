import type { handleClientStreamingCall } from '@grpc/grpc-js';
import type {
  AppendReq,
  AppendResp,
  AppendResp_WrongExpectedVersion,
} from '@sluice/protos/event_store/client/streams';
import type { ProposedEvent } from '../log/frame.ts';
import type { ExpectedRevision } from '../store/expected-revision.ts';
import { appendSuccess } from './append-success.ts';
import type { NodeContext } from './context.ts';
import { takeAnswerFate, untilTimeout } from './fault-injection.ts';
import { expectedRevisionOf, proposedEvent, sizeOf, streamNameOf } from './proposal.ts';
import {
  appendTooLarge,
  invalidArgument,
  streamDeleted,
  toStatus,
  unavailable,
  writeTimeout,
} from './refusal.ts';
import { within } from './within.ts';

/** One append, collected from a stream of messages: first its options, then its events. */
export function appendHandler(
  context: NodeContext,
): handleClientStreamingCall<AppendReq, AppendResp> {
  return (call, callback) => {
    const collected = new CollectedAppend(context.appendBytesMax);
    let answered = false;
    const answer = (error: unknown, response?: AppendResp) => {
      if (answered) return;
      answered = true;
      if (response) callback(null, response);
      else callback(toStatus(error));
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
      if (answered) return;
      finish(context, collected).then(
        (response) => answer(undefined, response),
        (error: unknown) => answer(error),
      );
    });
    call.on('error', (error) => answer(error));
  };
}

class CollectedAppend {
  stream: string | undefined;
  expected: ExpectedRevision = 'any';
  readonly events: ProposedEvent[] = [];
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  add({ content }: AppendReq): void {
    if (content?.$case === 'options') {
      this.stream = streamNameOf(content.value.streamIdentifier);
      this.expected = expectedRevisionOf(content.value.expectedStreamRevision);
    }
    if (content?.$case !== 'proposedMessage') return;
    const event = proposedEvent(content.value);
    this.#bytes += sizeOf(event);
    if (this.#bytes > this.#bytesMax) throw appendTooLarge(this.#bytesMax);
    this.events.push(event);
  }
}

async function finish(
  { store, faults, writeTimeoutMs, stopping }: NodeContext,
  { stream, expected, events }: CollectedAppend,
): Promise<AppendResp> {
  if (stream === undefined) throw invalidArgument('Options are required.');
  const startedMs = performance.now();
  const outcome = await within(store.append({ stream, expected, events }), writeTimeoutMs);
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
  const value = {};
  return {
    currentRevisionOption2060:
      current === undefined
        ? { $case: 'noStream2060', value }
        : { $case: 'currentRevision2060', value: BigInt(current) },
    expectedRevisionOption2060:
      exact !== undefined
        ? { $case: 'expectedRevision2060', value: exact }
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
