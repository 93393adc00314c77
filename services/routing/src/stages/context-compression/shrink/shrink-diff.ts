import { leftOut } from './left-out.ts';

const headers =
  /^(?:diff --git |--- |\+\+\+ |@@|rename |new file|deleted file|similarity |Binary )/;
/** Files that programs write: nobody reviews their lines. */
const written = /(?:package-lock\.json|pnpm-lock\.yaml|\.lock|\.min\.js|\.snap)$/;

/** Returns a unified diff with its changed lines alone, without the lines around them and those of lock files. */
export function shrinkDiff(text: string): string | undefined {
  if (!/^@@ -\d/m.test(text) || !/^(?:diff --git |\+\+\+ )/m.test(text)) return undefined;
  const shown: string[] = [];
  let isWritten = false;
  let gap = 0;
  const mark = () => {
    if (gap > 0) shown.push(leftOut(gap, 'line'));
    gap = 0;
  };
  for (const line of text.split('\n')) {
    if (line.startsWith('diff --git ') || line.startsWith('--- ')) isWritten = false;
    if (line.startsWith('+++ ') || line.startsWith('diff --git '))
      isWritten = written.test(line.trim());
    const isHeader = headers.test(line);
    if (!isHeader && (isWritten || !/^[+-]/.test(line))) {
      gap += isWritten ? 1 : 0;
      continue;
    }
    if (isWritten && line.startsWith('@@')) continue;
    if (isHeader) mark();
    shown.push(line);
  }
  mark();
  return shown.join('\n');
}
