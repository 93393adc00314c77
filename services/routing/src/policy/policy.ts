import type { PluginDefault } from '@sluice/client-schemas';
import type { EffectiveGuardrail } from '@sluice/protos/sluice/guardrail/v1/guardrail';
import type { Interval } from '@sluice/spend';
import type { UnsupportedMode } from '../request/leave-out-tools.ts';
import type { ModelAliases, Preset, UsedPreset } from '../request/named-models.ts';
import type { SortKey } from '../request/preferences.ts';

/** Demands of an account's administrators on a request. */
export interface Policy {
  /** False: the workspace of the key was deleted, or is none of the account. */
  readonly isWorkspaceAlive: boolean;
  /** Budgets of the workspace: one per interval, the broadest first. */
  readonly budgets: readonly WorkspaceBudget[];
  /** Spend on one's own provider credentials counts against them as well. */
  readonly includeByokInBudgets: boolean;
  readonly defaults: RequestDefaults;
  /** The aliases of models. Absent: there are none. */
  readonly aliases?: ModelAliases | undefined;
  /** The types of the server tools that requests of the workspace may not use. */
  readonly disabledServerTools: readonly string[];
  /** The workspace's default first, then the member's, then the key's. */
  readonly guardrails: readonly Guardrail[];
  /** The wish of destinations of the workspace: ends of responses, or contents too. Absent: there are none. */
  readonly observation?: 'ends' | 'contents' | undefined;
  /** The account lets the operator use the contents of requests for a discount. Absent: it does not. */
  readonly givesData?: true | undefined;
  /** The generations whose contents the workspace stores. Absent: none. */
  readonly contentLogging?: ContentLogging | undefined;
  /** Phrases of the account that the patterns of prompt injection pass over. */
  readonly allowedPhrases: readonly string[];
}

/** Defaults for requests of the workspace or the account. */
export interface RequestDefaults {
  readonly model?: string | undefined;
  readonly sort?: SortKey | undefined;
  /** The settings of plugins. Absent: there are none. */
  readonly plugins?: readonly PluginDefault[] | undefined;
  /** The preset that the request names. Absent: it names none, or it is not known yet. */
  readonly preset?: Preset | undefined;
  /** The same preset, when its fields are in the body. */
  readonly usedPreset?: UsedPreset | undefined;
  /** The account sets it, or the headers of a request. */
  readonly unsupportedFeatures?: UnsupportedMode | undefined;
}

export interface ContentLogging {
  /** From 0.0001 to 1. */
  readonly samplingRate: number;
  /** Numeric ids. Absent: all keys. */
  readonly keyIds?: ReadonlySet<number>;
}

export interface WorkspaceBudget {
  readonly interval: Interval;
  readonly limitNanoUsd: bigint;
}

/** A guardrail that holds for a request, with what it demands besides its budget. */
export interface Guardrail {
  readonly id: string;
  readonly name: string;
  readonly scope: 'workspace' | 'member' | 'key';
  /** The id of the workspace or of the member, or the hash of the key. */
  readonly assigneeId: string;
  /** Absent: none. */
  readonly budget?: { readonly interval: Interval; readonly limitNanoUsd: bigint } | undefined;
  readonly includeByok: boolean;
  /** The rules as the guardrail service returns them. `demandsOf` reads the rules of all guardrails together. */
  readonly rules: EffectiveGuardrail['rules'];
}

/** The key of a policy: account, workspace, key and member. */
export interface PolicyQuestion {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly keyHash: string;
  /** The user that made the key; absent: no user of the account. */
  readonly creatorUserId?: string;
}
