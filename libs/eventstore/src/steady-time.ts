/** Returns Unix time in milliseconds that goes on evenly when the clock of the machine is set. */
export function steadyUnixMs(): number {
  return Math.round(performance.timeOrigin + performance.now());
}
