/** The streams that others may read, as `libs/bus` names them, and the subjects of their facts. */
const streams = ['USAGE', 'FAILURE', 'GUARDRAIL', 'NAME', 'CREDIT'];
const subjects = [
  'usage.v1.>',
  'generation.v1.>',
  'request.v1.>',
  'guardrail.v1.>',
  'name.v1.>',
  'credit.v1.>',
];

export const serviceUser = 'sluice';
export const readerUser = 'reader';

/**
 * The authorization of a nats-server: the services may do everything. A reader may ask for messages of the streams
 * by their place and listen to facts as they come; it can publish nothing, and make, change or acknowledge no
 * consumer, so that it takes no message from a service. Answers come to its own inbox only.
 */
export function authorization(passwords: {
  readonly services: string;
  readonly reader: string;
}): readonly string[] {
  const text = JSON.stringify;
  const asked = streams.flatMap((stream) => [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.STREAM.MSG.GET.${stream}`,
  ]);
  return [
    'authorization {',
    '  users: [',
    `    { user: ${serviceUser}, password: ${text(passwords.services)} }`,
    `    { user: ${readerUser}, password: ${text(passwords.reader)}, permissions: {`,
    `      publish: { allow: ${text(asked)} }`,
    `      subscribe: { allow: ${text([...subjects, '_INBOX_reader.>'])} } } }`,
    '  ]',
    '}',
  ];
}
