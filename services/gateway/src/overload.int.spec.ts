import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { eventually } from '@sluice/patience';
import { KeyKind } from '@sluice/protos/sluice/key/v1/key';
import { afterEach, describe, test } from 'vitest';
import { jsonReply, organizationId } from './testing/gateway-world.ts';
import { listeningGateway } from './testing/listening-gateway.ts';
import { rawConnection, type RawConnection } from './testing/raw-connection.ts';

const open: { stop(): Promise<void> }[] = [];
const connections: RawConnection[] = [];
afterEach(async () => {
  for (const { socket } of connections.splice(0)) socket.destroy();
  for (const service of open.splice(0)) await service.stop();
});

/** Longer than the process may be at it before it lets others wait. */
const longMs = 15;
const busyFor = (ms: number) => {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
};

/** A gateway that does nothing else for a while when it serves, with so many clients connected. */
async function busyGateway(clients: number, inferenceWaitingMax: number) {
  let served = 0;
  const gateway = await listeningGateway({
    async createResponse() {
      served++;
      busyFor(longMs);
      return jsonReply(200, { id: 'resp_1' });
    },
    settings: { drainTimeoutMs: 200, inferenceWaitingMax },
  });
  open.push(gateway.service);
  const connect = async () => {
    const connection = await rawConnection(gateway.port);
    connections.push(connection);
    return connection;
  };
  const made: RawConnection[] = [];
  for (let count = 0; count < clients; count++) made.push(await connect());
  const request = (line: string, key: string, ...more: string[]) =>
    [`${line} HTTP/1.1`, 'host: gateway', `authorization: Bearer ${key}`, ...more, '', ''].join(
      '\r\n',
    );
  const json = 'content-type: application/json';
  const ask = (key = gateway.secret) =>
    `${request('POST /v1/responses', key, json, 'content-length: 2')}{}`;
  return { ...gateway, connect, clients: made, request, ask, served: () => served };
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
const answersOf = (clients: readonly RawConnection[]) =>
  Promise.all(clients.map(async (client) => await client.until('}')));

describe('more requests than can be served', () => {
  test('wait for their turn, each is served, and none is refused while there is room', async () => {
    const { clients, ask, served } = await busyGateway(12, 1_000);
    for (const client of clients) client.send(ask());
    const answers = await answersOf(clients);
    deepEqual(
      answers.map(statusOf),
      clients.map(() => 200),
    );
    equal(served(), 12);
  });

  test('are refused with 503 and when to come again, and what is refused costs nobody anything', async () => {
    const { clients, ask, served, logger } = await busyGateway(12, 1);
    for (const client of clients) client.send(ask());
    const answers = await answersOf(clients);
    const refused = answers.filter((answer) => statusOf(answer) === 503);
    const answered = answers.filter((answer) => statusOf(answer) === 200);
    equal(refused.length + answered.length, clients.length);
    ok(refused.length > 0, 'none was refused');
    equal(answered.length, served());
    for (const answer of refused) {
      match(answer, /\r\nretry-after: 1\r\n/);
      match(answer, /\r\nx-request-id: req-[0-9a-f-]{36}\r\n/);
      match(answer, /\r\ncontent-type: application\/json; charset=utf-8\r\n/);
      deepEqual(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))), {
        error: {
          code: 503,
          message: 'Too many requests at once. Please try again later.',
          metadata: { error_type: 'provider_overloaded' },
        },
      });
    }
    const warnings = logger.lines.filter(({ fields }) => fields.code === 'overloaded');
    equal(warnings.length, 1);
  });

  test('are refused in the form of the clients of the route', async () => {
    const { clients, request, secret } = await busyGateway(12, 1);
    const json = 'content-type: application/json';
    const ask = `${request('POST /v1/messages?beta=true', secret, json, 'content-length: 2')}{}`;
    for (const client of clients) client.send(ask);
    const refused = (await answersOf(clients)).filter((answer) => statusOf(answer) === 503);
    ok(refused.length > 0, 'none was refused');
    for (const answer of refused) {
      const { type, error } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as {
        readonly type: string;
        readonly error: { readonly type: string };
      };
      deepEqual([type, error.type], ['error', 'overloaded_error']);
    }
  });

  test('are refused before the key is looked up and before the body has come', async () => {
    const { clients, ask, request } = await busyGateway(12, 1);
    const [first, second, ...others] = clients;
    first?.send(ask());
    second?.send(ask());
    const unsent = request('POST /v1/responses', 'sk-unknown', 'content-length: 30000000');
    for (const client of others) client.send(unsent);
    await eventually(() => ok(others.some((client) => client.received() !== '')));
    const statuses = others.map((client) => client.received()).filter((text) => text !== '');
    ok(statuses.map(statusOf).includes(503), statuses.join('\n'));
  });

  test('keep nothing of the management plane waiting', async () => {
    const { clients, ask, request, keys } = await busyGateway(12, 1);
    const kind = KeyKind.KEY_KIND_MANAGEMENT;
    const { secret } = keys.add({ accountId: organizationId, kind });
    const [manager, ...others] = clients;
    for (const client of others) client.send(ask());
    manager?.send(request('GET /v1/credits', secret));
    equal(statusOf((await manager?.until('}')) ?? ''), 200);
  });

  test('are served again as soon as there are fewer, on the same connections', async () => {
    const { clients, ask } = await busyGateway(12, 1);
    for (const client of clients) client.send(ask());
    const answers = await answersOf(clients);
    const refused = clients.filter((_, index) => statusOf(answers[index] ?? '') === 503);
    const [again] = refused;
    const before = again?.received().length ?? 0;
    again?.send(ask());
    await eventually(() => ok((again?.received().length ?? 0) > before));
    equal(statusOf(again?.received().slice(before) ?? ''), 200);
  });
});
