import { loadDirectorySettings } from '@sluice/account/config';
import { checkSettings } from '@sluice/boot';
import { loadEnvelopeSettings } from '@sluice/boot/envelope-keys';
import { loadGatewaySettings } from '@sluice/gateway/config';
import { loadRetention } from '@sluice/analytics/config';
import { loadFactRetention, loadSuspenseHours } from '@sluice/ledger/config';
import { loadObserverSettings } from '@sluice/observer/config';
import { checkRoutingSettings } from '@sluice/routing/config';
import { loadLocalSettings, type LocalSettings } from './settings.ts';
import { loadFileSettings } from '@sluice/workspace/files';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings of a start on this machine, and checks those of every service with them: nothing starts, and no
 * file is made, while one is wrong. Throws InvalidConfig with all problems.
 */
export function loadAllSettings(env: Environment): LocalSettings {
  const checks = [
    loadLocalSettings,
    loadGatewaySettings,
    loadDirectorySettings,
    loadFileSettings,
    loadEnvelopeSettings,
    loadSuspenseHours,
    loadFactRetention,
    loadRetention,
    loadObserverSettings,
    checkRoutingSettings,
  ];
  checkSettings(checks.map((check) => () => check(env)));
  return loadLocalSettings(env);
}
