import { Fault } from '@sluice/errors';
import type { WorkspaceSettings } from '../domain/workspace/events.ts';
import type { Directory } from './directory.ts';

const inBeta = 'alignment';

/**
 * Throws permission_denied if settings have a plugin in beta to which the account is not admitted: each request of the
 * workspace would be refused.
 */
export async function requireAdmission(
  directory: Pick<Directory, 'usesAlignment'>,
  accountId: string,
  { defaultPlugins }: { readonly defaultPlugins?: WorkspaceSettings['defaultPlugins'] },
): Promise<void> {
  const place = (defaultPlugins ?? []).findIndex(({ settings }) => settings['id'] === inBeta);
  if (place === -1 || (await directory.usesAlignment(accountId))) return;
  const path = `default_plugins[${String(place)}].id`;
  throw new Fault('permission_denied', {
    message: `${path}: the account is not admitted to the beta of the plugin ${inBeta}`,
    metadata: { issues: [{ path, message: 'the account is not admitted to the beta' }] },
  });
}
