import { Readable } from 'node:stream';
import { Fault } from '@sluice/errors';
import type { InferenceReply } from '@sluice/inference';
import type { Dispatcher } from 'undici';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * One call and its reply: what has a length is there as one piece, anything else is handed on as it comes and as fast
 * as it is taken. Rejects with unavailable when the call breaks before that; a stream that breaks is destroyed.
 */
export class HttpCall implements Dispatcher.DispatchHandler {
  readonly #replied = Promise.withResolvers<InferenceReply>();
  readonly #signal: AbortSignal;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: Record<string, string> = {};
  #whole: Uint8Array[] = [];
  #stream: Readable | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  get reply(): Promise<InferenceReply> {
    return this.#replied.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal.aborted) this.#onAbort();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Headers,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = single(headers);
    if (headers['content-length'] !== undefined) return;
    const body = new Readable({
      read: () => controller.resume(),
      destroy: (error, done) => {
        controller.abort(error ?? new Error('nobody reads it'));
        done(error);
      },
    });
    // It may break before anybody reads it, and then has to be heard all the same; who reads it later is told.
    body.on('error', () => {});
    this.#stream = body;
    this.#replied.resolve({ status, headers: this.#headers, body });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (!this.#stream) this.#whole.push(chunk);
    else if (!this.#stream.push(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    this.#end();
    if (this.#stream) return void this.#stream.push(null);
    const [first] = this.#whole;
    const body = first && this.#whole.length === 1 ? first : Buffer.concat(this.#whole);
    this.#replied.resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, cause: Error): void {
    this.#end();
    this.#replied.reject(new Fault('unavailable', { cause }));
    this.#stream?.destroy(cause);
  }

  readonly #onAbort = (): void => {
    this.#controller?.abort(this.#signal.reason instanceof Error ? this.#signal.reason : gone);
  };

  #end(): void {
    this.#signal.removeEventListener('abort', this.#onAbort);
  }
}

const gone = new Error('the client has left');

/** As our own servers send them: a header that comes twice is one list. */
function single(headers: Headers): Record<string, string> {
  const all: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === 'string') all[name] = value;
    else if (value !== undefined) all[name] = value.join(', ');
  }
  return all;
}
