import { task } from '../task.ts';

export const agentMultiStepPlanning = task('agent:multi_step_planning', 'agent', {
  strong:
    'plan my, step by step, all steps, break it into, complete release, end to end, ' +
    'from start to finish, roll back if, and start, mehrere schritte, allen schritten, paso a paso, ' +
    'étape par étape, make a plan, create a plan, organise the, organize the, organise my, organize my, ' +
    'set up everything, onboard*, migrate, prepare my, create accounts, and put all, tell me before, ' +
    'flights, prepare the, coordinate the, launch of, trip to, move to, from a to z, then send, ' +
    'then book, then tell, and then, finally send, und dann, y luego, et ensuite, 然后, その後, ' +
    'check the open issues, and publish, verschicken, bestellen, organisiere, ort finden, plan a, ' +
    'plan the, trip through, road trip, wedding, hochzeit, business plan, study plan, go step by step, ' +
    'your plan first, tell me your plan, wait for my ok, with milestones, milestones, ' +
    'with rollback points, roll out, gradually, first analyse, first analyze, in phases, ' +
    'propose an architecture, build a blog, build an app, build a complete, from scratch, full stack, ' +
    'subtasks, todo list, keep a todo, until all are done, autonomous agent, roadmap, triage, ' +
    'automate our, automate my, pipeline end to end, file them into, go through all, for those who, ' +
    'and tell me which, and report, report the results, and post the, then in, then implement, ' +
    'then execute, schedule the meetings, assign them, estimate the, quarterly, migrate the, ' +
    'migrate our, migration of, move the, plane die, plane den, plane meine, plane einen, planifie, ' +
    'planifica, organise mon, organise ma, organise le, organiza, koordinieren, lege tickets, verteile, ' +
    'berichte, préviens, réserve, compare les, responsables, lanzamiento, 策划, 安排, 规划, 计划, 预订, 并发, 計画, ' +
    '予約し, 調整し, 連絡して, спланируй, организуй, запланируй, составь план, pay off my, meal plan, plan meals, ' +
    'and order what, offboarding, open a pull request, run the tests and, and open a, get me ready, ' +
    'board meeting, put together a, program for each day, draft the slides, fang dann an, ' +
    'was sind die schritte, bereite, let me approve, but first, work through the, step 1, ' +
    'continue until, training plan, make a training, cut a hotfix, cherry-pick, hol angebote, informiere',
  words:
    'plan, planen, schritte, then, afterwards, finally, after that, everything, compare three, organise, ' +
    "organize, and announce, zuerst, danach, primero, luego, después, d'abord, ensuite, coordinate, " +
    'for each of, museum, hotel, laptop, intro meetings, notion, before you, each of the, itinerary, ' +
    'arrange, einladungen, catering, owners, budget, deadline*, permits, locations, competitors, ' +
    'per supplier, suppliers, each of them, each one, each unit, follow-up tasks, reminders, hotels, ' +
    'trains, visas, venue, guest list, accounts, buddy, backlog, sprint, tickets, capacity, staging, ' +
    'verify, monitoring, score them, enrich, log everything, and so on, schedule it, book trains, ' +
    'watch the',
  weak: 'first, steps, tasks, all, and put, set up, schedule, report, book, compare, next',
});
