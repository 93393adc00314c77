import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import type { Logger } from '@sluice/logging';
import { type Telemetry, traceField } from '@sluice/telemetry';

/** A request with a valid key that was refused. */
export interface Refusal {
  readonly context: CommandContext;
  /** `resource.verb` */
  readonly action: string;
  readonly resourceType: string;
  /** Empty: the request named none. */
  readonly resourceId: string;
  readonly status: number;
  /** A code, never a value of the request. */
  readonly reason: string;
}

/** Takes refusals without making anybody wait. What cannot be recorded is dropped and counted. */
export interface RefusalLog {
  add(refusal: Refusal): void;
  /** Resolves when all that was added is recorded or dropped. */
  idle(): Promise<void>;
}

export interface RefusalLogDependencies {
  readonly record: (refusal: Refusal) => Promise<unknown>;
  readonly telemetry: Pick<Telemetry, 'metrics'>;
  readonly logger: Logger;
}

const waitingMax = 1_000;
const openMax = 4;

export function refusalLog({ record, telemetry, logger }: RefusalLogDependencies): RefusalLog {
  const { gatewayRefusalsDropped: dropped } = telemetry.metrics;
  const waiting: Refusal[] = [];
  const workers = new Set<Promise<void>>();

  const work = async () => {
    for (let refusal = waiting.shift(); refusal; refusal = waiting.shift())
      try {
        await record(refusal);
      } catch (error) {
        dropped.add(1, { reason: 'failed' });
        const { requestId, traceparent } = refusal.context;
        const fields = { requestId, ...traceField(traceparent), error };
        logger.debug('a refusal was not recorded', fields);
      }
  };
  return {
    add(refusal) {
      if (waiting.length >= waitingMax) return dropped.add(1, { reason: 'full' });
      waiting.push(refusal);
      if (workers.size >= openMax) return;
      const worker = work().finally(() => workers.delete(worker));
      workers.add(worker);
    },
    async idle() {
      while (workers.size > 0) await Promise.all(workers);
    },
  };
}
