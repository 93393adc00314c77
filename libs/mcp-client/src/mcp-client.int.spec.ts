import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEgress, type Egress, parseAllowList } from '@sluice/egress';
import { afterEach, describe, test } from 'vitest';
import { createMcpClient, isMcpFailure, type McpClientOptions, type McpFailure } from './index.ts';
import { type McpServerTool, startMcpServer } from './testing/index.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const never = new AbortController().signal;
const all = () => true;

/** A client that may call one port of loopback. */
function clientTo(port: number, limits: Omit<McpClientOptions, 'egress'> = {}) {
  const egress: Egress = createEgress({
    allowList: parseAllowList(`127.0.0.1:${String(port)}`),
    isHttpAllowed: true,
  });
  stops.push(() => egress.stop());
  return createMcpClient({ egress, ...limits });
}

async function serverOf(
  tools: readonly McpServerTool[],
  options?: Parameters<typeof startMcpServer>[1],
) {
  const server = await startMcpServer(tools, options);
  stops.push(() => server.stop());
  return server;
}

/** A server that answers as `listener` writes. */
async function hostile(listener: RequestListener) {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${String(port)}/mcp` };
}

function failureOf(value: object): McpFailure {
  ok(isMcpFailure(value), JSON.stringify(value).slice(0, 200));
  return value;
}

const tools: readonly McpServerTool[] = [
  { name: 'search', description: 'Finds tickets.', isReadOnly: true },
  { name: 'close', run: () => ({ text: 'no such ticket', isError: true }) },
  {
    name: 'break',
    run: () => {
      throw new Error('the database at token-123456 is away');
    },
  },
];

describe.each([{ isStreamed: false }, { isStreamed: true }])('a server, %o', (form) => {
  test('lists its tools in the order of their names', async () => {
    const server = await serverOf(tools, { ...form, pageSize: 1 });
    const listed = await clientTo(server.port).listTools(
      { url: server.url, headers: {} },
      all,
      never,
    );
    ok(!isMcpFailure(listed), JSON.stringify(listed));
    deepEqual(
      listed.map(({ name, isReadOnly }) => [name, isReadOnly]),
      [
        ['break', false],
        ['close', false],
        ['search', true],
      ],
    );
    equal(server.asked.length, 3);
  });

  test('runs a call with the headers of its owner', async () => {
    const server = await serverOf(tools, form);
    const given = {
      url: server.url,
      headers: { authorization: 'Bearer token-123456', 'x-team': 'a' },
    };
    const client = clientTo(server.port);
    const call = { name: 'search', arguments: { query: 'printer' } };
    deepEqual(await client.callTool(given, call, never), {
      text: '{"query":"printer"}',
      isError: false,
    });
    equal(server.headers().authorization, 'Bearer token-123456');
    equal(server.headers()['x-team'], 'a');
    const failed = await client.callTool(given, { name: 'close', arguments: {} }, never);
    deepEqual(failed, { text: 'no such ticket', isError: true });
  });

  test('an error of the protocol repeats no secret', async () => {
    const server = await serverOf(tools, form);
    const given = { url: server.url, headers: { authorization: 'Bearer token-123456' } };
    const call = { name: 'break', arguments: {} };
    const failure = failureOf(await clientTo(server.port).callTool(given, call, never));
    equal(failure.failed, 'protocol');
    match(failure.message, /the database at \[redacted\] is away/);
  });
});

test('a status is told without the body, which repeats the token', async () => {
  const server = await serverOf(tools, { isAllowed: () => false });
  const given = { url: server.url, headers: { authorization: 'Bearer token-123456' } };
  const failure = failureOf(await clientTo(server.port).listTools(given, all, never));
  deepEqual([failure.failed, failure.code], ['http', 401]);
  ok(!failure.message.includes('token'));
});

const manyTools = Array.from({ length: 10_000 }, (_, index) => ({
  name: `tool_${String(index)}`,
  description: index === 9 ? 'x'.repeat(10_000) : '',
}));

test('of 10,000 tools only those that are wanted are kept, and long descriptions are cut', async () => {
  const server = await serverOf(manyTools, { pageSize: 1_000 });
  const client = clientTo(server.port);
  const given = { url: server.url, headers: {} };
  const listed = await client.listTools(given, ({ name }) => name === 'tool_9', never);
  ok(!isMcpFailure(listed), JSON.stringify(listed));
  deepEqual(
    listed.map(({ name, description }) => [name, description.length]),
    [['tool_9', 4_096]],
  );
  match(failureOf(await client.listTools(given, all, never)).message, /more than 128 tools/);
});

describe('a hostile server', () => {
  const given = (url: string) => ({ url, headers: {} });

  test('at an address that is not public is not called', async () => {
    const server = await serverOf(tools);
    const client = clientTo(1);
    const failure = failureOf(await client.listTools(given(server.url), all, never));
    equal(failure.failed, 'network');
    deepEqual(server.asked, []);
  });

  test('that redirects inward is not followed', async () => {
    const inner = await serverOf(tools);
    const { port, url } = await hostile((_, response) => {
      response.writeHead(307, { location: inner.url }).end();
    });
    const failure = failureOf(await clientTo(port).listTools(given(url), all, never));
    match(failure.message, /redirect/);
    deepEqual(inner.asked, []);
  });

  test.each(['application/json', 'text/event-stream'])(
    'with broken %s fails at once',
    async (type) => {
      const { port, url } = await hostile((_, response) => {
        response.writeHead(200, { 'content-type': type }).end('data: {"jsonrpc": nope\n\n');
      });
      const failure = failureOf(await clientTo(port).listTools(given(url), all, never));
      equal(failure.failed, 'protocol');
    },
  );

  test('that never answers is left at the deadline', async () => {
    const { port, url } = await hostile(() => undefined);
    const client = clientTo(port, { listMs: 50 });
    equal(failureOf(await client.listTools(given(url), all, never)).failed, 'network');
    const call = { name: 'search', arguments: {} };
    const over = AbortSignal.timeout(50);
    equal(failureOf(await client.callTool(given(url), call, over)).failed, 'network');
  });

  test.each(['application/json', 'text/event-stream'])(
    'with an endless %s is cut',
    async (type) => {
      const { port, url } = await hostile((_, response) => {
        response.writeHead(200, { 'content-type': type });
        const more = () => {
          while (!response.destroyed && response.write(`: ${'x'.repeat(65_536)}\n`));
        };
        response.on('drain', more);
        more();
      });
      const client = clientTo(port, { bytesMax: 1_000_000 });
      const failure = failureOf(await client.listTools(given(url), all, never));
      match(failure.message, /too large|not MCP/);
    },
  );

  test('whose list has no end is left', async () => {
    let page = 0;
    const { port, url } = await hostile((request, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const { id, method } = JSON.parse(Buffer.concat(chunks).toString() || '{}');
        page += 1;
        const result =
          method === 'initialize'
            ? {
                protocolVersion: '2025-06-18',
                capabilities: { tools: {} },
                serverInfo: { name: 'x', version: '1' },
              }
            : { tools: [], nextCursor: String(page) };
        if (id === undefined) response.writeHead(202).end();
        else
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      })();
    });
    const failure = failureOf(await clientTo(port).listTools(given(url), all, never));
    match(failure.message, /no end/);
  });
});
