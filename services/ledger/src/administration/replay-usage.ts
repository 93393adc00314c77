import { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import { openDatabase, type Queryable } from '@sluice/read-model';

export interface ReplayOptions {
  readonly postgresUrl: string;
  /** Of tests only; `ledger` when absent. */
  readonly schema?: string;
  /** Facts that were admitted from this instant on, and before the other one. */
  readonly from: Date;
  readonly to?: Date | undefined;
  /** Of all accounts when absent. */
  readonly accountId?: string | undefined;
  /** Takes a page of facts, each the JSON of `usage.v1.UsageRecorded` as the bus has it. */
  readonly onFacts: (facts: readonly object[]) => Promise<void> | void;
}

const pageFacts = 1_000;
const statementTimeoutMs = 600_000;

const facts = `
  SELECT usage_id, fact.generation_id, fact.request_id, fact.account_id, fact.workspace_id, fact.key_hash,
    fact.model, fact.provider, fact.upstream_id, fact.input_tokens, fact.cached_tokens,
    fact.output_tokens, fact.reasoning_tokens, fact.cost_nano_usd, fact.is_byok, fact.streamed,
    fact.outcome, fact.finish_reason, fact.estimated, fact.admitted_at, fact.completed_at, fact.replica,
    fact.epoch, fact.sequence, fact.lease_epoch, fact.lease_numbers, fact.guardrail_scopes,
    fact.credential_id, fact.fee_nano_usd, fact.free_nano_usd, fact.fee_lease_numbers,
    fact.allowance_lease_number, fact.free_request_lease_numbers, fact.upstream_cost_nano_usd,
    coalesce(native_finish_reason, '') AS native_finish_reason, coalesce(endpoint_id, '') AS endpoint_id,
    latency_ms, coalesce(user_id, '') AS user_id, coalesce(external_user, '') AS external_user,
    coalesce(session_id, '') AS session_id, coalesce(http_referer, '') AS http_referer,
    coalesce(user_agent, '') AS user_agent, coalesce(service_tier, '') AS service_tier,
    coalesce(attempts, '[]') AS attempts, coalesce(special_tokens, '{}') AS special_tokens,
    coalesce(routing::text, '') AS routing, coalesce(trace::text, '') AS trace,
    coalesce(suspended_nano_usd, 0) AS suspended_nano_usd,
    coalesce(operator_suspended_nano_usd, 0) AS operator_suspended_nano_usd,
    coalesce(claimed_nano_usd, 0) AS claimed_nano_usd, coalesce(reason, '') AS estimate_reason,
    estimate.fact AS estimated_fact
  FROM usage_facts AS fact
    LEFT JOIN usage_details USING (usage_id)
    LEFT JOIN estimates AS estimate USING (usage_id)
  WHERE admitted_at >= $1 AND ($2::timestamptz IS NULL OR admitted_at < $2)
    AND ($3::text IS NULL OR fact.account_id = $3)
  ORDER BY admitted_at, usage_id`;

type Row = Readonly<Record<string, unknown>> & {
  readonly admitted_at: Date;
  readonly completed_at: Date;
  /** Of an estimate: all that its message had. */
  readonly estimated_fact: string | null;
};

/**
 * Reads the usage facts that the ledger has counted, in the order of their admission, as they would be on the bus.
 * A corrected fact has its corrected values. Prices, the hold and what a provider told besides are kept of estimates
 * only. Returns how many. Throws Fault read_model_unavailable.
 */
export async function replayUsage(options: ReplayOptions): Promise<number> {
  const { postgresUrl: url, schema = 'ledger', from, to, accountId, onFacts } = options;
  const database = openDatabase({ url, schema, connectionsMax: 1, statementTimeoutMs });
  const values = [from.toISOString(), to?.toISOString() ?? null, accountId ?? null];
  try {
    return await database.transaction(async (transaction) => {
      // One scan, however many facts there are: a page each would need an index of its own.
      await transaction.query({ text: `DECLARE replay NO SCROLL CURSOR FOR ${facts}`, values });
      let count = 0;
      for (;;) {
        const page = await nextPage(transaction);
        if (page.length > 0) await onFacts(page);
        count += page.length;
        if (page.length < pageFacts) return count;
      }
    });
  } finally {
    await database.stop();
  }
}

async function nextPage(transaction: Queryable): Promise<readonly object[]> {
  const text = `FETCH ${pageFacts} FROM replay`;
  const rows = await transaction.query<Row>({ text, values: [] });
  return rows.map(messageOf);
}

/** The columns have the names of the fields in the proto file. */
function messageOf({ admitted_at, completed_at, estimated_fact, ...row }: Row): object {
  const fields = Object.entries(row)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [camelCase(name), value]);
  const fact = UsageRecorded.fromJSON({
    ...(estimated_fact === null ? {} : (JSON.parse(estimated_fact) as object)),
    ...Object.fromEntries(fields),
    specialTokens: textsOf(row['special_tokens'] as object),
    admittedAt: admitted_at.toISOString(),
    completedAt: completed_at.toISOString(),
  });
  return UsageRecorded.toJSON(fact) as object;
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function textsOf(counts: object): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, String(value)]));
}
