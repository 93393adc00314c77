import { Type } from 'typebox';
import {
  busSettings,
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
  ...busSettings,
});

export type AccountConfig = ReturnType<typeof loadAccountConfig>;

/** Throws InvalidConfig with all problems. */
export function loadAccountConfig(env: Readonly<Record<string, string | undefined>>) {
  return loadConfig(schema, env);
}
