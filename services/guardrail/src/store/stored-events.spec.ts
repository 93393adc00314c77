import { join } from 'node:path';
import fc from 'fast-check';
import { describe } from 'vitest';
import { storedEventsSpecification } from '@sluice/es/testing';
import { guardrail } from '../domain/guardrail/decide.ts';
import { guardrailPhrases } from '../domain/guardrail-phrases/decide.ts';
import { guardrailWorkspace } from '../domain/guardrail-workspace/decide.ts';
import { keyGuardrail } from '../domain/key-guardrail/decide.ts';
import { memberGuardrail } from '../domain/member-guardrail/decide.ts';
import { unsupportedFeatures } from '../domain/unsupported-features/decide.ts';
import { guardrailEvents } from './guardrail-events.ts';
import { guardrailPhrasesEvents } from './guardrail-phrases-events.ts';
import { guardrailWorkspaceEvents } from './guardrail-workspace-events.ts';
import { keyGuardrailEvents } from './key-guardrail-events.ts';
import { memberGuardrailEvents } from './member-guardrail-events.ts';
import { unsupportedFeaturesEvents } from './unsupported-features-events.ts';

const golden = (aggregate: string) => join(import.meta.dirname, '../domain', aggregate, 'golden');
const event = <const Type extends string, Data>(type: Type, data: fc.Arbitrary<Data>) =>
  fc.record({ type: fc.constant(type), data });

const at = fc.string();
const flag = fc.option(fc.boolean());
const slugs = fc.option(fc.array(fc.string()));
const action = fc.constantFrom('redact' as const, 'block' as const, 'flag' as const);
const policyOf = {
  limitNanoUsd: fc.option(fc.bigInt({ min: 1n }).map(String)),
  resetInterval: fc.option(fc.constantFrom('daily', 'weekly', 'monthly')),
  includeByok: fc.boolean(),
  allowedProviders: slugs,
  ignoredProviders: slugs,
  allowedModels: slugs,
  ignoredModels: slugs,
  zeroRetentionAnthropic: flag,
  zeroRetentionOpenai: flag,
  zeroRetentionGoogle: flag,
  zeroRetentionXai: flag,
  zeroRetentionOther: flag,
  paidTraining: flag,
  freeTraining: flag,
  freePublication: flag,
  dataRegions: fc.option(fc.array(fc.constantFrom('global', 'europe', 'us'))),
  builtinFilters: fc.option(
    fc.array(
      fc.record({
        slug: fc.constantFrom('email', 'regex-prompt-injection'),
        action,
        scanScope: fc.option(fc.constantFrom('user_only', 'all_messages')),
      }),
    ),
  ),
  customFilters: fc.option(
    fc.array(fc.record({ pattern: fc.string(), action, label: fc.option(fc.string()) })),
  ),
  scanOutput: fc.option(fc.constantFrom('sentence', 'end')),
  failMode: fc.option(fc.constantFrom('block', 'pass')),
} as const;
const place = { guardrailId: fc.uuid(), accountId: fc.string() };

describe('guardrails', () => {
  storedEventsSpecification({
    codec: guardrailEvents,
    decider: guardrail,
    goldenDirectory: golden('guardrail'),
    events: {
      GuardrailCreated: event(
        'GuardrailCreated',
        fc.record({
          ...place,
          workspaceId: fc.option(fc.uuid()),
          name: fc.string(),
          description: fc.option(fc.string()),
          policy: fc.record(policyOf),
          createdAt: at,
        }),
      ),
      DefaultGuardrailMaterialized: event(
        'DefaultGuardrailMaterialized',
        fc.record({
          ...place,
          workspaceId: fc.uuid(),
          description: fc.option(fc.string()),
          policy: fc.record(policyOf),
          createdAt: at,
        }),
      ),
      GuardrailUpdated: event(
        'GuardrailUpdated',
        fc.record({
          changes: fc.record(
            { name: fc.string(), description: fc.option(fc.string()), ...policyOf },
            { requiredKeys: [] },
          ),
          changedAt: at,
        }),
      ),
      GuardrailDeleted: event('GuardrailDeleted', fc.record({ deletedAt: at })),
    },
  });
});

describe('guardrails of keys', () => {
  const key = { accountId: fc.string(), keyHash: fc.string() };
  storedEventsSpecification({
    codec: keyGuardrailEvents,
    decider: keyGuardrail,
    goldenDirectory: golden('key-guardrail'),
    events: {
      GuardrailAssignedToKey: event(
        'GuardrailAssignedToKey',
        fc.record({
          ...key,
          assignmentId: fc.uuid(),
          guardrailId: fc.uuid(),
          keyLabel: fc.string(),
          assignedBy: fc.option(fc.string()),
          assignedAt: at,
        }),
      ),
      GuardrailUnassignedFromKey: event(
        'GuardrailUnassignedFromKey',
        fc.record({ ...key, guardrailId: fc.uuid(), unassignedAt: at }),
      ),
      GuardrailKeyRetired: event('GuardrailKeyRetired', fc.record({ ...key, retiredAt: at })),
    },
  });
});

describe('guardrails of members', () => {
  const member = {
    accountId: fc.string(),
    userId: fc.string(),
    guardrailId: fc.uuid(),
    workspaceId: fc.option(fc.uuid()),
  };
  storedEventsSpecification({
    codec: memberGuardrailEvents,
    decider: memberGuardrail,
    goldenDirectory: golden('member-guardrail'),
    events: {
      GuardrailAssignedToMember: event(
        'GuardrailAssignedToMember',
        fc.record({
          ...member,
          assignmentId: fc.uuid(),
          assignedBy: fc.option(fc.string()),
          assignedAt: at,
        }),
      ),
      GuardrailUnassignedFromMember: event(
        'GuardrailUnassignedFromMember',
        fc.record({ ...member, unassignedAt: at }),
      ),
    },
  });
});

describe('workspaces of guardrails', () => {
  storedEventsSpecification({
    codec: guardrailWorkspaceEvents,
    decider: guardrailWorkspace,
    goldenDirectory: golden('guardrail-workspace'),
    events: {
      GuardrailWorkspaceEnded: event(
        'GuardrailWorkspaceEnded',
        fc.record({ accountId: fc.string(), workspaceId: fc.uuid(), endedAt: at }),
      ),
    },
  });
});

describe('phrases of guardrails', () => {
  storedEventsSpecification({
    codec: guardrailPhrasesEvents,
    decider: guardrailPhrases,
    goldenDirectory: golden('guardrail-phrases'),
    events: {
      GuardrailPhrasesSet: event(
        'GuardrailPhrasesSet',
        fc.record({ accountId: fc.string(), phrases: fc.array(fc.string()), setAt: at }),
      ),
    },
  });
});

describe('modes for unsupported features', () => {
  const mode = fc.constantFrom('lenient' as const, 'strict' as const);
  storedEventsSpecification({
    codec: unsupportedFeaturesEvents,
    decider: unsupportedFeatures,
    goldenDirectory: golden('unsupported-features'),
    events: {
      UnsupportedFeaturesModeSet: event(
        'UnsupportedFeaturesModeSet',
        fc.record({ accountId: fc.string(), mode, setAt: at }),
      ),
    },
  });
});
