import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take a minute or more, and the processors as well. */
const long = /deploy\/chaos\/.*\.acceptance\.spec\.ts$/;

/**
 * Spreads the scenarios of chaos among the other files. A fresh clone has no durations, and the usual order has these
 * small files last: they would run alone at the end, or all at once and starve each other.
 */
export class SpreadChaos extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = super.sort.bind(this);
    const sorted = await usual(files);
    const isAcceptance = ({ project }: TestSpecification) => project.name === 'acceptance';
    const acceptance = sorted.filter(isAcceptance);
    return [...sorted.filter((file) => !isAcceptance(file)), ...spread(acceptance)];
  }
}

function spread(files: readonly TestSpecification[]): readonly TestSpecification[] {
  const longs = files.filter(({ moduleId }) => long.test(moduleId));
  const others = files.filter(({ moduleId }) => !long.test(moduleId));
  if (longs.length === 0) return others;
  const between = Math.ceil(others.length / longs.length);
  return longs.flatMap((file, index) => [
    file,
    ...others.slice(index * between, (index + 1) * between),
  ]);
}
