import cors, { type FastifyCorsOptions } from '@fastify/cors';
import { rateOf, type App } from '../app-types.ts';
import type { GatewaySettings } from '../../settings.ts';

const preflightSeconds = 600;

/** A page of another origin reads these of an answer, besides what every page may. */
const exposedHeaders = [
  'x-request-id',
  'request-id',
  'x-generation-id',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-service-cache-status',
  'x-service-cache-age',
  'x-service-cache-ttl',
  'x-service-cache-source-id',
  'x-service-warnings',
];

/**
 * Lets pages of the configured origins call the inference routes (Fetch standard, CORS protocol). A preflight is
 * answered before authentication: it never carries a key. The management plane is for no page of another origin.
 */
export function crossOrigin(app: App, { corsOrigins }: Pick<GatewaySettings, 'corsOrigins'>): void {
  if (corsOrigins.length === 0) return;
  const open: string[] = [];
  app.addHook('onRoute', ({ config, url }) => {
    if (config !== undefined && rateOf(config) === 'inference') open.push(url);
  });
  const allowed: FastifyCorsOptions = {
    origin: [...corsOrigins],
    methods: ['GET', 'HEAD', 'POST'],
    exposedHeaders,
    maxAge: preflightSeconds,
  };
  const none: FastifyCorsOptions = { origin: false };
  // Called, not registered: its hook comes before the authentication.
  cors(
    app,
    {
      delegator: ({ url }, decide) => {
        const [path = ''] = url.split('?', 1);
        decide(null, open.some((route) => isOf(path, route)) ? allowed : none);
      },
    },
    (error?: Error) => {
      if (error) throw error;
    },
  );
}

/** `/v1/models/sim` is of `/v1/models/:author`. */
function isOf(path: string, route: string): boolean {
  const [given, parts] = [path.split('/'), route.split('/')];
  return (
    given.length === parts.length &&
    parts.every((part, index) => part.startsWith(':') || part === given[index])
  );
}
