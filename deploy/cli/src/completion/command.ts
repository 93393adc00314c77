import { Argument, type Command as Words } from 'commander';
import { type Choices, completionScript, type Shell, shells } from './scripts.ts';

/** `completion`: it says what the program knows, so it is added last. */
export function addCompletionCommand(program: Words, found: (script: string) => void): void {
  program
    .command('completion')
    .description('a script that makes a shell complete these commands')
    .addArgument(new Argument('<shell>', shells.join(', ')).choices(shells))
    .action((shell: Shell) => found(completionScript(shell, choicesIn(program, ''))));
}

function choicesIn(command: Words, place: string): readonly Choices[] {
  const { commands, options } = command;
  const names = commands.map((each) => each.name());
  const flags = options.flatMap(({ long }) => (long ? [long] : []));
  const words = [...names, ...flags, '--help'];
  const below = commands.flatMap((each) =>
    choicesIn(each, place === '' ? each.name() : `${place} ${each.name()}`),
  );
  return [{ place, words }, ...below];
}
