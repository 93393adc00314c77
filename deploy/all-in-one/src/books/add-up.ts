import { setImmediate as nextTick } from 'node:timers/promises';

/** Describes one process each, and not what it does. */
const ofProcess = 'target_info';

interface Family {
  readonly comments: string[];
  /** The values by the name and labels of their series. */
  readonly values: Map<string, string>;
}

/** Requests do not wait for more lines than these. */
const tickLinesMax = 500;

/**
 * Returns the metrics of two processes, in the Prometheus text format, as those of one. Counts that both have are added
 * up. No gauge is in both.
 */
export async function addUp(own: string, other: string): Promise<string> {
  const families = new Map<string, Family>();
  await add(families, own);
  await add(families, other, families.has(ofProcess) ? ofProcess : undefined);
  const lines = [...families.values()].flatMap(({ comments, values }) => [
    ...comments,
    ...[...values].map(([series, value]) => `${series} ${value}`),
  ]);
  return `${lines.join('\n')}\n`;
}

async function add(families: Map<string, Family>, text: string, except?: string): Promise<void> {
  let name = '';
  for (const [index, line] of text.split('\n').entries()) {
    if (index % tickLinesMax === tickLinesMax - 1) await nextTick();
    if (line === '') continue;
    if (line.startsWith('#')) name = line.split(' ', 3)[2] ?? '';
    if (name === except) continue;
    const family: Family = families.get(name) ?? { comments: [], values: new Map() };
    families.set(name, family);
    if (line.startsWith('#')) {
      if (!family.comments.includes(line)) family.comments.push(line);
      continue;
    }
    const end = line.lastIndexOf(' ');
    const [series, value] = [line.slice(0, end), line.slice(end + 1)];
    const known = family.values.get(series);
    family.values.set(series, known === undefined ? value : String(Number(known) + Number(value)));
  }
}
