import { eventMetadata } from '@sluice/es';
import type { Reader, StoredEvent, StoredStream } from '../stored/streams.ts';
import { type JsonObject, type Named, parameterName, reference } from './json.ts';

/** The metadata of each event in the event store. */
export const metadataSchema: Named = [
  ['EventMetadata', JSON.parse(JSON.stringify(eventMetadata)) as JsonObject],
];

/** Bus messages and events have common names. */
const key = ({ category }: StoredStream, { type }: StoredEvent) => `${category}.${type}`;
const channelKey = ({ category }: StoredStream) => `store.${category}`;

export function storedChannel(stream: StoredStream): Named[number] {
  const ids = [...stream.name.matchAll(/<([^>]+)>/g)].map(([, words = '']) => words);
  return [
    channelKey(stream),
    {
      address: `{namespace}.${stream.name.replaceAll(/<([^>]+)>/g, (_, words: string) => `{${parameterName(words)}}`)}`,
      description: stream.description,
      servers: [reference('servers', 'eventstore')],
      parameters: {
        namespace: { description: 'The namespace of the installation.', default: 'sluice' },
        ...Object.fromEntries(
          ids.map((words) => [parameterName(words), { description: `The ${words}.` }]),
        ),
      },
      messages: Object.fromEntries(
        stream.events.map((event) => [
          event.type,
          reference('components', 'messages', key(stream, event)),
        ]),
      ),
    },
  ];
}

export function storedOperations(stream: StoredStream): Named {
  const channel = reference('channels', channelKey(stream));
  const name = channelKey(stream);
  const receive = (reader: Reader) =>
    [
      `${reader.name}-receive-${name}`,
      {
        action: 'receive',
        channel,
        summary: `The ${reader.kind} ${reader.name} reads it.`,
        ...(reader.tables.length > 0 ? { 'x-tables': reader.tables } : {}),
      },
    ] as const;
  return [
    [
      `${stream.service}-send-${name}`,
      { action: 'send', channel, summary: `The ${stream.service} service appends it.` },
    ],
    ...stream.readers.map(receive),
  ];
}

export function storedMessages(stream: StoredStream): Named {
  return stream.events.map((event) => {
    const { type, description, schemaVersion, schema, golden } = event;
    const earlier = golden
      .slice(0, -1)
      .map(({ data }, index) => ({ 'schema-version': index + 1, example: data as JsonObject }));
    const today = golden.at(-1);
    const message = {
      name: type,
      title: type,
      summary: description,
      contentType: 'application/json',
      headers: reference('components', 'schemas', 'EventMetadata'),
      payload: schema as JsonObject,
      examples: [{ headers: today?.metadata as JsonObject, payload: today?.data as JsonObject }],
      'x-schema-version': schemaVersion,
      ...(earlier.length > 0 ? { 'x-earlier-versions': earlier } : {}),
    };
    return [key(stream, event), message];
  });
}
