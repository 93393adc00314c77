import { isUuid } from '@sluice/clock-and-ids';
import { type Fault, invalidValue } from '@sluice/errors';
import type { Directory } from './directory.ts';

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
  const isThere = isUuid(workspaceId) && (await directory.workspaceExists(accountId, workspaceId));
  if (isThere) return workspaceId;
  throw noWorkspace(named);
}

/**
 * Asks the log after a command has put something into the workspace. Throws the same if the workspace was deleted
 * meanwhile: a reaction then takes back the effect of the command, and its caller gets an error.
 */
export async function assertStillThere(
  directory: Pick<Directory, 'workspaceIsAlive'>,
  accountId: string,
  { named, workspaceId }: { readonly named: string; readonly workspaceId: string },
): Promise<void> {
  if (!(await directory.workspaceIsAlive(accountId, workspaceId))) throw noWorkspace(named);
}

function noWorkspace(named: string): Fault {
  const message =
    named === '' ? 'must be named: the default workspace is deleted' : 'there is no such workspace';
  return invalidValue('workspace_id', message);
}
