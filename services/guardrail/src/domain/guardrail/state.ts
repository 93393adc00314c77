import type { GuardrailCreated, GuardrailEvent, Policy } from './events.ts';

export type Guardrail =
  | { readonly status: 'none' }
  | ConfiguredGuardrail
  | { readonly status: 'deleted'; readonly accountId: string };

export interface ConfiguredGuardrail extends GuardrailCreatedData {
  readonly status: 'configured';
  /** True for the default guardrail of its workspace, which has no assignments. */
  readonly isDefault: boolean;
  /** null: nothing was changed yet. */
  readonly updatedAt: string | null;
}
type GuardrailCreatedData = GuardrailCreated['data'];

export const initial: Guardrail = { status: 'none' };

/** Demands nothing at all. */
export const emptyPolicy: Policy = {
  limitNanoUsd: null,
  resetInterval: null,
  includeByok: false,
  allowedProviders: null,
  ignoredProviders: null,
  allowedModels: null,
  ignoredModels: null,
  zeroRetentionAnthropic: null,
  zeroRetentionOpenai: null,
  zeroRetentionGoogle: null,
  zeroRetentionXai: null,
  zeroRetentionOther: null,
  paidTraining: null,
  freeTraining: null,
  freePublication: null,
  dataRegions: null,
  builtinFilters: null,
  customFilters: null,
  scanOutput: null,
  failMode: null,
};

/** Returns the name of a default guardrail, which cannot be changed. */
export function defaultGuardrailName(workspaceId: string): string {
  return `Workspace ${workspaceId} Default`;
}

export function evolve(guardrail: Guardrail, event: GuardrailEvent): Guardrail {
  switch (event.type) {
    case 'GuardrailCreated':
      return { status: 'configured', ...event.data, isDefault: false, updatedAt: null };
    case 'DefaultGuardrailMaterialized': {
      const name = defaultGuardrailName(event.data.workspaceId);
      return { status: 'configured', ...event.data, name, isDefault: true, updatedAt: null };
    }
    case 'GuardrailUpdated': {
      if (guardrail.status !== 'configured') return guardrail;
      const { name, description, ...changed } = event.data.changes;
      return {
        ...guardrail,
        name: name ?? guardrail.name,
        description: description === undefined ? guardrail.description : description,
        policy: { ...guardrail.policy, ...changed },
        updatedAt: event.data.changedAt,
      };
    }
    case 'GuardrailDeleted':
      if (guardrail.status !== 'configured') return guardrail;
      return { status: 'deleted', accountId: guardrail.accountId };
  }
}
