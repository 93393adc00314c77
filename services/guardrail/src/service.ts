import type { RpcService } from '@sluice/rpc';
import type { Service } from '@sluice/service';
import { guardrailRpc } from './rpc/guardrail-service.ts';

export interface GuardrailService extends Service {
  readonly rpc: readonly RpcService[];
}

/** Guardrails: who they hold for, and what they demand of a request. */
export function createService(): GuardrailService {
  return {
    name: 'guardrail',
    rpc: [guardrailRpc()],
    start: async () => undefined,
    stop: async () => undefined,
    unreadiness: () => [],
  };
}
