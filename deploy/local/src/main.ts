import { loadConfig, secret } from '@sluice/service';
import { Type } from 'typebox';
import { announcement, modelsAt, modelToTry } from './announcement.ts';
import { bootstrapOverRpc } from './bootstrap/bootstrap-over-rpc.ts';
import { explain } from './explain.ts';

/** The first organization for services that run elsewhere, as in docker-compose.yml; prints its keys. */
const address = Type.String({ description: 'host:port', pattern: String.raw`:\d+$` });
const url = Type.String({ default: 'http://127.0.0.1:8080/v1', pattern: '^https?://' });
const schema = Type.Object({
  SLUICE_DATA_DIR: Type.String({ default: '.data' }),
  SLUICE_BASE_URL: url,
  SLUICE_GATEWAY_URL: Type.Optional(url),
  SLUICE_RPC_TOKEN: secret('Shared by all services'),
  SLUICE_ACCOUNT_ADDRESS: address,
  SLUICE_WORKSPACE_ADDRESS: address,
  SLUICE_KEY_ADDRESS: address,
  SLUICE_LEDGER_ADDRESS: address,
  SLUICE_BOOTSTRAP_CREDITS_USD: Type.String({ default: '100', pattern: String.raw`^[\d.]{1,19}$` }),
});

try {
  const settings = loadConfig(schema, process.env);
  const made = await bootstrapOverRpc({
    dataDirectory: settings.SLUICE_DATA_DIR,
    creditsUsd: settings.SLUICE_BOOTSTRAP_CREDITS_USD,
    baseUrl: settings.SLUICE_BASE_URL,
    token: settings.SLUICE_RPC_TOKEN.reveal(),
    addresses: {
      account: settings.SLUICE_ACCOUNT_ADDRESS,
      workspace: settings.SLUICE_WORKSPACE_ADDRESS,
      key: settings.SLUICE_KEY_ADDRESS,
      ledger: settings.SLUICE_LEDGER_ADDRESS,
    },
  });
  const models = await modelsAt(settings.SLUICE_GATEWAY_URL ?? made.base_url);
  console.log(announcement(made, modelToTry(models)));
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
