import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Names small files that take long, as `slowest` of the report does. They begin first, because Vitest begins with the
 * largest files, and a run would end with some of these on an idle machine. The scenarios of chaos come last as usual:
 * beside other instances they starve.
 */
export const longest = [
  'deploy/acceptance/src/description.spec.ts',
  'deploy/acceptance/src/hosted-tools.spec.ts',
  'deploy/acceptance/src/unstorable-texts.spec.ts',
  'deploy/acceptance/src/survival.spec.ts',
  'deploy/acceptance/src/isolation.spec.ts',
  'deploy/acceptance/src/use-with.spec.ts',
  'deploy/acceptance/src/data-directory.spec.ts',
  'deploy/acceptance/src/own-provider.spec.ts',
  'deploy/acceptance/src/away-at-start.spec.ts',
  'deploy/acceptance/src/api-guide.spec.ts',
  'services/sandbox/src/service.int.spec.ts',
  'deploy/cli/src/eventstore/eventstore.int.spec.ts',
  'deploy/eventstore-check/src/recorded.int.spec.ts',
  'deploy/all-in-one/src/books/rebuild.int.spec.ts',
  'deploy/all-in-one/src/goldens/goldens.int.spec.ts',
  'libs/eventstore/src/append-ends.int.spec.ts',
  'libs/eventstore/src/lost-connections.int.spec.ts',
  'services/routing/src/specs/money/killed-loops.int.spec.ts',
  'services/sandbox/src/engines/kubernetes/kubernetes.int.spec.ts',
  'services/sandbox/src/engines/kubernetes/escapes.int.spec.ts',
  'services/sandbox/src/engines/e2b/escapes.int.spec.ts',
  'deploy/processes/src/hard-cap.int.spec.ts',
  'deploy/all-in-one/src/books/verify.int.spec.ts',
  'services/ledger/src/starved.int.spec.ts',
  'libs/bus/src/redelivery.int.spec.ts',
  'deploy/replay/src/replay.int.spec.ts',
  'deploy/simulation/src/simulate.spec.ts',
];

/** Begins with the files that take longest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(name));
      return place < 0 ? longest.length : place;
    };
    const usual = super.sort.bind(this);
    return (await usual(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
