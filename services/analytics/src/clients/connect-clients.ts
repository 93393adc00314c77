import { callerOf, openBus, openReadModel } from '@sluice/boot/connections';
import type { Surroundings } from '@sluice/boot/run-service';
import { createEgress } from '@sluice/egress';
import { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import { DestinationUseServiceService } from '@sluice/protos/sluice/workspace/v1/destination_use';
import { FileServiceService } from '@sluice/protos/sluice/workspace/v1/file';
import { openClickHouse } from '../store/clickhouse/engine.ts';
import type { AnalyticsConfig } from '../config.ts';
import { openQuestions } from './open-questions.ts';

const callDeadlineMs = 10_000;

/** Connects analytics to the bus, to PostgreSQL, to the ledger and to files when it runs as a process of its own. */
export async function connectClients(
  config: AnalyticsConfig,
  surroundings: Surroundings<AnalyticsConfig>,
  questionMsMax: number,
) {
  const { lifecycle } = surroundings;
  const bus = await openBus('analytics', config, surroundings);
  const database = openReadModel({ schema: 'analytics' }, config, surroundings);
  const questions = openQuestions({
    url: config.SLUICE_POSTGRES_URL.reveal(),
    connectionsMax: config.SLUICE_POSTGRES_CONNECTIONS,
    statementTimeoutMs: questionMsMax,
  });
  lifecycle.add({ name: 'questions', stop: () => questions.stop() });
  const call = callerOf(surroundings);
  const { SLUICE_LEDGER_ADDRESS, SLUICE_WORKSPACE_ADDRESS } = config;
  const ledger = call(LedgerServiceService, SLUICE_LEDGER_ADDRESS, callDeadlineMs);
  const files = call(FileServiceService, SLUICE_WORKSPACE_ADDRESS, callDeadlineMs);
  const destinations = call(DestinationUseServiceService, SLUICE_WORKSPACE_ADDRESS, callDeadlineMs);
  const egress = createEgress({ allowList: config.bucketAddresses });
  lifecycle.add({ name: 'egress', stop: () => egress.stop() });
  const clickHouse = config.clickHouse && openClickHouse(config.clickHouse);
  if (clickHouse) lifecycle.add({ name: 'ClickHouse', stop: () => clickHouse.stop() });
  return { bus, database, questions, ledger, files, destinations, egress, clickHouse };
}
