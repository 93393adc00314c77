import { deepEqual, equal, rejects } from 'node:assert/strict';
import type { UsableCredential } from '@sluice/protos/sluice/key/v1/byok_use';
import { describe, test } from 'vitest';
import { inMemoryCredentials } from '../testing/in-memory-credentials.ts';
import { askCredentials } from './ask-credentials.ts';

const question = { accountId: 'account', workspaceId: 'workspace' };

describe('the credentials that the key service tells', () => {
  test('are those of the workspace, with what they are for', async () => {
    const service = inMemoryCredentials();
    service.kept.set('c1', {
      provider: 'openai',
      secret: 'sk-canary',
      isFallback: true,
      declaredZdr: false,
      allowedModels: { values: ['openai/echo'] },
      allowedApiKeyHashes: { values: [] },
    });
    deepEqual(await askCredentials(service, question), [
      {
        id: 'c1',
        provider: 'openai',
        secretId: 'c1',
        sortOrder: 0,
        isFallback: true,
        isRequired: false,
        isByokOnly: false,
        declaredZdr: false,
        models: new Set(['openai/echo']),
        keyHashes: new Set(),
        userIds: undefined,
      },
    ]);
  });

  test('are none where one of them is not understood: nothing is called past it', async () => {
    const service = inMemoryCredentials();
    service.kept.set('c1', { provider: 'openai', secret: 'sk-canary' });
    const [good] = (await service.listUsable(question)).credentials;
    const odd: readonly UsableCredential[] = [
      { credential: undefined, secretId: 's' },
      { ...good, credential: { ...good?.credential, settings: undefined } } as UsableCredential,
      { ...good, credential: { ...good?.credential, credentialId: 'a b' } } as UsableCredential,
    ];
    for (const one of odd) {
      const credentials = [good, one] as UsableCredential[];
      const asked = askCredentials({ listUsable: async () => ({ credentials }) }, question);
      await rejects(asked, { code: 'internal' });
    }
    equal((await askCredentials(service, question)).length, 1);
  });
});
