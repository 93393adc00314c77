import { Fault } from '@sluice/errors';
import type { AccountReads } from '@sluice/read-model';
import { isSlug, isUuid } from '../domain/workspace/settings.ts';
import { findWorkspace } from '../queries/find-workspace.ts';
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
