import { deepEqual, equal, ok } from 'node:assert/strict';
import { isRejection, type Rejection } from '@sluice/errors';
import { dialects } from '@sluice/providers';
import { composeDemands } from '@sluice/policy';
import { describe, test } from 'vitest';
import { inputModalities, loadCatalog, type Model } from '@sluice/catalog';
import { parseResponsesRequest } from '../dialects/responses/read/parse-request.ts';
import { parseEmbeddingsRequest } from '../dialects/embeddings/parse-request.ts';
import { parseRerankRequest } from '../dialects/rerank/parse-request.ts';
import { choose } from './choose.ts';

const providers = dialects.map(
  (dialect) =>
    `  - { slug: ${dialect}, name: X, dialect: ${dialect}, base_url: 'http://127.0.0.1:1/v1' }`,
);
const rows = dialects.flatMap((dialect) =>
  [
    ['silent', ''],
    ['seeing', ', input_modalities: [text, image]'],
    ['hearing', ', input_modalities: [text, audio, video]'],
    ['drawing', ', output_modalities: [text, image]'],
    ['vectors', ', output_modalities: [embeddings], input_modalities: [text, image]'],
    ['ranks', ', output_modalities: [rerank], input_modalities: [text, image]'],
  ].map(
    ([name, more]) =>
      `  - { id: ${dialect}/${name}, endpoints: [{ provider: ${dialect}, upstream_model: m, pricing: { prompt: '0', completion: '0' }${more} }] }`,
  ),
);
const catalog = loadCatalog({
  simulatorUrl: 'http://127.0.0.1:1/v1',
  file: `providers:\n${providers.join('\n')}\nmodels:\n${rows.join('\n')}\n`,
  settings: () => undefined,
});

const parts: Readonly<Record<(typeof inputModalities)[number], object>> = {
  text: { type: 'input_text', text: 'x' },
  image: { type: 'input_image', image_url: 'https://a.example/b.png' },
  file: { type: 'input_file', filename: 'f', file_url: 'https://a.example/f.pdf' },
  audio: { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } },
  video: { type: 'input_video', video_url: 'https://a.example/v.mp4' },
};

const embeddedParts: typeof parts = {
  text: { type: 'text', text: 'x' },
  image: { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
  file: { type: 'file', file: { filename: 'f', file_data: 'data:text/plain;base64,aGk=' } },
  audio: { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } },
  video: { type: 'video_url', video_url: { url: 'https://a.example/v.mp4' } },
};

const ranksDocuments = ({ outputModalities }: Model) => outputModalities.includes('rerank');
const makesVectors = ({ outputModalities }: Model) => outputModalities.includes('embeddings');

const bodyOf = (model: Model, fields: object) =>
  Buffer.from(JSON.stringify({ model: model.id, ...fields }));

function isChosen(request: Parameters<typeof choose>[0] | Rejection): boolean {
  ok(!isRejection(request), isRejection(request) ? request.message : '');
  const chosen = choose(request, {
    catalog,
    guardrails: composeDemands([]),
    inputTokens: 10,
    now: () => new Date(0),
    condition: () => undefined,
    sticky: () => undefined,
    random: () => 0,
  });
  return !isRejection(chosen);
}

const isServed = (model: Model, fields: object) =>
  isChosen(parseResponsesRequest(bodyOf(model, fields)));
const isEmbedded = (model: Model, input: readonly object[]) =>
  isChosen(parseEmbeddingsRequest(bodyOf(model, { input })));

/** Documents have no other parts than these. */
const rankedParts: Partial<typeof parts> = {
  text: { text: 'x' },
  image: { image: 'https://a.example/b.png' },
};
const isRanked = (model: Model, document: object) =>
  isChosen(parseRerankRequest(bodyOf(model, { query: 'x', documents: [document] })));

function isTaken(model: Model, kind: keyof typeof parts): boolean {
  if (makesVectors(model)) return isEmbedded(model, [{ content: [embeddedParts[kind]] }]);
  if (!ranksDocuments(model))
    return isServed(model, { input: [{ role: 'user', content: [parts[kind]] }] });
  const document = rankedParts[kind];
  return document !== undefined && isRanked(model, document);
}

const cases = catalog.listed.map((model): [string, Model] => [model.id, model]);

describe('what a model is listed with is what a request may ask of it, and nothing else:', () => {
  test.each(cases)('%s takes in', (_, model) => {
    const taken = inputModalities.filter((kind) => isTaken(model, kind));
    deepEqual(new Set(taken), new Set(model.inputModalities));
  });

  test.each(cases)('%s answers with', (_, model) => {
    for (const kind of ['text', 'image'] as const)
      equal(
        isServed(model, { input: 'x', modalities: [kind] }),
        model.outputModalities.includes(kind),
      );
  });
});

test('a model of the file that says nothing takes and gives text; the simulator takes what its dialect can say', () => {
  const of = (id: string) => catalog.find(id)?.inputModalities;
  deepEqual(of('openai-chat/silent'), ['text']);
  deepEqual(of('openai-chat/hearing'), ['text', 'audio', 'video']);
  deepEqual(of('anthropic-messages/hearing'), ['text']);
  deepEqual(of('sim/echo'), [...inputModalities]);
  deepEqual(of('sim/messages'), ['text', 'image', 'file']);
  deepEqual(of('openai-chat/vectors'), ['text']);
  deepEqual(of('google-gemini/vectors'), ['text', 'image']);
});
