import type { Random } from '@sluice/testing/random';
import { type InferenceReply, isStream } from '@sluice/inference-port';
import { BrokenRule, readStream } from '@sluice/testing/response-stream';
import { type SimulatedCap, type SimulatedKey, principalOf } from './caps.ts';
import type { VirtualReplica } from './virtual-replica.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Each so-manieth request is for the model that some have a credential for. */
const ownEvery = 3;

/** One request and what its client got. Status 0: no whole answer. */
export interface Asked {
  readonly requestId: string;
  readonly key: SimulatedKey;
  readonly model: string;
  readonly bodyBytes: number;
  readonly outputTokensMax: number | undefined;
  readonly sentMs: number;
  status: number;
  answeredMs: number | undefined;
  /** When anything came the last time. undefined: nothing ever came. */
  heardMs: number | undefined;
  /** The rule that its stream broke. */
  broken: string | undefined;
}

/** 402 for what a customer has, 403 for what an administrator allows. */
export const isRefusal = (status: number) => status === 402 || status === 403;

export interface ClientsOptions {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly keys: readonly [SimulatedKey, ...SimulatedKey[]];
  readonly caps: readonly SimulatedCap[];
  readonly replicas: readonly [VirtualReplica, ...VirtualReplica[]];
  readonly requests: number;
  readonly pauseMsMax: number;
}

/** Sends requests, whatever becomes of the earlier ones; some clients leave early. */
export class Clients {
  readonly asked: Asked[] = [];
  readonly #options: ClientsOptions;
  readonly #open = new Set<Promise<void>>();

  constructor(options: ClientsOptions) {
    this.#options = options;
  }

  /** Resolves when the last one has its answer, or has none. */
  async run(): Promise<void> {
    const { time, random, requests, pauseMsMax } = this.#options;
    for (let number = 1; number <= requests; number++) {
      // In waves: many at once, then nobody.
      await time.sleep(random.next() < 0.6 ? 0 : random.next() * pauseMsMax);
      const sending = this.#send(number).finally(() => this.#open.delete(sending));
      this.#open.add(sending);
    }
    await Promise.all(this.#open);
  }

  async #send(number: number): Promise<void> {
    const { time, random, keys, caps, replicas } = this.#options;
    const key = random.pick(keys);
    const stream = random.next() < 0.5;
    const outputTokensMax = random.next() < 0.7 ? random.between(16, 200) : undefined;
    const shared = random.next() < 0.8 ? 'sim/one' : 'sim/two';
    const model = number % ownEvery === 0 ? 'sim/own' : shared;
    const input = 'word'.repeat(random.between(1, 40));
    const limit = outputTokensMax === undefined ? {} : { max_output_tokens: outputTokensMax };
    const body = Buffer.from(JSON.stringify({ model, input, stream, ...limit }));
    const requestId = `req-${number}`;
    const asked: Asked = {
      requestId,
      key,
      model,
      bodyBytes: body.length,
      outputTokensMax,
      sentMs: time.nowMs,
      status: 0,
      answeredMs: undefined,
      heardMs: undefined,
      broken: undefined,
    };
    this.asked.push(asked);
    const leaving = new AbortController();
    if (random.next() < 0.1)
      time.after(random.next() * 500, () => leaving.abort(new Error('the client has left')));
    const principal = principalOf(key, caps);
    const { signal } = leaving;
    try {
      const replica = random.pick(replicas);
      const onHeard = () => void (asked.heardMs = time.nowMs);
      const read = (reply: InferenceReply) => readWhole(reply, { signal, onHeard });
      asked.status = await replica.ask(
        { dialect: 'responses', principal, requestId, body, signal },
        read,
      );
    } catch (error) {
      // Otherwise the replica is gone: there is no answer.
      if (error instanceof BrokenRule) asked.broken = error.message;
    }
    asked.answeredMs = time.nowMs;
  }
}

interface Reading {
  readonly signal: AbortSignal;
  /** Called with each piece of the answer. */
  readonly onHeard: () => void;
}

async function readWhole(
  { status, body }: InferenceReply,
  { signal, onHeard }: Reading,
): Promise<number> {
  onHeard();
  if (!isStream(body)) return status;
  const pieces: Uint8Array[] = [];
  for await (const piece of body) {
    onHeard();
    pieces.push(piece);
  }
  const text = Buffer.concat(pieces).toString();
  readStream(text, { mayBreak: true, isLeft: () => signal.aborted });
  return status;
}
