import type { RoutingDeps } from '@sluice/routing/service';

/** The key service of accounts that have no credential of their own. */
export function connectCredentials(): RoutingDeps['credentials'] {
  return {
    listUsable: async () => ({ credentials: [] }),
    openSecret: async () => ({ secret: '' }),
  };
}
