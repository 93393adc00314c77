import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Fault } from '@sluice/errors';
import type { InferenceRequest, StreamPart } from '@sluice/inference';
import { eventually } from '@sluice/patience';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Endpoint } from './endpoint.ts';
import { mergedParts } from './testing/merged-parts.ts';
import { createUpstream, type CallOptions, type Upstream } from './upstream.ts';

const apiKey = 'sk-very-secret';
const chunk = 'data: {"id":"x","choices":[{"delta":{"content":"a"},"finish_reason":null}]}\n\n';
const finish =
  'data: {"id":"x","choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const whole = '{"id":"x","choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}';

const request: InferenceRequest = {
  items: [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'grüß dich' }] }],
  tools: [
    {
      type: 'function',
      name: 'f',
      description: undefined,
      parameters: undefined,
      strict: undefined,
    },
  ],
  toolChoice: { type: 'required' },
  parallelToolCalls: undefined,
  maxOutputTokens: 9,
  temperature: undefined,
  topP: undefined,
  stream: true,
};

let server: Server;
let upstream: Upstream;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let endpoint: Endpoint;

beforeEach(async () => {
  server = createServer((request, response) => answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  endpoint = {
    provider: 'p',
    dialect: 'openai-chat',
    baseUrl: `http://127.0.0.1:${String(port)}/v1/`,
    apiKey: { reveal: () => apiKey },
    upstreamModel: 'm',
  };
  upstream = createUpstream();
});

afterEach(async () => {
  await upstream.stop();
  server.closeAllConnections();
  server.close();
});

const options = (changes: Partial<CallOptions> = {}): CallOptions => ({
  signal: new AbortController().signal,
  requestId: 'req-1',
  headersTimeoutMs: 5_000,
  firstOutputTimeoutMs: 5_000,
  idleTimeoutMs: 5_000,
  ...changes,
});

const call = async (
  changes: Partial<CallOptions> = {},
  { stream = true, target = endpoint }: { stream?: boolean; target?: Endpoint } = {},
): Promise<readonly StreamPart[]> => {
  const batches: (readonly StreamPart[])[] = [];
  for await (const parts of upstream.call(target, { ...request, stream }, options(changes))) {
    batches.push(parts);
  }
  return batches.flat();
};

const failure = async (
  changes: Partial<CallOptions> = {},
  target: Endpoint = endpoint,
): Promise<Fault> => {
  const error: unknown = await call(changes, { target }).catch((reason: unknown) => reason);
  if (!(error instanceof Fault)) throw new Error('expected a fault', { cause: error });
  return error;
};

const sse = (response: ServerResponse, ...pieces: readonly string[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const piece of pieces) response.write(piece);
};

const json = (response: ServerResponse, status: number, body: string, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
};

describe('a call', () => {
  test.each([
    ['openai-chat', 'parallel-tool-calls', '/v1/chat/completions'],
    ['openai-responses', 'reasoning-and-tool-calls', '/v1/responses'],
  ] as const)('in %s tells the same streamed and whole', async (dialect, name, path) => {
    const read = (kind: string): Buffer =>
      readFileSync(new URL(`${dialect}/fixtures/${name}.${kind}`, import.meta.url));
    const seen: { url: string | undefined; headers: IncomingMessage['headers']; body: unknown }[] =
      [];
    answer = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (piece: Buffer) => chunks.push(piece));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as { stream?: boolean };
        seen.push({ url: request.url, headers: request.headers, body });
        if (body.stream) sse(response, read('sse').toString());
        else json(response, 200, read('json').toString());
        response.end();
      });
    };
    const target = { ...endpoint, dialect };
    const streamed = await call({}, { target });
    const at = await call({}, { stream: false, target });

    const sorted = (parts: readonly StreamPart[]): unknown =>
      mergedParts(parts).toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
    expect(streamed.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });
    expect(sorted(at)).toEqual(sorted(streamed));
    expect(seen).toMatchObject([
      {
        url: path,
        headers: {
          authorization: `Bearer ${apiKey}`,
          accept: 'text/event-stream',
          'accept-encoding': 'identity',
          'content-type': 'application/json',
          'x-request-id': 'req-1',
        },
        body: { model: 'm', stream: true, tool_choice: 'required' },
      },
      { url: path, headers: { accept: 'application/json' } },
    ]);
    expect(JSON.stringify(seen[0]?.body)).toContain('grüß dich');
  });

  test('reuses its connection', async () => {
    let connections = 0;
    server.on('connection', () => (connections += 1));
    answer = (_, response) => {
      sse(response, chunk, finish);
      response.end();
    };
    for (let index = 0; index < 3; index += 1) {
      await call();
      await setImmediate();
    }
    expect(connections).toBe(1);
  });

  test('returns the first batch with the first output', async () => {
    let release: (() => void) | undefined;
    answer = (_, response) => {
      sse(response, 'data: {"id":"x","choices":[{"delta":{"role":"assistant"}}]}\n\n');
      release = () => response.end(chunk + finish);
    };
    const calling = upstream.call(endpoint, request, options())[Symbol.asyncIterator]();
    const first = calling.next();
    await eventually(() => expect(release).toBeDefined());
    release?.();
    const { value } = (await first) as { value: readonly StreamPart[] };
    expect(value.slice(0, 2).map(({ type }) => type)).toEqual(['response-start', 'text-start']);
  });

  test('reads a whole body as the answer to a stream request', async () => {
    answer = (_, response) => json(response, 200, whole);
    expect((await call()).at(-1)).toMatchObject({ type: 'finish' });
  });

  test('sends no authorization without a key', async () => {
    let authorization: string | undefined = 'none seen';
    answer = (request, response) => {
      ({ authorization } = request.headers);
      json(response, 200, whole);
    };
    await call({}, { target: { ...endpoint, apiKey: undefined } });
    expect(authorization).toBeUndefined();
  });

  test("sends beta features only to providers of Anthropic's protocol", async () => {
    const betas: unknown[] = [];
    answer = ({ headers }, response) => {
      betas.push(headers['anthropic-beta']);
      response.writeHead(429).end();
    };
    for (const dialect of ['anthropic-messages', 'openai-chat', 'google-gemini'] as const) {
      const refused = call({ anthropicBetas: ['a', 'b'] }, { target: { ...endpoint, dialect } });
      await expect(refused).rejects.toThrow(Fault);
    }
    expect(betas).toEqual(['a,b', undefined, undefined]);
  });

  test('above the bound is refused at once', async () => {
    await upstream.stop();
    upstream = createUpstream({ callsMax: 1 });
    answer = (_, response) => sse(response, chunk);
    const first = upstream.call(endpoint, request, options())[Symbol.asyncIterator]();
    await first.next();
    expect(await failure()).toMatchObject({ code: 'unavailable' });
    await first.return?.();
    answer = (_, response) => json(response, 200, whole);
    await eventually(async () => expect(await call()).toHaveLength(5));
  });
});

describe('before the first output a failure is thrown:', () => {
  test('a server that does not listen', async () => {
    server.close();
    expect(await failure()).toMatchObject({ code: 'provider_unavailable', retryable: true });
  });

  test('an invalid address', async () => {
    const target = { ...endpoint, baseUrl: 'http://127.0.0.1:1' };
    expect(await failure({}, target)).toMatchObject({ code: 'provider_unavailable' });
  });

  test('no headers in time', async () => {
    answer = () => {};
    expect(await failure({ headersTimeoutMs: 30 })).toMatchObject({ code: 'provider_timeout' });
  });

  test('no output in time, though the stream is alive', async () => {
    answer = (_, response) => {
      sse(response);
      const beat = setInterval(() => response.write(': alive\n\n'), 5);
      response.on('close', () => clearInterval(beat));
    };
    expect(await failure({ firstOutputTimeoutMs: 60 })).toMatchObject({ code: 'provider_timeout' });
  });

  test('429, with the wait and the code of the upstream', async () => {
    const body = '{"error":{"code":"rate_limit_exceeded","message":"org-123 is over"}}';
    answer = (_, response) => json(response, 429, body, { 'retry-after': '17' });
    const fault = await failure();
    expect(fault).toMatchObject({
      code: 'provider_rate_limited',
      retryAfterSeconds: 17,
      metadata: { provider_code: 'rate_limit_exceeded' },
    });
    expect(fault.message).not.toContain('org-123');
  });

  test('400, with the message of the upstream', async () => {
    answer = (_, response) => json(response, 400, '{"error":{"message":"top_p: too high"}}');
    expect(await failure()).toMatchObject({ code: 'invalid_request', message: 'top_p: too high' });
  });

  test('400, without a message that contains the key or the address', async () => {
    for (const words of [`key ${apiKey} is odd`, `ask http://${new URL(endpoint.baseUrl).host}`]) {
      answer = (_, response) => json(response, 400, JSON.stringify({ error: { message: words } }));
      expect((await failure()).message).toBe('Invalid request parameters');
    }
  });

  test('401, without the message of the upstream', async () => {
    const body = `{"error":{"message":"Incorrect API key ${apiKey}","code":"invalid_api_key"}}`;
    answer = (_, response) => json(response, 401, body);
    const fault = await failure();
    expect(fault).toMatchObject({
      code: 'provider_rejected',
      metadata: { provider_code: 'invalid_api_key' },
    });
    expect(JSON.stringify([fault.message, fault.metadata])).not.toContain('sk-');
  });

  test('500 with an endless body', async () => {
    answer = (_, response) => {
      response.writeHead(500);
      const more = setInterval(() => response.write('x'.repeat(65_536)), 1);
      response.on('close', () => clearInterval(more));
    };
    expect(await failure()).toMatchObject({ code: 'provider_unavailable' });
  });

  test('529', async () => {
    answer = (_, response) => json(response, 529, '');
    expect(await failure()).toMatchObject({ code: 'provider_overloaded' });
  });

  test('a redirect, which is not followed', async () => {
    let calls = 0;
    answer = (_, response) => {
      calls += 1;
      response.writeHead(307, { location: '/v1/chat/completions' }).end();
    };
    expect(await failure()).toMatchObject({ code: 'provider_unavailable' });
    expect(calls).toBe(1);
  });

  test('a body that is not JSON', async () => {
    answer = (_, response) => json(response, 200, '{"id":"x","choi');
    expect(await failure()).toMatchObject({ code: 'provider_unavailable' });
  });

  test('an encoding that the request forbids', async () => {
    answer = (_, response) => json(response, 200, whole, { 'content-encoding': 'gzip' });
    expect(await failure()).toMatchObject({ code: 'provider_unavailable' });
  });

  test('a stream that closes without an event', async () => {
    answer = (_, response) => {
      sse(response);
      response.end();
    };
    expect(await failure()).toMatchObject({ code: 'provider_unavailable' });
  });

  test('an error event', async () => {
    answer = (_, response) => {
      sse(response, 'data: {"error":{"code":"rate_limit_exceeded"}}\n\n');
      response.end();
    };
    expect(await failure()).toMatchObject({
      code: 'provider_rate_limited',
      metadata: { provider_code: 'rate_limit_exceeded' },
    });
  });

  test('an event that never ends', async () => {
    answer = (_, response) => {
      sse(response, 'data: ');
      const more = setInterval(() => response.write('x'.repeat(256 * 1024)), 1);
      response.on('close', () => clearInterval(more));
    };
    expect(await failure()).toMatchObject({ code: 'provider_unavailable' });
  });
});

describe('after the first output a failure is the last part:', () => {
  const cut = { type: 'error', code: 'provider_unavailable' };

  test('a stream that closes early', async () => {
    answer = (_, response) => {
      sse(response, chunk);
      response.end();
    };
    expect((await call()).at(-1)).toMatchObject(cut);
  });

  test('a connection that breaks', async () => {
    answer = (_, response) => {
      sse(response, chunk);
      setTimeout(() => response.destroy(), 20);
    };
    const parts = await call();
    expect(parts.map(({ type }) => type)).toContain('text-delta');
    expect(parts.at(-1)).toMatchObject(cut);
  });

  test('silence', async () => {
    answer = (_, response) => sse(response, chunk);
    expect((await call({ idleTimeoutMs: 40 })).at(-1)).toMatchObject({
      type: 'error',
      code: 'provider_timeout',
    });
  });

  test('a malformed event', async () => {
    answer = (_, response) => sse(response, chunk, 'data: {nonsense\n\n');
    expect((await call()).at(-1)).toMatchObject(cut);
  });

  test('an error with a message that contains the key', async () => {
    const words = `{"error":{"type":"invalid_request_error","message":"${apiKey}"}}`;
    answer = (_, response) => sse(response, chunk, `data: ${words}\n\n`);
    expect((await call()).at(-1)).toMatchObject({ message: 'Invalid request parameters' });
  });
});

describe('the upstream is cancelled', () => {
  test('when the signal is aborted before an answer', async () => {
    const controller = new AbortController();
    const closed = new Promise<void>((resolve) => {
      answer = (_, response) => {
        response.on('close', resolve);
        controller.abort(new Error('gone'));
      };
    });
    await expect(call({ signal: controller.signal })).rejects.toThrow('gone');
    await closed;
  });

  test('when the signal is aborted during the answer, after the parts so far', async () => {
    const controller = new AbortController();
    const closed = new Promise<void>((resolve) => {
      answer = (_, response) => {
        response.on('close', resolve);
        sse(response, chunk);
      };
    });
    const seen: StreamPart[] = [];
    const reading = (async () => {
      const signal = controller.signal;
      for await (const parts of upstream.call(endpoint, request, options({ signal }))) {
        seen.push(...parts);
        controller.abort(new Error('gone'));
      }
    })();
    await expect(reading).rejects.toThrow('gone');
    await closed;
    expect(seen.at(-1)).toMatchObject({ type: 'text-delta', delta: 'a' });
  });

  test('when the signal was aborted before the call', async () => {
    let calls = 0;
    answer = () => (calls += 1);
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(call({ signal })).rejects.toThrow('gone');
    expect(calls).toBe(0);
  });

  test('when the reader ends the iteration', async () => {
    const closed = new Promise<void>((resolve) => {
      answer = (_, response) => {
        response.on('close', resolve);
        sse(response, chunk);
      };
    });
    for await (const parts of upstream.call(endpoint, request, options())) {
      expect(parts.length).toBeGreaterThan(0);
      break;
    }
    await closed;
  });
});

describe('a reader that does not read', () => {
  test('pauses the upstream, and gets all parts when it reads again', async () => {
    const pieces = 600;
    const piece = chunk.repeat(1_000);
    let written = 0;
    answer = (_, response) => {
      sse(response);
      const fill = (): void => {
        while (written < pieces) {
          written += 1;
          if (!response.write(piece)) {
            response.once('drain', fill);
            return;
          }
        }
        response.end(finish);
      };
      fill();
    };
    const reading = upstream.call(endpoint, request, options({ idleTimeoutMs: 150 }));
    const iterator = reading[Symbol.asyncIterator]();
    const batches = [await iterator.next()];

    let before = -1;
    await eventually(
      () => {
        const last = before;
        before = written;
        expect(written).toBe(last);
      },
      { everyMs: 200 },
    );
    expect(written).toBeLessThan(pieces);

    while (!batches.at(-1)?.done) batches.push(await iterator.next());
    const parts = batches.flatMap(({ value }) => (value ?? []) as readonly StreamPart[]);
    expect(parts.filter(({ type }) => type === 'text-delta')).toHaveLength(pieces * 1_000);
    expect(parts.at(-1)).toMatchObject({ type: 'finish' });
  });
});

describe('a usage lookup', () => {
  const kept = () => ({ ...endpoint, keepsAnswers: true });
  const asking = { signal: new AbortController().signal, timeoutMs: 5_000 };
  const answered = (status: number, body: string) => {
    answer = (_request, response) => void response.writeHead(status).end(body);
  };

  test('sends the id of the answer and the credential', async () => {
    let seen: readonly unknown[] = [];
    answer = ({ method, url, headers }, response) => {
      seen = [method, url, headers.authorization];
      response.end('{"usage":{"prompt_tokens":3,"completion_tokens":4}}');
    };
    const served = await upstream.lookUp(kept(), 'a/b?c', asking);
    expect(served.type).toBe('served');
    expect(seen).toEqual(['GET', '/v1/chat/completions/a%2Fb%3Fc', `Bearer ${apiKey}`]);
  });

  test('sends no request to an upstream that stores no answers', async () => {
    answer = () => expect.unreachable('it was called');
    expect(await upstream.lookUp(endpoint, 'x', asking)).toEqual({ type: 'unknown' });
  });

  test('returns unknown if the upstream lacks the answer, and throws if the upstream fails', async () => {
    answered(404, '{}');
    expect(await upstream.lookUp(kept(), 'x', asking)).toEqual({ type: 'unknown' });
    answered(500, '{}');
    await expect(upstream.lookUp(kept(), 'x', asking)).rejects.toBeInstanceOf(Fault);
    answer = () => {};
    const hurried = { ...asking, timeoutMs: 50 };
    await expect(upstream.lookUp(kept(), 'x', hurried)).rejects.toBeInstanceOf(Fault);
  });
});
