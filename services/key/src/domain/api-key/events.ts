import { event, type EventOf, instant, nullable, type Shape } from '@sluice/es';
import { Type } from 'typebox';

const apiKeyKind = Type.Enum(['regular', 'management']);
export type ApiKeyKind = Shape<typeof apiKeyKind>;

const apiKeySource = Type.Enum(['api', 'dashboard', 'connect_client'], {
  description: 'The origin of a key. Only the connect client changes a key that it made.',
});
export type ApiKeySource = Shape<typeof apiKeySource>;

const limitReset = Type.Enum(['daily', 'weekly', 'monthly']);
export type LimitReset = Shape<typeof limitReset>;

const keyDigest = Type.Object(
  {
    pepperVersion: Type.Integer(),
    hmacSha256: Type.String({ description: '64 lower-case hex digits.' }),
  },
  {
    description:
      'HMAC-SHA256 of the whole key under a server-side pepper. Without the pepper it says nothing.',
  },
);
export type KeyDigest = Shape<typeof keyDigest>;

const limitNanoUsd = nullable(
  Type.String(),
  'A whole number of nano-USD in decimal digits; null: no cap.',
);
const window = nullable(
  limitReset,
  'When the spending window of the limit starts anew, UTC; null: never, the limit is for life.',
);

/** The events of an API key. Names and shapes are the storage format. No secrets. */
export const apiKeyStream = {
  category: 'apiKey',
  id: '<hash>',
  description: 'An API key.',
  events: {
    ApiKeyIssued: event(
      'A key was made. Its secret was shown once and is not stored: the digest can only recognize it.',
      {
        hash: Type.String({
          description: 'SHA-256 of the whole key, lower-case hex: the public handle.',
        }),
        digest: keyDigest,
        label: Type.String({
          description: 'The key with its middle left out, for people to tell keys apart.',
        }),
        kind: apiKeyKind,
        name: Type.String(),
        accountId: Type.String(),
        workspaceId: Type.String(),
        limitNanoUsd,
        limitReset: window,
        includeByokInLimit: Type.Boolean(),
        expiresAt: nullable(instant, 'null: never.'),
        creatorUserId: nullable(Type.String(), 'null: a system key.'),
        externalUser: nullable(
          Type.String(),
          "The partner's own id of the user of the key; null: none.",
        ),
        source: apiKeySource,
        issuedAt: instant,
      },
    ),
    ApiKeyRenamed: event('The name that people see was changed.', {
      name: Type.String(),
      changedAt: instant,
    }),
    ApiKeyDisabled: event(
      'From now on every request with the key is refused, until it is enabled.',
      { changedAt: instant },
    ),
    ApiKeyEnabled: event('The key works again.', { changedAt: instant }),
    ApiKeyLimitChanged: event(
      'The spending limit of the key was set, changed or removed. No usage is reset.',
      { limitNanoUsd, changedAt: instant },
    ),
    ApiKeyLimitResetChanged: event(
      'The window that the limit counts in was changed. No usage is reset.',
      { limitReset: window, changedAt: instant },
    ),
    ApiKeyByokInclusionChanged: event(
      "Whether usage on credentials of one's own counts against the limit was changed.",
      { includeByokInLimit: Type.Boolean(), changedAt: instant },
    ),
    ApiKeyDeleted: event('The key is gone for good; its usage history stays.', {
      changedAt: instant,
    }),
  },
};
export type ApiKeyEvent = EventOf<typeof apiKeyStream>;
export type ApiKeyIssued = EventOf<typeof apiKeyStream, 'ApiKeyIssued'>;
