import { type Env, loadConfig, secret } from '@sluice/boot';
import type { ProxySettings } from '@sluice/providers';
import { Type } from 'typebox';

const proxyUrl = { ...secret('http://host:port of a proxy'), pattern: '^https?://[^\\s]+$' };
const proxySchema = Type.Object({
  HTTP_PROXY: Type.Optional(proxyUrl),
  HTTPS_PROXY: Type.Optional(proxyUrl),
  NO_PROXY: Type.Optional(
    Type.String({ maxLength: 8_192, description: 'Hosts that are called directly, by commas' }),
  ),
});

/** Reads the proxy of upstream calls; undefined: there is none. Names may be lower-case. Throws InvalidConfig. */
export function loadProxy(env: Env): ProxySettings | undefined {
  const lower = Object.keys(proxySchema.properties).map((name) => [
    name,
    env[name.toLowerCase()] ?? env[name],
  ]);
  const settings = loadConfig(proxySchema, Object.fromEntries(lower) as Env);
  const { HTTP_PROXY: http, HTTPS_PROXY: https, NO_PROXY: noProxy } = settings;
  if (http === undefined && https === undefined) return undefined;
  return { httpProxy: http?.reveal(), httpsProxy: https?.reveal(), noProxy };
}
