import { leftOut } from './left-out.ts';

/** A path has a dot or a slash, and a letter; a time of day has none. */
const hit =
  /^(?=[^:]{0,400}[./])(?=[^:]{0,400}[a-z])([^\s:][^:\n]{0,400}):(\d{1,9})[:-](?:\d{1,9}:)?(.*)$/i;
const hitsMin = 10;
const hitShareMin = 0.8;
const perFile = 6;
const filesMax = 60;
const lineMax = 240;

/** Returns the hits of a search in files with each file named once, and with a few hits of each. */
export function shrinkSearch(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const hits = lines.map((line) => hit.exec(line));
  const found = hits.filter((one) => one !== null);
  if (found.length < hitsMin || found.length < hitShareMin * lines.length) return undefined;
  const files = Map.groupBy(found, ([, path = '']) => path);
  const shown: string[] = [];
  for (const [path, all] of [...files].slice(0, filesMax)) {
    shown.push(path);
    for (const [, , number = '', said = ''] of all.slice(0, perFile))
      shown.push(`  ${number}: ${said.trim().slice(0, lineMax)}`);
    if (all.length > perFile) shown.push(`  ${leftOut(all.length - perFile, 'hit')}`);
  }
  if (files.size > filesMax) shown.push(leftOut(files.size - filesMax, 'file'));
  return shown.join('\n');
}
