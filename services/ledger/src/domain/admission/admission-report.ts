import { isInstant } from '@sluice/usage-facts';

/** A replica's report of a stretch of its spool. */
export interface AdmissionReport {
  readonly replica: string;
  readonly epoch: bigint;
  /** After the first record, up to the second one. */
  readonly afterSpoolSequence: bigint;
  readonly toSpoolSequence: bigint;
  readonly settledSequence: bigint;
  readonly totals: readonly AdmissionTotals[];
  readonly open: readonly OpenAttempt[];
}

/** The counts that the stretch adds, for one account and UTC day of the admission. */
export interface AdmissionTotals {
  readonly accountId: string;
  readonly day: string;
  readonly admitted: bigint;
  readonly settled: bigint;
  readonly released: bigint;
}

/** An attempt without an end. */
export interface OpenAttempt {
  readonly usageId: string;
  readonly accountId: string;
  readonly admittedAt: string;
  readonly holdNanoUsd: bigint;
}

const totalsMax = 10_000;
const openMax = 20_000;
const countMax = 2n ** 53n;
const tokenPattern = /^[A-Za-z0-9_-]{1,128}$/;
const idPattern = /^[\x21-\x7e]{1,256}$/;

/** Why a report cannot be one; undefined when it can. */
export function admissionReportProblem(report: AdmissionReport): string | undefined {
  const { replica, epoch, afterSpoolSequence, toSpoolSequence, settledSequence } = report;
  if (!tokenPattern.test(replica) || epoch < 1n) return 'replica or epoch is malformed';
  const sequences = [afterSpoolSequence, toSpoolSequence, settledSequence];
  if (!sequences.every(isCount)) return 'a sequence is negative or absurd';
  if (report.totals.length > totalsMax) return `more than ${totalsMax} totals`;
  if (report.open.length > openMax) return `more than ${openMax} open attempts`;
  if (!report.totals.every(isTotals)) return 'totals are malformed';
  const days = new Set(report.totals.map(({ accountId, day }) => `${day}/${accountId}`));
  if (days.size < report.totals.length) return 'totals of a day come twice';
  if (!report.open.every(isOpen)) return 'an open attempt is malformed';
  const usageIds = new Set(report.open.map(({ usageId }) => usageId));
  return usageIds.size < report.open.length ? 'an open attempt comes twice' : undefined;
}

/** `2026-11-18` that exists, in any year. */
export function isDay(day: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || day < '0001') return false;
  const instant = new Date(`${day}T00:00:00Z`);
  // A 30 February would silently be another day.
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(day);
}

function isTotals({ accountId, day, admitted, settled, released }: AdmissionTotals): boolean {
  return tokenPattern.test(accountId) && isDay(day) && [admitted, settled, released].every(isCount);
}

function isOpen({ usageId, accountId, admittedAt, holdNanoUsd }: OpenAttempt): boolean {
  return (
    idPattern.test(usageId) &&
    tokenPattern.test(accountId) &&
    isInstant(admittedAt) &&
    isCount(holdNanoUsd)
  );
}

function isCount(value: bigint): boolean {
  return value >= 0n && value <= countMax;
}
