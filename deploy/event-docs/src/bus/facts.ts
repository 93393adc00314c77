import {
  creditStream,
  directoryStream,
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
import { only, type Repository } from '../repository.ts';
import { examples } from './examples.ts';
import { eventMessages, type EventMessage, jsonForm, type MessageField } from './messages.ts';

/** One kind of message on the bus, as the sources describe it. */
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

/** A place in the sources that publishes or consumes a message. */
export interface Place {
  readonly service: string;
  readonly file: string;
  /** The durable name of a stream's consumer. */
  readonly durable?: string;
}

const streams: readonly StreamDefinition[] = [
  usageStream,
  creditStream,
  limitStream,
  directoryStream,
  failureStream,
  guardrailStream,
  nameStream,
];
const names = Object.keys(subjects) as (keyof typeof subjects)[];

/** Every kind of message on the bus. Throws when subjects, proto files and services disagree. */
export async function busFacts(repository: Repository): Promise<readonly BusFact[]> {
  const sources = repository
    .names('services')
    .flatMap((service) =>
      repository
        .sources(`services/${service}/src`)
        .map((file) => ({ service, file, source: repository.text(file) })),
    );
  return factsFrom(await eventMessages(repository.root), sources);
}

export interface ServiceSource {
  readonly service: string;
  readonly file: string;
  readonly source: string;
}

/** Combines messages, subjects and the sources of the services. Throws when they disagree. */
export function factsFrom(
  messages: readonly EventMessage[],
  sources: readonly ServiceSource[],
): readonly BusFact[] {
  const parts = new Set(messages.flatMap(({ fields }) => fields.map(({ itemName }) => itemName)));
  const facts = messages
    .filter(({ fullName }) => !parts.has(fullName))
    .map((message) => factOf(message, messages, sources));
  const missing = names.filter((name) => !facts.some((fact) => fact.name === name));
  if (missing.length > 0)
    throw new DocumentationProblem(
      `subjects without a message in protos/sluice/**/*_events.proto: ${missing.join(', ')}`,
    );
  return facts;
}

function factOf(
  message: EventMessage,
  messages: readonly EventMessage[],
  sources: readonly ServiceSource[],
): BusFact {
  const where = `${message.protoFile}: ${message.name}`;
  const described = /^(JetStream|Core NATS) `([^`<]+)<([^>]+)>`: (.+)$/.exec(message.comment);
  if (!described)
    throw new DocumentationProblem(
      `${where}: its comment does not begin with: JetStream (or Core NATS) \`subject.<whose>\`: `,
    );
  const [, kind, subjectPrefix = '', subjectOwner = '', words = ''] = described;
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
  const publishers = placesOf(sources, /\bsubjects\.(\w+)\(/g, name);
  const consumers = placesOf(sources, /\bsubjectFilters\.(\w+)/g, name).map((place) =>
    stream ? withDurable(place, name, sources) : place,
  );
  if (publishers.length === 0) throw new DocumentationProblem(`${where}: no service publishes it`);
  const fields = message.fields.map((field) => sentField(field, example, where));
  const part = partOf(message, messages, example);
  const idField = stream ? businessId(part?.fields ?? fields, where) : undefined;
  if (idField && !part)
    for (const place of publishers) requireMessageId(idField, place, name, sources);
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

/** Returns the places where the pattern finds the name. */
function placesOf(
  sources: readonly ServiceSource[],
  pattern: RegExp,
  name: string,
): readonly Place[] {
  return sources
    .filter(({ source }) => [...source.matchAll(pattern)].some(([, used]) => used === name))
    .map(({ service, file }) => ({ service, file }));
}

function withDurable(place: Place, name: string, sources: readonly ServiceSource[]): Place {
  const { source = '' } = sources.find(({ file }) => file === place.file) ?? {};
  const pairs = /durable: '([\w-]+)',\s*filter: subjectFilters\.(\w+)/g;
  const durables = [...source.matchAll(pairs)].filter(([, , filter]) => filter === name);
  const [, durable = ''] = only(durables, `${place.file}: {durable, filter} of ${name}`);
  return { ...place, durable };
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

/** Throws unless the id that a service publishes a fact under is the one that the fact has inside. */
function requireMessageId(
  { jsonName }: FactField,
  { file }: Place,
  name: string,
  sources: readonly ServiceSource[],
): void {
  const { source = '' } = sources.find((one) => one.file === file) ?? {};
  const calls = /publishFact\(\s*subjects\.(\w+)\([^)]*\),\s*([\w.]+),/g;
  const ids = [...source.matchAll(calls)]
    .filter(([, to]) => to === name)
    .map(([, , id = '']) => id);
  const sameId = (id: string) =>
    id.endsWith(`.${jsonName}`) || source.includes(`${jsonName}: ${id},`);
  if (ids.length === 0 || !ids.every(sameId))
    throw new DocumentationProblem(`${file}: is ${name} published under its ${jsonName}?`);
}
