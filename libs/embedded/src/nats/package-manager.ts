import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const timeoutMs = 300_000;

interface PackageManager {
  readonly command: string;
  readonly args: readonly string[];
  readonly asRoot: boolean;
}

const managers: readonly PackageManager[] = [
  { command: 'brew', args: ['install', 'nats-server'], asRoot: false },
  { command: 'dnf', args: ['install', '-y', 'nats-server'], asRoot: true },
  { command: 'pacman', args: ['-S', '--noconfirm', 'nats-server'], asRoot: true },
  { command: 'zypper', args: ['--non-interactive', 'install', 'nats-server'], asRoot: true },
];

/** Installs the package with a manager that this user may use; apt has ways of its own. */
export async function installWithPackageManager(): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  for (const { command, args } of managers.filter(({ asRoot }) => asRoot === isRoot))
    await promisify(execFile)(command, [...args], { timeout: timeoutMs }).catch(() => undefined);
}
