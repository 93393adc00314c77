import { deepEqual, equal, match } from 'node:assert/strict';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { systemIds } from '@sluice/clock-and-ids';
import { createTelemetry } from '@sluice/telemetry';
import { afterAll, test } from 'vitest';
import { recordingLogger } from '../../testing/gateway-world.ts';
import { overloadRefusal } from './overload-refusal.ts';
import { RefusedConnections } from './refused-connections.ts';

const logger = recordingLogger();
const telemetry = createTelemetry({ serviceName: 'gateway', otlpEndpoint: undefined });
const { refuse, refuseBarely } = overloadRefusal({ ids: systemIds, logger, telemetry });
let parsed = 0;
const connections = new RefusedConnections({
  refuses: () => 'full',
  refuse: refuseBarely,
  requestsPerConnectionMax: 100,
});
const server = createServer((incoming, response) => {
  parsed += 1;
  refuse(response, 'full');
  connections.note(incoming, response, '');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(() => {
  agent.destroy();
  server.close();
});

async function ask() {
  const asked = request({ port, agent, method: 'POST', headers: { 'content-length': 4 } });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  asked.on('response', resolve).on('error', reject).end('body');
  const answer = await promise;
  const body = await text(answer);
  const { 'x-request-id': id = '', date: _date, 'keep-alive': _time, ...headers } = answer.headers;
  return { id, rest: { status: answer.statusCode, reason: answer.statusMessage, headers, body } };
}

test('a refusal past node:http says what one through it says, and is counted', async () => {
  const answers = [];
  for (let count = 0; count < 8; count += 1) answers.push(await ask());
  const [first] = answers;
  for (const { id, rest } of answers) {
    deepEqual(rest, first?.rest);
    match(String(id), /^req-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
  }
  equal(first?.rest.status, 503);
  equal(new Set(answers.map(({ id }) => id)).size, 8);
  equal(parsed, 3);
  const counted = /gateway_overload_refusals_total{[^}]*} (\d+)/.exec(await telemetry.prometheus());
  equal(counted?.[1], '8');
});
