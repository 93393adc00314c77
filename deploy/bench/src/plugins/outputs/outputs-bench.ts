import { countExactly, shrinkOutput } from '@sluice/routing/testing';
import { toolOutputs, type ToolOutput } from './corpus.ts';

interface Row {
  readonly kind: string;
  readonly tokens: number;
  readonly saved: number;
  /** Shares of the facts that are still there. */
  readonly expected: number;
  readonly other: number;
}

/** Measures the tokens that shrunk outputs save, and the facts that they lose, by kind of output. */
export async function measureOutputs(): Promise<readonly Row[]> {
  const kinds = [...Map.groupBy(toolOutputs, ({ kind }) => kind)];
  return await Promise.all(kinds.map(async ([kind, outputs]) => await rowOf(kind, outputs)));
}

async function rowOf(kind: string, outputs: readonly ToolOutput[]): Promise<Row> {
  const shown = outputs.map(({ text }) => shrinkOutput(text) ?? text);
  const tokens = sum(
    await countExactly(
      outputs.map(({ text }) => text),
      'o200k_base',
    ),
  );
  const left = sum(await countExactly(shown, 'o200k_base'));
  const kept = (factsOf: (output: ToolOutput) => readonly string[]) => {
    const facts = outputs.flatMap((output, index) =>
      factsOf(output).map((fact) => (shown[index] ?? '').includes(fact)),
    );
    return facts.filter(Boolean).length / facts.length;
  };
  return {
    kind,
    tokens,
    saved: 1 - left / tokens,
    expected: kept(({ expected }) => expected),
    other: kept(({ other }) => other),
  };
}

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

/** Returns the lines of a table in Markdown. */
export function outputsTable(rows: readonly Row[]): readonly string[] {
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
  return [
    '| Output of a tool | Tokens saved | Failures, changes, ends kept | Facts in the middle kept |',
    '| --- | --- | --- | --- |',
    ...rows.map(
      ({ kind, saved, expected, other }) =>
        `| ${kind} | ${percent(saved)} | ${percent(expected)} | ${percent(other)} |`,
    ),
  ];
}
