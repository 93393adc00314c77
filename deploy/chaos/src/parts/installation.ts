import { join } from 'node:path';
import { connectionsOf } from '@sluice/acceptance/connections';
import {
  type Environment,
  type Instance,
  type Program,
  startInstance,
} from '@sluice/acceptance/instance';

/** A running Sluice, with the addresses of the parts that its public API does not show. */
export interface Installation extends Instance {
  readonly eventStoreUrl: string;
  readonly postgresUrl: string;
  readonly accountAddress: string;
  readonly ledgerAddress: string;
  readonly rpcToken: string;
  /** Returns the path of the file with the process id of a part. */
  pidFileOf(part: string): string;
  restart(): Promise<Installation>;
}

/** A load sends more requests than a person does. Stalled answers time out within the scenario. */
const environment = {
  SLUICE_KEY_REQUESTS_PER_MINUTE: '1000000',
  SLUICE_INFERENCE_REQUESTS_PER_MINUTE: '1000000',
  SLUICE_MANAGEMENT_REQUESTS_PER_MINUTE: '1000000',
  SLUICE_AUTH_FAILURES_PER_MINUTE: '1000000',
  SLUICE_INFERENCE_OPEN_MAX: '10000',
  SLUICE_BOOTSTRAP_CREDITS_USD: '1000',
  SLUICE_UPSTREAM_TIMEOUT_MS: '15000',
  SLUICE_UPSTREAM_IDLE_TIMEOUT_MS: '10000',
};

export interface InstallationOptions {
  readonly program?: Program;
  readonly settings?: Environment;
  readonly say: (line: string) => void;
}

/** Starts a Sluice for the work, and stops it afterwards. Its data is kept when the work has findings. */
export async function withInstallation<Result extends { readonly findings: readonly string[] }>(
  { program = 'processes', settings = {}, say }: InstallationOptions,
  work: (installation: Installation) => Promise<Result>,
): Promise<Result> {
  say('the services start');
  const started = await startInstance({ ...environment, ...settings }, program);
  const installation = await installed(started);
  let isRight = false;
  try {
    const result = await work(installation);
    isRight = result.findings.length === 0;
    return result;
  } finally {
    if (isRight) await installation.dispose();
    else {
      await installation.stop();
      say(`the data directory is kept: ${installation.dataDirectory}`);
    }
  }
}

async function installed(instance: Instance): Promise<Installation> {
  const { dataDirectory } = instance;
  const connections = await connectionsOf(instance);
  const parts = {
    eventStoreUrl: connections.eventstore_url,
    postgresUrl: connections.postgres_url,
    accountAddress: connections.account_address,
    ledgerAddress: connections.ledger_address,
    rpcToken: connections.rpc_token,
    pidFileOf: (part: string) => join(dataDirectory, 'run', `${part}.pid`),
  };
  /** The same object stands for the program that runs now. */
  const adopt = (running: Instance): Installation =>
    Object.assign(installation, running, { restart: async () => adopt(await running.restart()) });
  const installation = { ...instance, ...parts } as Installation;
  return adopt(instance);
}
