import { equal, rejects } from 'node:assert/strict';
import { specifyShownChanges } from '@sluice/boot/testing';
import { inject } from 'vitest';
import { aContext, aCredential, type KeyWorld, keyWorld, openToAll } from './testing/key-world.ts';

const accountId = 'org_1';
const unchanged = {
  name: undefined,
  disabled: undefined,
  includeByokInLimit: undefined,
  limit: undefined,
  limitReset: undefined,
};

async function renaming(world: KeyWorld, contextOf: () => ReturnType<typeof aContext>) {
  const { hash } = (await world.issue()).key;
  const change = { hash, ...unchanged, name: 'Renamed' };
  return {
    change: () => world.client.updateKey({ context: contextOf(), ...change }),
    look: async () => equal((await world.client.getKey({ accountId, hash })).key?.name, 'Renamed'),
  };
}

specifyShownChanges((eventStore) => keyWorld({ postgresUrl: inject('postgresUrl'), eventStore }), {
  'a new key': async (world) => {
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
  'a change of a key': async (world) => {
    const context = aContext();
    return await renaming(world, () => context);
  },
  'the same change again by another command': async (world) =>
    await renaming(world, () => aContext()),
  'the end of a key': async (world) => {
    const { hash } = (await world.issue()).key;
    const context = aContext();
    return {
      change: () => world.client.deleteKey({ context, hash }),
      look: () => rejects(world.client.getKey({ accountId, hash }), { code: 'not_found' }),
    };
  },
  'a new credential': async (world) => {
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
});
