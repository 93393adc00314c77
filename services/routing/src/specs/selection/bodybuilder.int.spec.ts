import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Script } from '@sluice/simulator';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { doors } from '../../testing/doors.ts';
import { routingHarness, type RoutingHarness, textOf } from '../../testing/routing-harness.ts';
import { bodyOf, checkBooks, factsOf } from '../../testing/tool-loops.ts';

/** The prompts that models got. */
const asked: { readonly system: string; readonly schema: unknown }[] = [];
const script: Script = ({ turns, answerSchema }) => {
  const system = turns.filter(({ role }) => role === 'system').map(({ text }) => text);
  asked.push({ system: system.join('\n'), schema: answerSchema });
  return undefined;
};

const model = 'service/bodybuilder';
const client = { wantsMetadata: true } as const;
const price = `{ prompt: '0.000001', completion: '0.000001' }`;
let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({
    script,
    catalogFile: (url) => `
providers:
  - { slug: openai, name: OpenAI, dialect: openai-responses, base_url: '${url}' }
models:
  - id: qwen/coder
    endpoints: [{ provider: openai, upstream_model: echo, pricing: ${price} }]
  - id: a/formless
    endpoints:
      - { provider: openai, upstream_model: echo, pricing: ${price}, supported_parameters: [tools] }
`,
  });
});
afterAll(() => routing.stop());

const cases = doors.flatMap(({ dialect }) =>
  [false, true].map((stream) => ({ dialect, model, stream })),
);

describe.each(cases)('service/bodybuilder at $dialect, stream: $stream', (one) => {
  test('writes bodies of requests for models that exist, and names the model that wrote', async () => {
    asked.length = 0;
    const body = bodyOf(one, { content: 'Ask formless and coder for a haiku', tools: [] });
    const reply = await routing.call(body, { dialect: one.dialect, client });
    const text = await textOf(reply);
    equal(reply.status, 200, text);
    match(text, /requests/);
    match(text, /"strategy":"bodybuilder"/);
    match(text, /"model":"qwen\/coder"/);
    const facts = await factsOf(routing, reply, 1);
    await checkBooks(routing, facts, text);
    const [prompt] = asked;
    ok(prompt);
    match(
      prompt.system,
      /These models exist: (?:qwen\/coder, a\/formless|a\/formless, qwen\/coder)/,
    );
    match(JSON.stringify(prompt.schema), /"enum":\["(?:qwen\/coder|a\/formless)"/);
    const { router } = JSON.parse(facts.get('/1/1')?.routing ?? '') as {
      readonly router: { readonly slug: string; readonly data: Readonly<Record<string, unknown>> };
    };
    equal(router.slug, model);
    deepEqual(router.data['chosen'], ['qwen/coder']);
    ok('candidates' in router.data && 'excluded' in router.data);
  });
});
