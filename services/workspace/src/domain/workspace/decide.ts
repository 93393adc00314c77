import { invalidRequest, type Issue, nameIssues, type Rejection } from '@sluice/errors';
import type { Decider } from '@sluice/es';
import type { WorkspaceEvent } from './events.ts';
import { evolve, initial, type Workspace } from './state.ts';

export interface CreateWorkspace {
  readonly type: 'CreateWorkspace';
  readonly workspaceId: string;
  readonly accountId: string;
  readonly name: string;
  readonly slug: string;
  readonly isDefault: boolean;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

export type WorkspaceCommand = CreateWorkspace;
export type WorkspaceRejection = Rejection<'invalid_request' | 'conflict'>;

const nameCharactersMax = 100;
const slugLengthMax = 50;
const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

function decide(
  command: WorkspaceCommand,
  state: Workspace,
): readonly WorkspaceEvent[] | WorkspaceRejection {
  switch (command.type) {
    case 'CreateWorkspace':
      return create(command, state);
  }
}

export const workspace: Decider<WorkspaceCommand, Workspace, WorkspaceEvent, WorkspaceRejection> = {
  category: 'workspace',
  initial,
  evolve,
  decide,
};

function create(
  { workspaceId, accountId, name, slug, isDefault, occurredAt }: CreateWorkspace,
  state: Workspace,
): readonly WorkspaceEvent[] | WorkspaceRejection {
  const issues = issuesOf({ workspaceId, name, slug });
  if (issues.length > 0) return invalidRequest(issues);
  if (state.kind === 'created') {
    const same =
      state.accountId === accountId &&
      state.name === name &&
      state.slug === slug &&
      state.isDefault === isDefault;
    return same ? [] : { rejected: 'conflict', message: 'The workspace exists with other values' };
  }
  const data = { workspaceId, accountId, name, slug, isDefault, createdAt: occurredAt };
  return [{ type: 'WorkspaceCreated', data }];
}

function issuesOf({
  workspaceId,
  name,
  slug,
}: Pick<CreateWorkspace, 'workspaceId' | 'name' | 'slug'>): readonly Issue[] {
  const issues: Issue[] = [];
  if (!uuidPattern.test(workspaceId))
    issues.push({ path: 'workspace_id', message: 'must be a UUID' });
  issues.push(...nameIssues('name', name, nameCharactersMax));
  const isSlug = slug.length <= slugLengthMax && slugPattern.test(slug);
  // A workspace is named by its id or its slug: the two must not be confused.
  if (!isSlug || uuidPattern.test(slug))
    issues.push({
      path: 'slug',
      message: `must be 1 to ${slugLengthMax} of a-z, 0-9 and single -`,
    });
  return issues;
}
