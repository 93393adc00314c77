import { invalidRequest, rejectionToFault } from '@sluice/errors';
import type { Directory } from './directory.ts';

const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** The workspace that is named, or the default one where none is. Throws invalid_request. */
export async function existingWorkspace(
  directory: Directory,
  accountId: string,
  sent: string,
): Promise<string> {
  const named = sent.toLowerCase();
  const workspaceId = named === '' ? await directory.defaultWorkspaceId(accountId) : named;
  if (uuidPattern.test(workspaceId) && (await directory.workspaceExists(accountId, workspaceId)))
    return workspaceId;
  const message =
    named === '' ? 'must be given: the default workspace is deleted' : 'there is no such workspace';
  throw rejectionToFault(invalidRequest([{ path: 'workspace_id', message }]));
}
