// Keeps a table of what credits pay for each fact of usage on NATS. README.md says how to run it. It may be killed at any time.
import { emitWarning, stdout } from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

const { SLUICE_NATS_URL: servers, SLUICE_NATS_PASSWORD: pass } = process.env;
const { SLUICE_ACCOUNT_ID: account = '', EXAMPLE_DATABASE = 'usage.sqlite' } = process.env;
const database = new DatabaseSync(EXAMPLE_DATABASE, { timeout: 5_000 });
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS place (sequence INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS usage (usage_id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL,
    revision INTEGER NOT NULL, credits_nano_usd INTEGER NOT NULL) STRICT`);
const place = database.prepare('SELECT coalesce(max(sequence), 0) AS sequence FROM place');
const move = database.prepare('INSERT INTO place VALUES (?)');
// A fact that comes twice is there once, and a correction may come first.
const keep =
  database.prepare(`INSERT INTO usage VALUES (?, ?, ?, ?) ON CONFLICT (usage_id) DO UPDATE
  SET revision = excluded.revision, credits_nano_usd = excluded.credits_nano_usd
  WHERE revision < excluded.revision`);
const sums = database.prepare(`SELECT
  workspace_id || ': ' || count(*) || ' facts, ' || sum(credits_nano_usd) || ' nano-USD' AS line
  FROM usage GROUP BY workspace_id ORDER BY sum(credits_nano_usd) DESC LIMIT 20`);
const user = { user: 'reader', pass, inboxPrefix: '_INBOX_reader' };
const connection = await connect({ servers, ...user, maxReconnectAttempts: -1 });
const { streams } = await jetstreamManager(connection, { checkAPI: false });
for (;;) {
  const batch = await nextBatch().catch(({ message }) => emitWarning(`no answer: ${message}`));
  if (batch?.length > 0) count(batch);
  else await delay(250);
}

async function nextBatch() {
  const { state } = await streams.info('USAGE');
  const first = Math.max(place.get().sequence + 1, state.first_seq);
  const length = Math.min(state.last_seq + 1 - first, 100);
  const places = Array.from({ length }, (_, index) => first + index);
  const messages = places.map((seq) => streams.getMessage('USAGE', { seq }));
  return (await Promise.all(messages)).filter(Boolean);
}

/** The facts of a batch and the place behind it are there together, or come again together. */
function count(messages) {
  database.exec('BEGIN');
  for (const message of messages.filter(({ subject }) => subject.endsWith(account))) {
    const { facts, fact, source } = message.json();
    const revision = facts ? 0 : source === 'expiry' ? 1 : 2;
    for (const { usageId, workspaceId, ...amounts } of facts ?? [fact])
      keep.run(usageId, workspaceId, revision, creditsOf(amounts));
  }
  move.run(messages.at(-1).seq);
  database.exec('COMMIT');
  for (const { line } of sums.all()) stdout.write(`${String(line)}\n`);
}

/** With a credential of the account's own, credits pay the fee alone. A field at its default is absent. */
function creditsOf({ isByok = false, costNanoUsd = '0', feeNanoUsd = '0' }) {
  return BigInt(isByok ? feeNanoUsd : costNanoUsd);
}
