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
import type { Conversation, Headers, ReplyReader } from './conversation.ts';
import { Deadlines, type Timed } from './deadlines.ts';
import { type FlowingReply, ReplyFlow } from './reply-flow.ts';

/** Bounds the bytes of a reply after its last part. Above it the reply is aborted. */
const restBytesMax = 64 * 1024;
/** The time that a reply has to end after its last part, so that its connection can be reused. */
const drainTimeoutMs = 1_000;

type Read = IteratorResult<readonly StreamPart[], undefined>;

const done: Read = { done: true, value: undefined };

/**
 * One request and its reply. Before the first output `next` throws each failure. After it, a failure is an `error`
 * part. Each batch has all parts since the one before.
 */
export class Exchange
  implements
    Dispatcher.DispatchHandler,
    AsyncIterator<readonly StreamPart[], undefined>,
    FlowingReply,
    Timed
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
  /** The last part is in `#parts`, or `#failure` is set. No more parts are added. */
  #ended = false;
  #failure: { readonly reason: unknown } | undefined;
  /** The reply ended, so there is nothing to drain. */
  #isOver = false;
  #settled = false;
  #wake: (() => void) | undefined;
  #drain: NodeJS.Timeout | undefined;

  constructor(conversation: Conversation) {
    const { limits, signal } = conversation;
    this.#conversation = conversation;
    this.#deadlines = new Deadlines(limits, this);
    this.#flow = new ReplyFlow(conversation, this);
    signal.addEventListener('abort', this.#onAbort);
    if (signal.aborted) this.#onAbort();
  }

  /** Returns the next parts, or done after the last ones. Calls must not overlap. */
  next(): Promise<Read> {
    // The parts of one read are taken together: the consumer wakes after the last of them.
    const ready = this.#isReady() ? Promise.resolve() : this.#woken();
    return ready.then(() => this.#read());
  }

  /** Cancels an unfinished reply, because the consumer wants no more parts. */
  return(): Promise<Read> {
    if (!this.#ended) this.#stop();
    this.#parts = [];
    this.#flow.free();
    return Promise.resolve(done);
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
    if (parts.length > 0) this.#deadlines.progressed();
    this.#add(parts);
    if (this.#ended) return;
    const isAwaited = this.#committed && this.#parts.length > 0;
    this.#flow.parsed(controller, parts, { readBytes, unreadBytes: body.unreadBytes(), isAwaited });
  }

  /** Ends the answer, because all answers exceed the memory bound and this one holds the most. */
  onMemoryShort(): void {
    if (!this.#ended) this.#break(memoryShortPart());
  }

  /** Ends the answer, because a deadline has passed. */
  onExpired(what: string): void {
    if (this.#controller?.paused) return this.onResumed();
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

  /** Restarts the deadlines, because a paused reply is not silent. */
  onResumed(): void {
    this.#deadlines.active();
    this.#deadlines.progressed();
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

  /** Ends a request that was not sent. */
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

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #read(): Read {
    if (this.#committed && this.#parts.length > 0) return { done: false, value: this.#take() };
    if (this.#failure) throw this.#failure.reason;
    return done;
  }

  #take(): readonly StreamPart[] {
    const taken = this.#parts;
    this.#parts = [];
    this.#flow.taken();
    return taken;
  }

  #add(parts: readonly StreamPart[], cause?: unknown): void {
    const wasCommitted = this.#committed;
    for (const raw of parts) {
      const part = this.#conversation.shown(raw);
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

  /** Adds a part. Most reads have one part, and `push` would allocate a list with more room. */
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

  #fail(reason: unknown, cause?: unknown): void {
    if (cause !== undefined && reason instanceof Fault) reason.cause ??= cause;
    this.#failure = { reason };
    if (!this.#committed) this.#conversation.progress?.broke(this.#parts);
    this.#end();
  }

  /** Ends the answer. No more parts are added. */
  #end(): void {
    this.#ended = true;
    this.#reader = undefined;
    this.#flow.end();
    // The consumer does not get parts that were read before the first output.
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

  /** Ends the answer with an error and aborts the reply. */
  #break(part: Extract<StreamPart, { type: 'error' }>): void {
    this.#add([part]);
    this.#abort();
  }

  /** Reads a bounded rest after the last part, so that the connection can be reused. */
  #cutRest(bytes: number): void {
    this.#restBytes += bytes;
    if (this.#restBytes > restBytesMax) this.#abort();
  }

  /** Gives the reply time to end by itself after its last part. */
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
