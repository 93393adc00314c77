/** Returns Unix time in milliseconds that goes on evenly when somebody sets the clock of the machine. */
export function steadyUnixMs(): number {
  return Math.round(performance.timeOrigin + performance.now());
}
