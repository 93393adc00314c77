import { agentTasks } from './tasks/agent.ts';
import { codeTasks } from './tasks/code.ts';
import { factTasks } from './tasks/facts.ts';
import { languageTasks } from './tasks/language.ts';
import { reasoningTasks } from './tasks/reasoning.ts';
import type { TaskType } from './tasks/task.ts';
import { writingTasks } from './tasks/writing.ts';

export type { Skill, TaskType } from './tasks/task.ts';

/** The task types. Among equals the first one wins. */
export const taskTypes: readonly TaskType[] = [
  ...codeTasks,
  ...agentTasks,
  ...languageTasks,
  ...writingTasks,
  ...reasoningTasks,
  ...factTasks,
];
