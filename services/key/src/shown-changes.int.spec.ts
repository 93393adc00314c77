import { equal, rejects } from 'node:assert/strict';
import { type HeldSubscriptions, heldSubscriptions } from '@sluice/es/testing';
import { afterAll, afterEach, beforeAll, describe, inject, test } from 'vitest';
import { aContext, aCredential, type KeyWorld, keyWorld, openToAll } from './testing/key-world.ts';

let world: KeyWorld;
let store: HeldSubscriptions;
beforeAll(async () => {
  world = await keyWorld({ postgresUrl: inject('postgresUrl') });
  store = heldSubscriptions(world.eventStore);
  await world.restart({ eventStore: store });
});
afterEach(() => store.letGo());
afterAll(() => world.stop());

const accountId = 'org_1';
const notShown = { code: 'read_model_unavailable', retryAfterSeconds: 1 };
const unchanged = {
  name: undefined,
  disabled: undefined,
  includeByokInLimit: undefined,
  limit: undefined,
  limitReset: undefined,
};

interface Change {
  readonly change: () => Promise<unknown>;
  readonly look: () => Promise<unknown>;
}

/** Each change, and a look that shows it. */
const changes: Readonly<Record<string, () => Promise<Change>>> = {
  'a new key': async () => {
    const context = aContext();
    let hash = '';
    return {
      change: async () =>
        void ({
          key: { hash },
        } = await world.issue({ context, keepSecret: true })),
      look: () => world.client.getKey({ accountId, hash }),
    };
  },
  'a change of a key': async () => {
    const { hash } = (await world.issue()).key;
    const context = aContext();
    return {
      change: () => world.client.updateKey({ context, hash, ...unchanged, name: 'Renamed' }),
      look: async () =>
        equal((await world.client.getKey({ accountId, hash })).key?.name, 'Renamed'),
    };
  },
  'the same change again by another command': async () => {
    const { hash } = (await world.issue()).key;
    return {
      change: () =>
        world.client.updateKey({ context: aContext(), hash, ...unchanged, name: 'Renamed' }),
      look: async () =>
        equal((await world.client.getKey({ accountId, hash })).key?.name, 'Renamed'),
    };
  },
  'the end of a key': async () => {
    const { hash } = (await world.issue()).key;
    const context = aContext();
    return {
      change: () => world.client.deleteKey({ context, hash }),
      look: () => rejects(world.client.getKey({ accountId, hash }), { code: 'not_found' }),
    };
  },
  'a new credential': async () => {
    const context = aContext();
    let credentialId = '';
    return {
      async change() {
        const { credential } = await world.byok.addCredential({
          context,
          provider: 'openai',
          secret: aCredential.plain,
          workspaceId: '',
          settings: openToAll,
        });
        credentialId = credential?.credentialId ?? '';
      },
      look: () => world.byok.getCredential({ accountId, credentialId }),
    };
  },
};

describe('a change that the read model does not show', () => {
  test.each(Object.entries(changes))('%s is answered when it does', async (_name, make) => {
    const { change, look } = await make();
    store.hold();
    await rejects(change(), notShown);
    await rejects(change(), notShown, 'it is no less hidden when it is sent again');
    store.letGo();
    await change();
    await look();
  });
});
