import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { subjectFilters } from '@sluice/bus';
import { eventually } from '@sluice/patience';
import { withoutAccountFilters } from '@sluice/read-model/testing';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { aContext, guardrailWorld, type GuardrailWorld } from './testing/guardrail-world.ts';
import { defaultWorkspaceId as workspaceId } from './testing/in-memory-directory.ts';

let world: GuardrailWorld;
beforeAll(async () => {
  world = await guardrailWorld({ postgresUrl: inject('postgresUrl') });
});
afterAll(() => world.stop());

const set = (mode: string, accountId = 'org_1') =>
  world.client.setUnsupportedFeaturesMode({ context: aContext(accountId), mode });
const read = async (accountId = 'org_1') =>
  (await world.client.getUnsupportedFeaturesMode({ accountId })).mode;
const effective = async (accountId = 'org_1') => {
  const question = { accountId, workspaceId, keyHash: 'ab'.repeat(32), userId: '' };
  return (await world.client.getEffectivePolicy(question)).unsupportedFeatures;
};

describe('the mode of an account for unsupported features', () => {
  test('is lenient at first, and no policy names it', async () => {
    equal(await read(), 'lenient');
    equal(await effective(), undefined);
  });

  test('is read as it was set, in policies too, and is no other account’s', async () => {
    for (const mode of ['strict', 'lenient', 'strict']) {
      deepEqual(await set(mode), { mode });
      equal(await read(), mode);
      equal(await effective(), mode);
    }
    equal(await read('user_2'), 'lenient');
    equal(await effective('user_2'), undefined);
    await set('lenient', 'user_2');
    equal(await effective(), 'strict');
  });

  test('is announced when it changes', async () => {
    const heard: string[] = [];
    const listening = new AbortController();
    await world.bus.subscribe(
      subjectFilters.guardrailsChanged,
      ({ subject }) => void heard.push(subject),
      { signal: listening.signal },
    );
    await set('strict', 'org_3');
    // The answer to the command sends one notice, and the reaction another.
    await eventually(async () => {
      const ofAccount = heard.filter((subject) => subject === 'changed.v1.guardrail.org_3');
      ok(ofAccount.length >= 2);
    });
    listening.abort();
  });

  test('is one of two', async () => {
    for (const mode of ['', 'Strict'])
      await rejects(set(mode, 'org_4'), { code: 'invalid_request' });
    equal(await read('org_4'), 'lenient');
  });

  test('stays with its account in a service that forgets for whom it asks', async () => {
    await set('strict', 'org_5');
    await world.restart({ database: withoutAccountFilters(world.database) });
    equal(await read('org_5'), 'strict');
    equal(await read('org_6'), 'lenient');
    equal(await effective('org_6'), undefined);
  });
});
