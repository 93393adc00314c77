import { equal, rejects } from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { describe, onTestFinished, test } from 'vitest';
import { Connection } from './connection.ts';
import { Unanswered } from './failure.ts';
import { allReader } from './read-all.ts';
import { Standing } from './standing.ts';

const away = { code: 'event_store_unavailable', retryAfterSeconds: 1 };

/** A store that has been away for longer than an election takes, and the connections that it was sent. */
async function anAwayStore() {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const connection = new Connection(`esdb://127.0.0.1:${port}?tls=false`);
  onTestFinished(() => connection.stop());
  let nowMs = 0;
  const standing = new Standing(() => nowMs);
  standing.failed('read', new Unanswered(), 0);
  nowMs = 5_000;
  standing.failed('read', new Unanswered(), 0);
  const reader = allReader(connection, new AbortController().signal, standing);
  return { standing, reader, connections: () => connections };
}

const looks = [
  ['end', (reader) => reader.end()],
  ['eventAt', (reader) => reader.eventAt({ commit: 1n, prepare: 1n })],
] as const satisfies readonly (readonly [
  string,
  (reader: ReturnType<typeof allReader>) => unknown,
])[];

describe.each(looks)('%s, while the store is known to be away,', (_, look) => {
  test('is refused without a call', async () => {
    const { standing, reader, connections } = await anAwayStore();
    equal(standing.admitRead(), 'probe');
    await rejects(look(reader), away);
    equal(connections(), 0);
  });

  test('is a probe once in a while', async () => {
    const { standing, reader, connections } = await anAwayStore();
    await rejects(look(reader), away);
    equal(connections() > 0, true);
    await rejects(async () => standing.admitRead(), away);
  });
});
