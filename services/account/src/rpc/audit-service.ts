import type { EventStore } from '@sluice/es';
import { AuditServiceService } from '@sluice/protos/sluice/account/v1/audit';
import { commandContext, implement, type RpcService } from '@sluice/rpc';
import type { Clock } from '@sluice/clock-and-ids';
import { recordRefusal } from '../commands/record-refusal.ts';

export interface AuditRpcDependencies {
  readonly eventStore: EventStore;
  readonly clock: Clock;
}

export function auditRpc({ eventStore, clock }: AuditRpcDependencies): RpcService {
  const record = recordRefusal(eventStore);
  return implement(AuditServiceService, {
    async recordRefusal({ context: sent, ...wanted }) {
      const isRecorded = await record(wanted, commandContext(sent, clock.now()));
      return { isRecorded };
    },
  });
}
