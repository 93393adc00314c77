import { isUuid } from '@sluice/clock-and-ids';
import { invalidValue } from '@sluice/errors';
import type { Directory } from './directory.ts';

/** The workspace that is named, or the default one where none is. Throws invalid_request. */
export async function existingWorkspace(
  directory: Directory,
  accountId: string,
  sent: string,
): Promise<string> {
  const named = sent.toLowerCase();
  const workspaceId = named === '' ? await directory.defaultWorkspaceId(accountId) : named;
  if (isUuid(workspaceId) && (await directory.workspaceExists(accountId, workspaceId)))
    return workspaceId;
  const message =
    named === '' ? 'must be given: the default workspace is deleted' : 'there is no such workspace';
  throw invalidValue('workspace_id', message);
}
