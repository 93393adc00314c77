import type { SandboxSettings } from '@sluice/client-schemas';
import { Fault, invalidRequest, type Issue, type Rejection } from '@sluice/errors';
import type { Principal } from '@sluice/inference-port';
import { checkPolicy } from './check-policy.ts';
import { fileIdsOf } from './container-of.ts';
import type { SandboxToolOptions } from './options.ts';

/** Refuses settings that name no file of the workspace, or a warm container with another network policy. */
export async function checkSettings(
  { sandbox, files }: Pick<SandboxToolOptions, 'sandbox' | 'files'>,
  settings: SandboxSettings,
  caller: { readonly principal: Principal },
): Promise<Rejection | undefined> {
  const issues = await Promise.all(
    fileIdsOf(settings).map(async (fileId, index): Promise<readonly Issue[]> => {
      const isThere = await hasFile(files, fileId, caller);
      const path = `parameters.environment.file_ids[${index}]`;
      return isThere ? [] : [{ path, message: `there is no file ${fileId}` }];
    }),
  );
  if (issues.flat().length > 0) return invalidRequest(issues.flat());
  return await checkPolicy(sandbox, settings, caller);
}

/** Returns true also if the files cannot be reached now: the tool will say so. */
async function hasFile(
  files: SandboxToolOptions['files'],
  fileId: string,
  { principal: { accountId, workspaceId } }: { readonly principal: Principal },
): Promise<boolean> {
  if (!files) return false;
  try {
    await files.getFile({ accountId, workspaceId, fileId });
    return true;
  } catch (error) {
    return !(error instanceof Fault && error.code === 'not_found');
  }
}
