import { deepEqual, equal } from 'node:assert/strict';
import { isRejection } from '@sluice/errors';
import { describe, test } from 'vitest';
import type { DestinationCommand } from './commands.ts';
import { destinations } from './decide.ts';
import type { DestinationSettings } from './events.ts';
import { type Destinations, initial } from './state.ts';

const occurredAt = '2026-01-02T03:04:05.678Z';
const later = '2026-01-02T04:00:00.000Z';
const settings: DestinationSettings = {
  name: 'Traces',
  enabled: true,
  privacyMode: false,
  samplingRate: 1,
  apiKeyHashes: null,
  filterRules: null,
  broadcastGenerationCost: false,
  broadcastGenerationIdentity: false,
  broadcastGenerationRequestContext: false,
  regions: ['global'],
};
const create = (destinationId: string, more: object = {}) =>
  ({
    type: 'CreateDestination',
    destinationId,
    accountId: 'org_1',
    workspaceId: 'w-1',
    destinationType: 'webhook',
    sealed: { secretId: `${destinationId}-1`, config: '{}' },
    settings,
    occurredAt,
    ...more,
  }) as const;
const change = (more: object) =>
  ({
    type: 'ChangeDestination',
    destinationId: 'd-1',
    changes: {},
    sealed: undefined,
    occurredAt: later,
    ...more,
  }) as const;

function after(...commands: readonly DestinationCommand[]): Destinations {
  let state = initial;
  for (const command of commands) {
    const events = destinations.decide(command, state);
    if (isRejection(events)) throw new Error(events.message);
    for (const event of events) state = destinations.evolve(state, event);
  }
  return state;
}

function refused(command: DestinationCommand, state: Destinations) {
  const outcome = destinations.decide(command, state);
  if (!isRejection(outcome)) return undefined;
  const { issues } = (outcome.metadata ?? {}) as { issues?: readonly { path: string }[] };
  return issues?.map(({ path }) => path) ?? outcome.rejected;
}

describe('a destination', () => {
  test('is created, changed, configured and deleted', () => {
    const changed = after(create('d-1'), change({ changes: { enabled: false, name: null } }));
    const before = { ...settings, name: null, enabled: false };
    deepEqual(changed.get('d-1')?.settings, before);
    equal(changed.get('d-1')?.updatedAt, later);
    const sealed = { secretId: 's-2', replacedSecretId: 'd-1-1', config: '{"a":1}' };
    const configured = after(create('d-1'), change({ sealed })).get('d-1');
    deepEqual([configured?.secretId, configured?.config], ['s-2', '{"a":1}']);
    const remove = { type: 'DeleteDestination', destinationId: 'd-1', occurredAt } as const;
    deepEqual(destinations.decide(remove, changed), [
      {
        type: 'DestinationDeleted',
        data: { destinationId: 'd-1', secretId: 'd-1-1', changedAt: occurredAt },
      },
    ]);
    equal(after(create('d-1'), remove).size, 0);
    equal(refused(remove, initial), 'not_found');
  });

  test('is changed only by a change', () => {
    const state = after(create('d-1'));
    deepEqual(destinations.decide(change({}), state), []);
    deepEqual(
      destinations.decide(change({ changes: { regions: ['global', 'global'] } }), state),
      [],
    );
    equal(refused(change({ destinationId: 'd-2' }), state), 'not_found');
  });

  test('is not configured over another change of its config', () => {
    const sealed = { secretId: 's-3', replacedSecretId: 's-0', config: '{}' };
    equal(refused(change({ sealed }), after(create('d-1'))), 'conflict');
  });

  test('is one of five of its type in its workspace', () => {
    const five = [1, 2, 3, 4, 5].map((number) => create(`d-${number}`));
    const state = after(...five);
    equal(refused(create('d-6'), state), 'conflict');
    equal(refused(create('d-6', { destinationType: 's3' }), state), undefined);
    equal(refused(create('d-6', { workspaceId: 'w-2' }), state), undefined);
    const remove = { type: 'DeleteDestination', destinationId: 'd-3', occurredAt } as const;
    equal(refused(create('d-6'), after(...five, remove)), undefined);
    equal(refused(create('d-1'), after(create('d-1'))), 'conflict');
  });

  test('is disabled with its workspace, once', () => {
    const disable = {
      type: 'DisableDestinationsOfWorkspace',
      workspaceId: 'w-1',
      occurredAt,
    } as const;
    const all = [create('d-1'), create('d-2', { workspaceId: 'w-2' })];
    const state = after(...all, disable);
    deepEqual(
      [...state.values()].map((one) => one.settings.enabled),
      [false, true],
    );
    deepEqual(destinations.decide(disable, state), []);
  });
});

describe('settings are refused', () => {
  const rules = (field: string) =>
    JSON.stringify({ groups: [{ rules: [{ field, operator: 'exists' }] }] });

  test.each<[changes: Partial<DestinationSettings>, paths: readonly string[]]>([
    [{ name: '' }, ['name']],
    [{ name: 'x'.repeat(201) }, ['name']],
    [{ name: 'a\u0000b' }, ['name']],
    [{ samplingRate: 0 }, ['sampling_rate']],
    [{ samplingRate: 1.1 }, ['sampling_rate']],
    [{ samplingRate: NaN }, ['sampling_rate']],
    [{ apiKeyHashes: [] }, ['api_key_hashes']],
    [{ apiKeyHashes: ['x'] }, ['api_key_hashes']],
    [{ regions: [] }, ['regions']],
    [{ regions: ['asia'] }, ['regions']],
    [{ filterRules: '{' }, ['filter_rules']],
    [{ filterRules: rules('color') }, ['filter_rules.groups[0].rules[0].field']],
    [{ filterRules: rules('input'), privacyMode: true }, ['filter_rules.groups[0].rules[0].field']],
  ])('%j', (changes, paths) => {
    deepEqual(refused(create('d-1', { settings: { ...settings, ...changes } }), initial), paths);
    deepEqual(refused(change({ changes }), after(create('d-1'))), paths);
  });

  test('also when only the change brings the conflict', () => {
    const state = after(create('d-1', { settings: { ...settings, filterRules: rules('output') } }));
    deepEqual(refused(change({ changes: { privacyMode: true } }), state), [
      'filter_rules.groups[0].rules[0].field',
    ]);
  });
});
