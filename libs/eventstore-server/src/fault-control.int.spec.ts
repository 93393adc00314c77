import { deepEqual, equal, match } from 'node:assert/strict';
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { status } from '@grpc/grpc-js';
import { describe, onTestFinished, test } from 'vitest';
import { nodeUrl } from './access/node-access.ts';
import type { FaultAnswer } from './fault-control.ts';
import { scratchDirectory } from './testing/scratch.ts';
import { chunk, readRequest } from './testing/requests.ts';
import { batchAppend, clientFor, failureOf } from './testing/wire.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

async function aControlledNode() {
  const directory = await scratchDirectory();
  const child = fork(main, ['--dir', directory, '--port', '0', '--faults'], {
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout ?? child, 'data')) as readonly unknown[];
  const { port } = JSON.parse(String(line)) as { readonly port: number };
  const secretsDirectory = `${directory}/secrets`;
  const client = await clientFor({
    url: await nodeUrl({ secretsDirectory, port }),
    secretsDirectory,
  });
  const tell = async (message: object) => {
    const answer = once(child, 'message');
    child.send(message);
    return (await answer)[0] as FaultAnswer;
  };
  return { child, client, tell };
}

describe('a node in a process of its own', () => {
  test('is made to fail by the process that started it, and well again', async () => {
    const { client, tell } = await aControlledNode();
    deepEqual(await tell({ faults: { electionUntilMs: Date.now() + 3_600_000 } }), { ok: true });
    const { result } = await batchAppend(client, [chunk()]);
    equal(result?.$case, 'error');
    equal((await failureOf(client.read(readRequest({})))).code, status.UNAVAILABLE);
    deepEqual(await tell({ faults: { electionUntilMs: 0 } }), { ok: true });
    equal((await batchAppend(client, [chunk()])).result?.$case, 'success');
  });

  test('ends with status 0 when it is told to', async () => {
    const { child } = await aControlledNode();
    const ended = once(child, 'exit');
    child.send({ exit: true });
    deepEqual(await ended, [0, null]);
  });

  test('changes nothing for a message that it does not understand', async () => {
    const { client, tell } = await aControlledNode();
    for (const message of [
      {},
      { faults: 'all' },
      { faults: { unavailableCalls: -1 } },
      { faults: { unavailableCalls: 1_000, electionRefusal: 'never' } },
      { faults: { unavailableCalls: 1_000, toString: 1 } },
    ])
      equal((await tell(message)).ok, false);
    equal((await batchAppend(client, [chunk()])).result?.$case, 'success');
  });

  test('does not start with switches that nobody could change', async () => {
    const args = [main, '--dir', await scratchDirectory(), '--port', '0', '--faults'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let errors = '';
    child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
    deepEqual(await once(child, 'close'), [1, null]);
    match(errors, /^--faults is for tests: .*\n$/);
  });
});
