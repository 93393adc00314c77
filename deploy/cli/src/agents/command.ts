import { Argument, type Command as Words, Option } from 'commander';
import { parseUsd } from '../credits/usd.ts';
import { shown, WrongUsage } from '../wrong-usage.ts';
import { type AgentName, agentNames } from './agent-files.ts';

/** Makes a coding agent call Sluice. */
export interface AgentsCommand {
  readonly agent: AgentName;
  /** If undefined, the newest model that takes tools is used. */
  readonly model: string | undefined;
  readonly limitUsd: number;
  /** null: the limit is for good. */
  readonly limitReset: 'daily' | 'weekly' | 'monthly' | null;
  /** The settings are written, not printed. */
  readonly writes: boolean;
  /** The key is made without a question. */
  readonly isAgreed: boolean;
}

interface Options {
  readonly model?: string;
  readonly limit: string;
  readonly limitReset: string;
  readonly write?: boolean;
  readonly yes?: boolean;
}

const intervals = ['daily', 'weekly', 'monthly'] as const;

/** `agents`. */
export function addAgentsCommand(program: Words, found: (command: AgentsCommand) => void): void {
  program
    .command('agents')
    .description('make a coding agent call Sluice, with a key of its own')
    .addArgument(new Argument('<agent>', 'which one').choices(agentNames))
    .option('--model <id>', 'the model that it calls; default: the newest one that takes tools')
    .option('--limit <usd>', 'what its key may spend', '10')
    .addOption(
      new Option('--limit-reset <interval>', 'when the limit begins anew')
        .choices([...intervals, 'none'])
        .default('monthly'),
    )
    .option('--write', 'write the settings of the agent; what was there is kept beside them')
    .option('--yes', 'do not ask')
    .action((agent: AgentName, options: Options) => found(commandOf(agent, options)));
}

function commandOf(agent: AgentName, options: Options): AgentsCommand {
  const { model, limit, limitReset, write = false, yes = false } = options;
  const nanoUsd = parseUsd(limit);
  if (nanoUsd === undefined || nanoUsd === 0n)
    throw new WrongUsage(`--limit takes an amount of USD, not ${shown(limit)}.`);
  return {
    agent,
    model,
    limitUsd: Number(limit),
    limitReset: intervals.find((each) => each === limitReset) ?? null,
    writes: write,
    isAgreed: yes,
  };
}
