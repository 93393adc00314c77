import { equal } from 'node:assert/strict';
import type { ServerInterceptingCallInterface, ServerMethodDefinition } from '@grpc/grpc-js';
import { test } from 'vitest';
import { sendingAhead } from './sending-ahead.ts';

const kibibyte = 1024;

/** A call over a connection that writes when the test says so. A message is its own length. */
function callOver() {
  const onTheWay: (() => void)[] = [];
  const connection = {
    sendMetadata: () => undefined,
    sendMessage: (_message: unknown, written: () => void) => void onTheWay.push(written),
  };
  const method = {} as ServerMethodDefinition<unknown, unknown>;
  const intercept = sendingAhead((message) => message as number);
  const call = intercept(method, connection as Partial<ServerInterceptingCallInterface> as never);
  return {
    onTheWay,
    /** Sends a message. `goesOn` becomes true when the call may send the next one. */
    send: (bytes: number) => {
      const sent = { goesOn: false };
      call.sendMessage(bytes, () => {
        sent.goesOn = true;
      });
      return sent;
    },
    writeOne: () => onTheWay.shift()?.(),
  };
}

test('A message goes on before the one before it is written', () => {
  const { send, onTheWay } = callOver();
  for (let count = 1; count <= 100; count++) equal(send(kibibyte).goesOn, true);
  equal(onTheWay.length, 100);
});

test('The sender waits while too much is on its way, and goes on when there is room again', () => {
  const { send, writeOne } = callOver();
  equal(send(200 * kibibyte).goesOn, true);
  const second = send(200 * kibibyte);
  equal(second.goesOn, false);
  writeOne();
  equal(second.goesOn, true);
  equal(send(kibibyte).goesOn, true);
});

test('A message that is larger than the bound is sent, and nothing behind it until there is room', () => {
  const { send, writeOne } = callOver();
  const large = send(1_024 * kibibyte);
  equal(large.goesOn, false);
  writeOne();
  equal(large.goesOn, true);
});

test('No number of small messages is without a bound', () => {
  const { send } = callOver();
  let count = 0;
  while (send(0).goesOn) count++;
  equal(count < 2_000, true);
});
