import { Type } from 'typebox';
import {
  eventStoreSettings,
  loadConfig,
  processSettings,
  readModelSettings,
  rpcServerSettings,
} from '@sluice/service';

const schema = Type.Object({
  ...processSettings,
  ...rpcServerSettings,
  ...readModelSettings,
  ...eventStoreSettings,
});

export type WorkspaceConfig = ReturnType<typeof loadWorkspaceConfig>;

/** Throws InvalidConfig with all problems. */
export function loadWorkspaceConfig(env: Readonly<Record<string, string | undefined>>) {
  return loadConfig(schema, env);
}
