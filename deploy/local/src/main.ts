import { lockDataDirectory } from '@sluice/embedded';
import { loadConfig, secret } from '@sluice/boot';
import { Type } from 'typebox';
import { announcement, modelToTryAt } from './announcement.ts';
import { bootstrapOverRpc } from './bootstrap/bootstrap-over-rpc.ts';
import { explain } from './explain.ts';

/** The first organization for services that run elsewhere, as in docker-compose.yml; prints its keys. */
const address = Type.String({ description: 'host:port', pattern: String.raw`:\d+$` });
const url = { pattern: '^https?://' };
const schema = Type.Object({
  SLUICE_DATA_DIR: Type.String({ default: '.data' }),
  SLUICE_BASE_URL: Type.String({ ...url, default: 'http://127.0.0.1:8080/v1' }),
  // The address at which this process reaches the gateway; without it, the public one.
  SLUICE_GATEWAY_URL: Type.Optional(Type.String(url)),
  SLUICE_RPC_TOKEN: secret('Shared by all services'),
  SLUICE_ACCOUNT_ADDRESS: address,
  SLUICE_WORKSPACE_ADDRESS: address,
  SLUICE_KEY_ADDRESS: address,
  SLUICE_LEDGER_ADDRESS: address,
  SLUICE_BOOTSTRAP_CREDITS_USD: Type.String({ default: '100', pattern: String.raw`^[\d.]{1,19}$` }),
});

try {
  await run();
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const settings = loadConfig(schema, process.env);
  // Two at once would make two organizations.
  const data = await lockDataDirectory(settings.SLUICE_DATA_DIR);
  try {
    const made = await bootstrapOverRpc({
      dataDirectory: data.path,
      creditsUsd: settings.SLUICE_BOOTSTRAP_CREDITS_USD,
      baseUrl: settings.SLUICE_BASE_URL,
      token: settings.SLUICE_RPC_TOKEN.reveal(),
      onWaiting: (reason) => console.error(`The first start waits: ${reason}.`),
      addresses: {
        account: settings.SLUICE_ACCOUNT_ADDRESS,
        workspace: settings.SLUICE_WORKSPACE_ADDRESS,
        key: settings.SLUICE_KEY_ADDRESS,
        ledger: settings.SLUICE_LEDGER_ADDRESS,
      },
    });
    const model = await modelToTryAt(settings.SLUICE_GATEWAY_URL ?? made.base_url);
    console.log(announcement(made, model));
  } finally {
    data.release();
  }
}
