import {
  creditStream,
  directoryStream,
  contentStream,
  endStream,
  failureStream,
  guardrailStream,
  limitStream,
  nameStream,
  type StreamDefinition,
  subjectFilters,
  subjectMatches,
  subjects,
  usageStream,
} from '@sluice/bus';
import { DocumentationProblem } from '../problem.ts';
import { only } from '../repository.ts';
import { examples } from './examples.ts';
import { eventMessages, type EventMessage, jsonForm, type MessageField } from './messages.ts';

/** One kind of message on the bus, as its proto file and @sluice/bus describe it. */
export interface BusFact {
  readonly message: EventMessage;
  /** The name of the subject in `subjects` of @sluice/bus: `usageRecorded`. */
  readonly name: string;
  readonly comment: string;
  /** The subject up to its last part: `usage.v1.recorded.` */
  readonly subjectPrefix: string;
  /** The meaning of the last part of the subject: `account id`. */
  readonly subjectOwner: string;
  /** For subscribers. */
  readonly filter: string;
  /** The stream that stores it; undefined for core NATS, which delivers to current subscribers only. */
  readonly stream: StreamDefinition | undefined;
  /** The field that consumers deduplicate by. A fact that is a message of its own has it as `Nats-Msg-Id`. */
  readonly idField: FactField | undefined;
  readonly fields: readonly FactField[];
  /** The item type when the message is a list of facts; undefined when the message is one fact. */
  readonly part: FactPart | undefined;
  /** The message as it is sent, with every field. */
  readonly example: Readonly<Record<string, unknown>>;
  readonly publishers: readonly Place[];
  readonly consumers: readonly Place[];
}

/** A message within messages. */
export interface FactPart {
  readonly message: EventMessage;
  readonly fields: readonly FactField[];
}

export interface FactField extends MessageField {
  /** The name that is really on the wire. */
  readonly sentName: string;
}

/** A service that publishes or consumes a message. */
export interface Place {
  readonly service: string;
  /** The durable name of a stream's consumer. */
  readonly durable?: string;
}

const streams: readonly StreamDefinition[] = [
  usageStream,
  creditStream,
  limitStream,
  directoryStream,
  contentStream,
  endStream,
  failureStream,
  guardrailStream,
  nameStream,
];
const names = Object.keys(subjects) as (keyof typeof subjects)[];

/** Every kind of message on the bus. Throws when subjects and proto files disagree. */
export async function busFacts(root: string): Promise<readonly BusFact[]> {
  return factsFrom(await eventMessages(root));
}

/** Combines messages and subjects. Throws when they disagree. */
export function factsFrom(messages: readonly EventMessage[]): readonly BusFact[] {
  const parts = new Set(messages.flatMap(({ fields }) => fields.map(({ itemName }) => itemName)));
  const facts = messages
    .filter(({ fullName }) => !parts.has(fullName))
    .map((message) => factOf(message, messages));
  const missing = names.filter((name) => !facts.some((fact) => fact.name === name));
  if (missing.length > 0)
    throw new DocumentationProblem(
      `subjects without a message in protos/sluice/**/*_events.proto: ${missing.join(', ')}`,
    );
  return facts;
}

const firstSentence =
  /^(JetStream|Core NATS) `([^`<]+)<([^>]+)>` from ([a-z, ]+) to ([a-z(), -]+): (.+)$/;

function factOf(message: EventMessage, messages: readonly EventMessage[]): BusFact {
  const where = `${message.protoFile}: ${message.name}`;
  const described = firstSentence.exec(message.comment);
  if (!described)
    throw new DocumentationProblem(
      `${where}: its comment does not begin with: JetStream (or Core NATS) \`subject.<whose>\` from … to …: `,
    );
  const [, kind, subjectPrefix = '', subjectOwner = '', from = '', to = '', words = ''] = described;
  const comment = words.charAt(0).toUpperCase() + words.slice(1);
  const subject = `${subjectPrefix}x`;
  const name = only(
    names.filter((one) => subjects[one]('x') === subject),
    `${where}: a name in subjects of @sluice/bus for ${subject}`,
  );
  const filter = subjectFilters[name];
  const stream = streams.find((one) => one.subjects.some((all) => subjectMatches(all, subject)));
  if ((kind === 'JetStream') !== (stream !== undefined) || !subjectMatches(filter, subject))
    throw new DocumentationProblem(`${where}: it says ${kind}, libs/bus/src/subjects.ts does not`);
  const example = examples.get(message.fullName) as BusFact['example'] | undefined;
  if (!example) throw new DocumentationProblem(`${where}: no example in bus/examples.ts`);
  const publishers = placesOf(from);
  const consumers = placesOf(to);
  if (consumers.some(({ durable }) => (durable === undefined) === (stream !== undefined)))
    throw new DocumentationProblem(`${where}: only the consumers of a stream have durable names`);
  const fields = message.fields.map((field) => sentField(field, example, where));
  const part = partOf(message, messages, example);
  const idField = stream ? businessId(part?.fields ?? fields, where) : undefined;
  const known = { message, name, comment, subjectPrefix, subjectOwner, filter, stream, idField };
  return { ...known, fields, part, example, publishers, consumers };
}

/** Returns the item type of a message whose only field is a list of another message. */
function partOf(
  { fields }: EventMessage,
  messages: readonly EventMessage[],
  example: BusFact['example'],
): FactPart | undefined {
  const [list, ...others] = fields;
  const message = messages.find(({ fullName }) => fullName === list?.itemName);
  if (!list || !message || others.length > 0) return undefined;
  const where = `${message.protoFile}: ${message.name}`;
  const [first] = example[list.jsonName] as readonly BusFact['example'][];
  if (!first) throw new DocumentationProblem(`${where}: no example in bus/examples.ts`);
  return { message, fields: message.fields.map((field) => sentField(field, first, where)) };
}

/** Reads `ledger (ledger-count-usage), key`. */
function placesOf(list: string): readonly Place[] {
  if (list === 'none') return [];
  return list.split(', ').map((text) => {
    const [, service = '', durable] = /^(\w+)(?: \(([\w-]+)\))?$/.exec(text) ?? [];
    return { service, ...(durable !== undefined && { durable }) };
  });
}

/** The wire is what the generated code writes, so the name is looked up in what it wrote. */
function sentField(field: MessageField, example: BusFact['example'], where: string): FactField {
  jsonForm(field);
  const sentName = only(
    [...new Set([field.jsonName, field.name])].filter((name) => Object.hasOwn(example, name)),
    `${where}: ${field.name} in its example (is it at its default there?)`,
  );
  return { ...field, sentName };
}

/**
 * Returns the field with the business id. In a fact that is kept, this is the first field by convention. A message
 * whose id came to it later says so in the comment of the field.
 */
function businessId(fields: readonly FactField[], where: string): FactField {
  const said = fields.find(({ comment }) => comment.startsWith('The id of the message:'));
  if (said) return said;
  const first = fields.find(({ number }) => number === 1);
  if (!first?.name.endsWith('_id')) throw new DocumentationProblem(`${where}: field 1 is no id`);
  return first;
}
