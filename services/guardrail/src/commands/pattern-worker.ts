import { instructionsOf } from '@sluice/content-filter';

/** A compiled pattern: its size, or the reason why it is no pattern. */
export type CompiledPattern = { readonly instructions: number } | { readonly problem: string };

/** Compiles patterns in a thread. */
export function work(patterns: readonly string[]): readonly CompiledPattern[] {
  return patterns.map((pattern) => {
    try {
      return { instructions: instructionsOf(pattern) };
    } catch (error) {
      const [, problem = 'it cannot be read'] =
        /error parsing regexp: ([^:]*)/.exec(error instanceof Error ? error.message : '') ?? [];
      return { problem };
    }
  });
}
