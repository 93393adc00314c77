import { ok } from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as tick } from 'node:timers/promises';
import { test } from 'vitest';
import { shedLoad } from './floor-shedding.ts';

/** The requests that may start in a tick, and wait. */
const placesMax = 100 + 1_000;
const burst = placesMax + 100;

test('the floor refuses what finds no place with 503 at the end of the tick, and serves all others', async () => {
  let served = 0;
  const listener = shedLoad(() => void (served += 1));
  const responses = Array.from({ length: burst }, () => {
    const request = new IncomingMessage(new Socket());
    const response = new ServerResponse(request);
    listener(request, response);
    return response;
  });
  await tick();
  const refused = responses.filter(({ statusCode }) => statusCode === 503);
  ok(refused.length >= burst - placesMax, `${refused.length} are refused`);
  ok(refused.every(({ writableEnded }) => writableEnded));
  while (served < burst - refused.length) await tick();
});
