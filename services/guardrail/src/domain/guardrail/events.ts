/** The events of a guardrail. Names and shapes are the storage format: see store/. */
export type GuardrailEvent =
  | GuardrailCreated
  | DefaultGuardrailMaterialized
  | GuardrailUpdated
  | GuardrailDeleted;

/** The window that a limit counts in, UTC. There is none for life. */
export type ResetInterval = 'daily' | 'weekly' | 'monthly';
/** From where a request may come in. */
export type DataRegion = 'global' | 'europe' | 'us';
/** The action on a request that matches a filter. */
export type FilterAction = 'redact' | 'block' | 'flag';
/** Which texts the filter for prompt injection reads. */
export type ScanScope = 'user_only' | 'all_messages';
/** How far filters that cannot work on a stream may hold the model's output back. */
export type ScanOutput = 'sentence' | 'end';
/** The action on a text that content filters could not scan. */
export type FailMode = 'block' | 'pass';
/** Filters that everybody has. */
export type BuiltinSlug =
  | 'email'
  | 'phone'
  | 'ssn'
  | 'credit-card'
  | 'ip-address'
  | 'secrets'
  | 'person-name'
  | 'address'
  | 'regex-prompt-injection';

/** A builtin filter that is on. */
export interface BuiltinFilter {
  readonly slug: BuiltinSlug;
  readonly action: FilterAction;
  /** null for every slug but `regex-prompt-injection`. */
  readonly scanScope: ScanScope | null;
}

/** A filter of the account's own. */
export interface CustomFilter {
  /** A regular expression that a linear-time engine takes. */
  readonly pattern: string;
  readonly action: FilterAction;
  readonly label: string | null;
}

/** The demands of a guardrail. null: it demands nothing of the kind. */
export interface Policy {
  /** A whole number of nano-USD in decimal digits, above 0; with a reset interval or not at all. */
  readonly limitNanoUsd: string | null;
  readonly resetInterval: ResetInterval | null;
  /** Spend on credentials of one's own counts as well. */
  readonly includeByok: boolean;
  /** Slugs; never an empty list. */
  readonly allowedProviders: readonly string[] | null;
  readonly ignoredProviders: readonly string[] | null;
  /** Canonical slugs; never an empty list. */
  readonly allowedModels: readonly string[] | null;
  readonly ignoredModels: readonly string[] | null;
  /** One flag per family of models: true demands endpoints that retain nothing. */
  readonly zeroRetentionAnthropic: boolean | null;
  readonly zeroRetentionOpenai: boolean | null;
  readonly zeroRetentionGoogle: boolean | null;
  readonly zeroRetentionXai: boolean | null;
  /** Every family that is not named. */
  readonly zeroRetentionOther: boolean | null;
  /** For each flag, null inherits the setting of the account, which true cannot widen. */
  readonly paidTraining: boolean | null;
  readonly freeTraining: boolean | null;
  readonly freePublication: boolean | null;
  readonly dataRegions: readonly DataRegion[] | null;
  readonly builtinFilters: readonly BuiltinFilter[] | null;
  readonly customFilters: readonly CustomFilter[] | null;
  /** null: the content filters are not applied to the output. */
  readonly scanOutput: ScanOutput | null;
  /** null: block for patterns, pass for entities. */
  readonly failMode: FailMode | null;
}

/** A guardrail was created. It applies to no request until it is assigned. */
export interface GuardrailCreated {
  readonly type: 'GuardrailCreated';
  readonly data: {
    readonly guardrailId: string;
    readonly accountId: string;
    /** The workspace that keeps it; null: none. The guardrail does not apply to that workspace's traffic. */
    readonly workspaceId: string | null;
    readonly name: string;
    readonly description: string | null;
    readonly policy: Policy;
    readonly createdAt: string;
  };
}

/** The default guardrail of a workspace was configured: it holds for all traffic there. */
export interface DefaultGuardrailMaterialized {
  readonly type: 'DefaultGuardrailMaterialized';
  readonly data: {
    readonly guardrailId: string;
    readonly accountId: string;
    readonly workspaceId: string;
    readonly description: string | null;
    readonly policy: Policy;
    readonly createdAt: string;
  };
}

/** The named values changed; the others stay. */
export interface GuardrailUpdated {
  readonly type: 'GuardrailUpdated';
  readonly data: {
    readonly changes: GuardrailChanges;
    readonly changedAt: string;
  };
}

/** At least one. */
export interface GuardrailChanges {
  readonly name?: string;
  readonly description?: string | null;
  readonly limitNanoUsd?: string | null;
  readonly resetInterval?: ResetInterval | null;
  readonly includeByok?: boolean;
  readonly allowedProviders?: readonly string[] | null;
  readonly ignoredProviders?: readonly string[] | null;
  readonly allowedModels?: readonly string[] | null;
  readonly ignoredModels?: readonly string[] | null;
  readonly zeroRetentionAnthropic?: boolean | null;
  readonly zeroRetentionOpenai?: boolean | null;
  readonly zeroRetentionGoogle?: boolean | null;
  readonly zeroRetentionXai?: boolean | null;
  readonly zeroRetentionOther?: boolean | null;
  readonly paidTraining?: boolean | null;
  readonly freeTraining?: boolean | null;
  readonly freePublication?: boolean | null;
  readonly dataRegions?: readonly DataRegion[] | null;
  readonly builtinFilters?: readonly BuiltinFilter[] | null;
  readonly customFilters?: readonly CustomFilter[] | null;
  readonly scanOutput?: ScanOutput | null;
  readonly failMode?: FailMode | null;
}

/** A guardrail was deleted: its limits stop and it no longer applies. A default guardrail can be configured again. */
export interface GuardrailDeleted {
  readonly type: 'GuardrailDeleted';
  readonly data: {
    readonly deletedAt: string;
  };
}
