import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { pdfOf } from '@sluice/document-text/testing';
import { nanoUsdToNumber } from '@sluice/inference';
import { type AskedFile, fileDoors } from '../../testing/file-doors.ts';
import {
  eventually,
  routingHarness,
  type RoutingHarness,
  somebody,
  textOf,
} from '../../testing/routing-harness.ts';

const dialects = [
  'openai-responses',
  'openai-chat',
  'anthropic-messages',
  'google-gemini',
] as const;
const modelOf = (author: string, modalities: string, dialect: string) => `
  - id: ${author}/${dialect}
    endpoints:
      - provider: p-${dialect}
        upstream_model: echo
        context_length: 128000
        max_output_tokens: 4096
        input_modalities: ${modalities}
        pricing: { prompt: '0.000001', completion: '0.000002' }`;
const catalogFile = (url: string) => `
providers:
${dialects.map((dialect) => `  - { slug: p-${dialect}, name: P, dialect: ${dialect}, base_url: '${url}' }`).join('\n')}
models:
${dialects.map((dialect) => modelOf('texts', '[text]', dialect)).join('')}
${dialects.map((dialect) => modelOf('sees', '[text, image]', dialect)).join('')}
`;

const prompts: string[] = [];
let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({
    catalogFile,
    hasOcr: true,
    script(prompt) {
      prompts.push(prompt.turns.map((turn) => turn.text).join('\n'));
      return { parts: [{ type: 'text', name: '', text: 'It is so.' }] };
    },
  });
});
afterAll(() => routing.stop());
afterEach(() => {
  prompts.length = 0;
  routing.credentials.kept.clear();
});

const plugins = [{ id: 'file-parser' }];
const named = (name: string, texts: readonly string[]): AskedFile => ({
  name,
  data: { type: 'application/pdf', bytes: pdfOf(texts) },
});
/** The price of two pages. */
const twoPages = 4_000_000n;

type Door = (typeof fileDoors)[number];
interface Answer {
  readonly usage: { readonly cost?: number };
  readonly service_metadata?: {
    readonly pipeline?: readonly {
      readonly data: { readonly engine: string };
      readonly cost_usd: number;
    }[];
  };
}

async function ask({ dialect }: Door, body: object, facts: number, principal = somebody) {
  const reply = await routing.call(
    { model: 'texts/openai-chat', plugins, ...body },
    { dialect, principal, client: { wantsMetadata: true } },
  );
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  const all = await eventually(() => {
    const id = reply.headers['x-generation-id'];
    const found = routing.ledger.facts.filter(({ generationId }) => generationId === id);
    return found.length >= facts ? found : undefined;
  }, 'the facts');
  const stage = (JSON.parse(text) as Answer).service_metadata?.pipeline?.[0];
  return { text, stage, facts: all, parsed: all.filter(({ toolType }) => toolType === ofParser) };
}

const ofParser = 'plugin:file-parser';

async function receiptsOf(name: string) {
  const file = routing.receiptsFile.replace(/\.jsonl$/, '-searches.jsonl');
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line.includes(JSON.stringify(name)))
    .map((line) => JSON.parse(line) as { results: number; client_request_id: string });
}

describe.each(fileDoors)('Mistral’s OCR for the plugin file-parser at $dialect', (door) => {
  test.each(dialects)('reads a PDF for the price of its pages: %s', async (dialect) => {
    const name = `${door.dialect}-${dialect}.pdf`;
    const asked = door.asks('How much?', [named(name, ['', ''])]);
    const { text, stage, facts, parsed } = await ask(
      door,
      { model: `texts/${dialect}`, ...asked },
      2,
    );
    match(prompts[0] ?? '', /# Page 1 of [^]*\n\n# Page 2 of/);
    const [fact] = parsed;
    ok(fact);
    deepEqual(
      [fact.provider, fact.costNanoUsd, fact.holdNanoUsd, fact.specialTokens],
      ['mistral-ocr', twoPages, twoPages, { pages: '2', files: '1' }],
    );
    deepEqual([stage?.data.engine, stage?.cost_usd], ['mistral-ocr', nanoUsdToNumber(twoPages)]);
    const { usage } = JSON.parse(text) as Answer;
    const cost = facts.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n);
    if (usage.cost !== undefined) equal(usage.cost, nanoUsdToNumber(cost));
    const [receipt, ...more] = await receiptsOf(name);
    deepEqual([receipt?.results, receipt?.client_request_id, more.length], [2, fact.usageId, 0]);
    match(text, /"type":"image_url","image_url":\{"url":"data:image\/png;base64/);

    const before = door.turns(asked, JSON.parse(text));
    const again = await ask(door, door.asks('And now?', [], before), 1);
    equal(again.parsed.length, 0);
    equal((await receiptsOf(name)).length, 1);
  });

  test.each(dialects)('shows its pictures to models that see: %s', async (dialect) => {
    const length = async (author: string) => {
      prompts.length = 0;
      const body = door.asks('How much?', [named('seen.pdf', ['x'])]);
      const { facts } = await ask(door, { model: `${author}/${dialect}`, ...body }, 2);
      return facts.find(({ toolType }) => toolType === '')?.inputTokens ?? 0;
    };
    ok((await length('sees')) > (await length('texts')));
  });

  test('is charged by the account’s own key where there is one', async () => {
    routing.credentials.kept.set('own', { provider: 'mistral', secret: 'own-key' });
    const principal = { ...somebody, workspaceId: `own-${door.dialect}` };
    const asked = door.asks('How much?', [named('own.pdf', ['a'])]);
    const { parsed, stage } = await ask(door, asked, 2, principal);
    deepEqual([parsed[0]?.isByok, parsed[0]?.feeNanoUsd, stage?.cost_usd], [true, 0n, 0]);
  });

  test('gives way to Sluice itself if it fails, and the failure is in the books', async () => {
    const file = named('[ocr:error-500].pdf', ['By ourselves']);
    const { parsed, stage } = await ask(door, door.asks('How much?', [file]), 3);
    match(prompts[0] ?? '', /By ourselves/);
    equal(stage?.data.engine, 'local');
    deepEqual(
      parsed
        .map(({ provider, outcome, costNanoUsd }) => `${provider} ${outcome} ${costNanoUsd}`)
        .toSorted((one, other) => one.localeCompare(other)),
      [' completed 0', 'mistral-ocr failed 0'],
    );
    const scanned = door.asks('How much?', [named('[ocr:error-500].pdf', [''])]);
    const body = { model: 'texts/openai-chat', plugins, ...scanned };
    const reply = await routing.call(body, { dialect: door.dialect });
    equal(reply.status, 503);
    match(await textOf(reply), /the engine mistral-ocr cannot read the file now/);
  });

  test('is not asked without the money for it', async () => {
    const name = `poor-${door.dialect}.pdf`;
    const principal = { ...somebody, keyHash: 'poor', limitNanoUsd: twoPages - 1n };
    const body = {
      model: 'texts/openai-chat',
      plugins,
      ...door.asks('?', [named(name, ['', ''])]),
    };
    equal((await routing.call(body, { dialect: door.dialect, principal })).status, 402);
    deepEqual(await receiptsOf(name), []);
  });

  test('is not asked by an engine of another name', async () => {
    const name = `other-${door.dialect}.pdf`;
    const engine = { plugins: [{ id: 'file-parser', pdf: { engine: 'cloudflare-ai' } }] };
    await ask(door, { ...engine, ...door.asks('How much?', [named(name, ['text'])]) }, 2);
    deepEqual(await receiptsOf(name), []);
  });

  test('is not lost if no provider answers', async () => {
    const model = 'texts/openai-chat';
    const body = { model, plugins, ...door.asks('[sim:error-500]', [named('lost.pdf', ['x'])]) };
    const reply = await routing.call(body, { dialect: door.dialect });
    const text = await textOf(reply);
    ok(reply.status >= 500, text);
    // The envelope of Anthropic's API has no metadata.
    if (door.dialect === 'messages') return;
    match(text, /"file_annotations":\[\{"type":"file","file":\{"hash":"[0-9a-f]{64}"/);
  });
});
