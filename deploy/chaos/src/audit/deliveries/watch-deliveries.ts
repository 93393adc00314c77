import { eventually } from '@sluice/patience';
import { openDatabase, type Queryable } from '@sluice/read-model';
import { reasonOf, sendUntilServed } from '../../load/http.ts';
import type { Installation } from '../../parts/installation.ts';
import { settled } from '../../waiting.ts';
import { auditDestination } from './audit-destination.ts';
import { lossesOf, readPositions } from './positions.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** The settings of an installation whose deliveries are watched. */
export const deliverySettings = {
  SLUICE_EGRESS_ALLOW: '127.0.0.1',
  // A killed loop of tools has no end. The observer delivers what it has after this time.
  SLUICE_OBSERVER_END_WAIT_SECONDS: '20',
};

const destinations = [
  { name: 'with-contents', isPrivate: false },
  { name: 'metadata', isPrivate: true },
] as const;

/** Longer than the observer waits for the end of a killed loop. */
const settling = { everyMs: 1_000, sameLooksMax: 180 };
const readiness = { everyMs: 200, sameLooksMax: 600 };

export interface AuditedDeliveries {
  readonly findings: readonly string[];
  /** Generations that the ledger has usage of. Each destination must get each of them. */
  readonly generations: number;
  readonly delivered: number;
  readonly repeated: number;
  /** Dead letters that were sent again. A busy machine may fail five attempts in turn. */
  readonly replayed: number;
  /** Deliveries that did not come, summed over the destinations. */
  readonly missing: number;
  /** Billed generations whose contents a kill took, because they waited in the memory of routing. */
  readonly withoutContents: number;
}

export interface WatchedDeliveries extends AsyncDisposable {
  /**
   * Waits until the destinations have what the ledger has usage of, and compares. Meanwhile it sends dead letters
   * again, as an operator does after an outage. With `mayMiss`, deliveries that did not come are only counted.
   */
  audit(ledger: Queryable, given?: { readonly mayMiss?: boolean }): Promise<AuditedDeliveries>;
}

/** Makes two destinations of the workspace that the load belongs to: one with contents, one in privacy mode. */
export async function watchDeliveries(installation: Installation): Promise<WatchedDeliveries> {
  await using stack = new AsyncDisposableStack();
  const receiver = stack.use(await startReceiver());
  const { postgresUrl: url } = installation;
  const observer = openDatabase({ url, schema: 'observer', connectionsMax: 1 });
  stack.defer(() => observer.stop());
  const change = async (method: string, path: string, body: object) => {
    const key = installation.bootstrap.management_key;
    const answer = await sendUntilServed(installation, { method, path, key, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${reasonOf(answer)}`);
    return answer.json;
  };
  const replay = async (id: string) => {
    const json = await change('POST', `/v1/observability/destinations/${id}/replay`, {});
    return Number(json['data']?.['count']);
  };
  await change('PATCH', '/v1/workspaces/default', { is_observability_broadcast_enabled: true });
  for (const { name, isPrivate } of destinations)
    await change('POST', '/v1/observability/destinations', {
      type: 'webhook',
      name,
      privacy_mode: isPrivate,
      config: { url: receiver.urlOf(name) },
    });
  await eventually(async () => {
    const known = await readPositions(observer);
    if (known.length < destinations.length) throw new Error(`${known.length} destinations known`);
  }, readiness);
  const kept = stack.move();
  return {
    async audit(ledger, { mayMiss = false } = {}) {
      const expected = await billedGenerations(ledger);
      const missing = () => {
        const counts = destinations.map(({ name }) => expected.difference(idsOf(receiver, name)));
        return sumOf(counts.map(({ size }) => size));
      };
      let replayed = 0;
      await settled(
        async () => {
          const dead = (await readPositions(observer)).filter(
            ({ deadLetters }) => deadLetters > 0n,
          );
          for (const { id, isReplaying } of dead) if (!isReplaying) replayed += await replay(id);
          return { missing: missing(), dead: dead.map(({ deadLetters }) => deadLetters) };
        },
        (now) => now.missing === 0 && now.dead.length === 0,
        settling,
      );
      const losses = lossesOf(await readPositions(observer));
      const audited = auditReceived(receiver, expected, mayMiss);
      const findings = [...audited.findings, ...losses];
      return { ...audited, findings, replayed, missing: missing() };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function auditReceived(receiver: Receiver, expected: ReadonlySet<string>, mayMiss: boolean) {
  const audited = destinations.map(({ name, isPrivate }) =>
    auditDestination(
      {
        name,
        expected: mayMiss ? expected.intersection(idsOf(receiver, name)) : expected,
        // Failed generations come, too, and are in no book.
        mayGetOthers: true,
        contentsOf: () => (isPrivate ? false : undefined),
      },
      receiver.taken(name),
    ),
  );
  const [{ name: first }] = destinations;
  const bare = receiver.taken(first).filter(({ hasContents }) => !hasContents);
  return {
    findings: audited.flatMap(({ findings }) => findings),
    generations: expected.size,
    delivered: sumOf(audited.map(({ delivered }) => delivered)),
    repeated: sumOf(audited.map(({ repeated }) => repeated)),
    withoutContents: new Set(bare.map(({ id }) => id)).intersection(expected).size,
  };
}

const idsOf = (receiver: Receiver, name: string) =>
  new Set(receiver.taken(name).map(({ id }) => id));

/** Returns the numbers that the last line has. */
export const deliveryNumbersOf = (audited: AuditedDeliveries) => ({
  generations: audited.generations,
  delivered: audited.delivered,
  repeated: audited.repeated,
  replayed: audited.replayed,
  undelivered: audited.missing,
  without_contents: audited.withoutContents,
});

/** Returns the generations with usage, except for attempts that the operator alone pays for. */
async function billedGenerations(ledger: Queryable): Promise<ReadonlySet<string>> {
  const rows = await ledger.query<{ id: string }>({
    text: `SELECT DISTINCT generation_id AS id FROM usage_facts
      WHERE outcome <> 'failed' OR upstream_cost_nano_usd IS NULL`,
    values: [],
  });
  return new Set(rows.map(({ id }) => id));
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
