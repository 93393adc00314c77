/** Instants of ISO 8601 in UTC, half-open, or `-infinity` and `infinity`. */
export interface AdmissionRange {
  readonly from: string;
  readonly to: string;
}

export const anyAdmission: AdmissionRange = { from: '-infinity', to: 'infinity' };

/** The id of a generation is a UUID of version 7. It begins with the milliseconds of its making. */
const pattern = /^gen-([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/;
const dayMs = 86_400_000;
/** Most turns of a response are admitted within a day. */
const aroundMs = dayMs;

/** Returns the time in which most facts with these ids were admitted. Any time, if an id does not say it. */
export function admissionRange(usageIds: readonly string[]): AdmissionRange {
  let first = Infinity;
  let last = -Infinity;
  for (const usageId of usageIds) {
    const [, high, low] = pattern.exec(usageId) ?? [];
    if (high === undefined || low === undefined) return anyAdmission;
    const madeMs = Number.parseInt(high + low, 16);
    if (madeMs > madeMsMax) return anyAdmission;
    first = Math.min(first, madeMs);
    last = Math.max(last, madeMs);
  }
  if (first > last) return anyAdmission;
  return { from: instantOf(first - aroundMs), to: instantOf(last + aroundMs) };
}

/** The end of the year 2198: no admission is later than 2199. */
const madeMsMax = Date.UTC(2199, 0);

function instantOf(ms: number): string {
  return new Date(ms).toISOString();
}
