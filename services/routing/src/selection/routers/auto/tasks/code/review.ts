import { task } from '../task.ts';

export const codeReview = task('code:review', 'code', {
  strong:
    'code review, review this, review my, review the, pull request, code smell, idiomatic, lgtm, ' +
    'security hole, merge this, leave inline comments, revisar este código, revisar el código, ' +
    'rezensiere, überprüfe den code, relis ce code, revue de code, schau dir den code, review von, ' +
    'have a look at my, my pr, a pr, issues with this, any issues, critique, rate this code, ' +
    'kritisieren, would this pass, look over, what do you think of this code, is this good, is this ok, ' +
    'is this a good way, any problems with this, roast my code, what could be better, ' +
    'what would you change, senior engineer, comments, diff below, security problems, check this for, ' +
    'pr description, any comments, can this be merged, be harsh, be strict, is this good go, ' +
    'is this good python, find the vulnerabilit, security issue, security flaw, sql injection, ' +
    'failles de sécurité, faille, audit this, reentrancy, did i miss, i missed, have i missed, ' +
    'before i merge, before merging, is there a race, race condition in, would you criticise, ' +
    'would you criticize, criticise, criticize, criticism, feedback on my, feedback welcome, ' +
    'comments on, code quality, anti-pattern*, antipattern*, any smells, lint-worthy, ' +
    'follow best practices, best practice, rate this solution, rate my, schau dir, was daran schlecht, ' +
    'fällt euch, fällt dir, kann man das so, so lassen, so in ordnung, in ordnung so, was haltet ihr, ' +
    "was hältst du, que penses-tu de ce, qu'en penses-tu, à améliorer dans, revisa este, revisa mi, " +
    'qué mejorarías, qué te parece, 代码审查, 审查, 代码有什么问题, 潜在问题, 看看这段代码, 评价一下, レビューして, レビュー, コードレビュー, ' +
    'プルリクエスト, ревью, оцени код, проверь код, что можно улучшить, second pair of eyes, pair of eyes, ' +
    'before i push, before i apply, bite me, thoughts on this, thoughts on my, how would you grade, ' +
    'find problems, siehst du, sicherheitsprobleme, relis ma, correcte et, any concerns',
  words:
    'best practices, review*, reviewer, findings, would you approve, revisar, anything wrong with, ' +
    'what would you improve, mejorarías, verbessern würdest, feedback on this code, vulnerabilit*, ' +
    'is this safe, thread safe, thread-safe, production ready, implementation, opinion, ' +
    'tell me what you think, feedback, smells, bewerte, qué opinas, que penses-tu, harsh, strict, ' +
    'severity, findings by, vulnerable, secure, improvement*, naming and structure, edge cases i, ' +
    'structure please, ready to merge, merge request, first program, new to rust, new to go, ' +
    'new to python, thoughts, grade, correct and safe, concerns with, approach',
  weak: 'concerns, security, naming, diff, approve, improve, rate, problems',
});
