import { connectEventStore } from '@sluice/eventstore';
import { until } from '@sluice/patience';
import { auditCommands } from '../audit/log/audit-commands.ts';
import { auditLog } from '../audit/log/audit-log.ts';
import { auditReadModels } from '../audit/log/audit-read-models.ts';
import { readLog } from '../audit/log/read-log.ts';
import { auditStreams, startWitness } from '../audit/log/witness.ts';
import type { Sent } from '../load/commands/command.ts';
import { openTreasury } from '../load/commands/treasury.ts';
import { startWorkload } from '../load/commands/workload.ts';
import { withInstallation } from '../parts/installation.ts';
import { killAtRandom } from '../parts/kill-at-random.ts';
import type { Given } from '../perform.ts';

/** The event store node, the processes that run the projectors, and PostgreSQL with the read models. */
const parts = ['eventstore', 'eventstore', 'key', 'account', 'postgres', 'postgres'] as const;
const workers = 12;
const kinds = ['IssueKey', 'ChangeKey', 'DeleteKey', 'GrantCredits'] as const;

/**
 * Kills the event store, projectors and PostgreSQL at random while commands run. Then compares the answers with the log
 * and the log with the read models.
 */
export async function commands({ settings, random, seed, say, seconds }: Given) {
  const kills = settings.wholeNumber('KILLS', 50);
  return await withInstallation({ say }, async (installation) => {
    const { eventStoreUrl: url, postgresUrl } = installation;
    const store = await connectEventStore({ url });
    await using stack = new AsyncDisposableStack();
    stack.defer(() => store.stop());
    await using witness = startWitness(store);
    using treasury = openTreasury(installation);
    const load = { instance: installation, treasury, random: random.fork(), workers };
    const workload = await startWorkload(load);
    const answered = () => workload.acknowledged();
    const killing = { installation, parts, kills, answered, random: random.fork(), say };
    stack.defer(() => workload.stop());
    const killsOf = await killAtRandom(killing);
    await until(() =>
      kinds.every((kind) => (outcomesOf(workload.sent)[kind]?.['acknowledged'] ?? 0) > 0),
    );
    await workload.stop();
    say('the log and the read models are read');
    const log = await readLog(store);
    const readModels = await auditReadModels(postgresUrl, log);
    const findings = [
      ...auditLog(log),
      ...auditCommands(workload.sent, log).map(({ sentence }) => sentence),
      ...(await witness.audit(log)),
      ...(await auditStreams(store, log)),
      ...readModels.findings,
    ];
    const numbers = {
      test: 'crash',
      ok: findings.length === 0,
      seed,
      durationSeconds: seconds(),
      kills: killsOf,
      commands: outcomesOf(workload.sent),
      repeated: workload.sent.filter(({ attempts }) => attempts > 1).length,
      events: log.length,
      rows: readModels.rows,
      findings: findings.length,
    };
    return { findings, numbers };
  });
}

/** Maps each kind of command to its outcomes, with their number. */
function outcomesOf(
  sent: readonly Sent[],
): Readonly<Record<string, Readonly<Record<string, number>>>> {
  const outcomes: Record<string, Record<string, number>> = {};
  for (const { command, outcome } of sent) {
    const counts = (outcomes[command.type] ??= {});
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return outcomes;
}
