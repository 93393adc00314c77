import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type CompiledFilters, scan } from '@sluice/content-filter';

/** Returns how many of the texts have a finding. */
export function countFound(texts: readonly string[], filters: CompiledFilters): number {
  return texts.filter((text) => scan(text, filters).detections.length > 0).length;
}

const linesMax = 400_000;
const bytesMax = 2_000_000;
const sourceFile = /\.(?:[cm]?js|ts|json|md)$/u;

/** Counts findings in the sources of a folder, up to 400,000 lines. */
export function countInSources(
  folder: string,
  filters: CompiledFilters,
): { readonly lines: number; readonly findings: number } {
  let lines = 0;
  let findings = 0;
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of names) {
    if (lines >= linesMax) break;
    const path = join(entry.parentPath, entry.name);
    const isSource = entry.isFile() && sourceFile.test(path) && !/lock|\.min\./u.test(entry.name);
    if (!isSource || statSync(path).size > bytesMax) continue;
    const text = readFileSync(path, 'utf8');
    lines += text.split('\n').length;
    findings += scan(text, filters).detections.length;
  }
  return { lines, findings };
}
