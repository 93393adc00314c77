import type { GuardrailChanges } from './events.ts';

export type GuardrailCommand =
  | CreateGuardrail
  | ChangeGuardrail
  | ChangeDefaultGuardrail
  | DeleteGuardrail;

/**
 * The wanted values of a guardrail. An absent field stays as it is, null removes it. So far only the
 * existence of providers and models and the patterns are checked.
 */
export interface WantedGuardrail extends Omit<GuardrailChanges, keyof Unread>, Unread {}

interface Unread {
  readonly limitNanoUsd?: bigint | null;
  readonly resetInterval?: string | null;
  readonly dataRegions?: readonly string[] | null;
  readonly builtinFilters?: readonly WantedBuiltinFilter[] | null;
  readonly customFilters?: readonly WantedCustomFilter[] | null;
  readonly scanOutput?: string | null;
  readonly failMode?: string | null;
}

export interface WantedBuiltinFilter {
  readonly slug: string;
  readonly action: string;
  /** null: the widest, where there is one. */
  readonly scanScope: string | null;
}

export interface WantedCustomFilter {
  readonly pattern: string;
  readonly action: string;
  readonly label: string | null;
}

interface Command<Type extends string> {
  readonly type: Type;
  readonly accountId: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

export interface CreateGuardrail extends Command<'CreateGuardrail'> {
  readonly guardrailId: string;
  /** null: kept in no workspace. */
  readonly workspaceId: string | null;
  readonly wanted: WantedGuardrail;
}

export interface ChangeGuardrail extends Command<'ChangeGuardrail'> {
  readonly wanted: WantedGuardrail;
}

/** Configures it when it is not. */
export interface ChangeDefaultGuardrail extends Command<'ChangeDefaultGuardrail'> {
  readonly guardrailId: string;
  readonly workspaceId: string;
  readonly wanted: WantedGuardrail;
}

export type DeleteGuardrail = Command<'DeleteGuardrail'>;
