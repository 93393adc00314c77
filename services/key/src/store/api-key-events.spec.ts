import { join } from 'node:path';
import fc from 'fast-check';
import { storedEventsSpecification } from '@sluice/es/testing';
import { apiKey } from '../domain/api-key/decide.ts';
import { apiKeyEvents } from './api-key-events.ts';

const changedAt = fc.string();
const amount = fc.option(fc.bigInt({ min: 0n }).map(String));
const limitReset = fc.option(fc.constantFrom('daily', 'weekly', 'monthly'));
const change = <const Type extends string, Data>(type: Type, data: fc.Arbitrary<Data>) =>
  fc.record({ type: fc.constant(type), data });

storedEventsSpecification({
  codec: apiKeyEvents,
  decider: apiKey,
  goldenDirectory: join(import.meta.dirname, '../domain/api-key/golden'),
  events: {
    ApiKeyIssued: fc.record({
      type: fc.constant('ApiKeyIssued' as const),
      data: fc.record({
        hash: fc.string(),
        digest: fc.record({ pepperVersion: fc.nat(), hmacSha256: fc.string() }),
        label: fc.string(),
        kind: fc.constantFrom('regular' as const, 'management' as const),
        name: fc.string(),
        accountId: fc.string(),
        workspaceId: fc.uuid(),
        limitNanoUsd: amount,
        limitReset,
        includeByokInLimit: fc.boolean(),
        expiresAt: fc.option(fc.string()),
        creatorUserId: fc.option(fc.string()),
        externalUser: fc.option(fc.string()),
        source: fc.constantFrom('api' as const, 'dashboard' as const, 'connect_client' as const),
        issuedAt: fc.string(),
      }),
    }),
    ApiKeyRenamed: change('ApiKeyRenamed', fc.record({ name: fc.string(), changedAt })),
    ApiKeyDisabled: change('ApiKeyDisabled', fc.record({ changedAt })),
    ApiKeyEnabled: change('ApiKeyEnabled', fc.record({ changedAt })),
    ApiKeyLimitChanged: change(
      'ApiKeyLimitChanged',
      fc.record({ limitNanoUsd: amount, changedAt }),
    ),
    ApiKeyLimitResetChanged: change(
      'ApiKeyLimitResetChanged',
      fc.record({ limitReset, changedAt }),
    ),
    ApiKeyByokInclusionChanged: change(
      'ApiKeyByokInclusionChanged',
      fc.record({ includeByokInLimit: fc.boolean(), changedAt }),
    ),
    ApiKeyDeleted: change('ApiKeyDeleted', fc.record({ changedAt })),
  },
});
