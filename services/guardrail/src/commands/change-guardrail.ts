import { rejectionToFault, requireAccepted } from '@sluice/errors';
import { defaultGuardrailId } from '@sluice/policy';
import type { ReceivedContext } from '@sluice/rpc';
import { derivedId } from '@sluice/clock-and-ids';
import type { GuardrailCommand, WantedGuardrail } from '../domain/guardrail/commands.ts';
import { guardrail } from '../domain/guardrail/decide.ts';
import { type Guardrail, initial } from '../domain/guardrail/state.ts';
import type { Aggregates } from '../store/aggregates.ts';
import { type CheckPatterns, patternRejection } from './check-patterns.ts';
import { checkReferences } from './check-references.ts';
import type { Catalog, Directory } from './directory.ts';
import { existingWorkspace } from './existing-workspace.ts';

export interface ChangeGuardrailDependencies {
  readonly aggregates: Aggregates;
  readonly directory: Directory;
  readonly catalog: Catalog;
  readonly checkPatterns: CheckPatterns;
}

export interface WantedPlace {
  /** Empty: the default workspace of the account; null: none. */
  readonly workspaceId: string | null;
  readonly wanted: WantedGuardrail;
}

/** Creates one guardrail per command, however often it is sent. Throws the fault of a rejection. */
export async function createGuardrail(
  dependencies: ChangeGuardrailDependencies,
  { workspaceId: sent, wanted }: WantedPlace,
  context: ReceivedContext,
) {
  const { accountId, occurredAt, commandId } = context;
  const guardrailId = derivedId('guardrail', accountId, commandId);
  const values = { accountId, occurredAt, guardrailId, workspaceId: null, wanted };
  const unplaced = { type: 'CreateGuardrail', ...values } as const;
  requireAllowed(unplaced, initial);
  const workspaceId =
    sent === null ? null : await existingWorkspace(dependencies.directory, accountId, sent);
  const checked = await checkedWanted(dependencies, accountId, wanted);
  const command = { ...unplaced, workspaceId, wanted: checked };
  return await carryOut(dependencies, guardrailId, command, context);
}

/** Configures the default guardrail of a workspace when it is not. Throws as createGuardrail does. */
export async function updateGuardrail(
  dependencies: ChangeGuardrailDependencies,
  { guardrailId, wanted }: { readonly guardrailId: string; readonly wanted: WantedGuardrail },
  context: ReceivedContext,
) {
  const { accountId, occurredAt } = context;
  const state = await dependencies.aggregates.guardrail(guardrailId);
  const workspaceId = await workspaceOfDefault(dependencies, state, { accountId, guardrailId });
  const values = { accountId, occurredAt, wanted };
  const command: GuardrailCommand =
    workspaceId === undefined
      ? { type: 'ChangeGuardrail', ...values }
      : { type: 'ChangeDefaultGuardrail', ...values, guardrailId, workspaceId };
  requireAllowed(command, state);
  const checked = await checkedWanted(dependencies, accountId, wanted);
  return await carryOut(dependencies, guardrailId, { ...command, wanted: checked }, context);
}

/** Throws the fault of a rejection. */
export async function carryOut(
  { aggregates }: Pick<ChangeGuardrailDependencies, 'aggregates'>,
  guardrailId: string,
  command: GuardrailCommand,
  context: ReceivedContext,
) {
  return requireAccepted(await aggregates.handleGuardrail(guardrailId, command, context));
}

/** Returns the workspace whose default guardrail this is or would be; undefined: none. */
async function workspaceOfDefault(
  { directory, aggregates }: ChangeGuardrailDependencies,
  state: Guardrail,
  { accountId, guardrailId }: { readonly accountId: string; readonly guardrailId: string },
): Promise<string | undefined> {
  if (state.status === 'configured')
    return state.isDefault ? (state.workspaceId ?? undefined) : undefined;
  if (state.status === 'deleted' && state.accountId !== accountId) return undefined;
  for await (const workspaceIds of directory.workspaceIds(accountId)) {
    const found = workspaceIds.find((id) => defaultGuardrailId(id) === guardrailId);
    if (found !== undefined) return (await aggregates.hasEnded(found)) ? undefined : found;
  }
  return undefined;
}

/**
 * Refuses an invalid command before it calls another service. Filters that are not available are refused
 * last: the refusal names the place of a pattern that cannot run.
 */
function requireAllowed(command: GuardrailCommand, state: Guardrail): void {
  requireAccepted(guardrail.decide(command, state));
}

async function checkedWanted(
  { catalog, checkPatterns }: ChangeGuardrailDependencies,
  accountId: string,
  wanted: WantedGuardrail,
): Promise<WantedGuardrail> {
  const patterns = (wanted.customFilters ?? []).map(({ pattern }) => pattern);
  const refused = patterns.length > 0 && patternRejection(await checkPatterns(accountId, patterns));
  if (refused) throw rejectionToFault(refused);
  return requireAccepted(await checkReferences(wanted, catalog));
}
