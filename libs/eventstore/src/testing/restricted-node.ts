import { Metadata, Server, ServerCredentials, status, type ServiceError } from '@grpc/grpc-js';
import { ServerFeaturesService } from '@sluice/protos/event_store/client/server_features';
import { StreamsService } from '@sluice/protos/event_store/client/streams';

export interface RestrictedNode {
  readonly port: number;
  stop(): void;
}

const position = { commitPosition: 1n, preparePosition: 1n };

/**
 * Answers like EventStoreDB 24.10 to a user that may append and not read `$all`. The embedded node knows
 * administrators only.
 */
export async function startRestrictedNode(): Promise<RestrictedNode> {
  const server = new Server();
  server.addService(ServerFeaturesService, {
    getSupportedMethods: (_call: unknown, answer: (error: null, response: object) => void) =>
      answer(null, { methods: [], eventStoreServerVersion: '24.10.14' }),
  });
  server.addService(StreamsService, {
    read: (call: { emit(name: 'error', error: Partial<ServiceError>): void }) =>
      call.emit('error', accessDenied()),
    append: (call: NodeJS.ReadableStream, answer: (error: null, response: object) => void) =>
      call.resume().on('end', () =>
        answer(null, {
          result: {
            $case: 'success',
            value: {
              currentRevisionOption: { $case: 'currentRevision', value: 0n },
              positionOption: { $case: 'position', value: position },
            },
          },
        }),
      ),
    batchAppend: () => undefined,
    delete: () => undefined,
    tombstone: () => undefined,
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { port, stop: () => server.forceShutdown() };
}

/** The recorded answer to a user without the right. */
function accessDenied(): Partial<ServiceError> {
  const metadata = new Metadata();
  metadata.set('exception', 'access-denied');
  return { code: status.PERMISSION_DENIED, details: 'Access Denied', metadata };
}
