import { invalidRequest, type Issue, type Rejection } from '@sluice/errors';
import type { Decider } from '@sluice/es';
import { descriptionCharactersMax, isDescription } from '../workspace/settings.ts';
import type {
  ClearModelAliases,
  DeleteModelAlias,
  ModelAliasesCommand,
  SetModelAlias,
} from './commands.ts';
import type { ModelAliasesEvent } from './events.ts';
import { evolve, findAlias, initial, type ModelAliases } from './state.ts';

export type ModelAliasesRejection = Rejection<'invalid_request' | 'conflict' | 'not_found'>;

export const aliasesMax = 200;
const modelsMax = 8;
const modelLengthMax = 256;
const namePattern = /^[a-z0-9][a-z0-9-]{0,62}\/[a-z0-9][a-z0-9._-]{0,126}$/;
const modelPattern = /^~?[!-~]+$/;
const ownAuthor = 'service/';
const presetMark = '@preset/';

type Outcome = readonly ModelAliasesEvent[] | ModelAliasesRejection;

function decide(command: ModelAliasesCommand, now: ModelAliases): Outcome {
  switch (command.type) {
    case 'SetModelAlias':
      return set(command, now);
    case 'DeleteModelAlias':
      return remove(command, now);
    case 'ClearModelAliases':
      return clear(command, now);
  }
}

/** The aliases of an account. One stream has all of them, so that no two can name each other. */
export const modelAliases: Decider<
  ModelAliasesCommand,
  ModelAliases,
  ModelAliasesEvent,
  ModelAliasesRejection
> = { category: 'modelAliases', initial, evolve, decide };

function set(command: SetModelAlias, { aliases }: ModelAliases): Outcome {
  const issues = [...valueIssues(command), ...loopIssues(command, aliases)];
  if (issues.length > 0) return invalidRequest(issues);
  const { type: _type, occurredAt: changedAt, ...wanted } = command;
  const { models, budgetModel, description } = wanted;
  const before = findAlias(aliases, command);
  if (!before && aliases.length >= aliasesMax)
    return {
      rejected: 'conflict',
      message: `The account has ${aliases.length} aliases, and ${aliasesMax} are allowed: delete some first`,
    };
  const isSame =
    before?.budgetModel === budgetModel &&
    before.description === description &&
    before.models.join(' ') === models.join(' ');
  if (isSame) return [];
  const { aliasId, version } = before ?? { aliasId: wanted.aliasId, version: 0 };
  const data = { ...wanted, models: [...models], aliasId, version: version + 1 };
  return [{ type: 'ModelAliasSet', data: { ...data, changedAt } }];
}

function remove(command: DeleteModelAlias, { aliases }: ModelAliases): Outcome {
  const before = findAlias(aliases, command);
  if (!before) return { rejected: 'not_found', message: 'There is no such alias' };
  const { accountId, workspaceId, name, occurredAt: changedAt } = command;
  const { aliasId } = before;
  return [
    { type: 'ModelAliasDeleted', data: { accountId, workspaceId, aliasId, name, changedAt } },
  ];
}

function clear(
  { accountId, workspaceId, occurredAt: changedAt }: ClearModelAliases,
  { aliases }: ModelAliases,
): Outcome {
  return aliases
    .filter((one) => one.workspaceId === workspaceId)
    .map(({ aliasId, name }) => {
      const data = { accountId, workspaceId, aliasId, name, changedAt };
      return { type: 'ModelAliasDeleted', data } as const;
    });
}

function valueIssues({ name, models, budgetModel, description }: SetModelAlias): readonly Issue[] {
  const issues: Issue[] = [];
  const refuse = (path: string, message: string) => void issues.push({ path, message });
  if (!namePattern.test(name))
    refuse('name', 'must be author/name, of a-z, 0-9 and -; the name also of . and _');
  else if (name.startsWith(ownAuthor)) refuse('name', `must not begin with ${ownAuthor}`);
  if (models.length === 0 || models.length > modelsMax)
    refuse('models', `must be 1 to ${modelsMax} models`);
  for (const [index, model] of models.slice(0, modelsMax).entries()) {
    if (!isModel(model)) refuse(`models.${index}`, 'must be the slug of a model');
    else if (models.indexOf(model) < index) refuse(`models.${index}`, 'stands in the list already');
  }
  if (budgetModel !== null && !isModel(budgetModel))
    refuse('budget_model', 'must be the slug of a model, or null');
  else if (budgetModel !== null && models.includes(budgetModel))
    refuse('budget_model', 'stands in models already');
  if (description !== null && !isDescription(description))
    refuse('description', `must have at most ${descriptionCharactersMax} characters, or be null`);
  return issues;
}

/** An alias stands for models of the catalog, not for another alias. So no two of them name each other. */
function loopIssues(
  { name, models, budgetModel }: SetModelAlias,
  aliases: ModelAliases['aliases'],
): readonly Issue[] {
  const names = new Set([name, ...aliases.map((one) => one.name)]);
  const message = 'is an alias: name the models that it stands for';
  const issues: Issue[] = [];
  for (const [index, model] of models.entries())
    if (names.has(nameOf(model))) issues.push({ path: `models.${index}`, message });
  if (budgetModel !== null && names.has(nameOf(budgetModel)))
    issues.push({ path: 'budget_model', message });
  const user = aliases.find((one) =>
    [...one.models, one.budgetModel ?? ''].some((model) => nameOf(model) === name),
  );
  if (user) issues.push({ path: 'name', message: `is a model of the alias ${user.name}` });
  return issues;
}

/** Returns a slug without the suffixes that ask something of routing. */
function nameOf(model: string): string {
  const [name = ''] = model.split(':');
  return name;
}

function isModel(text: string): boolean {
  return text.length <= modelLengthMax && modelPattern.test(text) && !text.includes(presetMark);
}
