import { Type } from 'typebox';
import { loadConfig, processSettings, rpcServerSettings } from '@sluice/service';

const schema = Type.Object({
  ...processSettings,
  ...rpcServerSettings,
});

export type GuardrailConfig = ReturnType<typeof loadGuardrailConfig>;

/** Throws InvalidConfig with all problems. */
export function loadGuardrailConfig(env: Readonly<Record<string, string | undefined>>) {
  return loadConfig(schema, env);
}
