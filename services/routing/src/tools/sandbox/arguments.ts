import { Type } from 'typebox';

const commandsMax = 32;
const commandCharactersMax = 32_768;
const timeoutMsMax = 600_000;
const outputMax = 1_048_576;

const bounds = { minLength: 1, maxLength: commandCharactersMax };

/** The arguments that both tools have. */
export const commandArguments = {
  commands: Type.Array(Type.String(bounds), {
    minItems: 1,
    maxItems: commandsMax,
    description: 'Commands for bash, run one after the other, each in a shell of its own.',
    default: ['echo hello'],
  }),
  timeout_ms: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: timeoutMsMax,
      description: 'Time limit of each command.',
      default: 60_000,
    }),
  ),
  max_output_length: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: outputMax,
      description: 'Bytes that are kept of each output.',
      default: 65_536,
    }),
  ),
};

export const commandArgument = Type.Optional(
  Type.String({ ...bounds, description: 'A single command for bash.', default: 'echo hello' }),
);

export const description =
  'Runs commands with bash in an isolated Linux container. Files in the home directory stay for later commands; ' +
  'processes and variables of a command do not. There is no network unless the operator allowed hosts.';
