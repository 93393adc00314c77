import { randomUUID } from 'node:crypto';
import type { ClientDuplexStream, ServiceError } from '@grpc/grpc-js';
import type {
  BatchAppendReq,
  BatchAppendReq_Options,
  BatchAppendResp,
} from '@sluice/protos/event_store/client/streams';
import { batchFact, refusalFact, type Fact } from './facts.ts';
import { expectedRevision, identified, type Expected, type Proposed } from './requests.ts';

export interface SendOptions {
  /** Milliseconds to wait for an answer; 4 s when absent. */
  readonly ms?: number;
  readonly deadline?: BatchAppendReq_Options['deadlineOption'];
  /** Sends the events in several messages. */
  readonly chunks?: readonly (readonly Proposed[])[];
  readonly correlation?: string;
}

const answerMs = 4_000;

/** One batch append call: an append is answered by its correlation id, with `no answer`, or by the end of the call. */
export class BatchCall {
  readonly #call: ClientDuplexStream<BatchAppendReq, BatchAppendResp>;
  readonly #patience: number;
  readonly #waiting = new Map<string, (fact: Fact) => void>();
  #ended: Fact;

  constructor(call: ClientDuplexStream<BatchAppendReq, BatchAppendResp>, patience: number) {
    this.#call = call;
    this.#patience = patience;
    call.on('data', (answer: BatchAppendResp) => {
      const value = answer.correlationId?.value;
      const key = value?.$case === 'string' ? value.value : uuidText(value?.value);
      this.#waiting.get(key)?.(batchFact(answer));
      this.#waiting.delete(key);
    });
    call.on('error', (error: ServiceError) => this.#end(refusalFact(error)));
    call.on('end', () => this.#end({ end: true }));
  }

  async send(
    stream: string,
    expected: Expected,
    events: readonly Proposed[],
    options: SendOptions = {},
  ): Promise<Fact> {
    if (this.#ended !== undefined) return { callEnded: this.#ended };
    const { ms = answerMs, deadline, chunks = [events], correlation = randomUUID() } = options;
    const { promise, resolve } = Promise.withResolvers<Fact>();
    const timer = setTimeout(() => {
      this.#waiting.delete(correlation);
      resolve('no answer');
    }, ms * this.#patience);
    this.#waiting.set(correlation, (fact) => {
      clearTimeout(timer);
      resolve(fact);
    });
    for (const [index, proposedMessages] of chunks.entries())
      this.#call.write({
        correlationId: { value: { $case: 'string', value: correlation } },
        options: index === 0 ? batchOptions(stream, expected, deadline) : undefined,
        proposedMessages: [...proposedMessages],
        isFinal: index === chunks.length - 1,
      });
    return await promise;
  }

  close(): void {
    this.#call.cancel();
  }

  #end(fact: Fact): void {
    this.#ended ??= fact;
    for (const resolve of this.#waiting.values()) resolve({ callEnded: fact });
    this.#waiting.clear();
  }
}

function batchOptions(
  stream: string,
  expected: Expected,
  deadlineOption: BatchAppendReq_Options['deadlineOption'],
): BatchAppendReq_Options {
  const expectedStreamPosition = expectedRevision(expected, 'streamPosition');
  return { streamIdentifier: identified(stream), expectedStreamPosition, deadlineOption };
}

function uuidText(
  halves:
    | { readonly mostSignificantBits: bigint; readonly leastSignificantBits: bigint }
    | undefined,
): string {
  if (!halves) return '';
  const hex = [halves.mostSignificantBits, halves.leastSignificantBits]
    .map((half) => BigInt.asUintN(64, half).toString(16).padStart(16, '0'))
    .join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
