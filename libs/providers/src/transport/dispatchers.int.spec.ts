import { equal, match } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, test } from 'vitest';
import { Dispatchers, type ProxySettings } from './dispatchers.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-ca-'));
let certificate = '';
let key = '';
beforeAll(() => {
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subject = ['-subj', '/CN=upstream', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:upstream'];
  const files = ['-keyout', keyFile, '-out', certificateFile];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files],
    { stdio: 'ignore' },
  );
  [key, certificate] = [readFileSync(keyFile, 'utf8'), readFileSync(certificateFile, 'utf8')];
  return () => rmSync(folder, { recursive: true, force: true });
});

const stops: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const secure = () =>
  listening(createTlsServer({ key, cert: certificate }, (_, response) => response.end('secure')));
const plain = () => listening(createServer((_, response) => response.end('plain')));

/** A proxy that connects every name to this machine. `asked` has what it was asked for. */
async function proxy() {
  const asked: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('by the proxy');
  });
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    authorizations.push(request.headers['proxy-authorization']);
    const tunnel = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      tunnel.pipe(socket).pipe(tunnel);
    });
    tunnel.on('error', () => socket.destroy());
    socket.on('error', () => tunnel.destroy());
  });
  return { port: await listening(server), asked, authorizations };
}

function dispatchers(settings?: Partial<ProxySettings>): Dispatchers {
  const none = { httpProxy: undefined, httpsProxy: undefined, noProxy: undefined };
  const made = new Dispatchers({
    connectionsMax: 4,
    ...(settings && { proxy: { ...none, ...settings } }),
  });
  stops.push(() => made.destroy());
  return made;
}

async function ask(made: Dispatchers, origin: string, authorities?: string): Promise<string> {
  const { body } = await made.trusting(authorities).request({ origin, path: '/', method: 'GET' });
  return body.text();
}

const failure = async (asked: Promise<string>) =>
  asked.then(
    () => 'none',
    (error: unknown) => String((error as { code?: string }).code ?? error),
  );

describe('an upstream with a certificate of a private authority', () => {
  test('is trusted where its provider names it, and only there', async () => {
    const origin = `https://127.0.0.1:${await secure()}`;
    const made = dispatchers();
    equal(await ask(made, origin, certificate), 'secure');
    match(await failure(ask(made, origin)), /SELF_SIGNED|CERT/);
    equal(await ask(made, origin, certificate), 'secure');
  });

  test('and others share connections as long as they trust the same', () => {
    const made = dispatchers();
    equal(made.trusting(certificate), made.trusting(certificate));
    equal(made.trusting(undefined), made.trusting(undefined));
    equal(made.trusting(certificate) === made.trusting(undefined), false);
  });
});

describe('a proxy', () => {
  test('gets calls to https as a tunnel, which it cannot read', async () => {
    const { port, asked, authorizations } = await proxy();
    const upstream = await secure();
    const made = dispatchers({ httpsProxy: `http://user:pass@127.0.0.1:${port}` });
    equal(await ask(made, `https://upstream:${upstream}`, certificate), 'secure');
    equal(asked.join(), `upstream:${upstream}`);
    equal(authorizations.join(), `Basic ${Buffer.from('user:pass').toString('base64')}`);
    match(await failure(ask(made, `https://upstream:${upstream}`)), /SELF_SIGNED|CERT/);
  });

  test('does not get calls to hosts of NO_PROXY, nor to this machine', async () => {
    const { port, asked } = await proxy();
    const url = `http://127.0.0.1:${port}`;
    const made = dispatchers({ httpProxy: url, httpsProxy: url, noProxy: 'localhost.test' });
    equal(await ask(made, `http://127.0.0.1:${await plain()}`), 'plain');
    equal(await ask(made, `https://127.0.0.1:${await secure()}`, certificate), 'secure');
    match(await failure(ask(made, 'http://localhost.test:1')), /ENOTFOUND|EAI_AGAIN|ECONNREFUSED/);
    equal(asked.length, 0);
  });

  test('gets calls to http too, where HTTP_PROXY names it', async () => {
    const { port, asked } = await proxy();
    const made = dispatchers({ httpProxy: `http://127.0.0.1:${port}` });
    const upstream = await plain();
    await ask(made, `http://upstream:${upstream}`);
    match(asked.join(), new RegExp(`upstream:${upstream}`));
  });

  test('that is away fails the call', async () => {
    const made = dispatchers({ httpsProxy: 'http://127.0.0.1:1' });
    match(await failure(ask(made, 'https://upstream:443')), /ECONNREFUSED|UND_ERR/);
  });
});
