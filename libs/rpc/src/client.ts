import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import type { Tracing } from '@sluice/telemetry';
import { traceCall } from './call-span.ts';
import type { Calls, RpcDefinition } from './definition.ts';
import { statusToFault } from './status.ts';
import { callWithStream } from './stream-call.ts';

export interface RpcClientOptions {
  /** `host:port`. A function is asked with the first call; when it throws, that call fails. */
  readonly address: string | (() => string);
  readonly token: string;
  readonly deadlineMs: number;
  /** Records a span per command. Absent: none. */
  readonly tracing?: Tracing;
}

/** The calls of a service as promises: a failed one throws the other side's Fault. */
export type RpcClient<Definition extends RpcDefinition> = CancelableCalls<Definition> & {
  readonly close: () => void;
};

/** The calls of a service, which the caller may give up. */
export type CancelableCalls<Definition extends RpcDefinition> = {
  readonly [Method in keyof Definition]: (
    request: Parameters<Calls<Definition>[Method]>[0],
    options?: { readonly signal?: AbortSignal },
  ) => ReturnType<Calls<Definition>[Method]>;
};

const reconnectMsMax = 1_000;

export function rpcClient<Definition extends RpcDefinition>(
  definition: Definition,
  { address, token, deadlineMs, tracing }: RpcClientOptions,
): RpcClient<Definition> {
  let opened: Client | undefined;
  const open = () =>
    (opened ??= new Client(
      typeof address === 'string' ? address : address(),
      credentials.createInsecure(),
      {
        'grpc.initial_reconnect_backoff_ms': 100,
        'grpc.max_reconnect_backoff_ms': reconnectMsMax,
      },
    ));
  const metadata = new Metadata();
  metadata.set('sluice-token', token);
  const calls = Object.fromEntries(
    Object.entries(definition).map(([name, method]) => [
      name,
      (request: unknown, { signal }: { readonly signal?: AbortSignal } = {}) =>
        method.requestStream
          ? callWithStream(open(), method, { metadata, messages: request, signal })
          : new Promise((resolve, reject) => {
              const traced = traceCall({ tracing, path: method.path, kind: 'client' }, request);
              const cancel = () => call.cancel();
              const call = open().makeUnaryRequest(
                method.path,
                method.requestSerialize as (value: unknown) => Buffer,
                method.responseDeserialize,
                traced?.request ?? request,
                metadata,
                { deadline: Date.now() + deadlineMs },
                (error: ServiceError | null, response?: unknown) => {
                  signal?.removeEventListener('abort', cancel);
                  const fault = error ? statusToFault(error) : undefined;
                  traced?.end(fault);
                  if (fault) reject(fault);
                  else resolve(response);
                },
              );
              if (signal?.aborted) cancel();
              signal?.addEventListener('abort', cancel, { once: true });
            }),
    ]),
  );
  return { ...(calls as CancelableCalls<Definition>), close: () => opened?.close() };
}
