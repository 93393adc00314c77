import { walkXml } from './walk-xml.ts';

/** The styles of cells whose numbers are days. */
export interface NumberFormats {
  readonly dates: ReadonlySet<number>;
  /** Days count from 1904 on, as on old Macs. */
  readonly isFrom1904: boolean;
}

/** Formats that each program has, by their numbers (ECMA-376, 18.8.30). */
const builtInDates = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);
/** A format without its texts and colors that has a day, an hour or a year. */
const datePattern = /[dhy]/i;
const literals = /"[^"]*"|\\.|\[[^\]]*\]/g;

/** Reads the styles of a workbook whose numbers are shown as dates. */
export function readNumberFormats(styles: string, workbook: string): NumberFormats {
  const custom = new Set<number>();
  const dates = new Set<number>();
  let isOfCells = false;
  let style = 0;
  walkXml(styles, {
    onOpen(name, { numFmtId, formatCode }) {
      const id = Number(numFmtId);
      if (name === 'numFmt' && datePattern.test((formatCode ?? '').replaceAll(literals, '')))
        custom.add(id);
      else if (name === 'cellXfs') isOfCells = true;
      else if (name === 'xf' && isOfCells) {
        if (builtInDates.has(id) || custom.has(id)) dates.add(style);
        style += 1;
      }
    },
    onText: () => undefined,
    onClose(name) {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return { dates, isFrom1904: /\bdate1904="(?:1|true)"/.test(workbook) };
}

const dayMs = 86_400_000;
const from1900Ms = Date.UTC(1899, 11, 30);
const from1904Ms = Date.UTC(1904, 0, 1);
/** The year 9999, where the programs end. */
const daysMax = 2_958_466;

/** Returns a number of days as an ISO date, with its time unless it is midnight. */
export function dateOf(days: number, { isFrom1904 }: NumberFormats): string {
  if (!(days >= 0 && days < daysMax)) return String(days);
  const begin = isFrom1904 ? from1904Ms : from1900Ms;
  const iso = new Date(begin + Math.round(days * dayMs)).toISOString();
  const [date = '', time = ''] = iso.slice(0, '2026-01-31T12:00:00'.length).split('T');
  if (days < 1 && !isFrom1904) return time;
  return time === '00:00:00' ? date : `${date} ${time}`;
}
