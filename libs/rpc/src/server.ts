import { timingSafeEqual } from 'node:crypto';
import {
  Server,
  ServerCredentials,
  type handleClientStreamingCall,
  type handleUnaryCall,
  type sendUnaryData,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import type { Tracing } from '@sluice/telemetry';
import { withCallSignal } from './call-signal.ts';
import { traceCall } from './call-span.ts';
import type { Calls, RpcDefinition } from './definition.ts';
import { faultToStatus } from './status.ts';

/** One gRPC service with its handlers: made by `implement`, mounted by `startRpcServer`. */
export interface RpcService {
  readonly definition: RpcDefinition;
  readonly handlers: Readonly<Record<string, (request: never) => Promise<unknown>>>;
}

/** Binds plain async functions to a generated service: all methods, each with its own types. */
export function implement<Definition extends RpcDefinition>(
  definition: Definition,
  handlers: Calls<Definition>,
): RpcService {
  return { definition, handlers };
}

export interface RpcServerOptions {
  readonly services: readonly RpcService[];
  /** `host:port`; port 0 takes a free one. */
  readonly address: string;
  /** Each call must carry it: access to the port alone does not allow commands. */
  readonly token: string;
  /** Called with each error that is a bug and not a Fault; the caller gets a masked INTERNAL. */
  readonly onBug: (error: unknown, method: string) => void;
  /** Records a span per command. Absent: none. */
  readonly tracing?: Tracing;
}

export interface RpcServer {
  readonly address: string;
  stop(): Promise<void>;
}

const messageBytesMax = 4 * 1024 * 1024;
const shutdownTimeoutMs = 2_000;

export async function startRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const server = new Server({ 'grpc.max_receive_message_length': messageBytesMax });
  for (const service of options.services)
    server.addService(service.definition as ServiceDefinition, guarded(service, options));
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.bindAsync(options.address, ServerCredentials.createInsecure(), (error, port) =>
    error ? reject(error) : resolve(port),
  );
  const port = await promise;
  const host = options.address.slice(0, options.address.lastIndexOf(':'));
  return { address: `${host}:${port}`, stop: () => stop(server) };
}

type Handle = handleUnaryCall<unknown, unknown> & handleClientStreamingCall<unknown, unknown>;
type Call = ServerUnaryCall<unknown, unknown> | ServerReadableStream<unknown, unknown>;

function guarded(service: RpcService, options: RpcServerOptions): Record<string, Handle> {
  const expected = Buffer.from(options.token);
  const { tracing } = options;
  return Object.fromEntries(
    Object.entries(service.handlers).map(([method, handler]) => [
      method,
      (call: Call, callback: sendUnaryData<unknown>) => {
        const given = Buffer.from(String(call.metadata.get('sluice-token')[0] ?? ''));
        if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
          callback(faultToStatus('authentication_invalid'));
          return;
        }
        const caller = waitingCaller(call);
        const sent = 'request' in call ? call.request : call;
        const traced = traceCall({ tracing, path: call.getPath(), kind: 'server' }, sent);
        const request = (traced?.request ?? sent) as never;
        withCallSignal(caller.signal, () => handler(request))
          .finally(caller.settle)
          .then(
            (response) => {
              traced?.end();
              callback(null, response);
            },
            (error: unknown) => {
              traced?.end(error);
              callback(faultToStatus(error, () => options.onBug(error, method)));
            },
          );
      },
    ]),
  );
}

/** A handler that stops in time can say why; once the deadline has passed, its caller learns nothing. */
const answerMsMax = 250;
/** The handler gets the larger part of a short deadline. */
const answerFraction = 0.1;

/** Aborts the signal when the caller has left, and shortly before its deadline. */
function waitingCaller(call: Call) {
  const left = new AbortController();
  call.once('cancelled', () => left.abort());
  const leftMs = Number(call.getDeadline()) - Date.now();
  const workMs = leftMs - Math.min(answerMsMax, leftMs * answerFraction);
  const timer = Number.isFinite(workMs) ? setTimeout(() => left.abort(), workMs) : undefined;
  return { signal: left.signal, settle: () => clearTimeout(timer) };
}

async function stop(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    server.forceShutdown();
    resolve();
  }, shutdownTimeoutMs);
  server.tryShutdown(() => resolve());
  await promise;
  clearTimeout(timer);
}
