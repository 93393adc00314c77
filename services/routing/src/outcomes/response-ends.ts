import { type Bus, endStream } from '@sluice/bus';
import type { KeyManagement } from '@sluice/envelope';
import type { Contents } from '@sluice/generation-contents';
import type { GenerationEnded } from '@sluice/protos/sluice/generation/v1/generation_events';
import type { Logger } from '@sluice/logging';
import { Background } from './background.ts';
import { guardrailEventsOf, type StagedDetections } from './detected-fact.ts';
import { EndBundles } from './end-bundles.ts';
import { ObserverStream } from './observer-stream.ts';
import { sealContents } from './seal-contents.ts';

export interface ResponseEndsOptions {
  readonly bus: Pick<Bus, 'publishFact' | 'ensureStream'>;
  /** Seals contents. Absent: none are sent. */
  readonly keys?: KeyManagement | undefined;
  readonly logger: Logger;
  /** The wait for a broker that is away. A second if absent. */
  readonly retryMs?: number;
  /** Called for each end that was not sent, or was sent without its contents. */
  readonly onDropped: () => void;
}

/** The end of a response. */
export interface ResponseEnd {
  readonly generationId: string;
  readonly accountId: string;
  readonly workspaceId: string;
  /** Model calls of the response. */
  readonly turns: number;
  readonly endedAt: Date;
  readonly detections: readonly StagedDetections[];
  /** Called once there is room for them. Absent: no destination wants contents. */
  readonly contents?: (() => Contents) | undefined;
}

/** Ends that are on their way at one time. */
const waitingMax = 1_000;
/** Bounds those of them with contents, which are at most 256 KiB each. */
const contentsMax = 256;

/**
 * Sends ends of responses to the observer, beside the requests. Only responses that a destination wants to know come
 * here. The contents leave sealed, for their generation alone.
 */
export class ResponseEnds {
  readonly #options: ResponseEndsOptions;
  readonly #bundles: EndBundles;
  readonly #background = new Background();

  #withContents = 0;

  constructor(options: ResponseEndsOptions) {
    const { bus, retryMs } = options;
    this.#options = options;
    this.#bundles = new EndBundles(new ObserverStream({ bus, retryMs, stream: endStream }));
  }

  /** Sends an end. Never waits and never throws: too many are dropped, and counted. */
  report(end: ResponseEnd): void {
    const { onDropped, keys } = this.#options;
    if (this.#background.size >= waitingMax) return onDropped();
    const wantsContents = end.contents !== undefined && keys !== undefined;
    const hasContents = wantsContents && this.#withContents < contentsMax;
    if (wantsContents && !hasContents) onDropped();
    if (hasContents) this.#withContents += 1;
    this.#background.add(async () => {
      await this.#send(end, hasContents ? keys : undefined);
      if (hasContents) this.#withContents -= 1;
    });
  }

  /** Resolves when all ends that were reported are sent, or given up. */
  async settle(): Promise<void> {
    await this.#background.settle();
  }

  async #send(end: ResponseEnd, keys: KeyManagement | undefined): Promise<void> {
    const { logger, onDropped } = this.#options;
    const { generationId, accountId, workspaceId, turns } = end;
    try {
      const owner = { accountId, recordId: `contents/${generationId}` };
      const contents = keys && end.contents && (await sealContents(keys, owner, end.contents()));
      const message: GenerationEnded = {
        generationId,
        accountId,
        workspaceId,
        turns,
        endedAt: end.endedAt.toISOString(),
        contents,
        ...guardrailEventsOf(end.detections),
      };
      await this.#bundles.publish(message);
    } catch (error) {
      onDropped();
      logger.warn('the end of a response is not reported', { generationId, error });
    }
  }
}
