import { event, type EventOf, instant, nanoUsd, nullable, type Shape } from '@sluice/es';
import { Type } from 'typebox';

const resetInterval = Type.Enum(['daily', 'weekly', 'monthly'], {
  description: 'The window that the limit counts in, UTC.',
});
export type ResetInterval = Shape<typeof resetInterval>;

const dataRegion = Type.Enum(['global', 'europe', 'us'], {
  description: 'From where a request may come in.',
});
export type DataRegion = Shape<typeof dataRegion>;

const filterAction = Type.Enum(['redact', 'block', 'flag'], {
  description: 'The action on a request that matches the filter.',
});
export type FilterAction = Shape<typeof filterAction>;

const scanScope = Type.Enum(['user_only', 'all_messages']);
export type ScanScope = Shape<typeof scanScope>;

const scanOutput = Type.Enum(['sentence', 'end']);
export type ScanOutput = Shape<typeof scanOutput>;

const failMode = Type.Enum(['block', 'pass']);
export type FailMode = Shape<typeof failMode>;

export const builtinSlugs = [
  'email',
  'phone',
  'ssn',
  'credit-card',
  'ip-address',
  'secrets',
  'person-name',
  'address',
  'regex-prompt-injection',
] as const;
const builtinSlug = Type.Enum(builtinSlugs);
export type BuiltinSlug = Shape<typeof builtinSlug>;

const builtinFilter = Type.Object(
  {
    slug: builtinSlug,
    action: filterAction,
    scanScope: nullable(
      scanScope,
      'The texts that the filter reads; null for every slug but `regex-prompt-injection`.',
    ),
  },
  { description: 'A builtin filter that is on.' },
);
export type BuiltinFilter = Shape<typeof builtinFilter>;

const customFilter = Type.Object(
  {
    pattern: Type.String({ description: 'A regular expression that a linear-time engine takes.' }),
    action: filterAction,
    label: nullable(Type.String()),
  },
  { description: "A filter of the account's own." },
);
export type CustomFilter = Shape<typeof customFilter>;

const slugs = nullable(Type.Array(Type.String()), 'Slugs; never an empty list.');
const models = nullable(Type.Array(Type.String()), 'Canonical slugs; never an empty list.');
const zeroRetention = nullable(
  Type.Boolean(),
  'true demands endpoints that retain nothing, for models of this family.',
);
const dataPolicy = nullable(
  Type.Boolean(),
  'null inherits the setting of the account, which true cannot widen.',
);

const policy = Type.Object(
  {
    limitNanoUsd: nullable(nanoUsd, 'With a reset interval or not at all.'),
    resetInterval: nullable(resetInterval),
    includeByok: Type.Boolean({
      description: "Spend on credentials of one's own counts as well.",
    }),
    allowedProviders: slugs,
    ignoredProviders: slugs,
    allowedModels: models,
    ignoredModels: models,
    zeroRetentionAnthropic: zeroRetention,
    zeroRetentionOpenai: zeroRetention,
    zeroRetentionGoogle: zeroRetention,
    zeroRetentionXai: zeroRetention,
    zeroRetentionOther: nullable(Type.Boolean(), 'Every family that is not named.'),
    paidTraining: dataPolicy,
    freeTraining: dataPolicy,
    freePublication: dataPolicy,
    dataRegions: nullable(Type.Array(dataRegion)),
    builtinFilters: nullable(Type.Array(builtinFilter)),
    customFilters: nullable(Type.Array(customFilter)),
    scanOutput: nullable(
      scanOutput,
      "How far filters that cannot work on a stream may hold the model's output back; " +
        'null: the content filters are not applied to the output.',
    ),
    failMode: nullable(
      failMode,
      'The action on a text that content filters could not scan; null: block for patterns, pass for entities.',
    ),
  },
  { description: 'The demands of a guardrail. null: it demands nothing of the kind.' },
);
export type Policy = Shape<typeof policy>;

const description = nullable(Type.String());

const changes = Type.Partial(
  Type.Object({ name: Type.String(), description, ...policy.properties }),
  { description: 'At least one.' },
);
export type GuardrailChanges = Shape<typeof changes>;

/** The events of a guardrail. Names and shapes are the storage format. */
export const guardrailStream = {
  category: 'guardrail',
  id: '<guardrail id>',
  description: 'A guardrail and its policy.',
  events: {
    GuardrailCreated: event(
      'A guardrail was created. It applies to no request until it is assigned.',
      {
        guardrailId: Type.String(),
        accountId: Type.String(),
        workspaceId: nullable(
          Type.String(),
          "The workspace that keeps it; null: none. The guardrail does not apply to that workspace's traffic.",
        ),
        name: Type.String(),
        description,
        policy,
        createdAt: instant,
      },
    ),
    DefaultGuardrailMaterialized: event(
      'The default guardrail of a workspace was configured: it holds for all traffic there.',
      {
        guardrailId: Type.String(),
        accountId: Type.String(),
        workspaceId: Type.String(),
        description,
        policy,
        createdAt: instant,
      },
    ),
    GuardrailUpdated: event('The named values changed; the others stay.', {
      changes,
      changedAt: instant,
    }),
    GuardrailDeleted: event(
      'A guardrail was deleted: its limits stop and it no longer applies. ' +
        'A default guardrail can be configured again.',
      { deletedAt: instant },
    ),
  },
};
export type GuardrailEvent = EventOf<typeof guardrailStream>;
export type GuardrailCreated = EventOf<typeof guardrailStream, 'GuardrailCreated'>;
export type GuardrailUpdated = EventOf<typeof guardrailStream, 'GuardrailUpdated'>;
