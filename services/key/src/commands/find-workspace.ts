import { invalidRequest, rejectionToFault } from '@sluice/errors';
import type { Directory } from './directory.ts';

const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/**
 * The workspace that is meant: the named one, or the default one of the account where none is named.
 * Throws invalid_request for one that the account does not have, or has no more.
 */
export async function findWorkspace(
  directory: Pick<Directory, 'account' | 'workspaceExists'>,
  accountId: string,
  named: string,
): Promise<string> {
  const workspaceId =
    named.toLowerCase() || (await directory.account(accountId)).defaultWorkspaceId;
  const isThere =
    uuidPattern.test(workspaceId) && (await directory.workspaceExists(accountId, workspaceId));
  if (isThere) return workspaceId;
  const message =
    named === '' ? 'must be named: the default workspace is deleted' : 'there is no such workspace';
  throw rejectionToFault(invalidRequest([{ path: 'workspace_id', message }]));
}
