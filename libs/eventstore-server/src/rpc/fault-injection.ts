import {
  ServerInterceptingCall,
  status,
  type Metadata,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import type { ReadResp } from '@sluice/protos/event_store/client/streams';
import type { FaultSwitches } from '../fault-switches.ts';
import { Refusal, toStatus, unavailable } from './refusal.ts';
import type { Send } from './sender.ts';

const streams = '/event_store.client.streams.Streams/';

/** Delays and refuses calls before they reach their handler. */
export function faultInjection(faults: FaultSwitches): ServerInterceptor {
  return (method, call) => {
    if (!method.path.startsWith(streams)) return new ServerInterceptingCall(call);
    const onReceiveMetadata = (metadata: Metadata, proceed: (metadata: Metadata) => void) => {
      const refusal = takeRefusal(faults);
      if (refusal) call.sendStatus(toStatus(refusal));
      else if (faults.delayMs > 0) setTimeout(() => proceed(metadata), faults.delayMs);
      else proceed(metadata);
    };
    return new ServerInterceptingCall(call, { start: (next) => next({ onReceiveMetadata }) });
  };
}

/** True when the answer to an append that was written must not arrive. */
export function losesResponse(faults: FaultSwitches): boolean {
  if (faults.lostResponses === 0) return false;
  faults.lostResponses--;
  return true;
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

function takeRefusal(faults: FaultSwitches): Refusal | undefined {
  if (faults.unavailableCalls > 0) {
    faults.unavailableCalls--;
    return unavailable('Server Is Not Ready');
  }
  const { notLeader } = faults;
  if (!notLeader) return undefined;
  faults.notLeader = undefined;
  return new Refusal(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': notLeader.host,
    'leader-endpoint-port': String(notLeader.port),
  });
}
