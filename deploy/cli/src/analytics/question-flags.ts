import { type Command as Words, Option } from 'commander';

const repeated = (text: string, before: readonly string[] = []) => [...before, text];

/** Adds the flags that are shorter than the fields of a question. */
export function addQuestionFlags(words: Words): void {
  const options = [
    option('--by <list>', 'Short for --dimensions.', 'dimensions'),
    option('--every <text>', 'Short for --granularity.', 'granularity'),
    option('--from <instant>', 'The first day, or an instant, in UTC.', 'timeRange'),
    option('--to <instant>', 'The day or instant behind the last. Now when absent.', 'timeRange'),
    option(
      '--filter <field=value>',
      'Counts usage with this value only; field!=value: without it. Repeated for a field: any of its values.',
      'filters',
    ).argParser(repeated),
  ];
  for (const each of options) words.addOption(each);
}

export const option = (flags: string, does: string, ...conflicts: string[]) =>
  new Option(flags, does).conflicts(conflicts);
