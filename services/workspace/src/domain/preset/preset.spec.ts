import { deepEqual } from 'node:assert/strict';
import { isPresetSlug } from '@sluice/client-schemas/presets';
import { specification } from '@sluice/es/testing';
import { describe, test } from 'vitest';
import type { SavePreset, UpdatePreset } from './commands.ts';
import { preset, versionsMax } from './decide.ts';
import type { PresetEvent, PresetVersionCreated } from './events.ts';
import { evolve, initial } from './state.ts';

const { given } = specification(preset);
const occurredAt = '2026-01-02T03:04:05.678Z';
const ids = { accountId: 'org_1', workspaceId: 'w1', presetId: 'p1' };
const content = { config: '{"temperature":0}', systemPrompt: 'Be brief.' };
const save = (more: Partial<SavePreset> = {}): SavePreset => {
  const made = { slug: 'support', versionId: 'v1', createdBy: 'ann', creatorId: 'ann' };
  return { type: 'SavePreset', ...ids, ...made, ...content, occurredAt, ...more };
};
const created: PresetEvent = {
  type: 'PresetCreated',
  data: { ...ids, slug: 'support', name: 'support', createdBy: 'ann', createdAt: occurredAt },
};
const version = (number: number, more: Partial<PresetVersionCreated['data']> = {}): PresetEvent => {
  const made = { versionId: 'v1', creatorId: 'ann', createdAt: occurredAt };
  const data = { ...ids, version: number, ...made, ...content, ...more };
  return { type: 'PresetVersionCreated', data };
};
const designated = (number: number): PresetEvent => {
  const data = { ...ids, version: number, changedAt: occurredAt };
  return { type: 'PresetVersionDesignated', data };
};
const update = (more: Partial<UpdatePreset> = {}): UpdatePreset => {
  const { accountId, workspaceId } = ids;
  const of = { accountId, workspaceId, occurredAt };
  return { type: 'UpdatePreset', ...of, changes: {}, designatedVersion: undefined, ...more };
};
const updated = (changes: UpdatePreset['changes']): PresetEvent => {
  return { type: 'PresetUpdated', data: { ...ids, changes, changedAt: occurredAt } };
};

describe('saving a preset', () => {
  test('makes it with its first version', () => given().when(save()).then(created, version(1)));
  test('makes a new version of it', () =>
    given(created, version(1))
      .when(save({ versionId: 'v2', config: '{}' }))
      .then(version(2, { versionId: 'v2', config: '{}' })));
  test('with the content that it has changes nothing', () =>
    given(created, version(1))
      .when(save({ versionId: 'v2' }))
      .thenNothing());
  test('with the content of a version that is not designated makes a version', () =>
    given(created, version(1), version(2, { config: '{}' }), designated(1))
      .when(save({ versionId: 'v3', config: '{}' }))
      .then(version(3, { versionId: 'v3', config: '{}' })));
  test('without a system prompt makes a version', () =>
    given(created, version(1))
      .when(save({ systemPrompt: null }))
      .then(version(2, { systemPrompt: null })));
  test('under a slug that is none is rejected', () =>
    given()
      .when(save({ slug: 'a/b' }))
      .thenRejected('invalid_request'));
  test('of another account is not found', () =>
    given(created, version(1))
      .when(save({ accountId: 'org_2' }))
      .thenRejected('not_found'));
  test('is rejected when it has as many versions as may be', () =>
    given(created, version(versionsMax))
      .when(save({ config: '{}' }))
      .thenRejected('conflict'));
});

describe('changing a preset', () => {
  test('notes what became another value', () =>
    given(created, version(1))
      .when(update({ changes: { name: 'support', description: 'x', status: 'disabled' } }))
      .then(updated({ description: 'x', status: 'disabled' })));
  test('to what it is changes nothing', () =>
    given(created, version(1))
      .when(update({ changes: { name: 'support', status: 'active' }, designatedVersion: 1 }))
      .thenNothing());
  test('designates another version', () =>
    given(created, version(1), version(2, { config: '{}' }))
      .when(update({ designatedVersion: 1 }))
      .then(designated(1)));
  test.each([0, 3])('rejects version %s, which it does not have', (designatedVersion) =>
    given(created, version(1), version(2))
      .when(update({ designatedVersion }))
      .thenRejected('invalid_request'),
  );
  test.each([{ name: ' ' }, { description: 'x'.repeat(501) }])('rejects %j', (changes) =>
    given(created, version(1)).when(update({ changes })).thenRejected('invalid_request'),
  );
  test('that is not there, or of another account, is not found', () => {
    given().when(update()).thenRejected('not_found');
    given(created, version(1))
      .when(update({ accountId: 'org_2' }))
      .thenRejected('not_found');
  });
});

test('a preset knows when its state changed', () => {
  const state = [created, version(1), updated({ status: 'archived' })].reduce(evolve, initial);
  const { status, statusUpdatedAt } = state as { status: string; statusUpdatedAt: string };
  deepEqual([status, statusUpdatedAt], ['archived', occurredAt]);
});

test('a slug is lower case letters, digits, and single marks', () => {
  const good = ['a', 'a-b_c', '9', 'x'.repeat(64)];
  const bad = ['', 'A', 'a--b', '-a', 'a/b', 'a b', 'ä', 'x'.repeat(65), 'a\n'];
  deepEqual(
    good.map(isPresetSlug),
    good.map(() => true),
  );
  deepEqual(
    bad.map(isPresetSlug),
    bad.map(() => false),
  );
});
