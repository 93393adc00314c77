import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { beforeAll, describe, test } from 'vitest';
import type { Called } from './agents/read-streams.ts';
import { type Sent, sentByAgents } from './agents/sent-by-agents.ts';
import { eventually, json, manage, raw, text } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';

let sluice: Running;

beforeAll(async () => {
  sluice = await sharedInstance();
});

const models = ['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'];

async function ask(sent: Sent, model: string, calls: readonly Called[] = [], key?: string) {
  return await raw(sluice, sent.path, {
    body: sent.body(model, calls),
    headers: sent.headers,
    ...(key === undefined ? {} : { key }),
  });
}

describe.each(sentByAgents)('requests as $agent sends them', (sent) => {
  test.each(models)('call a tool of the agent and end in an answer, on %s', async (model) => {
    const first = await ask(sent, model);
    equal(first.status, 200, await first.clone().text());
    const called = sent.read(await first.text());
    deepEqual(
      called.calls.map(({ name, input }) => [name, JSON.parse(input)]),
      [['run_command', { command: 'text' }]],
    );
    ok(called.ended);
    const calls = called.calls.map((call) => ({ ...call, output: 'It is noon.' }));
    const second = await ask(sent, model, calls);
    equal(second.status, 200, await second.clone().text());
    const answered = sent.read(await second.text());
    equal(answered.text, 'The tool answered: It is noon.');
    deepEqual(answered.calls, []);
    ok(answered.ended);
    const id = second.headers.get('x-generation-id') ?? '';
    const { body } = await eventually(
      () => json(sluice, `/generation?id=${id}`),
      ({ status }) => status === 200,
    );
    equal(body['data']?.['app'], sent.app);
  });

  test('are told in its own words that the context is too long', async () => {
    const output = 'x'.repeat(600_000);
    const calls = [{ id: 'call_1', name: 'run_command', input: '{"command":"a"}', output }];
    const refused = await ask(sent, 'sim/echo', calls);
    equal(refused.status, 400);
    const { error } = (await refused.json()) as { error: { code: unknown; message: string } };
    match(error.message, /exceeds the context window .*prompt is too long: \d+ tokens > 128000/);
    const isAnthropic = sent.path.startsWith('/messages');
    const code = sent.agent.startsWith('codex') ? 'context_length_exceeded' : 400;
    equal(error.code, isAnthropic ? undefined : code);
  });

  test('stop with the reason when the key has nothing left, or is disabled', async () => {
    const body = { name: 'of an agent', limit: 0.000_001 };
    const { body: made } = await manage(sluice, '/keys', { body });
    const key = text(made['key']);
    const poor = await ask(sent, 'sim/echo', [], key);
    equal(poor.status, 402);
    match(await poor.text(), /Key limit of \$0\.000001/);
    const unknown = await ask(sent, 'sim/echo', [], `${key}x`);
    equal(unknown.status, 401);
    match(await unknown.text(), /Invalid credentials/);
  });
});
