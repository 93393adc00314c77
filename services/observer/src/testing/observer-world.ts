import { randomUUID } from 'node:crypto';
import { type Bus, inMemoryBus, subjects } from '@sluice/bus';
import type { Clock } from '@sluice/clock-and-ids';
import { createEgress, parseAllowList } from '@sluice/egress';
import { Fault } from '@sluice/errors';
import type { KeyManagement } from '@sluice/envelope';
import {
  GenerationEnded,
  GenerationEndedBundle,
  GenerationFailed,
} from '@sluice/protos/sluice/generation/v1/generation_events';
import { ObserverServiceService } from '@sluice/protos/sluice/observer/v1/observer';
import { testDatabase, type TestDatabase } from '@sluice/read-model/testing';
import { until } from '@sluice/patience';
import { type Calls, rpcClient, startRpcServer } from '@sluice/rpc';
import { createTelemetry, type Telemetry } from '@sluice/telemetry';
import { type UsageFact, writeFact } from '@sluice/usage-facts';
import { inject, onTestFinished } from 'vitest';
import { observerSchema } from '../schema.ts';
import { createService } from '../service.ts';
import { destinationCalls, type DestinationSettings } from './destination-list.ts';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const token = 'token-for-specs';
export const accountId = 'acct_1';
export const workspaceId = 'workspace-1';

export interface GivenDestination {
  readonly id?: string;
  readonly workspaceId?: string;
  readonly type?: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly settings?: Partial<DestinationSettings>;
  readonly usableSince?: string;
}

export interface World {
  readonly bus: Bus;
  readonly database: TestDatabase;
  readonly telemetry: Telemetry;
  readonly calls: () => Calls<typeof ObserverServiceService>;
  /** Adds a destination to those that the workspace service lists, and tells it. Returns its id. */
  add(given: GivenDestination): Promise<string>;
  remove(id: string): Promise<void>;
  publish(...facts: readonly UsageFact[]): Promise<void>;
  fail(failure: Partial<GenerationFailed>): Promise<void>;
  end(ended: Partial<GenerationEnded>): Promise<void>;
  /** Stops the service, and starts another one on the same tables. `happen` runs between the two. */
  restart(happen?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

export interface WorldOptions {
  /** In memory if absent. The caller stops it. */
  readonly bus?: Bus;
  readonly keys?: KeyManagement;
  readonly bounds?: { ageMsMax: number; workspaceBytesMax: number; bytesMax: number };
  readonly contentBounds?: typeof boundsDefault;
  readonly clock?: Clock;
  readonly retryMs?: number;
  /** Called with each error that is logged. */
  readonly onError?: (message: string) => void;
}

const boundsDefault = { ageMsMax: 3_600_000, workspaceBytesMax: 1e9, bytesMax: 1e9 };
const contentBoundsDefault = { ...boundsDefault, ageMsMax: 92 * 24 * 3_600_000 };
const noKeys: KeyManagement = {
  wrap: () => Promise.reject(new Fault('unavailable')),
  unwrap: () => Promise.reject(new Fault('unavailable')),
  newestVersion: () => Promise.resolve('1'),
};

/** An observer on a real PostgreSQL and a bus in memory, whose destinations are servers of this machine. */
export async function observerWorld(options: WorldOptions = {}): Promise<World> {
  const { keys = noKeys, bounds = boundsDefault, retryMs = 20 } = options;
  const { contentBounds = contentBoundsDefault } = options;
  const bus = options.bus ?? ownBus();
  const telemetry = createTelemetry({ serviceName: 'observer', otlpEndpoint: undefined });
  onTestFinished(() => telemetry.stop());
  const { migrations } = observerSchema;
  const database = await testDatabase({ url: inject('postgresUrl'), migrations });
  onTestFinished(() => database.drop());
  const listed = new Map<string, { readonly given: GivenDestination; readonly at: string }>();
  const told = () =>
    bus
      .publishNotice(subjects.destinationsChanged(accountId), { accountId })
      .catch(() => undefined);
  const workspaces = destinationCalls(() =>
    [...listed].map(([id, { given, at: createdAt }]) => ({
      workspaceId,
      ...given,
      id,
      accountId,
      createdAt,
    })),
  );
  let running = await begin();
  async function begin() {
    const egress = createEgress({ allowList: parseAllowList('127.0.0.1') });
    const service = createService({
      bus,
      database,
      workspaces,
      keys,
      egress,
      bounds,
      contentBounds,
      logger: { ...quiet, error: (message) => options.onError?.(message) },
      telemetry,
      retryMs,
      ...(options.clock && { clock: options.clock }),
    });
    await service.start();
    const onBug = (error: unknown) => {
      throw error;
    };
    const server = await startRpcServer({
      services: service.rpc,
      address: '127.0.0.1:0',
      token,
      onBug,
    });
    const calls = rpcClient(ObserverServiceService, {
      address: server.address,
      token,
      deadlineMs: 60_000,
    });
    const stop = async () => {
      calls.close();
      await server.stop();
      await service.stop();
    };
    return { calls, stop };
  }
  onTestFinished(() => running.stop());
  const isActive = async (id: string) => {
    const [row] = await database.query<{ isActive: boolean }>({
      text: 'SELECT is_active AS "isActive" FROM deliveries WHERE destination_id = $1',
      values: [id],
    });
    return row?.isActive === true;
  };
  return {
    bus,
    database,
    telemetry,
    calls: () => running.calls,
    async add(given) {
      const id = given.id ?? randomUUID();
      listed.set(id, { given, at: '2026-01-01T00:00:00.000Z' });
      await told();
      await until(() => isActive(id));
      return id;
    },
    async remove(id) {
      listed.delete(id);
      await told();
      await until(async () => !(await isActive(id)));
    },
    async publish(...facts) {
      for (const fact of facts)
        await bus.publishFact(subjects.usageRecorded(fact.accountId), randomUUID(), {
          facts: [writeFact(fact)],
        });
    },
    async fail(failure) {
      const message = GenerationFailed.fromPartial({
        ...places,
        admittedAt: at,
        completedAt: at,
        ...failure,
      });
      await bus.publishFact(
        subjects.generationFailed(message.accountId),
        randomUUID(),
        GenerationFailed.toJSON(message) as object,
      );
    },
    async end(ended) {
      const end = GenerationEnded.fromPartial({ ...places, endedAt: at, ...ended });
      await bus.publishFact(
        subjects.generationEnded(end.accountId),
        randomUUID(),
        GenerationEndedBundle.toJSON({ ends: [end] }) as object,
      );
    },
    async restart(happen) {
      await running.stop();
      await happen?.();
      running = await begin();
    },
    stop: () => running.stop(),
  };
}

function ownBus(): Bus {
  const bus = inMemoryBus();
  onTestFinished(() => bus.stop());
  return bus;
}

const at = '2026-11-27T10:00:00.000Z';
const places = { accountId, workspaceId };
