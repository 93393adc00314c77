import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { eventually, type Json, json, manage, raw, text } from './http.ts';
import { type Instance, startInstance } from './instance.ts';

let sluice: Instance;
beforeAll(async () => {
  sluice = await startInstance();
});
afterAll(() => sluice?.dispose());

/** A route of inference: where a body has its question, and an answer or an event its text. */
interface Door {
  readonly path: string;
  question(content: string): object;
  said(answer: Json): unknown;
  delta(event: Json): unknown;
}

const messages = (content: string) => ({ messages: [{ role: 'user', content }] });
const first = (value: Json | undefined) => value?.[0];
const responses: Door = {
  path: '/responses',
  question: (content) => ({ input: content, max_output_tokens: 50 }),
  said: ({ output }) => first(first(output)?.['content'])?.['text'],
  delta: ({ type, delta }) =>
    (type as unknown) === 'response.output_text.delta' ? delta : undefined,
};
const doors: readonly Door[] = [
  responses,
  {
    path: '/chat/completions',
    question: (content) => ({ ...messages(content), max_completion_tokens: 50 }),
    said: ({ choices }) => first(choices)?.['message']?.['content'],
    delta: ({ choices }) => first(choices)?.['delta']?.['content'],
  },
  {
    path: '/messages',
    question: (content) => ({ ...messages(content), max_tokens: 50 }),
    said: ({ content }) => first(content)?.['text'],
    delta: ({ delta }) => delta?.['text'],
  },
];

interface Asked {
  readonly content: string;
  readonly model?: string;
  readonly fields?: object;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Told {
  readonly status: number;
  readonly id: string;
  readonly text: string;
  readonly message: unknown;
  readonly retryAfter: string | null;
}

async function ask(door: Door, stream: boolean, asked: Asked): Promise<Told> {
  const { content, model = 'sim/echo', fields = {}, key, headers } = asked;
  const answer = await raw(sluice, door.path, {
    body: { model, ...door.question(content), stream, ...fields },
    ...(key !== undefined && { key }),
    ...(headers && { headers }),
  });
  const body = await answer.text();
  const { status } = answer;
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
  const parsed = isJson ? (JSON.parse(body) as Json) : undefined;
  return {
    status,
    id: answer.headers.get('x-generation-id') ?? '',
    text: parsed ? textOf(door.said(parsed)) : deltasOf(door, body),
    message: parsed?.['error']?.['message'],
    retryAfter: answer.headers.get('retry-after'),
  };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

function deltasOf(door: Door, body: string): string {
  const lines = body.split('\n').filter((line) => line.startsWith('data: {'));
  return lines
    .map((line) => textOf(door.delta(JSON.parse(line.slice('data: '.length)) as Json)))
    .join('');
}

/** The same question at every door, whole and streamed. */
async function everywhere(asked: Asked): Promise<readonly Told[]> {
  const answers: Told[] = [];
  for (const door of doors)
    for (const stream of [false, true]) answers.push(await ask(door, stream, asked));
  return answers;
}

/** Returns what all answers have in common, and fails if one has something else. */
function alike<Value>(values: readonly Value[]): Value {
  const [one, ...others] = values;
  ok(one !== undefined);
  for (const other of others) deepEqual(other, one);
  return one;
}

async function keyWith(body: object): Promise<{ readonly key: string; readonly hash: string }> {
  const made = await manage(sluice, '/keys', { body: { name: 'of a door', ...body } });
  return { key: text(made.body['key']), hash: text(made.body['data']?.['hash']) };
}

/** A key to which a guardrail applies. */
async function guarded(guardrail: object): Promise<string> {
  const body = { name: 'of a door', ...guardrail };
  const made = await manage(sluice, '/guardrails', { body });
  equal(made.status, 201, JSON.stringify(made.body));
  const { key, hash } = await keyWith({});
  const path = `/guardrails/${text(made.body['data']?.['id'])}/assignments/keys`;
  const assigned = await manage(sluice, path, { body: { key_hashes: [hash] } });
  equal(assigned.status, 200, JSON.stringify(assigned.body));
  return key;
}

const generationOf = async (id: string) => {
  const path = `/generation?id=${id}`;
  const found = await eventually(
    () => json(sluice, path),
    ({ status }) => status === 200,
  );
  return found.body['data'] ?? {};
};

/** Facts of each request alone. */
const own = ['id', 'request_id', 'upstream_id', 'created_at', 'latency', 'generation_time'];
const ownOfStreams = ['streamed', 'provider_responses', 'routing'];

describe('whichever door a request takes', () => {
  test('its record is the same, and its session stays where it was served', async () => {
    const fields = {
      session_id: 'session-1',
      user: 'user-7',
      trace: { environment: 'test' },
    };
    const headers = { 'user-agent': 'claude-cli/2.1.330 (external, sdk-cli)' };
    const answers = await everywhere({ content: 'hello', fields, headers });
    equal(
      alike(answers.map(({ status, text: said }) => `${status} ${said}`)),
      '200 You said: hello',
    );
    const records = await Promise.all(answers.map(({ id }) => generationOf(id)));
    const common = alike(
      records.map((record) =>
        Object.fromEntries(
          Object.entries(record).filter(([name]) => ![...own, ...ownOfStreams].includes(name)),
        ),
      ),
    );
    deepEqual(
      ['session_id', 'external_user', 'app', 'finish_reason'].map((name) => common[name]),
      ['session-1', 'user-7', 'Claude Code', 'stop'],
    );
    deepEqual(
      records.map(({ streamed }) => streamed),
      doors.flatMap(() => [false, true]),
    );
    // The session stays where its first request was served, at each door.
    deepEqual(
      records.map(({ routing }) => first(routing?.['order'])?.['reason']),
      ['load balancing', ...Array.from({ length: 5 }, () => 'sticky')],
    );
  });

  test('a filter redacts the question, or blocks it', async () => {
    const filter = (action: string) => ({ content_filter_builtins: [{ slug: 'email', action }] });
    const content = 'I am ada@example.com';
    const redacting = await guarded(filter('redact'));
    await eventually(
      () => ask(responses, false, { content, key: redacting }),
      (answer) => !answer.text.includes('ada@'),
    );
    const redacted = alike(
      (await everywhere({ content, key: redacting })).map((answer) => answer.text),
    );
    match(redacted, /^You said: I am \[/);
    const blocking = await guarded(filter('block'));
    await eventually(
      () => ask(responses, false, { content, key: blocking }),
      ({ status }) => status === 403,
    );
    const blocked = alike(
      (await everywhere({ content, key: blocking })).map(({ status, message }) => [
        status,
        message,
      ]),
    );
    equal(blocked[0], 403);
    ok(text(blocked[1]).length > 0);
  });

  test('a model that a guardrail does not allow is refused', async () => {
    const key = await guarded({ allowed_models: ['sim/chat'] });
    await eventually(
      () => ask(responses, false, { content: 'x', key }),
      ({ status }) => status !== 200,
    );
    const refused = alike(
      (await everywhere({ content: 'x', key })).map(({ status, message }) => [status, message]),
    );
    equal(refused[0], 403);
    const allowed = await everywhere({ content: 'x', key, model: 'sim/chat' });
    equal(alike(allowed.map((answer) => answer.text)), 'You said: x');
  });

  test('a key with too little left is told so, and pays nothing', async () => {
    const { key, hash } = await keyWith({ limit: 0.000_001 });
    const refused = alike(
      (await everywhere({ content: 'x', key })).map(({ status, message }) => [status, message]),
    );
    equal(refused[0], 402);
    match(text(refused[1]), /Key limit of \$0\.000001/);
    const { body } = await manage(sluice, `/keys/${hash}`);
    equal(body['data']?.['usage'], 0);
  });

  test.each(['[sim:error-429]', '[sim:error-503]', '[sim:error-529]', '[sim:too-long]'])(
    'a provider that answers %s is told alike',
    async (content) => {
      const answers = await everywhere({ content });
      const [status, , message] = alike(
        answers.map((answer) => [answer.status, answer.retryAfter === null, answer.message]),
      );
      ok(typeof status === 'number' && status >= 400, JSON.stringify(status));
      ok(text(message).length > 0);
    },
  );
});
