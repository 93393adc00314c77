import { deepEqual, equal, match } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Box, Engine } from '../engine/engine.ts';
import type { Dial } from './egress.ts';
import { bubblewrapHere, gvisorHere, kubernetesHere } from '../testing/engines-here.ts';

const dialed: string[] = [];
let port = 0;

/** Connects to a server of the test in the place of each host. */
const dial: Dial = async (target) => {
  dialed.push(`${target.host}:${target.port}`);
  const socket = connect(port, '127.0.0.1');
  return new Promise<Socket>((resolve, reject) => {
    socket.once('connect', () => resolve(socket)).once('error', reject);
  });
};
const engines = [
  ['bubblewrap', await bubblewrapHere(dial)],
  ['gVisor', await gvisorHere(dial)],
  ['Kubernetes', await kubernetesHere(dial)],
] as const;

describe.each(engines)('with an allowlist in %s', (_name, found) => {
  const reason = 'missing' in found ? ` (not here: ${found.missing})` : '';
  describe.skipIf(reason !== '')(`a container${reason}`, () => egressSuite(found as Engine));
});

function egressSuite(engine: Engine): void {
  let server: Server;
  let box: Box;

  beforeAll(async () => {
    server = createServer((request, response) => {
      response.end(`${request.method} ${request.url} ${request.headers.host}\n`);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
    box = await engine.open({
      id: 'net',
      network: { type: 'allowlist', allowedDomains: ['*.example.com'] },
    });
  });
  afterAll(async () => {
    server.close();
    await engine.stop();
  });

  const run = async (command: string) => {
    const argv = ['/bin/bash', '-c', command] as const;
    const ran = await box.run({ argv, timeoutMs: 60_000, outputBytesMax: 10_000 });
    return Buffer.concat([ran.stdout, ran.stderr]).toString();
  };
  const asked = (request: string) =>
    run(
      `at=\${http_proxy#http://}; exec 3<>/dev/tcp/\${at%:*}/\${at#*:}; printf '${request}' >&3; cat <&3`,
    );
  const get = (url: string) =>
    asked(`GET ${url} HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n`);

  test('reaches allowed hosts through the proxy', async () => {
    match(await get('http://a.example.com/path?q=1'), /200 OK[^]*GET \/path\?q=1 a\.example\.com/);
    const inner = 'GET /inner HTTP/1.1\\r\\nHost: b.example.com\\r\\nConnection: close\\r\\n\\r\\n';
    const tunnel = await asked(
      `CONNECT b.example.com:443 HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n${inner}`,
    );
    match(tunnel, /200 Connection established[^]*GET \/inner b\.example\.com/);
    deepEqual(dialed.splice(0), ['a.example.com:80', 'b.example.com:443']);
  });

  test('reaches no other host, no other port and no address', async () => {
    for (const url of [
      'http://example.org/',
      'http://a.example.com:22/',
      'http://127.0.0.1/',
      'http://169.254.169.254/latest',
      'http://a.example.com@evil.org/',
      'https://a.example.com/',
    ])
      match(await get(url), /^HTTP\/1\.1 403/, url);
    for (const host of ['example.org:443', 'a.example.com:22', '[::1]:443', '127.0.0.1:443', 'x'])
      match(
        await asked(`CONNECT ${host} HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n`),
        /^HTTP\/1\.1 403/,
        host,
      );
    deepEqual(dialed, []);
  });

  test('reaches nothing beside the proxy', async () => {
    const direct = createTcpServer().listen(0, '127.0.0.1');
    await once(direct, 'listening');
    const { port: open } = direct.address() as AddressInfo;
    match(await run(`exec 3<>/dev/tcp/127.0.0.1/${open}`), /refused/);
    match(await run('exec 3<>/dev/tcp/1.1.1.1/80'), /unreachable|No route/i);
    direct.close();
  });

  test('passes on that a server is away', async () => {
    const before = port;
    port = 1;
    match(await get('http://a.example.com/'), /^HTTP\/1\.1 502/);
    port = before;
    equal(dialed.splice(0).length, 1);
  });
}
