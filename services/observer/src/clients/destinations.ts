import {
  compileSelection,
  contentRules,
  type DestinationRegion,
  destinationRegions,
  type FilterRules,
  filterRulesProblems,
} from '@sluice/destinations';
import type {
  DestinationUseServiceService,
  UsableDestination,
} from '@sluice/protos/sluice/workspace/v1/destination_use';
import type { Calls } from '@sluice/rpc';
import type { Destination, Shown } from '../domain/destination.ts';
import { senders } from '../senders/index.ts';

export type DestinationCalls = Calls<typeof DestinationUseServiceService>;

/** An enabled destination of a workspace that broadcasts, without its secrets. */
export interface ActiveDestination {
  readonly destinationId: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly type: string;
  /** Names the sealed config. */
  readonly secretId: string;
  /** Earlier generations are not for it. */
  readonly sinceMs: number;
  readonly wantsContents: boolean;
  /** True if its rules read contents. */
  readonly selectsByContents: boolean;
  readonly shows: Shown;
  readonly selects: ReturnType<typeof compileSelection>;
}

const pageMax = 500;
const headerValueForm = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The destinations of all workspaces, as the workspace service lists them. */
export class Destinations {
  readonly #calls: DestinationCalls;
  #known = new Map<string, ActiveDestination>();
  /** Since when a destination of each workspace gets generations. */
  #observed = new Map<string, number>();
  readonly #opened = new Map<string, { readonly secretId: string; readonly opened: Destination }>();

  constructor(calls: DestinationCalls) {
    this.#calls = calls;
  }

  /** Asks for all destinations, or for those of one account. Throws if the workspace service does not answer. */
  async refresh(accountId?: string): Promise<readonly ActiveDestination[]> {
    const listed = await this.#list(accountId ?? '');
    const kept = [...this.#known].filter(([, one]) => accountId && one.accountId !== accountId);
    this.#known = new Map([...kept, ...listed.map((one) => [one.destinationId, one] as const)]);
    for (const id of this.#opened.keys()) if (!this.#known.has(id)) this.#opened.delete(id);
    const observed = new Map<string, number>();
    for (const { workspaceId, sinceMs } of this.#known.values())
      observed.set(workspaceId, Math.min(sinceMs, observed.get(workspaceId) ?? Infinity));
    this.#observed = observed;
    return listed;
  }

  get isEmpty(): boolean {
    return this.#known.size === 0;
  }

  all(): readonly ActiveDestination[] {
    return [...this.#known.values()];
  }

  find(destinationId: string): ActiveDestination | undefined {
    return this.#known.get(destinationId);
  }

  /** Returns true if the workspace has a destination. */
  observes(workspaceId: string): boolean {
    return this.#observed.has(workspaceId);
  }

  /** Returns true if a destination of the workspace was usable when the generation ended. */
  isObserved(workspaceId: string, endedAtMs: number): boolean {
    const since = this.#observed.get(workspaceId);
    return since !== undefined && since <= endedAtMs;
  }

  /** Returns the destination with its secrets. Throws `not_found` if it is another one by now. */
  async open(active: ActiveDestination): Promise<Destination> {
    const { destinationId, accountId, workspaceId, type, secretId, shows } = active;
    const known = this.#opened.get(destinationId);
    if (known?.secretId === secretId) return { ...known.opened, shows };
    const { config: text } = await this.#calls.openConfig({ accountId, destinationId, secretId });
    const { headers, ...config } = JSON.parse(text) as Record<string, unknown>;
    const opened = {
      id: destinationId,
      accountId,
      workspaceId,
      type,
      config,
      headers: headersOf(headers),
      shows,
    };
    this.#opened.set(destinationId, { secretId, opened });
    return opened;
  }

  async #list(accountId: string): Promise<readonly ActiveDestination[]> {
    const listed: ActiveDestination[] = [];
    for (let afterDestinationId = ''; ;) {
      const { destinations } = await this.#calls.listUsable({
        accountId,
        workspaceId: '',
        afterDestinationId,
        limit: pageMax,
      });
      listed.push(...destinations.flatMap((one) => activeOf(one) ?? []));
      const last = destinations.at(-1)?.destination;
      if (destinations.length < pageMax || !last) return listed;
      afterDestinationId = last.destinationId;
    }
  }
}

/** Returns undefined for a destination that gets nothing. */
function activeOf(usable: UsableDestination): ActiveDestination | undefined {
  const { destination, secretId, isBroadcastEnabled, usableSince } = usable;
  const settings = destination?.settings;
  if (!destination || !settings || !isBroadcastEnabled || !settings.enabled) return undefined;
  if (!Object.hasOwn(senders, destination.type)) return undefined;
  const { destinationId, accountId, workspaceId, type, createdAt } = destination;
  const sinceMs = Date.parse(usableSince || createdAt);
  const filterRules = rulesOf(settings.filterRules);
  if (filterRules === undefined) return undefined;
  return {
    destinationId,
    accountId,
    workspaceId,
    type,
    secretId,
    sinceMs,
    wantsContents: !settings.privacyMode,
    selectsByContents: filterRules !== null && contentRules(filterRules).length > 0,
    shows: {
      cost: settings.broadcastGenerationCost,
      identity: settings.broadcastGenerationIdentity,
      requestContext: settings.broadcastGenerationRequestContext,
    },
    selects: compileSelection({
      destinationId,
      isBroadcastEnabled,
      enabled: settings.enabled,
      regions: settings.regions.filter(isRegion),
      apiKeyHashes: settings.apiKeys?.hashes ?? null,
      filterRules,
      samplingRate: settings.samplingRate,
    }),
  };
}

const isRegion = (name: string): name is DestinationRegion =>
  destinationRegions.some((known) => known === name);

/** Returns undefined for rules that cannot be read: what they leave out must not be sent. */
function rulesOf(text: string | undefined): FilterRules | null | undefined {
  if (text === undefined) return null;
  try {
    const rules: unknown = JSON.parse(text);
    return filterRulesProblems(rules).length === 0 ? (rules as FilterRules) : undefined;
  } catch {
    return undefined;
  }
}

function headersOf(headers: unknown): Readonly<Record<string, string>> {
  if (typeof headers !== 'object' || headers === null) return {};
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && headerValueForm.test(value) ? [[name.toLowerCase(), value]] : [],
    ),
  );
}
