import { Check } from 'typebox/schema';

type Node = Readonly<Record<string, unknown>>;

interface ObjectRule {
  readonly required: readonly string[];
  readonly allowed: readonly string[];
}

const rule = (required: string, allowed: string): ObjectRule => ({
  required: required.split(' ').filter(Boolean),
  allowed: `${required} ${allowed}`.split(' ').filter(Boolean),
});
const described = 'title summary description tags externalDocs bindings';

/** The objects of AsyncAPI 3.0 that the document uses: what each must and may hold, beside `x-…`. */
const rules = {
  root: rule('asyncapi info', 'id servers defaultContentType channels operations components'),
  info: rule('title version', 'description termsOfService contact license tags externalDocs'),
  server: rule('host protocol', `protocolVersion pathname variables security ${described}`),
  variable: rule('', 'enum default description examples'),
  channel: rule('', `address messages servers parameters ${described}`),
  parameter: rule('', 'enum default description examples location'),
  operation: rule('action channel', `security traits messages reply ${described}`),
  message: rule('', `headers payload correlationId contentType name examples traits ${described}`),
  example: rule('', 'headers payload name summary'),
  components: rule('', 'schemas servers channels operations messages securitySchemes parameters'),
  reference: rule('$ref', ''),
} satisfies Readonly<Record<string, ObjectRule>>;

/**
 * Returns the problems of an AsyncAPI 3.0 document, by the rules that need no network: the fields of each
 * object, references, addresses and their parameters, examples against their schemas.
 */
export function structureProblems(document: unknown): readonly string[] {
  const problems: string[] = [];
  const root = document as Node;
  const check = (kind: keyof typeof rules, at: string, value: unknown) => {
    const found = Object.keys(node(value));
    const { required, allowed } = rules[kind];
    for (const name of required) if (!found.includes(name)) problems.push(`${at} lacks ${name}`);
    for (const name of found)
      if (!allowed.includes(name) && !/^x-[\w.-]+$/.test(name))
        problems.push(`${at} must not have ${name}`);
  };
  const each = (path: string, visit: (value: Node, at: string, name: string) => void) => {
    for (const [name, value] of Object.entries(node(find(root, `#/${path}`)))) {
      if (!/^[\w.-]+$/.test(name)) problems.push(`#/${path} has a malformed name ${name}`);
      visit(node(value), `#/${path}/${name}`, name);
    }
  };
  check('root', '#', root);
  if (root['asyncapi'] !== '3.0.0') problems.push('# is not of version 3.0.0');
  check('info', '#/info', root['info']);
  check('components', '#/components', root['components'] ?? {});
  problems.push(...referenceProblems(root, root, '#'));
  each('servers', (server, at) => {
    check('server', at, server);
    for (const variable of Object.values(node(server['variables'])))
      check('variable', `${at}/variables`, variable);
    problems.push(...expressionProblems(at, server['host'], server['variables']));
  });
  each('channels', (channel, at) => {
    check('channel', at, channel);
    for (const parameter of Object.values(node(channel['parameters'])))
      check('parameter', `${at}/parameters`, parameter);
    problems.push(...expressionProblems(at, channel['address'], channel['parameters']));
  });
  each('operations', (operation, at) => {
    check('operation', at, operation);
    problems.push(...operationProblems(at, operation));
  });
  each('components/messages', (message, at) => {
    check('message', at, message);
    for (const example of list(message['examples'])) check('example', `${at}/examples`, example);
    problems.push(...exampleProblems(root, at, message));
  });
  return problems;
}

/** A reference is alone in its object and leads somewhere. */
function referenceProblems(root: Node, value: unknown, at: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const target = (value as Node)['$ref'];
  if (target === undefined)
    return Object.entries(value).flatMap(([name, inner]) =>
      referenceProblems(root, inner, `${at}/${name}`),
    );
  if (Object.keys(value).length > 1) return [`${at} has more than its $ref`];
  const pointer = typeof target === 'string' ? target : 'no text';
  return find(root, pointer) === undefined ? [`${at} leads nowhere: ${pointer}`] : [];
}

/** Checks that each name in braces is described, and that each described name is in braces. */
function expressionProblems(at: string, text: unknown, described: unknown): readonly string[] {
  const used = [...String(text).matchAll(/\{([^}]*)\}/g)].map(([, name]) => name as string);
  const known = Object.keys(node(described));
  return [
    ...used
      .filter((name) => !known.includes(name))
      .map((name) => `${at} does not describe ${name}`),
    ...known.filter((name) => !used.includes(name)).map((name) => `${at} does not use ${name}`),
  ];
}

/** An operation belongs to a channel of the document and sends messages of that channel. */
function operationProblems(at: string, operation: Node): readonly string[] {
  const problems: string[] = [];
  if (operation['action'] !== 'send' && operation['action'] !== 'receive')
    problems.push(`${at} neither sends nor receives`);
  const channel = String(node(operation['channel'])['$ref']);
  if (!/^#\/channels\/[^/]+$/.test(channel)) problems.push(`${at} has no channel`);
  for (const message of list(operation['messages']))
    if (!String(node(message)['$ref']).startsWith(`${channel}/messages/`))
      problems.push(`${at} has a message of another channel`);
  return problems;
}

function exampleProblems(root: Node, at: string, message: Node): readonly string[] {
  const examples = list(message['examples']);
  if (examples.length === 0) return [`${at} has no example`];
  return ['headers', 'payload'].flatMap((part) => {
    const schema = node(resolved(root, message[part]));
    return examples
      .filter((example) => part in message && !Check(schema, node(example)[part]))
      .map(() => `${at} has an example whose ${part} do not fit`);
  });
}

/** With what its references lead to in their place. */
function resolved(root: Node, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => resolved(root, item));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref: reference } = node(value);
  if (typeof reference === 'string') return resolved(root, find(root, reference));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, resolved(root, item)]),
  );
}

function find(root: Node, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => node(value)[name], root);
}

function node(value: unknown): Node {
  return typeof value === 'object' && value !== null ? (value as Node) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
