import { Fault } from '@sluice/errors';
import type { Sandbox } from '../tools/sandbox/sandbox.ts';

/** A sandbox that keeps what it is asked, and answers in the words of the command. */
export interface InMemorySandbox extends Sandbox {
  /** The containers that were opened: account, workspace and id, and the allowed hosts. */
  readonly opened: string[];
  readonly commands: string[];
  /** The contents that were written, by their names. */
  readonly written: Map<string, string>;
}

/**
 * Runs no command: `exit N` ends with N, `sleep` runs out of time, `flood` is ended, `touch NAME` makes a file, and any
 * other command is printed. Each takes 1,500 ms. The container `away` is not reached, and `taken` has another policy.
 */
export function inMemorySandbox(): InMemorySandbox {
  const opened: string[] = [];
  const commands: string[] = [];
  const files = new Map<string, bigint>();
  const written = new Map<string, string>();
  return {
    opened,
    commands,
    written,
    async writeFile({ name, offset, content }) {
      const before = offset === 0n ? '' : (written.get(name) ?? '');
      written.set(name, before + Buffer.from(content).toString());
      files.set(name, BigInt(commands.length));
      return {};
    },
    async openContainer({ container, allowedDomains }) {
      const { accountId, workspaceId, containerId } = container ?? {};
      if (containerId === 'away') throw new Fault('unavailable');
      if (containerId === 'taken') throw new Fault('conflict', { message: 'another policy' });
      opened.push([accountId, workspaceId, containerId, ...allowedDomains].join(' '));
      return { isNew: opened.length === 1 };
    },
    async checkContainer({ container }) {
      if (container?.containerId === 'taken')
        throw new Fault('conflict', { message: 'another policy' });
      if (container?.containerId === 'away') throw new Fault('unavailable');
      return { isWarm: false };
    },
    async runCommand({ command }) {
      commands.push(command);
      const [word, rest = ''] = command.split(' ');
      if (word === 'touch') files.set(rest, BigInt(commands.length));
      const outcomes = { sleep: 'OUTCOME_TIMED_OUT', flood: 'OUTCOME_KILLED' } as const;
      return {
        stdout: Buffer.from(word === 'exit' ? '' : `${command}\n`),
        stderr: Buffer.from(''),
        isCut: false,
        outcome: outcomes[word as keyof typeof outcomes] ?? 'OUTCOME_EXITED',
        exitCode: word === 'exit' ? Number(rest) : 0,
        reason: word === 'flood' ? 'it wrote too much' : '',
        durationMs: 1_500n,
      };
    },
    async listFiles() {
      return {
        files: [...files].map(([path, changedAtMs]) => ({ path, bytes: 0n, changedAtMs })),
      };
    },
  };
}
