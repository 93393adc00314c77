import { type Finding, fine, wrong } from './finding.ts';

const differenceMsMax = 5_000;

/** Keys expire and minutes end by these clocks. */
export function clockFinding(check: string, aheadMs: number): Finding {
  if (Math.abs(aheadMs) <= differenceMsMax) return fine(check, 'It agrees with the clock here');
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  return wrong(
    check,
    `It is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock here`,
    'let both machines follow a time server (NTP)',
  );
}
