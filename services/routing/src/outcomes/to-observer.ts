import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@sluice/bus';
import type { KeyManagement } from '@sluice/envelope';
import type { Logger } from '@sluice/logging';
import type { Telemetry } from '@sluice/telemetry';
import { ContentLog } from './content-log.ts';
import { ResponseEnds } from './response-ends.ts';

interface ToObserverDeps {
  readonly bus: Pick<Bus, 'publishFact' | 'ensureStream'>;
  /** Seals contents. Absent: none leave. */
  readonly contentKeys?: KeyManagement | undefined;
  readonly logger: Logger;
  readonly telemetry: { readonly metrics: Pick<Telemetry['metrics'], 'contentsDropped'> };
}

interface Senders {
  readonly ends: ResponseEnds;
  readonly contentLog: ContentLog;
}

/** Time limit at a stop. A broker that is away keeps no process. */
const stopMsMax = 1_000;

/** Sends the observer what leaves routing beside usage facts. */
export class ToObserver {
  readonly senders: Senders;

  constructor({ bus, logger, telemetry, contentKeys: keys }: ToObserverDeps) {
    const { contentsDropped } = telemetry.metrics;
    const options = { bus, keys, logger, onDropped: () => contentsDropped.add(1) };
    this.senders = { ends: new ResponseEnds(options), contentLog: new ContentLog(options) };
  }

  /** Resolves when all that was reported is sent, or after a second. */
  async stop(): Promise<void> {
    const { ends, contentLog } = this.senders;
    const sent = Promise.all([ends.settle(), contentLog.settle()]);
    await Promise.race([sent, delay(stopMsMax, undefined, { ref: false })]);
  }
}
