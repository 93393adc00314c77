import { failurePart, type StreamPart } from '@sluice/inference';
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
  #hasParts = false;

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

  /** Empty before the stream is open. */
  get headers(): Readonly<Record<string, string>> {
    return this.#writer?.headers ?? {};
  }

  /** True if the status was sent. Later failures are reported in the stream. */
  get isOpen(): boolean {
    return this.#writer !== undefined;
  }

  /** Opens the stream before there is output, in the name of the model that is planned first. */
  openWaiting(model: string): void {
    this.#write(this.#open(model).keepAlive);
  }

  /** Opens the stream, if it is not open yet, in the name of the model that serves. */
  began(model: string): void {
    const writer = this.#writer ?? this.#open(model);
    this.#hasBegun = true;
    const debugged = writer.report(this.#response.takeSent());
    writer.servedBy(model);
    this.#write(debugged);
  }

  /** Sends what the parts add. The last parts wait for the end of the stream, unless they come at once. */
  parts(parts: readonly StreamPart[]): Promise<void> | undefined {
    const writer = this.#opened();
    const holdsLast = this.#hasParts;
    this.#hasParts = true;
    this.#write(writer.write(parts, { holdsLast }));
    if (holdsLast && writer.status !== undefined) return undefined;
    return this.#channel.room() && this.#roomOrGone();
  }

  end(ended: Settlement): void {
    const writer = this.#opened();
    countAborted(this.#pipeline, this.#response, writer);
    this.#write(writer.end(ended));
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
    const failed = writer.write([failure]);
    const terminal = writer.end({
      usage: undefined,
      completedAt: Math.floor(this.#pipeline.clock.now().getTime() / 1_000),
      serviceMetadata: this.#response.metadata(),
    });
    this.#write(Buffer.concat([debugged, failed, terminal]));
  }

  close(): void {
    clearInterval(this.#keepAlive);
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
  async #roomOrGone(): Promise<void> {
    const timer = setTimeout(() => {
      this.#response.cancellation.clientLeft();
      this.#channel.leave();
    }, this.#pipeline.limits.clientStallMs);
    await this.#channel.room();
    clearTimeout(timer);
  }
}
