import { Fault } from '@sluice/errors';
import type { InferenceRequest, StreamPart } from '@sluice/inference';
import type { buildConnector, Dispatcher } from 'undici';
import { accountLimits } from './account-limits.ts';
import type { Endpoint } from './endpoint.ts';
import { callBatches } from './input-batches.ts';
import { countInput, type InputCounting } from './input-count.ts';
import { prepareCall } from './prepare-request.ts';
import { replyReader } from './reply-reader.ts';
import { withoutKey } from './secrets.ts';
import { redactBody } from './redact-body.ts';
import { urlOf } from './transport/base-url.ts';
import { AnswerMemory } from './transport/answer-memory.ts';
import type { CallLimits } from './transport/deadlines.ts';
import type { CallProgress } from './transport/call-progress.ts';
import type { CallSignal, Conversation, Headers, ReplyReader } from './transport/conversation.ts';
import { Exchange } from './transport/exchange.ts';
import { isEventStream } from './transport/headers.ts';
import { SystemRetry } from './system-retry.ts';
import { Dispatchers, type ProxySettings } from './transport/dispatchers.ts';
import { type AnswerProbe, probedReader } from './transport/answer-probe.ts';
import { Turns } from './transport/turns.ts';
import type { ChangeParts } from './tools/restore-calls.ts';
import type { Translator } from './translation.ts';
import type { UpstreamError } from './upstream-error.ts';
import { faultOf } from './upstream-fault.ts';
import { wellFormedJson } from './well-formed.ts';
import { translators } from './wire-body.ts';
import { lookUpUsage, type UsageLookup } from './usage-lookup.ts';

export interface CallOptions extends CallLimits {
  /** An abort cancels the upstream call. The iteration then throws the signal's reason. */
  readonly signal: CallSignal;
  /** Sent as `x-request-id`, so that both sides can find the call in their logs. */
  readonly requestId: string;
  /** Sent as `x-client-request-id`. A provider's receipts may contain it. */
  readonly attemptId?: string;
  /** The beta features that the client asks for. Sent only to providers of Anthropic's protocol. */
  readonly anthropicBetas?: readonly string[] | undefined;
  /** Called once with the upstream's id of the answer. The first output may follow much later. */
  readonly onNamed?: ((upstreamId: string) => void) | undefined;
  /** Called for each event of a stream that is none of its dialect and was skipped. */
  readonly onStray?: (() => void) | undefined;
  /** Called with the status of a reply and its headers about the limits of the account at the provider. */
  readonly onLimits?:
    | ((status: number, limits: Readonly<Record<string, string>>) => void)
    | undefined;
  /** Called before each request upstream with its body, which is bounded and without the key. */
  readonly onBody?: ((body: Readonly<Record<string, unknown>>) => void) | undefined;
  /** Learns how an answer came. */
  readonly probe?: AnswerProbe | undefined;
  /** Gets the progress of the call, because a failed attempt may still be billed. */
  readonly progress?: CallProgress;
  /**
   * Bounds the body of the answer in bytes. A request that the answer repeats does not count. Absent: only the general
   * bounds apply.
   */
  readonly answerBytesMax?: number | undefined;
}

export interface Upstream extends UsageLookup, InputCounting {
  /**
   * Calls an endpoint once, or once for each batch of inputs of a request for vectors. The first batch of parts has the
   * first output. Before it each failure is a thrown Fault, and another endpoint may be tried. After it a failure is an
   * `error` part. The last part is `finish` or `error`. To leave the iteration early cancels the upstream call.
   */
  readonly call: (
    endpoint: Endpoint,
    request: InferenceRequest,
    options: CallOptions,
  ) => AsyncIterable<readonly StreamPart[]>;
  /** Returns the estimated memory of the answers in progress. */
  readonly keptBytes: () => number;
  /** Aborts all calls in progress and closes all connections. */
  readonly stop: () => Promise<void>;
}

export interface UpstreamOptions {
  /** Connections per origin. Further calls wait within their deadlines. */
  readonly connectionsMax?: number;
  /** Absent: every call is direct. */
  readonly proxy?: ProxySettings | undefined;
  /** Connects to private endpoints, and refuses addresses. Absent: none of them is called. */
  readonly connectPrivate?: buildConnector.connector | undefined;
  /** Concurrent calls over all origins. Further calls are refused with `unavailable`. */
  readonly callsMax?: number;
  /** Bounds the memory of all answers in progress. Above it the largest one is ended. */
  readonly keptBytesMax?: number;
}

const keptBytesMaxDefault = 256 * 1024 * 1024;
/** OpenAI's streams repeat the instructions and the tools of a request in three events. */
const requestEchoes = 4;

/** Creates the client of all upstreams. It owns their connections, which are kept alive and shared. */
export function createUpstream(options: UpstreamOptions = {}): Upstream {
  const { connectionsMax = 1_024, callsMax = 10_000 } = options;
  const dispatchers = new Dispatchers({ ...options, connectionsMax });
  const running: Running = {
    calls: 0,
    memory: new AnswerMemory(options.keptBytesMax ?? keptBytesMaxDefault),
    turns: new Turns(),
  };

  function begin(
    endpoint: Endpoint,
    request: InferenceRequest,
    callOptions: CallOptions,
  ): Exchange {
    if (callOptions.signal.aborted) throw callOptions.signal.reason;
    if (running.calls >= callsMax) throw new Fault('unavailable');
    running.calls += 1;
    const called = new Called(endpoint, request, callOptions, running);
    const exchange = new Exchange(called);
    send(dispatchers.to(endpoint), exchange, called);
    return exchange;
  }

  const systemRetry = new SystemRetry();

  return {
    call: (endpoint, request, callOptions) => ({
      [Symbol.asyncIterator]: () => {
        const { inputsMax } = translators[endpoint.dialect].embeddings ?? {};
        if (!request.embedding || inputsMax === undefined)
          return systemRetry.begin(endpoint, request, (one) => begin(one, request, callOptions));
        const { memory } = running;
        const beginBatch = (batch: InferenceRequest, options: CallOptions) =>
          begin(endpoint, batch, options);
        return callBatches({ request, inputsMax, options: callOptions, memory, begin: beginBatch });
      },
    }),
    lookUp: (endpoint, upstreamId, lookupOptions) => {
      const translator = translators[endpoint.dialect];
      return lookUpUsage(
        dispatchers.to(endpoint),
        { endpoint, translator, upstreamId },
        lookupOptions,
      );
    },
    async countInput(endpoint, request, countOptions) {
      if (running.calls >= callsMax) return undefined;
      running.calls += 1;
      const translator = translators[endpoint.dialect];
      return countInput(
        dispatchers.to(endpoint),
        { endpoint, translator },
        request,
        countOptions,
      ).finally(() => {
        running.calls -= 1;
      });
    },
    keptBytes: () => running.memory.bytes,
    stop: () => dispatchers.destroy(),
  };
}

/** The state that all calls share. */
interface Running {
  calls: number;
  readonly memory: AnswerMemory;
  readonly turns: Turns;
}

/** One call: its endpoint, its request and how its reply is read. */
class Called implements Conversation {
  readonly endpoint: Endpoint;
  readonly translator: Translator;
  readonly request: InferenceRequest;
  readonly limits: CallOptions;
  readonly signal: CallSignal;
  requestBytes = 0;
  restore: ChangeParts | undefined;
  readonly #running: Running;

  constructor(
    endpoint: Endpoint,
    request: InferenceRequest,
    callOptions: CallOptions,
    running: Running,
  ) {
    this.endpoint = endpoint;
    this.translator = translators[endpoint.dialect];
    this.request = request;
    this.limits = callOptions;
    this.signal = callOptions.signal;
    this.#running = running;
  }

  get memory(): AnswerMemory {
    return this.#running.memory;
  }

  get turns(): Turns {
    return this.#running.turns;
  }

  get answerBytesMax(): number {
    return (this.limits.answerBytesMax ?? Infinity) + requestEchoes * this.requestBytes;
  }

  reader(status: number, headers: Headers): ReplyReader {
    this.limits.onLimits?.(status, accountLimits(headers));
    const reader = replyReader(this, status, headers);
    return probedReader(reader, this.limits.probe, () => isEventStream(this.request, headers));
  }

  faultOf(error: UpstreamError): Fault {
    return faultOf(this.endpoint, error);
  }

  shown(part: StreamPart): StreamPart {
    return withoutKey(this.endpoint, part);
  }

  get progress(): CallProgress | undefined {
    return this.limits.progress;
  }

  named(upstreamId: string): void {
    this.limits.onNamed?.(upstreamId);
  }

  settled(): void {
    this.#running.calls -= 1;
  }
}

function send(agent: Dispatcher, exchange: Exchange, called: Called): void {
  const { endpoint, translator, request } = called;
  const { requestId, attemptId, anthropicBetas = [], onBody } = called.limits;
  try {
    const { path: callPath, body, restore } = prepareCall(translator, endpoint, request);
    called.restore = restore;
    onBody?.(redactBody(endpoint, body));
    const text = wellFormedJson(body);
    called.requestBytes = text.length;
    const { origin, pathname } = urlOf(endpoint.baseUrl);
    const path = pathname + callPath;
    const key = endpoint.apiKey?.reveal();
    // undici omits undefined headers.
    const headers = {
      'content-type': 'application/json',
      accept: request.stream ? 'text/event-stream' : 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'sluice',
      'x-request-id': requestId,
      'x-client-request-id': attemptId,
      authorization: key === undefined || translator.headers ? undefined : `Bearer ${key}`,
    };
    agent.dispatch(
      {
        origin,
        path,
        method: 'POST',
        // A connection has one request at a time, so no other request waits for its headers.
        blocking: false,
        headers: translator.headers
          ? { ...headers, ...translator.headers(key, anthropicBetas) }
          : headers,
        body: text,
      },
      exchange,
    );
  } catch (cause) {
    exchange.refuse(new Fault('provider_unavailable', { cause }));
  }
}
