import { event, type EventOf, instant, nullable, type Shape } from '@sluice/es';
import { Type } from 'typebox';

const strings = Type.Array(Type.String());

const settings = Type.Object(
  {
    name: nullable(Type.String(), 'null: it has none.'),
    disabled: Type.Boolean(),
    isFallback: Type.Boolean({ description: 'Tried only after the shared endpoints.' }),
    isRequired: Type.Boolean({
      description: 'No shared endpoint of its provider for the models that it covers.',
    }),
    isByokOnly: Type.Boolean({
      description: 'No shared endpoint of its provider for any model.',
    }),
    declaredZdr: nullable(
      Type.Boolean(),
      "The customer's own word that the provider keeps nothing; null: the provider's policy.",
    ),
    allowedModels: nullable(strings, 'null: every model.'),
    allowedApiKeyHashes: nullable(
      strings,
      'null: every key. Empty once all keys on it were deleted: no key.',
    ),
    allowedUserIds: nullable(strings, 'null: every user.'),
  },
  { description: 'The settings of a credential that people change.' },
);
export type ByokSettings = Shape<typeof settings>;

const label = Type.String({ description: 'The secret with all but its ends left out.' });
const erasedSecretId = Type.String({ description: 'Names the secret that is erased.' });

/** The events of an account's own provider credentials. Names and shapes are the storage format. */
export const byokStream = {
  category: 'byok',
  id: '<account id>',
  description:
    "An account's own provider credentials. No secret is in them: `secretId` names a sealed row.",
  events: {
    ByokCredentialAdded: event(
      'An account brought a credential of its own along, at the end of those of its provider.',
      {
        credentialId: Type.String(),
        accountId: Type.String(),
        workspaceId: Type.String(),
        provider: Type.String({ description: 'A slug of the provider registry.' }),
        secretId: Type.String({
          description: 'Names the row of the sealed secret, until it is erased.',
        }),
        label,
        settings,
        sortOrder: Type.Integer({
          description: 'Its place among those of its provider in its workspace, ascending.',
        }),
        addedAt: instant,
      },
    ),
    ByokCredentialUpdated: event('Its settings are these from now on, all of them.', {
      credentialId: Type.String(),
      settings,
      changedAt: instant,
    }),
    ByokCredentialRotated: event(
      'Another secret took the place of the one before, which is erased.',
      {
        credentialId: Type.String(),
        secretId: Type.String(),
        replacedSecretId: erasedSecretId,
        label,
        changedAt: instant,
      },
    ),
    ByokCredentialDeleted: event('It is gone for good, and its secret is erased.', {
      credentialId: Type.String(),
      secretId: erasedSecretId,
      changedAt: instant,
    }),
  },
};
export type ByokEvent = EventOf<typeof byokStream>;
export type ByokCredentialAdded = EventOf<typeof byokStream, 'ByokCredentialAdded'>;
export type ByokCredentialUpdated = EventOf<typeof byokStream, 'ByokCredentialUpdated'>;
export type ByokCredentialDeleted = EventOf<typeof byokStream, 'ByokCredentialDeleted'>;
