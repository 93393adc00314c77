import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that wait for minutes: begun last, they would run alone at the end. */
const longest =
  /deploy\/chaos\/.*\/(event-store|every-part|outages|store-away)\.acceptance\.spec\.ts$/;

/** Begins the longest files first. Vitest knows no durations in a fresh clone. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = super.sort.bind(this);
    const sorted = await usual(files);
    const isLong = ({ moduleId }: TestSpecification) => longest.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
