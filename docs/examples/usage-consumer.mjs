// Sums what each workspace was charged, from the usage facts on NATS, several of which are one message. README.md says how to run it.
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

const stream = 'USAGE';
const {
  SLUICE_NATS_URL: url = 'nats://127.0.0.1:4222',
  // May read facts, and nothing else.
  SLUICE_NATS_USER: user = 'reader',
  SLUICE_NATS_PASSWORD: pass,
  // Only the facts of one account: its id is the last part of the subject.
  SLUICE_ACCOUNT_ID: account = '*',
  EXAMPLE_DATABASE: file = 'usage.sqlite',
} = process.env;
// `recorded` has bundles of facts, `corrected` one fact that replaces an estimate.
const subject = `usage.v1.*.${account}`;
const amount = /^\d{1,18}$/;
/** A fact is asked for as soon as one is heard, and this often besides. */
const pauseMs = 1_000;

// The primary key makes counting idempotent: a fact that comes twice is there once.
const database = new DatabaseSync(file);
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS place (subject TEXT PRIMARY KEY, sequence INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS usage (
    usage_id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, charged_nano_usd INTEGER NOT NULL) STRICT`);
const insert = database.prepare('INSERT INTO usage VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
// A correction may come before its fact, which then changes nothing.
const correct = database.prepare(`INSERT INTO usage VALUES (?, ?, ?)
  ON CONFLICT (usage_id) DO UPDATE SET charged_nano_usd = excluded.charged_nano_usd
  WHERE charged_nano_usd <> excluded.charged_nano_usd`);
const select = database.prepare(`SELECT count(*) AS facts, sum(charged_nano_usd) AS charged
  FROM usage WHERE workspace_id = ?`);
select.setReadBigInts(true);
const place = database.prepare('SELECT sequence FROM place WHERE subject = ?');
const move = database.prepare(`INSERT INTO place VALUES (?, ?)
  ON CONFLICT (subject) DO UPDATE SET sequence = excluded.sequence`);

const inboxPrefix = '_INBOX_reader';
const name = 'example-usage';
const options = { servers: url, user, pass, inboxPrefix, name, maxReconnectAttempts: -1 };
const connection = await connect(options);
const { streams } = await jetstreamManager(connection, { checkAPI: false });
const ending = new AbortController();
let heard = new AbortController();
connection.subscribe(subject, { callback: () => heard.abort() });
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => ending.abort());
process.stdout.write(`${name} listens\n`);

while (!ending.signal.aborted) {
  heard = new AbortController();
  const after = place.get(subject)?.sequence ?? 0;
  const message = await next(after + 1);
  if (message) count(message);
  else {
    const signal = AbortSignal.any([ending.signal, heard.signal]);
    await delay(pauseMs, undefined, { signal }).catch(() => {});
  }
}
await connection.drain();
database.close();

/** The first message of the subject from this place on; nothing while there is none, or nobody answers. */
async function next(sequence) {
  try {
    return await streams.getMessage(stream, { seq: sequence, next_by_subj: subject });
  } catch (error) {
    process.stderr.write(`no answer: ${error.message}\n`);
    return undefined;
  }
}

/** One transaction: the facts of a message and the place behind it are there together, or come again together. */
function count(message) {
  const lines = [];
  database.exec('BEGIN');
  const store = isCorrection(message) ? correct : insert;
  for (const given of factsOf(message)) {
    const fact = parse(given);
    if (fact === undefined) {
      process.stderr.write(`no usage fact: in message ${message.seq} of ${stream}\n`);
      continue;
    }
    const { changes } = store.run(fact.usageId, fact.workspaceId, fact.chargedNanoUsd);
    const { facts, charged } = select.get(fact.workspaceId);
    const repeated = changes === 0 ? ' (again)' : '';
    lines.push(`${fact.workspaceId}: ${facts} facts, ${usd(charged)} USD${repeated}\n`);
  }
  move.run(subject, message.seq);
  database.exec('COMMIT');
  process.stdout.write(lines.join(''));
}

function isCorrection(message) {
  return message.subject.startsWith('usage.v1.corrected.');
}

/** Facts of one account: those of a bundle, or the one of a correction. A message that is neither has one that is none. */
function factsOf(message) {
  try {
    const { facts, fact } = message.json();
    if (isCorrection(message)) return [fact];
    return Array.isArray(facts) ? facts : [undefined];
  } catch {
    return [undefined];
  }
}

/**
 * What credits pay for a fact: its cost, and with a credential of the account's own, whose provider the account pays
 * itself, the fee alone. Undefined when it is no fact. A field at its default is absent.
 */
function parse(fact) {
  const { usageId, workspaceId, costNanoUsd = '0', feeNanoUsd = '0', isByok = false } = fact ?? {};
  const isFact =
    typeof usageId === 'string' &&
    typeof workspaceId === 'string' &&
    amount.test(costNanoUsd) &&
    amount.test(feeNanoUsd);
  if (!isFact) return undefined;
  return { usageId, workspaceId, chargedNanoUsd: BigInt(isByok ? feeNanoUsd : costNanoUsd) };
}

/** Nano-USD as a decimal number, without loss. */
function usd(nano) {
  return `${nano / 1_000_000_000n}.${String(nano % 1_000_000_000n).padStart(9, '0')}`;
}
