import { setTimeout as delay } from 'node:timers/promises';
import { subjects } from '@sluice/bus';
import {
  type GenerationEnded,
  GenerationEndedBundle,
} from '@sluice/protos/sluice/generation/v1/generation_events';
import type { ObserverStream } from './observer-stream.ts';

/** Ends of one account in one message. */
interface Bundle {
  readonly ends: GenerationEnded[];
  bytes: number;
  readonly published: Promise<void>;
}

/** Ends within this time are sent together, because a message costs more than its ends. */
const lingerMs = 20;
const endsMax = 50;
/** Approximate. A longer end goes alone, and stays below what the broker takes. */
const bytesMax = 131_072;

/** Publishes ends of responses, those of an account together. */
export class EndBundles {
  readonly #stream: Pick<ObserverStream, 'publishFact'>;
  readonly #open = new Map<string, Bundle>();

  constructor(stream: Pick<ObserverStream, 'publishFact'>) {
    this.#stream = stream;
  }

  /** Resolves when the broker has taken the end. Throws the error of the last attempt. */
  publish(end: GenerationEnded): Promise<void> {
    const { accountId } = end;
    const bytes = bytesOf(end);
    let bundle = this.#open.get(accountId);
    if (!bundle || bundle.ends.length >= endsMax || bundle.bytes + bytes > bytesMax) {
      bundle = this.#begin(accountId);
      this.#open.set(accountId, bundle);
    }
    bundle.ends.push(end);
    bundle.bytes += bytes;
    return bundle.published;
  }

  #begin(accountId: string): Bundle {
    const ends: GenerationEnded[] = [];
    const bundle = { ends, bytes: 0, published: this.#send(accountId, ends) };
    return bundle;
  }

  async #send(accountId: string, ends: GenerationEnded[]): Promise<void> {
    await delay(lingerMs, undefined, { ref: false });
    if (this.#open.get(accountId)?.ends === ends) this.#open.delete(accountId);
    const bundleId = `${ends[0]?.generationId ?? ''}+${String(ends.length - 1)}`;
    const message = GenerationEndedBundle.toJSON({ ends }) as object;
    await this.#stream.publishFact(subjects.generationEnded(accountId), bundleId, message);
  }
}

/** Returns about the bytes of an end in JSON. */
function bytesOf({ contents, guardrailEvents }: GenerationEnded): number {
  const sealed = contents?.ciphertext.length ?? 0;
  return 1_024 + (sealed * 4) / 3 + guardrailEvents.length * 1_024;
}
