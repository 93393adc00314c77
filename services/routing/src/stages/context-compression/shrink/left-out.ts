/** Words of lines and items that are kept, since they are mostly what is asked about. */
const salient = [
  /error|fail|fatal|exception|traceback|panic|critical|warn|denied|refused|timed? ?out/i,
  /invalid|not found|conflict|abort/i,
];

export function isSalient(text: string): boolean {
  return salient.some((words) => words.test(text));
}

/** Returns the mark that stands for what was left out. */
export function leftOut(count: number, what: string): string {
  return `[${count} ${what}${count === 1 ? '' : 's'} left out]`;
}

/** Returns the kept entries in order, with a mark for each gap. */
export function withMarks<Entry>(
  entries: readonly Entry[],
  kept: ReadonlySet<number>,
  mark: (count: number) => Entry,
): readonly Entry[] {
  const shown: Entry[] = [];
  let gap = 0;
  for (const [place, entry] of entries.entries()) {
    if (!kept.has(place)) {
      gap += 1;
      continue;
    }
    if (gap > 0) shown.push(mark(gap));
    gap = 0;
    shown.push(entry);
  }
  if (gap > 0) shown.push(mark(gap));
  return shown;
}
