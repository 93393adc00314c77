import type { AnswerPart } from '@sluice/inference';
import { failurePart } from '@sluice/client-errors';
import type { Settlement, StreamWriter } from '../dialects/dialect.ts';
import { ByteChannel } from './byte-channel.ts';
import type { Pipeline } from './deps.ts';
import type { ResponseRun } from './response-run.ts';
import { countAborted } from './run-turns.ts';

/** The body of a streamed response, from its first event to `[DONE]`. */
export class EventStream {
  readonly #pipeline: Pipeline;
  readonly #response: ResponseRun;
  readonly #channel: ByteChannel;
  #keepAlive: NodeJS.Timeout | undefined;
  #writer: StreamWriter | undefined;
  #hasBegun = false;
  /** Set while the client is slow. */
  #slow: Promise<void> | undefined;
  #stall: NodeJS.Timeout | undefined;

  constructor(pipeline: Pipeline, response: ResponseRun) {
    this.#pipeline = pipeline;
    this.#response = response;
    const { cancellation, call } = response;
    this.#channel = new ByteChannel(cancellation.clientLeft);
    if (cancellation.isClientGone) this.#channel.leave();
    else call.signal.addEventListener('abort', this.#leave);
  }

  get body(): AsyncIterable<Uint8Array> {
    return this.#channel;
  }

  /** Empty before the stream is open. */
  get headers(): Readonly<Record<string, string>> {
    return this.#writer?.headers ?? {};
  }

  /** True if the status was sent. Later failures are reported in the stream. */
  get isOpen(): boolean {
    return this.#writer !== undefined;
  }

  /** Opens the stream before there is output, in the name of the model that is tried first. */
  openWaiting(): void {
    this.#write(this.#open(this.#response.head().model).keepAlive);
  }

  /** Opens the stream, if it is not open yet, in the name of the model that serves. */
  servedBy(model: string, provider: string): void {
    const writer = this.#writer ?? this.#open(model);
    const sent = this.#response.takeSent();
    // The bodies of later turns have no place in a stream: such events come before all output.
    const debugged = this.#hasBegun ? undefined : writer.report(sent);
    this.#hasBegun = true;
    writer.servedBy(model, provider);
    if (debugged) this.#write(debugged);
  }

  /** Sends what the parts add. Returns a promise to wait for if the client is slow. */
  parts(parts: readonly AnswerPart[]): Promise<void> | undefined {
    this.#write(this.#opened().write(parts));
    if (!this.#slow) {
      const room = this.#channel.room();
      this.#slow = room && this.#roomOrGone(room);
    }
    return this.#slow;
  }

  end(ended: Settlement): void {
    const writer = this.#opened();
    this.#write(writer.end(ended));
    countAborted(this.#pipeline, this.#response, writer);
  }

  /** Ends an open stream with a failure. Throws the error again if there was output, whose usage is then unknown. */
  fail(error: unknown): void {
    const failure = failurePart(error);
    const writer = this.#opened();
    if (this.#hasBegun) {
      this.#write(writer.abort(failure));
      throw error;
    }
    const debugged = writer.report(this.#response.takeSent());
    const terminal = writer.end({
      last: failure,
      usage: this.#response.usageBeside,
      completedAt: Math.floor(this.#pipeline.clock.now().getTime() / 1_000),
      serviceMetadata: this.#response.metadata(),
      alignment: this.#response.alignment,
    });
    this.#write(Buffer.concat([debugged, terminal]));
  }

  close(): void {
    clearInterval(this.#keepAlive);
    clearTimeout(this.#stall);
    this.#response.call.signal.removeEventListener('abort', this.#leave);
    this.#channel.end();
  }

  readonly #leave = (): void => this.#channel.leave();

  #opened(): StreamWriter {
    if (!this.#writer) throw new Error('invariant: a stream is open before its parts and its end');
    return this.#writer;
  }

  #open(model: string): StreamWriter {
    const writer = this.#response.planned.writers.stream({ ...this.#response.head(), model });
    const opening = writer.begin(this.#response.takeSent());
    this.#writer = writer;
    this.#keepAlive = setInterval(
      () => this.#channel.write(writer.keepAlive),
      this.#pipeline.limits.keepAliveMs,
    );
    this.#write(opening);
    return writer;
  }

  #write(bytes: Uint8Array): void {
    if (bytes.byteLength === 0) return;
    this.#keepAlive?.refresh();
    this.#channel.write(bytes);
  }

  /** Waits for a slow client. A client that takes nothing for too long has left. */
  async #roomOrGone(room: Promise<void>): Promise<void> {
    this.#stall = setTimeout(() => {
      this.#response.cancellation.clientLeft();
      this.#channel.leave();
    }, this.#pipeline.limits.clientStallMs);
    await room;
    clearTimeout(this.#stall);
    this.#slow = undefined;
  }
}
