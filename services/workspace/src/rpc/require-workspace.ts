import { Fault, invalidValue } from '@sluice/errors';
import type { AccountReads } from '@sluice/read-model';
import { isSlug, isUuid } from '../domain/workspace/settings.ts';
import { findWorkspace } from '../queries/find-workspace.ts';
import { listWorkspaces } from '../queries/list-workspaces.ts';
import type { WorkspaceRow } from '../queries/workspace-row.ts';

/** The workspace by its UUID or its slug. Throws not_found, also for one of another account. */
export async function requireWorkspace(
  readModel: AccountReads,
  accountId: string,
  reference: string,
): Promise<WorkspaceRow> {
  const id = reference.toLowerCase();
  const workspaceId = isUuid(id) ? id : null;
  const slug = workspaceId === null && isSlug(reference) ? reference : null;
  if (workspaceId === null && slug === null) throw new Fault('not_found');
  const row = await findWorkspace(readModel, { accountId, workspaceId, slug });
  if (!row) throw new Fault('not_found');
  return row;
}

/** Returns the id of a workspace of the account: of its default one if none is named. Throws not_found. */
export async function workspaceOrDefault(
  readModel: AccountReads,
  accountId: string,
  named: string,
): Promise<string> {
  if (named !== '') return (await requireWorkspace(readModel, accountId, named)).workspaceId;
  const [first] = await listWorkspaces(readModel, { accountId, offset: 0, limit: 1 });
  if (!first?.isDefault) throw new Fault('not_found');
  return first.workspaceId;
}

/** Returns the same for a call that answers 400 for a workspace that there is not. Throws invalid_request. */
export async function workspaceNamed(
  readModel: AccountReads,
  accountId: string,
  named: string,
): Promise<string> {
  try {
    return await workspaceOrDefault(readModel, accountId, named);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'not_found') throw error;
    throw invalidValue(
      'workspace_id',
      named === ''
        ? 'must be named: the default workspace is deleted'
        : 'there is no such workspace',
    );
  }
}
