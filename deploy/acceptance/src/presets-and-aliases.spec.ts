import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { checkedFetch } from '@sluice/testing/response-stream';
import OpenAI from 'openai';
import { beforeAll, describe, test } from 'vitest';
import { eventually } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';

let sluice: Running;
let client: OpenAI;

beforeAll(async () => {
  sluice = await sharedInstance();
  const { base_url: baseURL, api_key: apiKey } = sluice.bootstrap;
  client = new OpenAI({ baseURL, apiKey, fetch: checkedFetch, maxRetries: 0 });
});

interface Reply {
  readonly data: Readonly<Record<string, unknown>>;
}

async function manage(method: string, path: string, body?: object): Promise<Reply> {
  const reply = await fetch(`${sluice.bootstrap.base_url}/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${sluice.bootstrap.management_key}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  equal(reply.status, 200, await reply.clone().text());
  return (await reply.json()) as Reply;
}

describe('the OpenAI SDK', () => {
  test('names a preset in the place of a model, and the record of the generation names it', async () => {
    const body = { model: 'sim/chat', temperature: 0, system: 'Be brief.' };
    const { data } = await manage('POST', 'presets/help-desk/chat/completions', body);
    const messages = [{ role: 'user' as const, content: 'Hello there' }];
    const completion = await client.chat.completions.create({
      model: '@preset/help-desk',
      messages,
    });
    equal(completion.model, 'sim/chat');
    const response = await client.responses.create({
      model: 'sim/echo@preset/help-desk',
      input: 'Hello there',
    });
    deepEqual([response.model, response.instructions], ['sim/echo', 'Be brief.']);
    const id = response.id.replace(/^resp[-_]/, 'gen-');
    const url = `${sluice.bootstrap.base_url}/generation?id=${id}`;
    const headers = { authorization: `Bearer ${sluice.bootstrap.api_key}` };
    const found = await eventually(
      async () => (await (await fetch(url, { headers })).json()) as Partial<Reply>,
      ({ data: generation }) => generation !== undefined,
    );
    equal(found.data?.['preset_id'], data['id']);
    await rejects(client.responses.create({ model: '@preset/none', input: 'x' }), { status: 404 });
  });

  test('names an alias, whose models change without the client', async () => {
    const ask = async () =>
      (await client.responses.create({ model: 'team/acceptance', input: 'Hello' })).model;
    const { data } = await manage('PUT', 'model-aliases/team/acceptance', { models: ['sim/echo'] });
    equal(data['version'], 1);
    await eventually(
      async () => ask().catch(() => ''),
      (model) => model === 'sim/echo',
    );
    const listed = await Array.fromAsync(client.models.list());
    ok(listed.some(({ id }) => id === 'team/acceptance'));
    await manage('PUT', 'model-aliases/team/acceptance', { models: ['sim/chat'] });
    await eventually(ask, (model) => model === 'sim/chat');
    await manage('DELETE', 'model-aliases/team/acceptance');
  });
});
