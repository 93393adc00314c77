import { deepEqual, equal, ok } from 'node:assert/strict';
import { catalog as errorCatalog, isRejection } from '@sluice/errors';
import { composeDemands, type Demands } from '@sluice/policy';
import { describe, test } from 'vitest';
import { type CatalogEndpoint, createCatalog, type Model, modelRow } from '@sluice/catalog';
import { parseResponsesRequest } from '../dialects/responses/read/parse-request.ts';
import { serviceMetadata } from '../response/service-metadata.ts';
import { sampleEndpoint } from '@sluice/catalog/testing';
import { choose } from './choose.ts';
import { type Refused, routedOf } from './plan.ts';
import { planWithCredentials } from './plan-with-credentials.ts';
import type { Availability } from './availability.ts';

// The reasons why no endpoint is left: a row for each, with all details that the client gets.

const keepsNothing = { retains: false, trains: false, publishes: false };
const model = (
  id: string,
  facts: Partial<CatalogEndpoint> = {},
  more: Partial<Pick<Model, 'details'>> = {},
) => modelRow({ id, endpoints: [sampleEndpoint(id, 'openai', facts)], ...more });

const known = createCatalog(
  [
    model('a/text', { inputModalities: ['text'], contextLength: 1_000, outputTokensMax: 100 }),
    model('a/vectors', { outputModalities: ['embeddings'] }),
    model('a/last-day', {}, { details: { expirationDate: '2026-06-15' } }),
    model('a/gone', {}, { details: { expirationDate: '2026-06-14' } }),
    model('a/gone:free', {}, { details: { expirationDate: '2026-06-14' } }),
    model('a/hidden', { isHidden: true }),
    model('a/priority', { tier: 'priority', tag: 'openai/priority' }),
    model('a/own', { isByokOnly: true }),
    model('a/kept', {}),
    model('a/safe', { dataPolicy: keepsNothing }),
  ],
  [],
);
const nothing: Demands = {
  allowedProviders: null,
  ignoredProviders: null,
  allowedModels: null,
  ignoredModels: null,
  zeroRetention: { anthropic: null, openai: null, google: null, xai: null, other: null },
  paidTraining: null,
  freeTraining: null,
  freePublication: null,
  dataRegions: null,
  builtinFilters: [],
  customFilters: [],
  scanOutput: null,
  failMode: null,
};

function outcome(fields: object, guardrail: Partial<Demands> = {}) {
  const body = Buffer.from(JSON.stringify({ input: 'x', ...fields }));
  const request = parseResponsesRequest(body);
  ok(!isRejection(request), isRejection(request) ? request.message : '');
  const chosen = choose(request, {
    catalog: known,
    guardrails: composeDemands([{ ...nothing, ...guardrail }]),
    inputTokens: JSON.stringify(fields).length > 5_000 ? 2_000 : 10,
    now: () => new Date('2026-06-15T23:59:59.999Z'),
    condition: () => undefined,
    sticky: () => undefined,
    random: () => 0,
  });
  if (isRejection(chosen)) return chosen;
  return planWithCredentials(chosen, { credentials: [], principal: { keyHash: 'key' } });
}

interface Row {
  readonly says: string;
  readonly body: object;
  readonly guardrail?: Partial<Demands>;
  readonly http: number;
  readonly type: string;
  readonly code: string;
  readonly by?: readonly string[];
  readonly reason?: string;
  readonly constraint?: Availability['constraint'];
  readonly message: RegExp;
}

const picture = [
  { role: 'user', content: [{ type: 'input_image', image_url: 'https://a.example/b.png' }] },
];
const sound = [
  {
    role: 'user',
    content: [{ type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } }],
  },
];
const stored = [{ role: 'user', content: [{ type: 'input_image', file_id: 'file_1' }] }];
const a404 = { http: 404, type: 'not_found' } as const;
const a403 = { http: 403, type: 'permission_denied' } as const;

const rows: readonly Row[] = [
  {
    says: 'a model that does not exist',
    body: { model: 'no/such' },
    http: 400,
    type: 'invalid_request',
    code: 'model_not_found',
    message: /^no\/such is not a valid model ID$/,
  },
  {
    says: 'a model of another endpoint',
    body: { model: 'a/vectors' },
    http: 400,
    type: 'invalid_request',
    code: 'wrong_endpoint',
    by: ['endpoint_kind'],
    message: /^a\/vectors cannot be used with \/responses: it answers with embeddings$/,
  },
  {
    says: 'a model whose last day is over',
    body: { model: 'a/gone' },
    ...a404,
    code: 'model_deprecated',
    by: ['deprecated'],
    message: /^a\/gone is no longer served: its last day was 2026-06-14$/,
  },
  {
    says: 'a free variant whose last day is over',
    body: { model: 'a/gone:free' },
    ...a404,
    code: 'free_variant_ended',
    message: /^The free variant of a\/gone has ended/,
  },
  {
    says: 'a free variant that there is no longer',
    body: { model: 'a/text:free' },
    ...a404,
    code: 'free_variant_ended',
    message: /^The free variant of a\/text has ended: a\/text is served at its price$/,
  },
  {
    says: 'a model all of whose endpoints are hidden',
    body: { model: 'a/hidden' },
    ...a404,
    code: 'no_endpoints',
    by: ['disabled'],
    message: /^No endpoints found for a\/hidden$/,
  },
  {
    says: 'a service tier that was not asked for',
    body: { model: 'a/priority' },
    ...a404,
    code: 'no_endpoints',
    by: ['service_tier'],
    constraint: { field: 'service_tier', detail: 'service_tier' },
    message: /^No endpoints found/,
  },
  {
    says: 'a region that a guardrail forbids',
    body: { model: 'a/text' },
    guardrail: { dataRegions: ['europe'] },
    ...a403,
    code: 'region_restricted',
    by: ['data_region'],
    reason: 'region_not_allowed',
    message: /in this region by a guardrail$/,
  },
  {
    says: 'a model that is not on the list of a guardrail',
    body: { model: 'a/text' },
    guardrail: { allowedModels: ['a/kept'] },
    ...a403,
    code: 'no_endpoints',
    by: ['allowed_models'],
    reason: 'model_not_allowed',
    message: /^a\/text is not permitted by a guardrail$/,
  },
  {
    says: 'a model that a guardrail ignores',
    body: { model: 'a/text' },
    guardrail: { ignoredModels: ['a/text'] },
    ...a403,
    code: 'no_endpoints',
    by: ['allowed_models'],
    reason: 'model_not_allowed',
    message: /^a\/text is not permitted by a guardrail$/,
  },
  {
    says: 'a provider that is not on the list of a guardrail',
    body: { model: 'a/text' },
    guardrail: { allowedProviders: ['groq'] },
    ...a403,
    code: 'no_endpoints',
    by: ['allowed_providers'],
    reason: 'provider_not_allowed',
    message: /^No provider of a\/text \(openai\) is permitted by a guardrail$/,
  },
  {
    says: 'a provider that the request does not permit',
    body: { model: 'a/text', provider: { only: ['groq'] } },
    ...a404,
    code: 'no_endpoints',
    by: ['allowed_providers'],
    constraint: { field: 'provider', detail: 'allowed_providers' },
    message: /served by openai; the request permits groq$/,
  },
  {
    says: 'a provider that the request ignores',
    body: { model: 'a/text', provider: { ignore: ['openai'] } },
    ...a404,
    code: 'no_endpoints',
    by: ['allowed_providers'],
    constraint: { field: 'provider', detail: 'allowed_providers' },
    message: /served by openai$/,
  },
  {
    says: 'zero retention that the request wants',
    body: { model: 'a/kept', provider: { zdr: true } },
    ...a404,
    code: 'privacy_restricted',
    by: ['data_policy:zdr'],
    message: /data policy that is asked for \(data_policy:zdr\)$/,
  },
  {
    says: 'zero retention that a guardrail wants',
    body: { model: 'a/kept' },
    guardrail: { zeroRetention: { ...nothing.zeroRetention, other: true } },
    ...a404,
    code: 'privacy_restricted',
    by: ['data_policy:zdr'],
    message: /data policy/,
  },
  {
    says: 'data that may not be collected',
    body: { model: 'a/kept', provider: { data_collection: 'deny' } },
    ...a404,
    code: 'privacy_restricted',
    by: ['data_policy:training'],
    message: /data policy/,
  },
  {
    says: 'what may be distilled',
    body: { model: 'a/text', provider: { enforce_distillable_text: true } },
    ...a404,
    code: 'constraint_filtered',
    by: ['distillable'],
    constraint: { field: 'provider.enforce_distillable_text', detail: 'distillable' },
    message: /meets provider\.enforce_distillable_text$/,
  },
  {
    says: 'a picture for a model of texts',
    body: { model: 'a/text', input: picture },
    ...a404,
    code: 'constraint_filtered',
    by: ['input_modalities'],
    constraint: { field: 'input', detail: 'image' },
    message: /^No endpoint of a\/text takes image as input: it takes text$/,
  },
  {
    says: 'a sound for a model of texts',
    body: { model: 'a/text', input: sound },
    ...a404,
    code: 'constraint_filtered',
    by: ['input_modalities'],
    constraint: { field: 'input', detail: 'audio' },
    message: /^No endpoint of a\/text takes audio as input: it takes text$/,
  },
  {
    says: 'a picture from a model of texts',
    body: { model: 'a/text', modalities: ['image'] },
    ...a404,
    code: 'constraint_filtered',
    by: ['output_modalities'],
    constraint: { field: 'modalities', detail: 'image' },
    message: /^No endpoint of a\/text answers with image: it answers with text$/,
  },
  {
    says: 'a picture by the id of a file, in chat completions',
    body: { model: 'a/kept', input: stored },
    ...a404,
    code: 'constraint_filtered',
    by: ['file_references'],
    constraint: { field: 'input', detail: 'file_references' },
    message: /by the id of a file/,
  },
  {
    says: 'a tool that no endpoint runs',
    body: { model: 'a/text', tools: [{ type: 'code_interpreter', container: 'c' }] },
    ...a404,
    code: 'constraint_filtered',
    by: ['native_tools'],
    constraint: { field: 'tools', detail: 'native_tools' },
    message: /meets tools: none runs code_interpreter$/,
  },
  {
    says: 'more input than the context',
    body: {
      model: 'a/text',
      input: 'x'.repeat(6_000),
      plugins: [{ id: 'context-compression', enabled: false }],
    },
    http: 400,
    type: 'context_length_exceeded',
    code: 'constraint_filtered',
    by: ['context_length'],
    message:
      /^The request exceeds the context window of a\/text: prompt is too long: \d+ tokens > \d+ maximum\. The plugin context-compression shortens conversations$/,
  },
  {
    says: 'more output than an endpoint gives',
    body: { model: 'a/text', max_output_tokens: 101 },
    ...a404,
    code: 'constraint_filtered',
    by: ['context_length'],
    constraint: { field: 'max_output_tokens', detail: '100 at most' },
    message: /max_output_tokens is 100 at most$/,
  },
  {
    says: 'a quantization',
    body: { model: 'a/text', provider: { quantizations: ['int4'] } },
    ...a404,
    code: 'constraint_filtered',
    by: ['quantization'],
    constraint: { field: 'provider.quantizations', detail: 'quantization' },
    message: /meets provider\.quantizations$/,
  },
  {
    says: 'a price',
    body: { model: 'a/text', provider: { max_price: { prompt: '0.1' } } },
    ...a404,
    code: 'constraint_filtered',
    by: ['max_price'],
    constraint: { field: 'provider.max_price', detail: 'max_price' },
    message: /meets provider\.max_price$/,
  },
  {
    says: 'a credential of the account',
    body: { model: 'a/own' },
    ...a404,
    code: 'no_endpoints',
    by: ['byok'],
    message: /provider credentials of your own only$/,
  },
];

/** The fields of `error.availability`. */
const fields = new Set([
  'code',
  'retryable',
  'requested_models',
  'docs_url',
  'retry_after',
  'affected_providers',
  'excluded_by',
  'constraint',
  'fallback_models',
]);

describe('no endpoint is left for lack of', () => {
  test.each(rows)(
    '$says',
    ({ body, guardrail, http, type, code, by, reason, constraint, message }) => {
      const refused = outcome(body, guardrail);
      ok(isRejection(refused), 'somebody is left');
      const { http: status, errorType } = errorCatalog[refused.rejected];
      const details = refused.metadata?.['availability'] as Availability;
      deepEqual([status, errorType, details.code], [http, type, code]);
      equal(details.retryable, false);
      deepEqual(details.requested_models, [(body as { model: string }).model]);
      if (by) deepEqual(details.excluded_by, by);
      deepEqual(details.constraint, constraint);
      equal(refused.metadata?.['reason'], reason);
      deepEqual(
        Object.keys(refused.metadata ?? {}).toSorted(),
        reason === undefined ? ['availability'] : ['availability', 'reason'],
      );
      deepEqual(
        Object.keys(details).filter((name) => !fields.has(name)),
        [],
      );
      ok(message.test(refused.message), refused.message);
    },
  );

  test('nothing: each of these models answers what it can', () => {
    for (const body of [
      { model: 'a/text', max_output_tokens: 100 },
      { model: 'a/last-day' },
      { model: 'a/priority', service_tier: 'priority' },
      { model: 'a/kept', input: picture },
      { model: 'a/safe', provider: { zdr: true } },
    ])
      ok(!isRejection(outcome(body)), JSON.stringify(body));
  });

  test('a guardrail’s consent, and how it was routed is known', () => {
    const body = { models: ['a/text', 'a/kept'] };
    const refused = outcome(body, { allowedModels: ['a/safe'] }) as Refused;
    ok(isRejection(refused));
    deepEqual(serviceMetadata(routedOf(refused), [], undefined), {
      requested: 'a/text',
      strategy: 'direct',
      region: null,
      summary: 'available=0',
      attempt: 0,
      is_byok: false,
      endpoints: { total: 2, available: [] },
    });
    const details = refused.metadata?.['availability'] as Availability;
    deepEqual(details.fallback_models, ['a/kept']);
  });
});
