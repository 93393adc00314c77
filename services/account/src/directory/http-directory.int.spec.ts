import { deepEqual, equal } from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'vitest';
import { Secret } from '@sluice/boot';
import { directoryContract } from '../testing/directory-contract.ts';
import { configuredDirectory } from './configured-directory.ts';
import { httpDirectory } from './http-directory.ts';

async function serving(listener: RequestListener) {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/directory/`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  return { url, close };
}

directoryContract('a service', async () => {
  const texts = new Map<string, string>();
  const { url, close } = await serving(({ url: path = '' }, response) => {
    const text = texts.get(path);
    response.statusCode = text === undefined ? 404 : 200;
    response.end(text);
  });
  return {
    source: configuredDirectory({ url, token: new Secret('a token') }),
    say: async (accountId, text) => void texts.set(`/directory/${accountId}`, text),
    close,
  };
});

describe('a service', () => {
  const { signal } = new AbortController();
  const reasonFrom = async (listener: RequestListener, timeoutMs = 5_000) => {
    const { url, close } = await serving(listener);
    const pulled = await httpDirectory({ url, token: 'a token', timeoutMs }).pull('org_1', signal);
    await close();
    return pulled.kind === 'failed' ? pulled.reason : pulled.kind;
  };

  test('is shown the token', async () => {
    let seen: unknown;
    equal(
      await reasonFrom(({ headers }, response) => {
        seen = headers.authorization;
        response.end('{"users":[],"groups":[]}');
      }),
      'pulled',
    );
    deepEqual(seen, 'Bearer a token');
  });

  test('that fails says nothing of what it answered', async () => {
    const reason = await reasonFrom((_request, response) => {
      response.statusCode = 500;
      response.end('a secret');
    });
    equal(reason, 'The directory answered with status 500');
  });

  test('that sends us elsewhere is not followed', async () => {
    const reason = await reasonFrom((_request, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:1/' });
      response.end();
    });
    equal(reason, 'The directory cannot be reached');
  });

  test('that does not answer, or not to the end, is given up', async () => {
    const late = 'The directory did not answer in time';
    equal(await reasonFrom(() => {}, 50), late);
    equal(await reasonFrom((_request, response) => void response.write('{'), 50), late);
  });

  test('that nobody is behind cannot be reached', async () => {
    const pulled = await httpDirectory({ url: 'http://127.0.0.1:1', token: undefined }).pull(
      'org_1',
      signal,
    );
    equal(pulled.kind === 'failed' && pulled.reason, 'The directory cannot be reached');
  });
});
