import { deepEqual, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { DocumentationProblem } from '../problem.ts';
import { parseDeclarations } from './declarations.ts';

const parse = (source: string) => parseDeclarations(source, 'events.ts');
const refused = (source: string, message: string) =>
  throws(
    () => parse(source),
    (error) => error instanceof DocumentationProblem && error.message === message,
  );

describe('declarations of types', () => {
  test('are read with their comments', () => {
    deepEqual(
      parse(`
        /**
         * A note was
         * taken.
         */
        export interface NoteTaken {
          // Not for readers.
          readonly type: 'NoteTaken';
          /** In letters. */
          readonly length?: number;
        }`),
      [
        {
          name: 'NoteTaken',
          comment: 'A note was taken.',
          parameters: [],
          type: {
            kind: 'object',
            fields: [
              {
                name: 'type',
                optional: false,
                comment: '',
                type: { kind: 'literal', value: 'NoteTaken' },
              },
              {
                name: 'length',
                optional: true,
                comment: 'In letters.',
                type: { kind: 'keyword', name: 'number' },
              },
            ],
          },
        },
      ],
    );
  });

  test('may be unions, intersections, lists and have parameters', () => {
    deepEqual(
      parse(`type A<B extends string, C = null> = | 'x' | D<B>[] & { readonly e: true };`),
      [
        {
          name: 'A',
          comment: '',
          parameters: [
            { name: 'B', fallback: undefined },
            { name: 'C', fallback: { kind: 'keyword', name: 'null' } },
          ],
          type: {
            kind: 'union',
            members: [
              { kind: 'literal', value: 'x' },
              {
                kind: 'intersection',
                members: [
                  {
                    kind: 'array',
                    element: {
                      kind: 'reference',
                      name: 'D',
                      arguments: [{ kind: 'reference', name: 'B', arguments: [] }],
                    },
                  },
                  {
                    kind: 'object',
                    fields: [
                      {
                        name: 'e',
                        optional: false,
                        comment: '',
                        type: { kind: 'literal', value: true },
                      },
                    ],
                  },
                ],
              },
            ],
          },
        },
      ],
    );
  });

  test('are refused, with file and line, where something is not known', () => {
    const expected = 'expected an interface or a type alias, declared in this file,';
    refused('export const a = 1;', `events.ts:1: ${expected} instead of “const”`);
    refused(`\nimport type { A } from './a.ts';`, `events.ts:2: ${expected} instead of “import”`);
    refused('interface A {\n  b: string;\n}', 'events.ts:2: expected “readonly” instead of “b”');
    refused(
      'interface A { readonly b: string',
      'events.ts:1: expected “;” instead of “the end of the file”',
    );
    refused('type A = keyof B;', 'events.ts:1: expected “;” instead of “B”');
    refused('type A = B["c"];', 'events.ts:1: not a declaration of a type: "\\"c\\"];"');
    refused('type A = () => void;', 'events.ts:1: expected a type instead of “)”');
  });
});
