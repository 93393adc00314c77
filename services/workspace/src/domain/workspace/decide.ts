import { invalidRequest, type Rejection } from '@sluice/errors';
import type { Decider } from '@sluice/es';
import { removeBudget, setBudget } from './budgets.ts';
import type {
  CreateWorkspace,
  DeleteWorkspace,
  UpdateWorkspace,
  WorkspaceCommand,
} from './commands.ts';
import type { WorkspaceEvent, WorkspaceSettings } from './events.ts';
import { isUuid, normalised, settingsIssues } from './settings.ts';
import { evolve, initial, type LivingWorkspace, type Workspace } from './state.ts';

export type WorkspaceRejection = Rejection<'invalid_request' | 'conflict' | 'not_found'>;

function decide(
  command: WorkspaceCommand,
  workspace: Workspace,
): readonly WorkspaceEvent[] | WorkspaceRejection {
  if (command.type === 'CreateWorkspace') return create(command, workspace);
  if (workspace.kind !== 'created' || workspace.accountId !== command.accountId) return notFound;
  switch (command.type) {
    case 'UpdateWorkspace':
      return update(command, workspace);
    case 'SetBudget':
      return setBudget(command, workspace);
    case 'RemoveBudget':
      return removeBudget(command, workspace);
    case 'DeleteWorkspace':
      return remove(command, workspace);
  }
}

export const workspace: Decider<WorkspaceCommand, Workspace, WorkspaceEvent, WorkspaceRejection> = {
  category: 'workspace',
  initial,
  evolve,
  decide,
};

const notFound: WorkspaceRejection = {
  rejected: 'not_found',
  message: 'There is no such workspace',
};

function create(
  command: CreateWorkspace,
  state: Workspace,
): readonly WorkspaceEvent[] | WorkspaceRejection {
  const { workspaceId, accountId, isDefault, createdBy, occurredAt } = command;
  const settings = normalised(command.settings);
  const issues = [
    ...(isUuid(workspaceId) ? [] : [{ path: 'workspace_id', message: 'must be a UUID' }]),
    ...settingsIssues(settings),
  ];
  if (issues.length > 0) return invalidRequest(issues);
  if (state.kind === 'created') {
    const same =
      state.accountId === accountId &&
      state.isDefault === isDefault &&
      Object.entries(settings).every(([name, value]) => isSetTo(state.settings, name, value));
    return same ? [] : { rejected: 'conflict', message: 'The workspace exists with other values' };
  }
  if (state.kind === 'deleted')
    return { rejected: 'conflict', message: 'There was a workspace of this id' };
  const data = { workspaceId, accountId, isDefault, settings, createdBy, createdAt: occurredAt };
  return [{ type: 'WorkspaceCreated', data }];
}

/** One fact with all that became another value. */
function update(
  command: UpdateWorkspace,
  { settings }: LivingWorkspace,
): readonly WorkspaceEvent[] | WorkspaceRejection {
  const wanted = normalised(command.changes);
  const issues = settingsIssues(wanted);
  if (issues.length > 0) return invalidRequest(issues);
  const entries = Object.entries(wanted).filter(([name, value]) => !isSetTo(settings, name, value));
  if (entries.length === 0) return [];
  const changes: Partial<WorkspaceSettings> = Object.fromEntries(entries);
  return [{ type: 'WorkspaceUpdated', data: { changes, changedAt: command.occurredAt } }];
}

function remove(
  { confirmsDefault, occurredAt }: DeleteWorkspace,
  { isDefault }: LivingWorkspace,
): readonly WorkspaceEvent[] | WorkspaceRejection {
  if (isDefault && !confirmsDefault)
    return invalidRequest([
      {
        path: 'confirm_default_workspace_deletion',
        message: 'must be true to delete the default workspace',
      },
    ]);
  return [{ type: 'WorkspaceDeleted', data: { changedAt: occurredAt } }];
}

/** Settings are plain JSON: values and lists of them. */
function isSetTo(settings: WorkspaceSettings, name: string, value: unknown): boolean {
  return JSON.stringify(settings[name as keyof WorkspaceSettings]) === JSON.stringify(value);
}
