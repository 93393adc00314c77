import { setTimeout as delay } from 'node:timers/promises';
import {
  ServerInterceptingCall,
  status,
  type Metadata,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import type { ReadResp } from '@sluice/protos/event_store/client/streams';
import type { ElectionRefusal, FaultSwitches } from '../fault-switches.ts';
import { Refusal, toStatus, unavailable } from './refusal.ts';
import type { Send } from './sender.ts';

const streams = '/event_store.client.streams.Streams/';
/** The method whose appends are refused one by one, while the call stays open. */
const batchAppend = `${streams}BatchAppend`;

/** The texts differ between an append in a batch and every other call. */
const electionTexts = {
  not_ready: { batched: 'Server Is Not Ready', plain: 'Server Is Not Ready' },
  busy: { batched: 'Server Is Busy', plain: 'Server Is Too Busy' },
  no_leader: {
    batched: 'No leader info available in response',
    plain: 'No leader info available in response',
  },
} as const satisfies Record<ElectionRefusal, { batched: string; plain: string }>;

/** Delays and refuses calls before they reach their handler. */
export function faultInjection(faults: FaultSwitches): ServerInterceptor {
  return (method, call) => {
    if (!method.path.startsWith(streams)) return new ServerInterceptingCall(call);
    const onReceiveMetadata = (metadata: Metadata, proceed: (metadata: Metadata) => void) => {
      const refusal = takeRefusal(faults, method.path);
      if (refusal) call.sendStatus(toStatus(refusal));
      else if (faults.delayMs > 0) setTimeout(() => proceed(metadata), faults.delayMs);
      else proceed(metadata);
    };
    return new ServerInterceptingCall(call, { start: (next) => next({ onReceiveMetadata }) });
  };
}

/** The fate of the answer to a write that has happened. */
export type AnswerFate = 'given' | 'lost' | 'timed_out' | 'never';

/** Takes one from the switches that count down. */
export function takeAnswerFate(faults: FaultSwitches): AnswerFate {
  if (faults.lostResponses > 0) {
    faults.lostResponses--;
    return 'lost';
  }
  if (faults.timedOutAppends > 0) {
    faults.timedOutAppends--;
    return 'timed_out';
  }
  if (faults.unansweredAppends === 0) return 'given';
  faults.unansweredAppends--;
  return 'never';
}

/** Resolves when a write that began at `startedMs` (of `performance.now`) is to be answered with a timeout. */
export async function untilTimeout(
  { timedOutAppendMs }: FaultSwitches,
  startedMs: number,
  signal: AbortSignal,
): Promise<void> {
  const waitMs = startedMs + timedOutAppendMs - performance.now();
  if (waitMs > 0) await delay(waitMs, undefined, { signal }).catch(() => undefined);
}

/** The text of the refusal of an append in a batch; undefined when no election goes on. */
export function electionText({
  electionUntilMs,
  electionRefusal,
}: FaultSwitches): string | undefined {
  return Date.now() < electionUntilMs ? electionTexts[electionRefusal].batched : undefined;
}

/** Says once where the leader is: with this a call ends. */
export function takeNotLeader(faults: FaultSwitches): Refusal | undefined {
  const { notLeader } = faults;
  if (!notLeader) return undefined;
  faults.notLeader = undefined;
  return new Refusal(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': notLeader.host,
    'leader-endpoint-port': String(notLeader.port),
  });
}

/** Ends a subscription after some events. */
export function breaking(send: Send<ReadResp>, { subscriptionEventsMax }: FaultSwitches) {
  if (subscriptionEventsMax === undefined) return send;
  let left = subscriptionEventsMax;
  return async (message: ReadResp): Promise<void> => {
    if (message.content?.$case === 'event' && left-- <= 0) throw unavailable('Server Is Too Busy');
    await send(message);
  };
}

function takeRefusal(faults: FaultSwitches, path: string): Refusal | undefined {
  if (faults.unavailableCalls > 0) {
    faults.unavailableCalls--;
    return unavailable('Server Is Not Ready');
  }
  return takeNotLeader(faults) ?? (path === batchAppend ? undefined : electionRefusalOf(faults));
}

function electionRefusalOf({
  electionUntilMs,
  electionRefusal,
}: FaultSwitches): Refusal | undefined {
  if (Date.now() >= electionUntilMs) return undefined;
  const code = electionRefusal === 'no_leader' ? status.UNKNOWN : status.UNAVAILABLE;
  return new Refusal(code, electionTexts[electionRefusal].plain);
}
