import { describe, test } from 'vitest';
import { specification } from '@sluice/es/testing';
import type { ChangeDefaultGuardrail, CreateGuardrail, WantedGuardrail } from './commands.ts';
import { guardrail } from './decide.ts';
import type { GuardrailEvent } from './events.ts';
import { defaultGuardrailName, emptyPolicy } from './state.ts';

const { given } = specification(guardrail);
const occurredAt = '2026-01-02T03:04:05.678Z';
const accountId = 'org_1';
const guardrailId = '0190a000-0000-7000-8000-000000000020';
const workspaceId = '0190a000-0000-7000-8000-000000000010';
const place = { guardrailId, accountId, workspaceId };

const create = (wanted: WantedGuardrail): CreateGuardrail => ({
  type: 'CreateGuardrail',
  ...place,
  wanted: { name: 'Research', ...wanted },
  occurredAt,
});
const created = (policy: object = {}): GuardrailEvent => ({
  type: 'GuardrailCreated',
  data: {
    ...place,
    name: 'Research',
    description: null,
    policy: { ...emptyPolicy, ...policy },
    createdAt: occurredAt,
  },
});
const change = (wanted: WantedGuardrail, of = accountId) =>
  ({ type: 'ChangeGuardrail', accountId: of, wanted, occurredAt }) as const;
const updated = (changes: object): GuardrailEvent => ({
  type: 'GuardrailUpdated',
  data: { changes, changedAt: occurredAt },
});
const changeDefault = (wanted: WantedGuardrail): ChangeDefaultGuardrail => ({
  type: 'ChangeDefaultGuardrail',
  ...place,
  wanted,
  occurredAt,
});
const materialized = (policy: object = {}): GuardrailEvent => ({
  type: 'DefaultGuardrailMaterialized',
  data: {
    ...place,
    description: null,
    policy: { ...emptyPolicy, ...policy },
    createdAt: occurredAt,
  },
});
const remove = (of = accountId) =>
  ({ type: 'DeleteGuardrail', accountId: of, occurredAt }) as const;
const deleted: GuardrailEvent = { type: 'GuardrailDeleted', data: { deletedAt: occurredAt } };

/** Each is as good for a new guardrail as for one that is changed. */
const malformed: readonly (readonly [string, WantedGuardrail])[] = [
  ['an empty name', { name: ' ' }],
  ['a name of 201 characters', { name: 'n'.repeat(201) }],
  ['a name with a control character', { name: 'a\0b' }],
  ['a description of 1001 characters', { description: 'd'.repeat(1_001) }],
  ['a description with half a character', { description: 'a\ud83d' }],
  ['a limit of 0', { limitNanoUsd: 0n, resetInterval: 'daily' }],
  ['a negative limit', { limitNanoUsd: -1n, resetInterval: 'daily' }],
  ['a limit above a billion USD', { limitNanoUsd: 10n ** 18n + 1n, resetInterval: 'daily' }],
  ['a limit for life', { limitNanoUsd: 1n, resetInterval: 'lifetime' }],
  ['a limit without an interval', { limitNanoUsd: 1n }],
  ['an interval without a limit', { resetInterval: 'daily' }],
  ['no allowed provider at all', { allowedProviders: [] }],
  ['no ignored provider at all', { ignoredProviders: [] }],
  ['no allowed model at all', { allowedModels: [] }],
  ['no ignored model at all', { ignoredModels: [] }],
  ['a slug with a space', { allowedModels: ['a b'] }],
  ['a slug of 201 characters', { allowedProviders: ['p'.repeat(201)] }],
  ['too many models', { allowedModels: Array.from({ length: 1_001 }, (_, index) => `m/${index}`) }],
  ['no region at all', { dataRegions: [] }],
  ['another region', { dataRegions: ['moon'] }],
  ['another filter', { builtinFilters: [{ slug: 'iban', action: 'block', scanScope: null }] }],
  ['another action', { builtinFilters: [{ slug: 'email', action: 'mask', scanScope: null }] }],
  [
    'a filter twice',
    {
      builtinFilters: [
        { slug: 'email', action: 'block', scanScope: null },
        { slug: 'email', action: 'flag', scanScope: null },
      ],
    },
  ],
  [
    'a scan scope of another filter than that for injections',
    { builtinFilters: [{ slug: 'email', action: 'block', scanScope: 'user_only' }] },
  ],
  [
    'another scan scope',
    { builtinFilters: [{ slug: 'regex-prompt-injection', action: 'block', scanScope: 'none' }] },
  ],
  ['another unit of output', { scanOutput: 'paragraph' }],
  ['an empty unit of output', { scanOutput: '' }],
  ['another fail mode', { failMode: 'flag' }],
  ['an empty pattern', { customFilters: [{ pattern: '', action: 'flag', label: null }] }],
  [
    'a pattern of 100,001 characters',
    { customFilters: [{ pattern: 'x'.repeat(100_001), action: 'flag', label: null }] },
  ],
  [
    'a pattern with a zero byte',
    { customFilters: [{ pattern: 'a\0', action: 'flag', label: null }] },
  ],
  [
    'a label of 101 characters',
    { customFilters: [{ pattern: 'x', action: 'flag', label: 'l'.repeat(101) }] },
  ],
  [
    'another action of one’s own filter',
    { customFilters: [{ pattern: 'x', action: '', label: null }] },
  ],
  [
    '101 filters of one’s own',
    {
      customFilters: Array.from({ length: 101 }, () => ({
        pattern: 'x',
        action: 'flag',
        label: null,
      })),
    },
  ],
  [
    'more bytes of patterns than travel',
    {
      customFilters: Array.from({ length: 5 }, () => ({
        pattern: 'ü'.repeat(50_000),
        action: 'flag',
        label: null,
      })),
    },
  ],
];

describe('creating a guardrail', () => {
  test('demands nothing that is not asked for', () => given().when(create({})).then(created()));

  test('keeps all that is asked for', () => {
    const wanted: WantedGuardrail = {
      limitNanoUsd: 50_000_000_000n,
      resetInterval: 'daily',
      includeByok: true,
      allowedProviders: ['openai'],
      ignoredModels: ['openai/gpt-5-mini'],
      zeroRetentionOther: true,
      paidTraining: false,
      dataRegions: ['europe', 'us'],
      builtinFilters: [],
      customFilters: [],
    };
    return given()
      .when(create(wanted))
      .then(created({ ...wanted, limitNanoUsd: '50000000000' }));
  });

  test('names once what is named twice', () =>
    given()
      .when(create({ allowedProviders: ['openai', 'groq', 'openai'], dataRegions: ['us', 'us'] }))
      .then(created({ allowedProviders: ['openai', 'groq'], dataRegions: ['us'] })));

  test('without a name is rejected', () =>
    given()
      .when({ ...create({}), wanted: {} })
      .thenRejected('invalid_request'));

  test.each(malformed)('with %s is rejected', (_what, wanted) =>
    given().when(create(wanted)).thenRejected('invalid_request'),
  );

  test('under an id that is taken is rejected', () =>
    given(created()).when(create({})).thenRejected('conflict'));
});

describe('changing a guardrail', () => {
  test('changes what is named, and says only that', () =>
    given(created({ allowedProviders: ['openai'], zeroRetentionXai: true }))
      .when(
        change({
          name: 'Other',
          allowedProviders: ['groq'],
          zeroRetentionXai: true,
          includeByok: false,
        }),
      )
      .then(updated({ name: 'Other', allowedProviders: ['groq'] })));

  test('to what it is already changes nothing', () =>
    given(created({ allowedProviders: ['openai'] }))
      .when(change({ name: 'Research', description: null, allowedProviders: ['openai'] }))
      .thenNothing());

  test('of nothing changes nothing', () => given(created()).when(change({})).thenNothing());

  test('to null takes away what it demanded', () =>
    given(created({ allowedModels: ['a/b'], builtinFilters: [] }))
      .when(change({ allowedModels: null, builtinFilters: null }))
      .then(updated({ allowedModels: null, builtinFilters: null })));

  test('replaces a list as a whole', () =>
    given(created({ allowedModels: ['a/b', 'a/c'] }))
      .when(change({ allowedModels: ['a/d'] }))
      .then(updated({ allowedModels: ['a/d'] })));

  test('judges limit and interval by what would be then', () => {
    const limited = created({ limitNanoUsd: '5', resetInterval: 'daily' });
    given(limited)
      .when(change({ limitNanoUsd: 7n }))
      .then(updated({ limitNanoUsd: '7' }));
    given(limited)
      .when(change({ resetInterval: 'weekly' }))
      .then(updated({ resetInterval: 'weekly' }));
    given(limited)
      .when(change({ limitNanoUsd: null, resetInterval: null }))
      .then(updated({ limitNanoUsd: null, resetInterval: null }));
    given(limited)
      .when(change({ limitNanoUsd: null }))
      .thenRejected('invalid_request');
    given(limited)
      .when(change({ resetInterval: null }))
      .thenRejected('invalid_request');
  });

  test.each(malformed)('with %s is rejected', (_what, wanted) =>
    given(created()).when(change(wanted)).thenRejected('invalid_request'),
  );

  test('of another account is rejected as unknown', () =>
    given(created())
      .when(change({ name: 'x' }, 'org_2'))
      .thenRejected('not_found'));

  test('that does not exist, or no more, is rejected', () => {
    given().when(change({})).thenRejected('not_found');
    given(created(), deleted).when(change({})).thenRejected('not_found');
  });
});

describe('the default guardrail of a workspace', () => {
  const derived = defaultGuardrailName(workspaceId);

  test('is configured by its first change', () =>
    given()
      .when(changeDefault({ zeroRetentionOther: true }))
      .then(materialized({ zeroRetentionOther: true })));

  test('is configured even by a change of nothing', () =>
    given().when(changeDefault({})).then(materialized()));

  test('is changed like another one from then on', () =>
    given(materialized({ zeroRetentionOther: true }))
      .when(changeDefault({ zeroRetentionOther: null, description: 'ours' }))
      .then(updated({ description: 'ours', zeroRetentionOther: null })));

  test('keeps the name that follows from its workspace', () => {
    given()
      .when(changeDefault({ name: 'Mine' }))
      .thenRejected('invalid_request');
    given(materialized())
      .when(changeDefault({ name: 'Mine' }))
      .thenRejected('invalid_request');
    given(materialized())
      .when(changeDefault({ name: derived }))
      .thenNothing();
    given()
      .when(changeDefault({ name: derived }))
      .then(materialized());
  });

  test('is reset by deleting it, and configured anew', () => {
    given(materialized()).when(remove()).then(deleted);
    given(materialized(), deleted).when(remove()).thenRejected('not_found');
    given(materialized({ includeByok: true }), deleted)
      .when(changeDefault({}))
      .then(materialized());
  });

  test.each(malformed)('with %s is rejected', (_what, wanted) =>
    given().when(changeDefault(wanted)).thenRejected('invalid_request'),
  );
});

describe('content filters', () => {
  const builtinFilters = [{ slug: 'email', action: 'redact', scanScope: null }] as const;
  const customFilters = [{ pattern: 'x+', action: 'block', label: '[X]' }] as const;

  test('are kept as they are asked for, and go with null', () => {
    given().when(create({ builtinFilters })).then(created({ builtinFilters }));
    given().when(create({ customFilters })).then(created({ customFilters }));
    given(created({ builtinFilters, customFilters }))
      .when(change({ builtinFilters: null }))
      .then(updated({ builtinFilters: null }));
  });
});

describe('the scan of the output and the fail mode', () => {
  test('are kept as they are asked for, without any filter as well, and go with null', () => {
    const modes = { scanOutput: 'sentence', failMode: 'pass' } as const;
    given().when(create(modes)).then(created(modes));
    given()
      .when(changeDefault({ failMode: 'block' }))
      .then(materialized({ failMode: 'block' }));
    given(created(modes))
      .when(change({ scanOutput: 'end', failMode: 'pass' }))
      .then(updated({ scanOutput: 'end' }));
    given(created(modes))
      .when(change({ scanOutput: null, failMode: null }))
      .then(updated({ scanOutput: null, failMode: null }));
    given(created())
      .when(change({ scanOutput: null, failMode: null }))
      .thenNothing();
  });
});

describe('deleting a guardrail', () => {
  test('deletes it', () => given(created()).when(remove()).then(deleted));
  test('again is rejected', () =>
    given(created(), deleted).when(remove()).thenRejected('not_found'));
  test('of another account is rejected as unknown', () =>
    given(created()).when(remove('org_2')).thenRejected('not_found'));
});
