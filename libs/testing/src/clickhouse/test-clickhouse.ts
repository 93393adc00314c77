import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Runs the specs that need ClickHouse: on the server of `CLICKHOUSE_URL`, or on ClickHouse as a library. The package
 * `chdb` has 543 MB, so it is installed beside the others, once, with the digests of `chdb/packages.json`.
 */
const root = join(import.meta.dirname, '../../../..');
const packages = process.env['CHDB_PACKAGES'] ?? join(root, '.cache/chdb');
const isGiven =
  process.env['CLICKHOUSE_URL'] !== undefined || process.env['CHDB_PACKAGES'] !== undefined;
if (!isGiven) install();
const environment = { ...process.env };
if (environment['CLICKHOUSE_URL'] === undefined) environment['CHDB_PACKAGES'] = packages;
const specs = [
  'services/analytics/src/store/clickhouse',
  'services/observer/src/senders/clickhouse',
];
const run = spawnSync('vitest', ['run', '--project', 'int', ...specs], {
  cwd: root,
  stdio: 'inherit',
  env: environment,
});
process.exit(run.status ?? 1);

function install(): void {
  const lock = join(import.meta.dirname, 'chdb/packages.json');
  const installed = join(packages, 'package-lock.json');
  const isCurrent =
    existsSync(join(packages, 'node_modules/chdb')) &&
    existsSync(installed) &&
    readFileSync(installed).equals(readFileSync(lock));
  if (isCurrent) return;
  const { packages: locked } = JSON.parse(readFileSync(lock, 'utf8')) as {
    readonly packages: Readonly<Record<string, object>>;
  };
  mkdirSync(packages, { recursive: true });
  writeFileSync(join(packages, 'package.json'), JSON.stringify(locked[''], undefined, 2));
  copyFileSync(lock, installed);
  // The digests are those of Linux on x64. `npm ci` would ask for those of all platforms.
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  const npm = spawnSync('npm', ['install', ...options], {
    cwd: packages,
    stdio: 'inherit',
  });
  if (npm.status !== 0) process.exit(npm.status ?? 1);
}
