import { deepEqual, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { handledTypes } from './readers.ts';

const types = ['A', 'B', 'C'];
const handled = (code: string) => handledTypes(code, 'reader.ts', types);

describe('what a projection does something with', () => {
  test('is every event where nothing is told apart', () => {
    deepEqual(handled('for (const event of events) tell(event);'), types);
  });

  test('is each event whose case does more than end', () => {
    deepEqual(
      handled(`switch (type) {
        case 'A': return insert();
        case 'B': break;
        case 'C': return;
      }`),
      ['A'],
    );
  });

  test('falls through from case to case', () => {
    deepEqual(handled("case 'A': case 'B': update(); break; case 'C': }"), ['A', 'B']);
    deepEqual(handled("case 'C': update(); break; case 'A': case 'B': break;"), ['C']);
  });

  test('is not what stands in a comment', () => {
    deepEqual(handled("case 'A': // insert()\n break; case 'B': /* x */ break; case 'C': x()"), [
      'C',
    ]);
  });

  test('cannot be told when an event has no case', () => {
    throws(() => handled("case 'A': break;"), /reader\.ts: there is no case for B, C/);
  });
});
