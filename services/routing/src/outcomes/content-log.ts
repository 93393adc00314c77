import { type Bus, contentStream, subjects } from '@sluice/bus';
import type { KeyManagement } from '@sluice/envelope';
import type { Contents } from '@sluice/generation-contents';
import { GenerationContents } from '@sluice/protos/sluice/generation/v1/generation_events';
import type { Logger } from '@sluice/logging';
import { Background } from './background.ts';
import { ObserverStream } from './observer-stream.ts';
import { sealContents } from './seal-contents.ts';

export interface ContentLogOptions {
  readonly bus: Pick<Bus, 'publishFact' | 'ensureStream'>;
  /** Seals contents. Absent: none are sent. */
  readonly keys?: KeyManagement | undefined;
  readonly logger: Logger;
  /** The wait for a broker that is away. A second if absent. */
  readonly retryMs?: number;
  /** Called for the contents of each generation that were not sent. */
  readonly onDropped: () => void;
}

/** A generation whose contents are stored for its workspace. */
export interface LoggedGeneration {
  readonly generationId: string;
  readonly accountId: string;
  readonly workspaceId: string;
  /** Empty: no member made the key. */
  readonly userId: string;
  readonly endedAt: Date;
  /** Called once there is room for them. */
  readonly contents: () => Contents;
}

/** Contents that are on their way at one time: at most 256 KiB each. */
const waitingMax = 256;

/** Sends contents to the observer, which stores them for their workspace. They leave sealed, beside the requests. */
export class ContentLog {
  readonly #options: ContentLogOptions;
  readonly #stream: ObserverStream;
  readonly #background = new Background();

  constructor(options: ContentLogOptions) {
    const { bus, retryMs } = options;
    this.#options = options;
    this.#stream = new ObserverStream({ bus, retryMs, stream: contentStream });
  }

  /** Sends the contents of a generation. Never waits and never throws: those that are not sent are counted. */
  report(generation: LoggedGeneration): void {
    const { keys, onDropped } = this.#options;
    if (!keys || this.#background.size >= waitingMax) return onDropped();
    this.#background.add(() => this.#send(keys, generation));
  }

  /** Resolves when all contents that were reported are sent, or given up. */
  async settle(): Promise<void> {
    await this.#background.settle();
  }

  async #send(keys: KeyManagement, generation: LoggedGeneration): Promise<void> {
    const { logger, onDropped } = this.#options;
    const { generationId, accountId, workspaceId, userId, endedAt, contents } = generation;
    try {
      const owner = { accountId, recordId: `logged/${generationId}` };
      const json = GenerationContents.toJSON({
        generationId,
        accountId,
        workspaceId,
        userId,
        endedAt: endedAt.toISOString(),
        contents: await sealContents(keys, owner, contents()),
      }) as object;
      await this.#stream.publishFact(
        subjects.contentsLogged(accountId),
        generation.generationId,
        json,
      );
    } catch (error) {
      onDropped();
      logger.warn('the contents of a generation are not stored', { generationId, error });
    }
  }
}
