// Sums what each workspace was charged, from the usage facts on NATS, several of which are one message. README.md says how to run it.
import { DatabaseSync } from 'node:sqlite';
import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

const stream = 'USAGE';
const {
  SLUICE_NATS_URL: url = 'nats://127.0.0.1:4222',
  SLUICE_NATS_TOKEN: token,
  // Only the facts of one account: its id is the last part of the subject.
  SLUICE_ACCOUNT_ID: account = '*',
  // The place in the stream is kept by the broker under this name, also while nobody runs.
  EXAMPLE_DURABLE: durable = 'example-usage',
  EXAMPLE_DATABASE: file = 'usage.sqlite',
} = process.env;

// The primary key makes counting idempotent: a fact that comes twice is there once.
const database = new DatabaseSync(file);
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS usage (
    usage_id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, cost_nano_usd INTEGER NOT NULL) STRICT`);
const insert = database.prepare('INSERT INTO usage VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
const select = database.prepare(`SELECT count(*) AS facts, sum(cost_nano_usd) AS cost
  FROM usage WHERE workspace_id = ?`);
select.setReadBigInts(true);

const connection = await connect({ servers: url, token, name: durable, maxReconnectAttempts: -1 });
const manager = await jetstreamManager(connection);
await manager.consumers.add(stream, {
  durable_name: durable,
  filter_subject: `usage.v1.recorded.${account}`,
  deliver_policy: DeliverPolicy.All,
  ack_policy: AckPolicy.Explicit,
});
const consumer = await jetstream(connection).consumers.get(stream, durable);
const messages = await consumer.consume({ max_messages: 100, abort_on_missing_resource: true });
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => messages.close());
process.stdout.write(`${durable} listens\n`);

for await (const message of messages) {
  const lines = [];
  // One transaction: the facts of a message are there together, or come again together.
  database.exec('BEGIN');
  for (const given of factsOf(message)) {
    const fact = parse(given);
    if (fact === undefined) {
      process.stderr.write(`no usage fact: in message ${message.seq} of ${stream}\n`);
      continue;
    }
    const { changes } = insert.run(fact.usageId, fact.workspaceId, fact.costNanoUsd);
    const { facts, cost } = select.get(fact.workspaceId);
    const repeated = changes === 0 ? ' (again)' : '';
    lines.push(`${fact.workspaceId}: ${facts} facts, ${usd(cost)} USD${repeated}\n`);
  }
  database.exec('COMMIT');
  // Only now: what was not acknowledged comes again.
  message.ack();
  process.stdout.write(lines.join(''));
}
await connection.drain();
database.close();

/** A message is a bundle of facts of one account; one that is none has one that is none. */
function factsOf(message) {
  try {
    const { facts } = message.json();
    return Array.isArray(facts) ? facts : [undefined];
  } catch {
    return [undefined];
  }
}

/** What is counted of a fact; undefined when it is none. A field at its default is absent. */
function parse(fact) {
  const { usageId, workspaceId, costNanoUsd = '0' } = fact ?? {};
  const isFact =
    typeof usageId === 'string' &&
    typeof workspaceId === 'string' &&
    /^\d{1,18}$/.test(costNanoUsd);
  return isFact ? { usageId, workspaceId, costNanoUsd: BigInt(costNanoUsd) } : undefined;
}

/** Nano-USD as a decimal number, without loss. */
function usd(nano) {
  return `${nano / 1_000_000_000n}.${String(nano % 1_000_000_000n).padStart(9, '0')}`;
}
