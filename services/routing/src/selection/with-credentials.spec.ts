import { deepEqual, equal, ok } from 'node:assert/strict';
import { isRejection } from '@sluice/errors';
import { openAiChat } from '@sluice/providers';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { endpointRow, modelRow } from '@sluice/catalog';
import type { Credential } from '../credentials/credential.ts';
import type { Candidate } from './candidate.ts';
import { planWithCredentials } from './plan-with-credentials.ts';
import { type CredentialDemands, withCredentials } from './with-credentials.ts';

const pricing = { prompt: '0', completion: '0' };
/** `<model> <provider>`, in the order in which they are to be tried. */
function candidates(...names: readonly string[]): readonly Candidate[] {
  return names.map((name) => {
    const [id = '', provider = '', only] = name.split(' ');
    const endpoint = endpointRow(
      id,
      {
        provider,
        dialect: 'openai-chat',
        baseUrl: 'https://provider.invalid',
        apiKey: undefined,
        upstreamModel: 'model',
        chat: openAiChat,
      },
      pricing,
      { isByokOnly: only === 'byok-only' },
    );
    return { model: modelRow({ id, endpoints: [endpoint] }), endpoint };
  });
}
const own = (id: string, provider: string, more: Partial<Credential> = {}): Credential => ({
  id,
  provider,
  secretId: id,
  sortOrder: 0,
  isFallback: false,
  isRequired: false,
  isByokOnly: false,
  declaredZdr: undefined,
  models: undefined,
  keyHashes: undefined,
  userIds: undefined,
  ...more,
});
const principal = { keyHash: 'key', creatorUserId: 'user' };
const planned = (
  ordered: readonly Candidate[],
  credentials: readonly Credential[],
  more: Partial<CredentialDemands> = {},
) =>
  withCredentials(ordered, { credentials, principal, ...more }).map(
    ({ model, endpoint, credential }) =>
      [model.id, endpoint.endpoint.provider, credential?.id ?? 'shared'].join(' '),
  );

describe('own credentials', () => {
  const two = candidates('a/one openai', 'a/one azure');

  test('are tried before the shared endpoints, in the order of the endpoints and then in theirs', () => {
    const credentials = [
      own('o2', 'openai', { sortOrder: 2 }),
      own('z1', 'azure'),
      own('o1', 'openai', { sortOrder: 1 }),
    ];
    deepEqual(planned(two, credentials), [
      'a/one openai o1',
      'a/one openai o2',
      'a/one azure z1',
      'a/one openai shared',
      'a/one azure shared',
    ]);
  });

  test('are tried after them as fallback', () => {
    const credentials = [own('f', 'openai', { isFallback: true }), own('z', 'azure')];
    deepEqual(planned(two, credentials), [
      'a/one azure z',
      'a/one openai shared',
      'a/one azure shared',
      'a/one openai f',
    ]);
  });

  test('leave the plan as it is where there are none', () => {
    equal(withCredentials(two, { credentials: [], principal }), two);
    deepEqual(planned(two, [own('m', 'mistral')]), planned(two, []));
  });

  test('of one model go before those of the next one, unless models are mixed', () => {
    const models = candidates('a/one openai', 'b/two openai');
    const credentials = [own('o', 'openai')];
    deepEqual(planned(models, credentials), [
      'a/one openai o',
      'a/one openai shared',
      'b/two openai o',
      'b/two openai shared',
    ]);
    deepEqual(planned(models, credentials, { mixesModels: true }), [
      'a/one openai o',
      'b/two openai o',
      'a/one openai shared',
      'b/two openai shared',
    ]);
  });
});

describe('a credential is for', () => {
  const one = candidates('a/one:free openai');
  test.for<[string, Partial<Credential>, boolean]>([
    ['its models', { models: new Set(['a/one:free']) }, true],
    ['all variants of its models', { models: new Set(['a/one']) }, true],
    ['no other model', { models: new Set(['a/on']) }, false],
    ['its keys', { keyHashes: new Set(['key']) }, true],
    ['no other key', { keyHashes: new Set(['other']) }, false],
    ['nobody when all its keys are gone', { keyHashes: new Set() }, false],
    ['its members', { userIds: new Set(['user']) }, true],
    ['no other member', { userIds: new Set(['other']) }, false],
    ['those for whom each list speaks', { models: new Set(['a/one']), userIds: new Set() }, false],
  ])('%s', ([, settings, isFor]) => {
    deepEqual(
      planned(one, [own('o', 'openai', settings)]),
      isFor ? ['a/one:free openai o', 'a/one:free openai shared'] : ['a/one:free openai shared'],
    );
  });

  test('no member if the key has no creator', () => {
    const credentials = [own('o', 'openai', { userIds: new Set(['user']) })];
    deepEqual(planned(one, credentials, { principal: { keyHash: 'key' } }), [
      'a/one:free openai shared',
    ]);
  });
});

describe('the shared endpoints of a provider', () => {
  const models = candidates('a/one openai', 'a/one azure', 'b/two openai');
  const covered = { models: new Set(['a/one']) };

  test('are left out for the models that a required credential covers', () => {
    deepEqual(planned(models, [own('o', 'openai', { isRequired: true, ...covered })]), [
      'a/one openai o',
      'a/one azure shared',
      'b/two openai shared',
    ]);
  });

  test('are left out for all models by one that is BYOK-only', () => {
    deepEqual(planned(models, [own('o', 'openai', { isByokOnly: true, ...covered })]), [
      'a/one openai o',
      'a/one azure shared',
    ]);
  });

  test('are there for whom such a credential is not', () => {
    const others = { isRequired: true, isByokOnly: true, keyHashes: new Set(['other']) };
    deepEqual(planned(models, [own('o', 'openai', others)]).length, 3);
  });

  test('are none where the platform has no credential', () => {
    const only = candidates('a/one openai byok-only', 'a/one azure');
    deepEqual(planned(only, []), ['a/one azure shared']);
    deepEqual(planned(only, [own('o', 'openai', { isFallback: true })]), [
      'a/one azure shared',
      'a/one openai o',
    ]);
  });
});

describe('a request for zero retention', () => {
  const kept = candidates('a/one azure');
  const clean = candidates('a/one openai');
  const demands = { demandsZeroRetention: true, retaining: kept };

  test('gets a retaining provider through a credential that declares otherwise, and no other way', () => {
    const declares = own('z', 'azure', { declaredZdr: true });
    deepEqual(planned(clean, [declares], demands), ['a/one azure z', 'a/one openai shared']);
    deepEqual(planned(clean, [own('z', 'azure')], demands), ['a/one openai shared']);
  });

  test('gets no credential that declares that things are kept', () => {
    const declares = own('o', 'openai', { declaredZdr: false });
    deepEqual(planned(clean, [declares], demands), ['a/one openai shared']);
    deepEqual(planned(clean, [declares]), ['a/one openai o', 'a/one openai shared']);
  });
});

describe('a plan', () => {
  const plan = (ordered: readonly Candidate[]) => {
    const [first, ...others] = ordered;
    if (!first) throw new Error('a plan has an attempt');
    return {
      requested: 'a/one',
      requestedModels: ['a/one'],
      strategy: 'direct' as const,
      askedFirst: ['a/b'],
      attempts: [first, ...others] as const,
      explanation: { candidates: ordered, excluded: [], order: [] },
    };
  };

  test('says of each attempt why it is where it is', () => {
    const credentials = [own('o', 'openai'), own('f', 'openai', { isFallback: true })];
    const answer = planWithCredentials(plan(candidates('a/one openai')), {
      credentials,
      principal,
    });
    if (isRejection(answer)) throw new Error(answer.message);
    deepEqual(
      answer.explanation.order.map(({ reason }) => reason),
      ['own credential', 'shared', 'fallback credential'],
    );
  });

  test('says which endpoints are left out for want of a credential', () => {
    const ordered = candidates('a/one openai', 'a/one azure byok-only', 'b/two groq');
    const credentials = [own('g', 'groq', { isByokOnly: true, models: new Set(['a/one']) })];
    const answer = planWithCredentials(plan(ordered), { credentials, principal });
    if (isRejection(answer)) throw new Error(answer.message);
    deepEqual(
      answer.explanation.excluded.map(({ filter, detail }) => [filter, detail]),
      [
        ['byok', 'the platform has no credential for it'],
        ['byok', 'a credential of the account takes its place'],
      ],
    );
  });

  test('is none where only own credentials would do', () => {
    const answer = planWithCredentials(plan(candidates('a/one openai byok-only')), {
      credentials: [],
      principal,
    });
    equal(isRejection(answer) && answer.rejected, 'not_found');
    const reason = isRejection(answer) ? answer.metadata?.['availability'] : undefined;
    equal((reason as { readonly code: string }).code, 'no_endpoints');
  });

  test('has one attempt if fallbacks are off', () => {
    const credentials = [own('o', 'openai'), own('p', 'openai')];
    const demands = { credentials, principal, isFirstOnly: true };
    const answer = planWithCredentials(plan(candidates('a/one openai')), demands);
    if (isRejection(answer)) throw new Error(answer.message);
    deepEqual(
      answer.attempts.map(({ credential }) => credential?.id),
      ['o'],
    );
  });
});

test('whatever there is, no attempt comes twice and each shared endpoint has one unless it is taken over', () => {
  const name = fc.constantFrom(
    'a/one openai',
    'a/one azure',
    'b/two openai',
    'b/two groq byok-only',
  );
  const credential = fc.record({
    provider: fc.constantFrom('openai', 'azure', 'groq', 'mistral'),
    sortOrder: fc.nat(3),
    isFallback: fc.boolean(),
    isRequired: fc.boolean(),
    isByokOnly: fc.boolean(),
    models: fc.constantFrom(undefined, new Set(['a/one']), new Set<string>()),
    keyHashes: fc.constantFrom(undefined, new Set(['key']), new Set(['other'])),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(name),
      fc.array(credential, { maxLength: 30 }),
      fc.boolean(),
      (names, given, mixesModels) => {
        const ordered = candidates(...names);
        const credentials = given.map((each, index) => own(String(index), each.provider, each));
        const attempts = withCredentials(ordered, { credentials, principal, mixesModels });
        const texts = attempts.map((one) => `${one.endpoint.id} ${one.credential?.id ?? ''}`);
        equal(new Set(texts).size, texts.length);
        ok(attempts.length <= ordered.length * 21);
        for (const { credential: used, endpoint } of attempts) {
          equal(used?.provider ?? endpoint.endpoint.provider, endpoint.endpoint.provider);
          ok(!used?.keyHashes?.has('other'));
          ok(used !== undefined || !endpoint.isByokOnly);
        }
        const isOpen = ({ endpoint }: Candidate) =>
          !endpoint.isByokOnly &&
          !credentials.some(
            ({ provider, isByokOnly, isRequired, keyHashes }) =>
              provider === endpoint.endpoint.provider &&
              (isByokOnly || isRequired) &&
              keyHashes?.has('other') !== true,
          );
        const shared = attempts.filter((one) => !one.credential).map(({ endpoint }) => endpoint.id);
        for (const one of ordered.filter(isOpen)) ok(shared.includes(one.endpoint.id));
      },
    ),
  );
});
