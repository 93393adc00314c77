import type { Projection } from '@sluice/read-model';
import { byokEvents } from '../store/byok-events.ts';
import { byokSecrets } from '../store/byok-secrets.ts';

/** When a secret was replaced or its credential deleted, the sealed row is erased, with the checkpoint. */
export const eraseByokSecrets: Projection = {
  projection: 'key.erase_byok_secrets',
  version: 1,
  streamPrefixes: [byokEvents.streamPrefix],
  tables: [],
  async apply(transaction, events) {
    for (const recorded of events) {
      const event = byokEvents.decode(recorded);
      const accountId = byokEvents.idOf(recorded.stream);
      switch (event.type) {
        case 'ByokCredentialRotated':
          await byokSecrets.erase(transaction, {
            accountId,
            secretId: event.data.replacedSecretId,
          });
          break;
        case 'ByokCredentialDeleted':
          await byokSecrets.erase(transaction, { accountId, secretId: event.data.secretId });
          break;
        case 'ByokCredentialAdded':
        case 'ByokCredentialUpdated':
          break;
      }
    }
  },
};
