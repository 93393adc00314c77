import { Fault } from '@sluice/errors';
import {
  addTokens,
  inputCount,
  type EmbeddingVector,
  type InferenceRequest,
  type StreamPart,
  type TokenUsage,
} from '@sluice/inference';
import type { AnswerMemory, KeptAnswer } from './transport/answer-memory.ts';
import type { CallProgress } from './transport/call-progress.ts';
import { cutPart, memoryShortPart } from './upstream-error.ts';

type Parts = readonly StreamPart[];
type FinishPart = Extract<StreamPart, { type: 'finish' }>;

interface BatchOptions {
  readonly progress?: CallProgress;
  readonly answerBytesMax?: number | undefined;
}

export interface BatchedCall<Options extends BatchOptions> {
  readonly request: InferenceRequest;
  /** The most inputs of one call. */
  readonly inputsMax: number;
  /** The options of all calls together. */
  readonly options: Options;
  readonly memory: AnswerMemory;
  readonly begin: (request: InferenceRequest, options: Options) => AsyncIterator<Parts>;
}

/**
 * Calls an endpoint for vectors, and answers as one call. A request with more inputs than one call takes is split. The
 * calls follow one another: at most one is open, so a failure leaves no doubt about which of them were answered.
 */
export function callBatches<Options extends BatchOptions>(
  batched: BatchedCall<Options>,
): AsyncIterator<Parts> {
  const { request, inputsMax, options, begin } = batched;
  const batches = inputBatches(request, inputsMax);
  return batches.length > 1 ? callEach(batches, batched) : begin(request, options);
}

/** Splits a request for vectors into requests with so many inputs at most, in the order of the inputs. */
export function inputBatches(
  request: InferenceRequest,
  inputsMax: number,
): readonly InferenceRequest[] {
  const { items, embedding } = request;
  const inputs = inputCount(request);
  const batches: InferenceRequest[] = [];
  for (let first = 0; first < inputs; first += inputsMax) {
    const end = first + inputsMax;
    const tokens = embedding?.tokens?.slice(first, end);
    batches.push({
      ...request,
      items: items.slice(first, end),
      ...(embedding && tokens && { embedding: { ...embedding, tokens } }),
    });
  }
  return batches;
}

/**
 * The usage of the answer is the sum. A call that fails ends the request. The calls before it were answered, so the
 * progress gets their usage, which the provider may bill.
 */
async function* callEach<Options extends BatchOptions>(
  [first, ...later]: readonly InferenceRequest[],
  { request, options, memory, begin }: BatchedCall<Options>,
): AsyncGenerator<Parts, undefined> {
  const { answerBytesMax = Infinity, progress } = options;
  const bytesPerInput = answerBytesMax / inputCount(request);
  const call = async (batch: InferenceRequest, ofBatch?: CallProgress) => {
    const bounds = { answerBytesMax: bytesPerInput * inputCount(batch) };
    return allParts(begin(batch, { ...options, ...bounds, ...(ofBatch && { progress: ofBatch }) }));
  };
  const answer = new JointAnswer(memory);
  try {
    if (first) answer.add(await call(first));
    for (const batch of later) {
      const last = new LastProgress();
      try {
        answer.add(await call(batch, last));
      } catch (error) {
        progress?.broke([cutPart(answer.usageWith(last.parts))]);
        throw error;
      }
    }
  } finally {
    memory.free(answer);
  }
  yield answer.parts();
}

async function allParts(answer: AsyncIterator<Parts>): Promise<Parts> {
  const all: StreamPart[] = [];
  for (let next = await answer.next(); !next.done; next = await answer.next())
    all.push(...next.value);
  return all;
}

/** The progress of a call after the first one. The calls before it were sent and answered. */
class LastProgress implements CallProgress {
  parts: Parts = [];

  sent(): void {}
  refused(): void {}
  answered(): void {}

  broke(parts: Parts): void {
    this.parts = parts;
  }
}

const numberBytes = 8;

/** The answers to all batches as one answer. */
class JointAnswer implements KeptAnswer {
  readonly #memory: AnswerMemory;
  readonly #head: StreamPart[] = [];
  #vectors: EmbeddingVector[] = [];
  #bytes = 0;
  #finish: FinishPart | undefined;
  #isMemoryShort = false;

  constructor(memory: AnswerMemory) {
    this.#memory = memory;
  }

  /** Adds the answer to the next batch. Throws if there is no memory for it. */
  add(parts: Parts): void {
    for (const part of parts)
      if (part.type === 'embeddings') this.#addVectors(part.vectors);
      else if (part.type === 'finish') this.#finish = jointFinish(this.#finish, part);
      else if (part.type === 'unread-usage' || this.#head.length === 0) this.#head.push(part);
    if (!this.#isMemoryShort) return;
    const { code, message } = memoryShortPart();
    throw new Fault(code, { message });
  }

  /** Returns the usage so far, with that of a call that failed if the provider reported it. */
  usageWith(failed: Parts): TokenUsage | undefined {
    const usage = this.#finish?.usage;
    const last = failed.at(-1);
    return usage && last?.type === 'error' && last.usage ? addTokens(usage, last.usage) : usage;
  }

  parts(): Parts {
    if (!this.#finish) throw new Error('invariant: each batch was answered to its end');
    return [...this.#head, { type: 'embeddings', vectors: this.#vectors }, this.#finish];
  }

  onMemoryShort(): void {
    this.#isMemoryShort = true;
    this.#vectors = [];
  }

  #addVectors(vectors: readonly EmbeddingVector[]): void {
    for (const vector of vectors) {
      this.#vectors.push(vector);
      this.#bytes += typeof vector === 'string' ? vector.length : numberBytes * vector.length;
    }
    this.#memory.keep(this, this.#bytes);
  }
}

/** The usage is not known if that of one answer is not. */
function jointFinish(before: FinishPart | undefined, next: FinishPart): FinishPart {
  if (!before) return next;
  const usage = before.usage && next.usage && addTokens(before.usage, next.usage);
  return { ...next, usage };
}
