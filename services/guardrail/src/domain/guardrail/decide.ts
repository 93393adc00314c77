import { invalidRequest, type Issue, type Rejection } from '@sluice/errors';
import type { Decider } from '@sluice/es';
import type { ChangeDefaultGuardrail, CreateGuardrail, GuardrailCommand } from './commands.ts';
import type { GuardrailChanges, GuardrailEvent, Policy } from './events.ts';
import {
  type ConfiguredGuardrail,
  defaultGuardrailName,
  emptyPolicy,
  evolve,
  type Guardrail,
  initial,
} from './state.ts';
import { readChanges } from './values.ts';

export type GuardrailRejection = Rejection<'invalid_request' | 'not_found' | 'conflict'>;
type Decision = readonly GuardrailEvent[] | GuardrailRejection;

function decide(command: GuardrailCommand, guardrail: Guardrail): Decision {
  switch (command.type) {
    case 'CreateGuardrail':
      return create(command, guardrail);
    case 'ChangeGuardrail':
      return isOf(command, guardrail) ? change(command, guardrail) : notFound;
    case 'ChangeDefaultGuardrail':
      if (guardrail.status !== 'configured') return materialize(command);
      return isOf(command, guardrail) ? change(command, guardrail) : notFound;
    case 'DeleteGuardrail':
      return isOf(command, guardrail)
        ? [{ type: 'GuardrailDeleted', data: { deletedAt: command.occurredAt } }]
        : notFound;
  }
}

export const guardrail: Decider<GuardrailCommand, Guardrail, GuardrailEvent, GuardrailRejection> = {
  category: 'guardrail',
  initial,
  evolve,
  decide,
};

const notFound: GuardrailRejection = {
  rejected: 'not_found',
  message: 'There is no such guardrail',
};

/** One of another account is as unknown as one that never was. */
function isOf(
  { accountId }: { readonly accountId: string },
  state: Guardrail,
): state is ConfiguredGuardrail {
  return state.status === 'configured' && state.accountId === accountId;
}

function create(command: CreateGuardrail, state: Guardrail): Decision {
  const { changes, issues } = readChanges(command.wanted);
  const { name, description = null, ...policy } = changes;
  const whole = { ...emptyPolicy, ...policy };
  const all = [
    ...(command.wanted.name === undefined ? [{ path: 'name', message: 'must be given' }] : []),
    ...issues,
    ...budgetIssues(whole),
  ];
  if (all.length > 0 || name === undefined) return invalidRequest(all);
  if (state.status !== 'none')
    return { rejected: 'conflict', message: 'There is a guardrail of this id already' };
  const { guardrailId, accountId, workspaceId, occurredAt } = command;
  const place = { guardrailId, accountId, workspaceId };
  const data = { ...place, name, description, policy: whole, createdAt: occurredAt };
  return [{ type: 'GuardrailCreated', data }];
}

function materialize(command: ChangeDefaultGuardrail): Decision {
  const { guardrailId, accountId, workspaceId, occurredAt } = command;
  const { changes, issues } = readChanges(command.wanted);
  const { name, description = null, ...policy } = changes;
  const whole = { ...emptyPolicy, ...policy };
  const derived = defaultGuardrailName(workspaceId);
  const all = [...issues, ...renameIssues(name, derived), ...budgetIssues(whole)];
  if (all.length > 0) return invalidRequest(all);
  const place = { guardrailId, accountId, workspaceId };
  const data = { ...place, description, policy: whole, createdAt: occurredAt };
  return [{ type: 'DefaultGuardrailMaterialized', data }];
}

/** One fact with all values that become other ones. */
function change(
  command: Pick<ChangeDefaultGuardrail, 'wanted' | 'occurredAt'>,
  state: ConfiguredGuardrail,
): Decision {
  const { changes: given, issues } = readChanges(command.wanted);
  const { name, description: _description, ...policy } = given;
  const all = [
    ...issues,
    ...(state.isDefault ? renameIssues(name, state.name) : []),
    ...budgetIssues({ ...state.policy, ...policy }),
  ];
  if (all.length > 0) return invalidRequest(all);
  const changes = differences(given, state);
  if (Object.keys(changes).length === 0) return [];
  return [{ type: 'GuardrailUpdated', data: { changes, changedAt: command.occurredAt } }];
}

function differences(given: GuardrailChanges, state: ConfiguredGuardrail): GuardrailChanges {
  const before: Readonly<Record<string, unknown>> = {
    ...state.policy,
    name: state.name,
    description: state.description,
  };
  return Object.fromEntries(
    Object.entries(given).filter(
      ([member, value]) => JSON.stringify(value) !== JSON.stringify(before[member]),
    ),
  );
}

function renameIssues(name: string | undefined, derived: string): readonly Issue[] {
  if (name === undefined || name === derived) return [];
  return [{ path: 'name', message: 'of a default guardrail follows from its workspace' }];
}

/** Checks the values after the change: a limit needs a window, and a window needs a limit. */
function budgetIssues({ limitNanoUsd, resetInterval }: Policy): readonly Issue[] {
  if ((limitNanoUsd === null) === (resetInterval === null)) return [];
  return limitNanoUsd === null
    ? [{ path: 'limit_usd', message: 'must be given together with reset_interval' }]
    : [{ path: 'reset_interval', message: 'must be given together with limit_usd' }];
}
