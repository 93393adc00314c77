import { equal, ok, rejects } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'vitest';
import { freePort, requireFreePort } from './free-port.ts';

describe('a port that is chosen', () => {
  test('is free, is none of the last ones, and is never one of an outgoing connection', async () => {
    const chosen: number[] = [];
    for (let times = 0; times < 15; times += 1) chosen.push(await freePort());
    equal(new Set(chosen).size, chosen.length);
    for (const port of chosen) ok(port >= 10_000 && port < 32_768, String(port));
  });

  test('is not given again while what listens on it is down', async () => {
    const chosen: number[] = [];
    for (let times = 0; times < 30; times += 1) chosen.push(await freePort());
    equal(new Set(chosen).size, chosen.length);
  });

  test('is not given to a process that begins in the same block, until the first has ended', async () => {
    const first = await freePort();
    const script = `
      Object.defineProperty(process, 'pid', { value: ${process.pid} });
      const { freePort } = await import(${JSON.stringify(new URL('free-port.ts', import.meta.url).href)});
      const chosen = [];
      for (let times = 0; times < 20; times += 1) chosen.push(await freePort());
      console.log(JSON.stringify(chosen));`;
    const run = async () => {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
      const output = await text(child.stdout);
      return new Set(JSON.parse(output) as number[]);
    };
    const [earlier, later] = [await run(), await run()];
    ok(!earlier.has(first));
    ok(earlier.intersection(later).size > 0, 'the first of both has ended');
  });

  test('is another one where somebody listens', async () => {
    const first = await freePort();
    const others = Array.from({ length: 10 }, (_, index) =>
      createServer().listen(first + 1 + index, '127.0.0.1'),
    );
    await Promise.allSettled(others.map(async (server) => once(server, 'listening')));
    const next = await freePort();
    ok(next <= first || next > first + 10, `${next} after ${first}`);
    for (const server of others) server.close();
  });
});

describe('a port that is asked for', () => {
  test('passes when nobody listens on it', async () => {
    equal(await requireFreePort('127.0.0.1', await freePort(), 'SLUICE_PORT'), undefined);
  });

  test('is named with its setting when somebody does', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await rejects(requireFreePort('127.0.0.1', port, 'SLUICE_PORT'), {
      name: 'SetupProblem',
      message: `Port ${port} on 127.0.0.1 is in use: set SLUICE_PORT to another.`,
    });
    other.close();
  });

  test.each(['192.0.2.1', 'no.such.host.invalid'])(
    'is not what is wrong when the address %s is',
    async (host) => {
      await rejects(requireFreePort(host, 8080, 'SLUICE_PORT'), {
        name: 'SetupProblem',
        message: `${host} is no address of this machine: set SLUICE_HOST to one, as 127.0.0.1 is.`,
      });
    },
  );
});
