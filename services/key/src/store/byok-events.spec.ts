import { join } from 'node:path';
import { storedEventsSpecification } from '@sluice/es/testing';
import fc from 'fast-check';
import { byok } from '../domain/byok/decide.ts';
import { byokEvents } from './byok-events.ts';

const list = fc.option(fc.array(fc.string()));
const settings = fc.record({
  name: fc.option(fc.string()),
  disabled: fc.boolean(),
  isFallback: fc.boolean(),
  isRequired: fc.boolean(),
  isByokOnly: fc.boolean(),
  declaredZdr: fc.option(fc.boolean()),
  allowedModels: list,
  allowedApiKeyHashes: list,
  allowedUserIds: list,
});
const credentialId = fc.uuid();
const secretId = fc.uuid();
const changedAt = fc.string();
const label = fc.string();
const event = <const Type extends string, Data>(type: Type, data: fc.Arbitrary<Data>) =>
  fc.record({ type: fc.constant(type), data });

storedEventsSpecification({
  codec: byokEvents,
  decider: byok,
  goldenDirectory: join(import.meta.dirname, '../domain/byok/golden'),
  events: {
    ByokCredentialAdded: event(
      'ByokCredentialAdded',
      fc.record({
        credentialId,
        accountId: fc.string(),
        workspaceId: fc.uuid(),
        provider: fc.string(),
        secretId,
        label,
        settings,
        sortOrder: fc.nat(),
        addedAt: fc.string(),
      }),
    ),
    ByokCredentialUpdated: event(
      'ByokCredentialUpdated',
      fc.record({ credentialId, settings, changedAt }),
    ),
    ByokCredentialRotated: event(
      'ByokCredentialRotated',
      fc.record({ credentialId, secretId, replacedSecretId: fc.uuid(), label, changedAt }),
    ),
    ByokCredentialDeleted: event(
      'ByokCredentialDeleted',
      fc.record({ credentialId, secretId, changedAt }),
    ),
  },
});
