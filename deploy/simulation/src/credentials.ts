import type { RoutingDeps } from '@sluice/routing/service';
import { ownAccountIds } from './caps.ts';
import { ownProvider } from './catalog.ts';
import type { Network } from './network.ts';
import type { Life } from './virtual-time.ts';

const callTimeoutMs = 2_000;
/** The secret of such a credential. */
export const ownSecret = 'own-secret';
const ownId = '0190a000-0000-7000-8000-0000000000c1';

/** The key service as one life reaches it. */
export function connectCredentials(life: Life, network: Network): RoutingDeps['credentials'] {
  const ask = <Answer>(answer: () => Answer) =>
    life.isOver ? new Promise<Answer>(() => {}) : network.call(answer, callTimeoutMs);
  return {
    listUsable: ({ accountId, workspaceId }) =>
      ask(() => ({
        credentials: ownAccountIds.includes(accountId)
          ? [{ credential: credentialOf(accountId, workspaceId), secretId: ownId }]
          : [],
      })),
    openSecret: () => ask(() => ({ secret: ownSecret })),
  };
}

function credentialOf(accountId: string, workspaceId: string) {
  return {
    credentialId: ownId,
    accountId,
    workspaceId,
    provider: ownProvider,
    label: '...',
    sortOrder: 0,
    createdAt: '',
    settings: {
      name: undefined,
      disabled: false,
      isFallback: false,
      isRequired: false,
      isByokOnly: false,
      declaredZdr: undefined,
      allowedModels: undefined,
      allowedApiKeyHashes: undefined,
      allowedUserIds: undefined,
    },
  };
}
