import { inMemoryBus } from '@sluice/bus';
import { createCatalog, endpointRow, modelRow } from '@sluice/catalog';
import { systemClock, systemIds } from '@sluice/clock-and-ids';
import { type CacheWish, type InferenceReply, wholeText } from '@sluice/inference-port';
import { createLogger } from '@sluice/logging';
import { openAiChat } from '@sluice/providers';
import { createService, type RoutingDeps } from '@sluice/routing/service';
import { inMemoryCredentials, inMemoryLedger, inMemoryPolicies } from '@sluice/routing/testing';
import { openSpool } from '@sluice/spool';
import { createTelemetry } from '@sluice/telemetry';

/** Routing in this process: its pipeline and its spool on the disk. The ledger and the bus are in memory. */
export interface World {
  /** Sends a request to `POST /responses`, and resolves with the body of its answer. */
  ask(body: object, cache?: CacheWish): Promise<string>;
  /** Returns the bytes of a request. */
  bodyOf(body: object): Buffer;
  /** Sends the bytes of a request. */
  send(body: Buffer, cache?: CacheWish): Promise<string>;
  stop(): Promise<void>;
}

const id = 'bench/scripted';
const endpoint = endpointRow(
  id,
  {
    provider: 'scripted',
    dialect: 'openai-chat',
    baseUrl: 'http://provider.invalid',
    apiKey: undefined,
    upstreamModel: 'scripted',
    chat: openAiChat,
  },
  { prompt: '0.000001', completion: '0.000002' },
);
const catalog = createCatalog(
  [modelRow({ id, contextLength: 128_000, outputTokensMax: 1_000, endpoints: [endpoint] })],
  [],
);
const millionDollars = 1_000_000_000_000_000n;
const principal = {
  accountId: 'account',
  workspaceId: 'workspace',
  keyHash: 'key',
  limitNanoUsd: null,
  limitReset: null,
  includeByokInLimit: false,
};

export async function openWorld(
  directory: string,
  upstream: RoutingDeps['upstream'],
): Promise<World> {
  const bus = inMemoryBus();
  const telemetry = createTelemetry({ serviceName: 'bench', otlpEndpoint: undefined });
  const spool = await openSpool({
    directory,
    onFatal: (error) => {
      throw error;
    },
  });
  const ledger = inMemoryLedger(millionDollars);
  const service = createService({
    catalog,
    upstream,
    spool,
    replica: { id: 'replica-bench', epoch: 1n },
    ledger,
    policies: inMemoryPolicies(),
    credentials: inMemoryCredentials(),
    bus,
    clock: systemClock,
    ids: systemIds,
    logger: createLogger({ service: 'routing', level: 'silent' }),
    telemetry,
  });
  await service.start();
  const { signal } = new AbortController();
  const bodyOf = (body: object) => Buffer.from(JSON.stringify({ model: id, ...body }));
  const send = async (body: Buffer, cache?: CacheWish) => {
    const reply: InferenceReply = await service.inference.createResponse({
      dialect: 'responses',
      principal,
      requestId: 'req-bench',
      body,
      signal,
      ...(cache && { client: { cache } }),
    });
    const answer = await wholeText(reply.body);
    if (reply.status !== 200) throw new Error(`${reply.status}: ${answer}`);
    return answer;
  };
  return {
    ask: (body, cache) => send(bodyOf(body), cache),
    bodyOf,
    send,
    async stop() {
      await service.stop();
      await spool.stop();
      await bus.stop();
      await telemetry.stop();
    },
  };
}
