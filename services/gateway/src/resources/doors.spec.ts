import { deepEqual, equal, match } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import { describe, test } from 'vitest';
import { gatewayWorld, jsonReply, startedMs, type TestReply } from '../testing/gateway-world.ts';

/** The routes where models answer, and the form of their errors. */
const doors = [
  ['/v1/responses', 'service'],
  ['/v1/chat/completions', 'service'],
  ['/v1/embeddings', 'service'],
  ['/v1/rerank', 'service'],
  ['/v1/messages', 'anthropic'],
  ['/v1/messages/count_tokens', 'anthropic'],
] as const;

interface Expected {
  readonly status: number;
  readonly errorType: string;
  /** The kind that Anthropic's clients read. */
  readonly kind: string;
  readonly message: string;
}

function isError({ status, json, headers }: TestReply, form: string, expected: Expected): void {
  const { errorType, kind, message } = expected;
  equal(status, expected.status);
  equal(headers['content-type'], 'application/json; charset=utf-8');
  match(String(headers['x-request-id']), /^req-[0-9a-f-]{36}$/);
  const error =
    form === 'anthropic'
      ? { type: 'error', error: { type: kind, message, error_type: errorType }, request_id: null }
      : { error: { code: status, message, metadata: { error_type: errorType } } };
  deepEqual(json, error);
}

const tooLarge: Expected = {
  status: 413,
  errorType: 'payload_too_large',
  kind: 'request_too_large',
  message: 'Request payload is too large',
};
const limited: Expected = {
  status: 429,
  errorType: 'rate_limit_exceeded',
  kind: 'rate_limit_error',
  message: 'Rate limit exceeded',
};
const malformed: Expected = {
  status: 400,
  errorType: 'invalid_request',
  kind: 'invalid_request_error',
  message: '',
};
const unauthorized: Expected = {
  status: 401,
  errorType: 'authentication',
  kind: 'authentication_error',
  message: '',
};
const timedOut: Expected = {
  status: 408,
  errorType: 'timeout',
  kind: 'timeout_error',
  message: 'Operation timed out. Please try again later.',
};
const away: Expected = {
  status: 503,
  errorType: 'provider_overloaded',
  kind: 'overloaded_error',
  message: 'Service temporarily unavailable',
};
const broken: Expected = {
  status: 500,
  errorType: 'server',
  kind: 'api_error',
  message: 'Internal Server Error',
};

/** Looks at each door in turn. */
async function everywhere(look: (line: string, form: string) => Promise<void>): Promise<void> {
  for (const [path, form] of doors) await look(`POST ${path}`, form);
}

test('each door hands on which application asks; what else Codex says in its headers has no effect', async () => {
  const { request, regular, calls } = await gatewayWorld();
  const key = regular().secret;
  const id = '01a20cde-6ef9-7150-b860-af6e5ea89ae4';
  const headers = {
    originator: 'codex_exec',
    'user-agent': 'codex_exec/0.169.0',
    'x-codex-beta-features': 'remote_compaction_v2',
    'x-codex-window-id': `${id}:0`,
    'x-codex-turn-metadata': '{"sandbox":"none"}',
    'session-id': id,
    'thread-id': id,
    session_id: id,
    conversation_id: id,
  };
  await everywhere(async (line) => {
    equal((await request(line, { key, body: {}, headers })).status, 200);
  });
  deepEqual(
    calls.map(({ client }) => client),
    doors.map(() => ({ userAgent: 'codex_exec/0.169.0', application: 'Codex' })),
  );
});

describe('an error of each door has the form of its clients:', () => {
  test('the key is missing, no key, or one for management', async () => {
    const { request, management } = await gatewayWorld();
    await everywhere(async (line, form) => {
      const missing = await request(line, { body: {} });
      isError(missing, form, { ...unauthorized, message: 'Missing Authentication header' });
      const wrong = await request(line, { key: 'sk-nothing', body: {} });
      isError(wrong, form, { ...unauthorized, message: 'Invalid credentials' });
      isError(await request(line, { key: management().secret, body: {} }), form, {
        status: 403,
        errorType: 'permission_denied',
        kind: 'permission_error',
        message: 'Management keys cannot be used for inference',
      });
    });
  });

  test('the body is not JSON by its type, or compressed', async () => {
    const { request, regular } = await gatewayWorld();
    const key = regular().secret;
    await everywhere(async (line, form) => {
      const text = await request(line, {
        key,
        body: {},
        headers: { 'content-type': 'text/plain' },
      });
      isError(text, form, { ...malformed, message: 'The Content-Type must be application/json' });
      const zipped = await request(line, {
        key,
        body: {},
        headers: { 'content-encoding': 'gzip' },
      });
      isError(zipped, form, { ...malformed, message: 'The request body is not valid gzip' });
    });
  });

  test('the body is too large, and routing gets no call', async () => {
    const settings = { inferenceBodyBytesMax: 100 };
    const { request, regular, calls } = await gatewayWorld({ settings });
    const key = regular().secret;
    await everywhere(async (line, form) => {
      isError(await request(line, { key, body: 'x'.repeat(101) }), form, tooLarge);
      equal((await request(line, { key, body: 'x'.repeat(100) })).status, 200);
    });
    equal(calls.length, doors.length);
  });

  test('the key asks too often, with the rate and when to come again', async () => {
    const settings = { inferenceRequestsPerMinute: 1 };
    const { request, regular } = await gatewayWorld({ settings });
    await everywhere(async (line, form) => {
      const key = regular().secret;
      equal((await request(line, { key, body: {} })).status, 200);
      const refused = await request(line, { key, body: {} });
      isError(refused, form, limited);
      const names = ['limit', 'remaining', 'reset'].map((name) => `x-ratelimit-${name}`);
      deepEqual(
        [...names, 'retry-after'].map((name) => refused.headers[name]),
        ['1', '0', String(startedMs + 60_000), '60'],
      );
    });
  });

  test('too many requests of the account are open', async () => {
    const answering = Promise.withResolvers<void>();
    const { request, regular, calls } = await gatewayWorld({
      settings: { inferenceOpenMax: 1 },
      async createResponse() {
        await answering.promise;
        return jsonReply(200, {});
      },
    });
    const key = regular().secret;
    const first = request('POST /v1/responses', { key, body: {} });
    while (calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await everywhere(async (line, form) => {
      const refused = await request(line, { key, body: {} });
      isError(refused, form, limited);
      deepEqual([refused.headers['x-ratelimit-limit'], refused.headers['retry-after']], ['1', '1']);
    });
    answering.resolve();
    equal((await first).status, 200);
  });

  test.each<[string, Error, Expected, wait: string | undefined]>([
    ['the time for all attempts is over', new Fault('timeout'), timedOut, '1'],
    ['routing is away', new Fault('unavailable'), away, '1'],
    ['routing has a bug', new Fault('internal', { message: 'row 7' }), broken, undefined],
    ['the gateway has a bug', new TypeError('postgres://user:password@host'), broken, undefined],
  ])('%s', async (_what, error, expected, wait) => {
    const createResponse = () => Promise.reject(error);
    const { request, regular } = await gatewayWorld({ createResponse });
    const key = regular().secret;
    await everywhere(async (line, form) => {
      const reply = await request(line, { key, body: {} });
      isError(reply, form, expected);
      equal(reply.headers['retry-after'], wait);
    });
  });
});
