import { Fault } from '@sluice/errors';
import { isOutput, type StreamPart } from '@sluice/inference';
import type { Dispatcher } from 'undici';
import {
  cutPart,
  memoryShortPart,
  overlongPart,
  unreachablePart,
  type UpstreamError,
} from '../upstream-error.ts';
import type { KeptAnswer } from './answer-memory.ts';
import type { Conversation, Headers, ReplyReader } from './conversation.ts';
import { Deadlines } from './deadlines.ts';
import { ReplyFlow } from './reply-flow.ts';

/** After its last part a reply may send so much, and then it is cut off. */
const restBytesMax = 64 * 1024;
/** After its last part a reply may take this long to end, so that the connection can be kept. */
const drainTimeoutMs = 1_000;

/**
 * One request and its reply. Before the first output every failure is thrown by `next`; after it,
 * it is an `error` part. Parts are given in batches: all that came since the last one.
 */
export class Exchange
  implements
    Dispatcher.DispatchHandler,
    AsyncIterator<readonly StreamPart[], undefined>,
    KeptAnswer
{
  readonly #conversation: Conversation;
  readonly #deadlines: Deadlines;
  readonly #flow: ReplyFlow;
  #controller: Dispatcher.DispatchController | undefined;
  #reader: ReplyReader | undefined;
  #parts: StreamPart[] = [];
  #restBytes = 0;
  /** The first output was read. */
  #committed = false;
  /** The last part is in `#parts`, or `#failure` is set: nothing is added any more. */
  #ended = false;
  #failure: { readonly reason: unknown } | undefined;
  /** The reply ended: there is nothing to drain. */
  #isOver = false;
  #settled = false;
  #wake: (() => void) | undefined;
  #drain: NodeJS.Timeout | undefined;

  constructor(conversation: Conversation) {
    const { limits, signal, bounds } = conversation;
    this.#conversation = conversation;
    this.#deadlines = new Deadlines(limits, (what) => this.#expired(what));
    this.#flow = new ReplyFlow(bounds, this, () => this.#goesOn());
    signal.addEventListener('abort', this.#onAbort);
    if (signal.aborted) this.#onAbort();
  }

  /** The next parts; done when all were given. Asked for one after the other. */
  async next(): Promise<IteratorResult<readonly StreamPart[], undefined>> {
    // The parts of one read are taken together: the consumer wakes after the last of them.
    if (!this.#isReady())
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#committed && this.#parts.length > 0) return { done: false, value: this.#take() };
    if (this.#failure) throw this.#failure.reason;
    return { done: true, value: undefined };
  }

  /** The consumer wants no more: an unfinished reply is cancelled. */
  async return(): Promise<IteratorResult<readonly StreamPart[], undefined>> {
    if (!this.#ended) this.#stop();
    this.#parts = [];
    this.#flow.free();
    return { done: true, value: undefined };
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ended) controller.abort(new Error('cancelled'));
    else this.#conversation.progress?.sent();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Headers,
  ): void {
    if (status < 200 || this.#ended) return;
    this.#deadlines.headersArrived();
    if (status > 299) this.#conversation.progress?.refused();
    else this.#conversation.progress?.answered();
    try {
      this.#reader = this.#conversation.reader(status, headers);
    } catch (error) {
      this.#fail(error);
      this.#abort();
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#ended) return this.#cutRest(chunk.byteLength);
    if (!this.#reader) return;
    if (this.#reader.type === 'failure') {
      if (this.#reader.push(chunk)) return;
      this.#fail(this.#reader.fault());
      this.#abort();
      return;
    }
    this.#deadlines.active();
    const readBytes = chunk.byteLength;
    if (!this.#flow.read(readBytes)) return this.#break(overlongPart());
    const { body } = this.#reader;
    const parts = body.push(chunk);
    if (parts.length > 0) this.#deadlines.told();
    this.#add(parts);
    if (this.#ended) return;
    const isAwaited = this.#committed && this.#parts.length > 0;
    this.#flow.told(controller, parts, { readBytes, unreadBytes: body.unreadBytes(), isAwaited });
  }

  /** All answers together keep too much, and this one most of it. */
  onMemoryShort(): void {
    if (!this.#ended) this.#break(memoryShortPart());
  }

  onResponseEnd(): void {
    this.#isOver = true;
    if (!this.#ended && this.#reader) {
      if (this.#reader.type === 'failure') this.#fail(this.#reader.fault());
      else this.#add(this.#reader.body.end());
    }
    if (!this.#ended) this.#add([cutPart()]);
    this.#settle();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.#ended) {
      if (this.#reader?.type === 'failure') this.#fail(this.#reader.fault(), error);
      else this.#add([this.#reader ? cutPart() : unreachablePart()], error);
    }
    this.#settle();
  }

  /** A request that was never sent. */
  refuse(fault: Fault): void {
    this.#fail(fault);
    this.#settle();
  }

  readonly #onAbort = (): void => {
    if (this.#ended) return;
    this.#fail(this.#conversation.signal.reason);
    this.#abort();
  };

  #isReady(): boolean {
    return this.#ended || (this.#committed && this.#parts.length > 0);
  }

  #take(): readonly StreamPart[] {
    const taken = this.#parts;
    this.#parts = [];
    this.#flow.taken();
    return taken;
  }

  #add(parts: readonly StreamPart[], cause?: unknown): void {
    const wasCommitted = this.#committed;
    for (const told of parts) {
      const part = this.#conversation.shown(told);
      if (part.type === 'error' && !this.#committed) {
        this.#keep(part);
        this.#fail(this.#conversation.faultOf(part), cause);
        this.#drainRest();
        return;
      }
      if (part.type === 'response-start' && part.upstreamId !== undefined)
        this.#conversation.named(part.upstreamId);
      this.#keep(part.type === 'error' ? this.#publicError(part) : part);
      if (isOutput(part)) this.#committed = true;
      if (part.type === 'error' || part.type === 'finish') {
        this.#end();
        this.#drainRest();
        return;
      }
    }
    if (this.#committed && !wasCommitted) this.#deadlines.outputBegan();
    if (this.#isReady()) this.#wakeUp();
  }

  /** One part is most of what a read brings: a list for more would be mostly empty. */
  #keep(part: StreamPart): void {
    if (this.#parts.length === 0) this.#parts = [part];
    else this.#parts.push(part);
  }

  #publicError(part: Extract<StreamPart, { type: 'error' }>): StreamPart {
    const { message, metadata } = this.#conversation.faultOf(part);
    const { provider_code: providerCode } = metadata;
    return {
      ...part,
      message,
      providerCode: typeof providerCode === 'string' ? providerCode : undefined,
    };
  }

  #expired(what: string): void {
    if (this.#controller?.paused) return this.#goesOn();
    const error: UpstreamError = {
      code: 'provider_timeout',
      message: what,
      providerCode: undefined,
    };
    if (this.#committed) {
      this.#parts.push({ type: 'error', ...error, usage: undefined });
      this.#end();
    } else {
      this.#fail(new Fault(error.code, { message: what }));
    }
    this.#abort();
  }

  #fail(reason: unknown, cause?: unknown): void {
    if (cause !== undefined && reason instanceof Fault) reason.cause ??= cause;
    this.#failure = { reason };
    if (!this.#committed) this.#conversation.progress?.broke(this.#parts);
    this.#end();
  }

  /** Nothing more is told. */
  #end(): void {
    this.#ended = true;
    this.#reader = undefined;
    this.#flow.end();
    // Before the first output nobody is given what was read.
    if (!this.#committed || this.#parts.length === 0) this.#flow.free();
    this.#deadlines.clear();
    this.#conversation.signal.removeEventListener('abort', this.#onAbort);
    this.#wakeUp();
  }

  #stop(): void {
    this.#end();
    this.#abort();
  }

  #abort(): void {
    this.#controller?.abort(new Error('cancelled'));
  }

  /** Ends the answer for a reason of ours; its rest is not waited for. */
  #break(part: Extract<StreamPart, { type: 'error' }>): void {
    this.#add([part]);
    this.#abort();
  }

  /** Reads the rest after the last part for a while, so that the connection can be kept. */
  #cutRest(bytes: number): void {
    this.#restBytes += bytes;
    if (this.#restBytes > restBytesMax) this.#abort();
  }

  /** A pause of ours is not the silence of the upstream. */
  #goesOn(): void {
    this.#deadlines.active();
    this.#deadlines.told();
  }

  /** All was said: gives the reply a moment to end by itself. */
  #drainRest(): void {
    if (this.#isOver || this.#settled) return;
    this.#drain = setTimeout(() => this.#abort(), drainTimeoutMs);
  }

  #settle(): void {
    clearTimeout(this.#drain);
    if (this.#settled) return;
    this.#settled = true;
    this.#conversation.settled();
  }

  #wakeUp(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
