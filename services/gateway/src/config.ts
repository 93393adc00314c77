import {
  type Env,
  checkSettings,
  busSettings,
  lastKnownSettings,
  loadConfig,
  processSettings,
  secret,
} from '@sluice/boot';
import { Type } from 'typebox';
import { defaultSettings, type GatewaySettings } from './settings.ts';

const perMinute = (defaultValue: number, description: string) =>
  Type.Integer({ default: defaultValue, minimum: 1, maximum: 1_000_000, description });
const address = Type.String({ description: 'host:port', pattern: ':\\d+$' });

const origin = '(?:\\*|[a-z][a-z0-9+.-]*://[^\\s/,]+)';

const limits = Type.Object({
  SLUICE_INFERENCE_REQUESTS_PER_MINUTE: perMinute(
    defaultSettings.inferenceRequestsPerMinute,
    'Per key',
  ),
  SLUICE_KEY_REQUESTS_PER_MINUTE: perMinute(
    defaultSettings.keyRequestsPerMinute,
    'Per management key, on /keys',
  ),
  SLUICE_MANAGEMENT_REQUESTS_PER_MINUTE: perMinute(
    defaultSettings.managementRequestsPerMinute,
    'Per key, on other routes',
  ),
  SLUICE_ANALYTICS_QUERIES_PER_MINUTE: perMinute(
    defaultSettings.analyticsQueriesPerMinute,
    'Per account, on POST /analytics/query',
  ),
  SLUICE_AUTH_FAILURES_PER_MINUTE: perMinute(
    defaultSettings.authFailuresPerMinute,
    'Refused credentials per client address',
  ),
  ...lastKnownSettings,
  SLUICE_INFERENCE_OPEN_MAX: Type.Integer({
    default: defaultSettings.inferenceOpenMax,
    minimum: 1,
    description: 'Open inference requests per account',
  }),
  SLUICE_INFERENCE_WAITING_MAX: Type.Integer({
    default: defaultSettings.inferenceWaitingMax,
    minimum: 1,
    maximum: 10_000,
    description: 'Inference requests that wait for their turn; of one key, half as many',
  }),
  SLUICE_TRUSTED_PROXIES: Type.String({
    default: '',
    description: 'Addresses or CIDR ranges whose X-Forwarded-For is believed, with commas',
  }),
  SLUICE_CORS_ORIGINS: Type.String({
    default: '',
    pattern: `^(?:${origin}(?:\\s*,\\s*${origin})*)?$`,
    description: 'Origins whose pages may call the inference routes, with commas; * is every page',
  }),
});

const schema = Type.Object({
  ...processSettings,
  ...busSettings,
  SLUICE_PORT: Type.Integer({ default: 8080, minimum: 0, maximum: 65_535 }),
  SLUICE_RPC_TOKEN: secret('Shared by all services: what callers must present'),
  SLUICE_ACCOUNT_ADDRESS: address,
  SLUICE_KEY_ADDRESS: address,
  SLUICE_LEDGER_ADDRESS: address,
  SLUICE_WORKSPACE_ADDRESS: address,
  SLUICE_GUARDRAIL_ADDRESS: address,
  SLUICE_ANALYTICS_ADDRESS: Type.Optional(address),
  SLUICE_OBSERVER_ADDRESS: Type.Optional(address),
  SLUICE_SANDBOX_ADDRESS: Type.Optional(address),
  SLUICE_ROUTING_URL: Type.String({ description: 'http://host:port', pattern: '^https?://' }),
});

export type GatewayConfig = ReturnType<typeof loadGatewayConfig>;

/** Throws InvalidConfig with all problems. */
export function loadGatewayConfig(env: Env) {
  checkSettings([() => loadConfig(schema, env), () => loadGatewaySettings(env)]);
  return { ...loadConfig(schema, env), settings: loadGatewaySettings(env) };
}

/** Only the limits: for a process that runs the gateway together with others. */
export function loadGatewaySettings(env: Env): Partial<GatewaySettings> {
  const given = loadConfig(limits, env);
  return {
    inferenceRequestsPerMinute: given.SLUICE_INFERENCE_REQUESTS_PER_MINUTE,
    keyRequestsPerMinute: given.SLUICE_KEY_REQUESTS_PER_MINUTE,
    managementRequestsPerMinute: given.SLUICE_MANAGEMENT_REQUESTS_PER_MINUTE,
    analyticsQueriesPerMinute: given.SLUICE_ANALYTICS_QUERIES_PER_MINUTE,
    authFailuresPerMinute: given.SLUICE_AUTH_FAILURES_PER_MINUTE,
    lastKnownMsMax: given.SLUICE_LAST_KNOWN_MINUTES_MAX * 60_000,
    inferenceOpenMax: given.SLUICE_INFERENCE_OPEN_MAX,
    inferenceWaitingMax: given.SLUICE_INFERENCE_WAITING_MAX,
    trustedProxies: listOf(given.SLUICE_TRUSTED_PROXIES),
    corsOrigins: listOf(given.SLUICE_CORS_ORIGINS),
  };
}

function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
