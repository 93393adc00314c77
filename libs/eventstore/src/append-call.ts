import { convertToCommandError } from '@eventstore/db-client';
import { Fault } from '@sluice/errors';
import type { AppendResult, EventToAppend, ExpectedRevision } from '@sluice/es';
import type {
  AppendReq,
  AppendReq_Options,
  AppendResp,
  StreamsClient,
} from '@sluice/protos/event_store/client/streams';
import { Unanswered } from './failure.ts';
import type { StoreClient } from './store-client.ts';

/** An append as it is sent. Every attempt sends the same one. */
export interface ProposedAppend {
  readonly stream: string;
  readonly messages: readonly AppendReq[];
  /** It names no revision: the server knows it again by its ids, for as long as it remembers them. */
  readonly isLoose: boolean;
}

export interface AttemptLimits {
  readonly timeoutMs: number;
  /** Ends the call; what was sent may still be written. */
  readonly signal: AbortSignal;
}

type Call = ReturnType<StreamsClient['append']>;

export function proposeAppend(
  stream: string,
  events: readonly EventToAppend[],
  expected: ExpectedRevision,
): ProposedAppend {
  const options: AppendReq = {
    content: {
      $case: 'options',
      value: {
        streamIdentifier: { streamName: Buffer.from(stream) },
        expectedStreamRevision: revisionOption(expected),
      },
    },
  };
  const isLoose = expected === 'any' || expected === 'stream_exists';
  return { stream, messages: [options, ...events.map(proposedMessage)], isLoose };
}

/**
 * Makes one attempt, a call of its own: it ends by itself, and no other append waits behind it. Throws
 * `Unanswered` when the time is over, `revision_conflict`, and what the client's own calls throw.
 */
export async function callAppend(
  client: StoreClient,
  { stream, messages }: ProposedAppend,
  { timeoutMs, signal }: AttemptLimits,
): Promise<AppendResult> {
  const over = Promise.withResolvers<never>();
  const answer = Promise.withResolvers<AppendResp>();
  let call: Call | undefined;
  let isOver = false;
  const end = () => {
    isOver = true;
    over.reject(new Unanswered());
    // The transport does not bear being canceled in the turn in which the call was made.
    setImmediate(() => call?.cancel());
  };
  // An answer that has arrived while the process was busy counts.
  const timer = setTimeout(() => setImmediate(end), timeoutMs);
  signal.addEventListener('abort', end, { once: true });
  const answering = client.run('appendToStream', async (streams) => {
    if (isOver) throw new Unanswered();
    const deadline = new Date(Date.now() + timeoutMs);
    call = streams.append(...client.argumentsUntil(deadline), (error, response) =>
      error ? answer.reject(error) : answer.resolve(response),
    );
    call.on('error', () => {});
    for (const message of messages) call.write(message);
    call.end();
    return await answer.promise;
  });
  // The race below may be over before either of them.
  for (const late of [answering, answer.promise, over.promise]) late.catch(() => {});
  try {
    return resultOf(stream, await Promise.race([answering, over.promise]));
  } catch (error) {
    throw error instanceof Error && 'code' in error ? convertToCommandError(error) : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

function resultOf(stream: string, { result }: AppendResp): AppendResult {
  if (result?.$case === 'wrongExpectedVersion') throw new Fault('revision_conflict');
  const { currentRevisionOption, positionOption } = result?.value ?? {};
  if (currentRevisionOption?.$case !== 'currentRevision' || positionOption?.$case !== 'position')
    throw new Error(`appending to ${stream} gave no position`);
  const { commitPosition: commit, preparePosition: prepare } = positionOption.value;
  return { revision: currentRevisionOption.value, position: { commit, prepare } };
}

function proposedMessage({ id, type, data, metadata }: EventToAppend): AppendReq {
  return {
    content: {
      $case: 'proposedMessage',
      value: {
        id: { value: { $case: 'string', value: id } },
        metadata: { type, 'content-type': 'application/json' },
        data: Buffer.from(JSON.stringify(data)),
        customMetadata: Buffer.from(JSON.stringify(metadata)),
      },
    },
  };
}

function revisionOption(expected: ExpectedRevision): AppendReq_Options['expectedStreamRevision'] {
  if (expected === 'any') return { $case: 'any', value: {} };
  if (expected === 'no_stream') return { $case: 'noStream', value: {} };
  if (expected === 'stream_exists') return { $case: 'streamExists', value: {} };
  return { $case: 'revision', value: expected };
}
