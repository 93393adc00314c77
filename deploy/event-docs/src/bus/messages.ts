import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { JsonObject } from '../asyncapi/json.ts';
import { DocumentationProblem } from '../problem.ts';

/** A message that is sent over the bus, as its proto file describes it. */
export interface EventMessage {
  /** `sluice.usage.v1.UsageRecorded`. */
  readonly fullName: string;
  readonly name: string;
  /** Repository path. */
  readonly protoFile: string;
  readonly comment: string;
  readonly fields: readonly MessageField[];
}

export interface MessageField {
  /** The name in the proto file: `usage_id`. */
  readonly name: string;
  /** The name in the canonical JSON form: `usageId`. */
  readonly jsonName: string;
  readonly number: number;
  readonly protoType: string;
  readonly isRepeated: boolean;
  /** For a list of messages, the full name of the item's message. */
  readonly itemName?: string;
  readonly comment: string;
}

interface Descriptor {
  readonly file: readonly {
    readonly name: string;
    readonly package: string;
    readonly messageType?: readonly {
      readonly name: string;
      readonly field?: readonly {
        readonly name: string;
        readonly jsonName: string;
        readonly number: number;
        readonly type: string;
        readonly label: string;
        readonly typeName?: string;
      }[];
    }[];
    readonly sourceCodeInfo: {
      readonly location: readonly {
        readonly path?: readonly number[];
        readonly leadingComments?: string;
      }[];
    };
  }[];
}

const outputBytesMax = 16 * 1024 * 1024;
/** Field numbers in google.protobuf.FileDescriptorProto and DescriptorProto. */
const messagesOfFile = 4;
const fieldsOfMessage = 2;

/** The messages of every `*_events.proto`, with their comments, as buf compiles them. */
export async function eventMessages(root: string): Promise<readonly EventMessage[]> {
  const { stdout } = await promisify(execFile)(
    join(root, 'node_modules/.bin/buf'),
    ['build', '--path', 'protos/sluice', '--exclude-imports', '-o', '-#format=json'],
    { cwd: root, maxBuffer: outputBytesMax },
  );
  const files = (JSON.parse(stdout) as Descriptor).file
    .filter(({ name }) => name.endsWith('_events.proto'))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return files.flatMap((file) => {
    const comments = new Map(
      file.sourceCodeInfo.location.map(({ path = [], leadingComments = '' }) => [
        path.join('.'),
        leadingComments
          .split('\n')
          .map((line) => line.trim())
          .join(' ')
          .trim(),
      ]),
    );
    const commentAt = (...path: readonly number[]) => comments.get(path.join('.')) ?? '';
    return (file.messageType ?? []).map((message, index) => ({
      fullName: `${file.package}.${message.name}`,
      name: message.name,
      protoFile: `protos/${file.name}`,
      comment: commentAt(messagesOfFile, index),
      fields: (message.field ?? []).map((field, fieldIndex) => ({
        name: field.name,
        jsonName: field.jsonName,
        number: field.number,
        ...typeOf(field),
        comment: commentAt(messagesOfFile, index, fieldsOfMessage, fieldIndex),
      })),
    }));
  });
}

/** A map is compiled as a list of entries, and written in JSON as one object. */
function typeOf(field: {
  readonly type: string;
  readonly label: string;
  readonly typeName?: string;
}) {
  const isRepeated = field.label === 'LABEL_REPEATED';
  const { typeName } = field;
  if (isRepeated && typeName?.endsWith('Entry') === true)
    return { protoType: 'map', isRepeated: false };
  const protoType = field.type.replace('TYPE_', '').toLowerCase();
  if (!isRepeated || typeName === undefined) return { protoType, isRepeated };
  return { protoType, isRepeated, itemName: typeName.replace(/^\./, '') };
}

const decimal = (pattern: string): JsonObject => ({ type: 'string', pattern });

/** The form of a value in JSON, by the type of its field. */
const jsonForms: Readonly<Record<string, JsonObject>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer' },
  uint32: { type: 'integer', minimum: 0 },
  int64: decimal('^(0|-?[1-9][0-9]*)$'),
  uint64: decimal('^(0|[1-9][0-9]*)$'),
  bytes: { type: 'string', contentEncoding: 'base64' },
  message: { type: 'object' },
  map: { type: 'object', additionalProperties: { type: 'string' } },
};

/** Returns the JSON Schema of a field's value. Throws on a type that no event has had yet. */
export function jsonForm(
  field: Pick<MessageField, 'name' | 'protoType' | 'isRepeated'>,
): JsonObject {
  const form = jsonForms[field.protoType];
  if (!form)
    throw new DocumentationProblem(`${field.name}: how is a ${field.protoType} written in JSON?`);
  return field.isRepeated ? { type: 'array', items: form } : form;
}
