import { streamReaction } from '@sluice/read-model';
import type { ByokEvent } from '../domain/byok/events.ts';
import { byokEvents } from '../store/byok-events.ts';
import { byokSecrets } from '../store/byok-secrets.ts';

/** When a secret was replaced or its credential deleted, the sealed row is erased, with the checkpoint. */
export const eraseByokSecrets = streamReaction(
  byokEvents,
  { projection: 'key.erase_byok_secrets', version: 1 },
  async (event, { stream }, transaction) => {
    const secretId = erasedBy(event);
    if (secretId === undefined) return;
    await byokSecrets.erase(transaction, { accountId: byokEvents.idOf(stream), secretId });
  },
);

function erasedBy({ type, data }: ByokEvent): string | undefined {
  switch (type) {
    case 'ByokCredentialRotated':
      return data.replacedSecretId;
    case 'ByokCredentialDeleted':
      return data.secretId;
    case 'ByokCredentialAdded':
    case 'ByokCredentialUpdated':
      return undefined;
  }
}
