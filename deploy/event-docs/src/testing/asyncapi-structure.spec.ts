import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { structureProblems } from './asyncapi-structure.ts';

type Tree = Record<string, Record<string, Record<string, Record<string, unknown>>>>;

const sound = () => ({
  asyncapi: '3.0.0',
  info: { title: 'Notes', version: '1.0.0' },
  servers: { nats: { host: '{host}:1', protocol: 'nats', variables: { host: { default: 'a' } } } },
  channels: {
    taken: {
      address: 'note.taken.{owner}',
      parameters: { owner: { description: 'Whose.' } },
      messages: { Taken: { $ref: '#/components/messages/Taken' } },
    },
    lost: { address: 'note.lost', messages: { Taken: { $ref: '#/components/messages/Taken' } } },
  },
  operations: {
    take: {
      action: 'send',
      channel: { $ref: '#/channels/taken' },
      messages: [{ $ref: '#/channels/taken/messages/Taken' }],
    },
  },
  components: {
    messages: {
      Taken: {
        headers: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
        payload: { $ref: '#/components/schemas/Taken' },
        examples: [{ headers: { id: 'a' }, payload: { amount: '12' } }],
      },
    },
    schemas: {
      Taken: { type: 'object', properties: { amount: { type: 'string', pattern: '^[0-9]+$' } } },
    },
  },
});

/** Returns the problems of the valid document after one change. */
function after(change: (document: Tree) => void): readonly string[] {
  const document = sound();
  change(document as unknown as Tree);
  return structureProblems(document);
}

describe('the structure of an AsyncAPI document', () => {
  test('is kept by a sound one', () => {
    deepEqual(structureProblems(sound()), []);
  });

  test('needs the fields of each object, and no others but extensions', () => {
    deepEqual(
      after(({ operations }) => delete operations?.['take']?.['action']),
      ['#/operations/take lacks action', '#/operations/take neither sends nor receives'],
    );
    deepEqual(
      after(({ channels }) => Object.assign(channels?.['lost'] ?? {}, { topic: 'a', 'x-a': 1 })),
      ['#/channels/lost must not have topic'],
    );
    deepEqual(
      after((document) => Object.assign(document, { asyncapi: '2.6.0' })),
      ['# is not of version 3.0.0'],
    );
  });

  test('has references that lead somewhere and stand alone', () => {
    deepEqual(
      after(({ components }) => delete components?.['schemas']?.['Taken']),
      ['#/components/messages/Taken/payload leads nowhere: #/components/schemas/Taken'],
    );
    deepEqual(
      after(({ operations }) => Object.assign(operations?.['take']?.['channel'] ?? {}, { a: 1 })),
      ['#/operations/take/channel has more than its $ref'],
    );
  });

  test('describes what stands in the braces of addresses and hosts, and nothing else', () => {
    deepEqual(
      after(({ channels }) => Object.assign(channels?.['taken'] ?? {}, { address: 'a.{id}' })),
      ['#/channels/taken does not describe id', '#/channels/taken does not use owner'],
    );
    deepEqual(
      after(({ servers }) => delete servers?.['nats']?.['variables']),
      ['#/servers/nats does not describe host'],
    );
  });

  test('lets an operation have messages of its own channel only', () => {
    const channel = { $ref: '#/channels/lost' };
    deepEqual(
      after(({ operations }) => Object.assign(operations?.['take'] ?? {}, { channel })),
      ['#/operations/take has a message of another channel'],
    );
  });

  test('has examples that fit headers and payload', () => {
    const wrong = [{ headers: {}, payload: { amount: 12 } }];
    deepEqual(
      after(({ components }) =>
        Object.assign(components?.['messages']?.['Taken'] ?? {}, { examples: wrong }),
      ),
      [
        '#/components/messages/Taken has an example whose headers do not fit',
        '#/components/messages/Taken has an example whose payload do not fit',
      ],
    );
    deepEqual(
      after(({ components }) => delete components?.['messages']?.['Taken']?.['examples']),
      ['#/components/messages/Taken has no example'],
    );
  });
});
