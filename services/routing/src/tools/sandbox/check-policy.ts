import type { SandboxSettings } from '@sluice/client-schemas';
import { Fault, type Rejection } from '@sluice/errors';
import type { Principal } from '@sluice/inference-port';
import { allowedDomainsOf } from './container-of.ts';
import type { Sandbox } from './sandbox.ts';

/**
 * Refuses settings that name a warm container with another network policy (inference.md, section 5.12). If the sandbox
 * does not answer, the request goes on: the tool will say so.
 */
export async function checkPolicy(
  sandbox: Sandbox | undefined,
  settings: SandboxSettings,
  { principal: { accountId, workspaceId } }: { readonly principal: Principal },
): Promise<Rejection | undefined> {
  const { environment } = settings;
  if (!sandbox || environment?.type !== 'container_reference') return undefined;
  const container = { accountId, workspaceId, containerId: environment.container_id };
  try {
    await sandbox.checkContainer({ container, allowedDomains: allowedDomainsOf(settings) });
    return undefined;
  } catch (error) {
    const isOther = error instanceof Fault && error.code === 'conflict';
    return isOther ? { rejected: 'conflict', message: error.message } : undefined;
  }
}
