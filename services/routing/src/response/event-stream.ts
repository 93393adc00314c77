import { failurePart, type StreamPart } from '@sluice/inference';
import type { ResponseEvent } from '../dialects/responses/event.ts';
import {
  advanceResponse,
  beginResponse,
  endResponse,
  type ResponseState,
  servedBy,
  tellDebugged,
} from '../dialects/responses/events.ts';
import { failureOf } from '../dialects/responses/outcome.ts';
import type { Settlement } from '../dialects/responses/response-object.ts';
import {
  doneBytes,
  errorEventBytes,
  keepAliveBytes,
  SseEncoder,
} from '../dialects/responses/sse.ts';
import { ByteChannel } from './byte-channel.ts';
import type { Pipeline } from './deps.ts';
import type { ResponseRun } from './response-run.ts';
import { countAborted } from './run-turns.ts';

/** The body of a streamed response, from its first event to `[DONE]`. */
export class EventStream {
  readonly #pipeline: Pipeline;
  readonly #response: ResponseRun;
  readonly #channel: ByteChannel;
  readonly #encoder = new SseEncoder();
  #keepAlive: NodeJS.Timeout | undefined;
  #state: ResponseState | undefined;
  #hasBegun = false;
  #hasParts = false;
  #eventCount = 0;
  /** Events of the last parts, which are sent together with the terminal event. */
  #pending: readonly ResponseEvent[] = [];

  constructor(pipeline: Pipeline, response: ResponseRun) {
    this.#pipeline = pipeline;
    this.#response = response;
    const { cancellation, call } = response;
    this.#channel = new ByteChannel(cancellation.clientLeft);
    if (cancellation.isClientGone) this.#channel.leave();
    else call.signal.addEventListener('abort', this.#leave, { once: true });
  }

  get body(): AsyncIterable<Uint8Array> {
    return this.#channel;
  }

  /** True if the status is out: a failure is told in the stream from here on. */
  get isOpen(): boolean {
    return this.#state !== undefined;
  }

  /** Opens the stream before there is output, in the name of the model that is planned first. */
  openWaiting(model: string): void {
    this.#open(model);
    this.#write(keepAliveBytes);
  }

  /** Opens the stream, if it is not open yet, in the name of the model that serves. */
  began(model: string): void {
    const opened = this.#state ?? this.#open(model);
    this.#hasBegun = true;
    const [state, debugged] = tellDebugged(opened, this.#response.takeDebugged());
    this.#state = servedBy(state, model);
    if (debugged.length > 0) this.#send(debugged);
  }

  /** Sends what the parts add. The events of the last parts wait for the terminal event, unless they come at once. */
  parts(parts: readonly StreamPart[]): Promise<void> | undefined {
    if (!this.#state) throw new Error('invariant: a stream is open before its parts');
    const events: ResponseEvent[] = [];
    for (const part of parts) {
      const [next, told] = advanceResponse(this.#state, part);
      this.#state = next;
      for (const event of told) events.push(event);
    }
    const isFirst = !this.#hasParts;
    this.#hasParts = true;
    if (this.#state.outcome && !isFirst) {
      this.#pending = events;
      return undefined;
    }
    if (events.length > 0) this.#send(events);
    return this.#channel.room() && this.#roomOrGone();
  }

  end(ended: Settlement): void {
    if (!this.#state) throw new Error('invariant: a stream is open before its end');
    countAborted(this.#pipeline, this.#response, this.#state);
    const [, terminal] = endResponse(this.#state, ended);
    this.#send([...this.#pending, ...terminal], { isLast: true });
  }

  /** Ends an open stream with a failure. Throws the error again if there was output, whose usage is then unknown. */
  fail(error: unknown): void {
    const failure = failurePart(error);
    if (!this.#state || this.#hasBegun) {
      this.#write(
        Buffer.concat([errorEventBytes(failureOf(failure), this.#eventCount), doneBytes]),
      );
      throw error;
    }
    const [opened, debugged] = tellDebugged(this.#state, this.#response.takeDebugged());
    const [failed, events] = advanceResponse(opened, failure);
    const [, terminal] = endResponse(failed, {
      usage: undefined,
      completedAt: Math.floor(this.#pipeline.clock.now().getTime() / 1_000),
      serviceMetadata: this.#response.metadata(),
    });
    this.#send([...debugged, ...events, ...terminal], { isLast: true });
  }

  close(): void {
    clearInterval(this.#keepAlive);
    this.#response.call.signal.removeEventListener('abort', this.#leave);
    this.#channel.end();
  }

  readonly #leave = (): void => this.#channel.leave();

  #open(model: string): ResponseState {
    const { itemId } = this.#response;
    const head = { ...this.#response.head(), model };
    const [state, events] = beginResponse(head, itemId, this.#response.takeDebugged());
    this.#state = state;
    this.#keepAlive = setInterval(
      () => this.#channel.write(keepAliveBytes),
      this.#pipeline.limits.keepAliveMs,
    );
    this.#send(events);
    return state;
  }

  #send(events: readonly ResponseEvent[], { isLast = false } = {}): void {
    this.#eventCount += events.length;
    const bytes = this.#encoder.bytes(events);
    this.#write(isLast ? Buffer.concat([bytes, doneBytes]) : bytes);
  }

  #write(bytes: Uint8Array): void {
    this.#keepAlive?.refresh();
    this.#channel.write(bytes);
  }

  /** Waits for a slow client. A client that takes nothing for too long has left. */
  async #roomOrGone(): Promise<void> {
    const timer = setTimeout(() => {
      this.#response.cancellation.clientLeft();
      this.#channel.leave();
    }, this.#pipeline.limits.clientStallMs);
    await this.#channel.room();
    clearTimeout(timer);
  }
}
