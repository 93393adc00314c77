import { aggregateEvents } from '@sluice/boot/aggregate-events';
import { modelAliases } from '../domain/model-aliases/decide.ts';
import { modelAliasesStream } from '../domain/model-aliases/events.ts';

/** The events of aliases, those of each account under its id. */
export const modelAliasesEvents = aggregateEvents(modelAliases, modelAliasesStream);
