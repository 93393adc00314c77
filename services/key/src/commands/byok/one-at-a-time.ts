/**
 * Work for the same name is done one after the other, in the order in which it came: what else would
 * collide in the log and be decided again and again.
 */
export function oneAtATime() {
  const last = new Map<string, Promise<unknown>>();
  return async function run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const before = last.get(name) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (last.get(name) === mine) last.delete(name);
    }
  };
}
