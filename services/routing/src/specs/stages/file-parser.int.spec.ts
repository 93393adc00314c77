import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { systemClock } from '@sluice/clock-and-ids';
import { pdfOf, sheetOf } from '@sluice/document-text/testing';
import { uploadFile } from '@sluice/workspace-files';
import { inMemoryFiles } from '@sluice/workspace-files/testing';
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
/** Models that read texts alone, and those that take files. */
const catalogFile = (url: string) => `
providers:
${dialects.map((dialect) => `  - { slug: p-${dialect}, name: P, dialect: ${dialect}, base_url: '${url}' }`).join('\n')}
models:
${dialects.map((dialect) => modelOf('texts', '[text]', dialect)).join('')}
${dialects.map((dialect) => modelOf('files', '[text, file]', dialect)).join('')}
`;
const models = dialects.map((dialect) => `texts/${dialect}`);

/** Everything that the models were asked. */
const prompts: string[] = [];
const files = inMemoryFiles(systemClock);
const web = new Map<string, Buffer>();
let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({
    catalogFile,
    files,
    webFetcher: {
      fetch: async () => ({ error: 'no page' }),
      async fetchFile({ url }) {
        const bytes = web.get(url);
        return bytes ? { url, bytes, contentType: '' } : { error: 'The server answered with 404' };
      },
      stop: async () => undefined,
    },
    fileParser: { bytesMax: 100_000, pagesMax: 20 },
    script(prompt) {
      const text = prompt.turns.map((turn) => turn.text).join('\n');
      prompts.push(text);
      const calls = text.includes('call a function') && !text.includes('again');
      return {
        parts: [
          calls
            ? { type: 'tool-call', name: 'look', text: '{}' }
            : { type: 'text', name: '', text: 'It is so.' },
        ],
      };
    },
  });
});
afterAll(() => routing.stop());
afterEach(() => void (prompts.length = 0));

const plugins = [{ id: 'file-parser' }];
const report = pdfOf(['Revenue grew by 7 percent', 'The end']);
const pdf: AskedFile = { name: 'report.pdf', data: { type: 'application/pdf', bytes: report } };

interface Answer {
  readonly service_metadata?: { readonly pipeline?: readonly Stage[] };
  readonly error?: {
    readonly metadata: { readonly issues?: readonly { readonly path: string }[] };
  };
}
interface Stage {
  readonly name: string;
  readonly data: { readonly engine: string; readonly pages: number };
  readonly cost_usd: number;
}

type Door = (typeof fileDoors)[number];

async function ask({ dialect }: Door, body: object, facts: number) {
  const reply = await routing.call(
    { model: models[0], plugins, ...body },
    { dialect, client: { wantsMetadata: true } },
  );
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  const all = await eventually(() => {
    const id = reply.headers['x-generation-id'];
    const found = routing.ledger.facts.filter(({ generationId }) => generationId === id);
    return found.length >= facts ? found : undefined;
  }, 'the facts');
  return { text, facts: all };
}

async function refusal({ dialect }: Door, body: object) {
  const reply = await routing.call({ model: models[0], plugins, ...body }, { dialect });
  return { status: reply.status, text: await textOf(reply) };
}

const ofParser = ({ toolType }: { readonly toolType: string }) => toolType === 'plugin:file-parser';

describe.each(fileDoors)('the plugin file-parser at $dialect', (door) => {
  test.each(models)('gives the text of a file to a model without files: %s', async (model) => {
    const { text, facts } = await ask(door, { model, ...door.asks('How much?', [pdf]) }, 2);
    match(
      prompts[0] ?? '',
      /<file name="report\.pdf">\nRevenue grew by 7 percent\n\nThe end\n<\/file>/,
    );
    const [stage] = (JSON.parse(text) as Answer).service_metadata?.pipeline ?? [];
    deepEqual(
      [stage?.name, stage?.data.engine, stage?.data.pages, stage?.cost_usd],
      ['file-parser', 'local', 2, 0],
    );
    const [fact] = facts.filter(ofParser);
    deepEqual([fact?.provider, fact?.costNanoUsd], ['', 0n]);
    deepEqual(fact?.specialTokens, { pages: '2', files: '1' });
  });

  test.each(models)('returns an annotation that spares the next parse: %s', async (model) => {
    const asked = door.asks('How much?', [pdf]);
    const { text } = await ask(door, { model, ...asked }, 2);
    match(
      text,
      /"hash":"[0-9a-f]{64}","name":"report\.pdf","content":\[\{"type":"text","text":"Rev/,
    );
    const before = door.turns(asked, JSON.parse(text));
    const { text: again, facts } = await ask(
      door,
      { model, ...door.asks('And now?', [], before) },
      1,
    );
    match(prompts[1] ?? '', /Revenue grew/);
    ok(!facts.some(ofParser));
    const [stage] = (JSON.parse(again) as Answer).service_metadata?.pipeline ?? [];
    equal(stage?.data.engine, 'replay');
    match(again, /"hash":"[0-9a-f]{64}"/);
  });

  test.each(models)('returns it in a stream: %s', async (model) => {
    const body = { model, ...door.asks('How much?', [pdf]), stream: true };
    const { text } = await ask(door, body, 2);
    match(text, /"hash":"[0-9a-f]{64}","name":"report\.pdf"/);
  });

  test('returns it with a call of a function, and is not asked twice', async () => {
    const asked = door.asks('call a function', [pdf]);
    const parameters = { type: 'object', properties: {} };
    const tool =
      door.dialect === 'responses'
        ? { type: 'function', name: 'look', parameters }
        : door.dialect === 'messages'
          ? { name: 'look', input_schema: parameters }
          : { type: 'function', function: { name: 'look', parameters } };
    const fields = { tools: [tool] };
    const { text } = await ask(door, { ...asked, ...fields }, 2);
    match(text, /"hash":"[0-9a-f]{64}"/);
    const before = door.turns(asked, JSON.parse(text));
    const { facts } = await ask(door, { ...door.asks('again', [], before), ...fields }, 1);
    ok(!facts.some(ofParser));
  });

  test('leaves a PDF to an endpoint that takes files, but no other document', async () => {
    for (const dialect of dialects) {
      prompts.length = 0;
      const body = { model: `files/${dialect}`, ...door.asks('How much?', [pdf]) };
      const { text } = await ask(door, body, 1);
      ok(!prompts[0]?.includes('Revenue'), prompts[0]);
      ok(!text.includes('"hash"'));
      const rows = '<row><c r="A1" t="inlineStr"><is><t>Sums</t></is></c></row>';
      const bytes = sheetOf(rows);
      const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
      const sheet = door.asks('Which?', [{ name: 'a.xlsx', data: { type, bytes } }]);
      await ask(door, { model: `files/${dialect}`, ...sheet }, 2);
      match(prompts[1] ?? '', /## Costs\n\n\| Sums \|/);
    }
    const engine = { plugins: [{ id: 'file-parser', pdf: { engine: 'pdf-text' } }] };
    await ask(door, { model: 'files/openai-chat', ...engine, ...door.asks('How?', [pdf]) }, 2);
    match(prompts.at(-1) ?? '', /Revenue/);
  });

  test('reads files of the web and of the workspace', async () => {
    const url = 'https://example.com/files/a%20report.pdf';
    web.set(url, report);
    await ask(door, door.asks('How much?', [{ url }]), 2);
    match(prompts[0] ?? '', /<file name="a report\.pdf">\nRevenue/);
    const { accountId, workspaceId } = somebody;
    const context = {
      commandId: `upload-${door.dialect}`,
      requestId: '',
      accountId,
      actorType: 'api_key',
      actorId: 'key',
      traceparent: '',
    };
    const { fileId } = await uploadFile(
      files,
      { context, workspaceId, name: 'kept.pdf', mediaType: 'application/pdf' },
      (async function* () {
        yield report;
      })(),
    );
    await ask(door, door.asks('How much?', [{ id: fileId }]), 2);
    match(prompts[1] ?? '', /<file name="kept\.pdf">\nRevenue/);
    // No endpoint knows the id: it gets the content.
    await ask(door, { model: 'files/openai-chat', ...door.asks('How?', [{ id: fileId }]) }, 1);
  });

  test('is off with enabled: false', async () => {
    const off = { plugins: [{ id: 'file-parser', enabled: false }] };
    equal((await refusal(door, { ...off, ...door.asks('How much?', [pdf]) })).status, 404);
  });

  const data = (bytes: Uint8Array, type = 'application/pdf') => ({ data: { type, bytes } });
  test.each<[string, AskedFile, 'data' | 'url' | 'id', RegExp]>([
    ['is no PDF', data(Buffer.from('%PDF-1.7 no')), 'data', /the PDF is damaged or is none/],
    ['is cut', data(report.subarray(0, 70)), 'data', /the PDF is damaged/],
    ['has no text', data(pdfOf([''])), 'data', /the PDF has no text/],
    ['has many pages', data(pdfOf(Array(21).fill('x'))), 'data', /has more than 20 pages/],
    ['is large', data(Buffer.alloc(100_010)), 'data', /must have at most 100000 bytes/],
    ['is a picture', data(Buffer.from('GIF89a'), 'image/gif'), 'data', /is not HTML, PDF/],
    ['is lost', { url: 'https://example.com/lost' }, 'url', /answered with 404/],
    ['is nobody’s', { id: 'svc_file_none' }, 'id', /there is no file svc_file_none/],
  ])('refuses a file by its field that %s', async (_, file, source, message) => {
    const { status, text } = await refusal(door, door.asks('How much?', [file]));
    equal(status, 400, text);
    match(text, message);
    ok(text.includes(door.field(source)), text);
    equal(prompts.length, 0);
  });

  test('refuses a damaged annotation by its place', async () => {
    const asked = door.asks('How much?', [pdf]);
    const { text } = await ask(door, asked, 2);
    const before = door.turns(asked, JSON.parse(text.replace(/"hash":"[0-9a-f]+"/, '"hash":"x"')));
    const refused = await refusal(door, door.asks('And now?', [], before));
    equal(refused.status, 400);
    match(refused.text, /annotations\[0\]\.file\.hash/);
  });
});
