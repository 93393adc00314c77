import { task } from '../task.ts';

export const codeRefactoring = task('code:refactoring', 'code', {
  strong:
    'refactor*, refaktor*, clean this up, clean up this, deduplicat*, too much duplication, nested ifs, ' +
    'keep the behavior, keep the behaviour, same behavior, same behaviour, simplify this function, ' +
    'rewrite this function, rewrite this class, rewrite this code, rewrite this in, convert this class, ' +
    'convert this function, more readable, callback hell, split this class, split this function, ' +
    'pythonic, written shorter, be shorter, turn this callback, into async, to hooks, convert this, ' +
    'schöner, common part, god class, smaller ones, smaller classes, eliminate, without the loop, ' +
    'list comprehension, make this cleaner, cleaner way, more idiomatic, reduce the, use early return, ' +
    'early returns, simplifier, hacer más legible, more elegant, elegantly, umbauen, aufräumen, ' +
    'split this, restructure, make this dry, six parameters, parameters and i hate, too many parameters, ' +
    'too long and, hard to read, spaghetti, lesbar, with async/await, to async/await, use async, ' +
    'make it shorter, without changing what, same output, same result, gleich bleiben, verhalten soll, ' +
    'clean this, cleaner code, extract the duplicat, apply the strategy, strategy pattern, ' +
    'factory pattern, decouple, functional style, in a more functional, make it linear, o n 2, o n, ' +
    'for readability, readability, readable, rename the variables, meaningful names, modernize this, ' +
    'modernise, migrate this from, migrate from moment, port this, class component to, ' +
    'to a functional component, with hooks, list comprehensions, to typescript, instead of all these, ' +
    'else ifs, early return, guard clause, into idiomatic, idiomatic kotlin, java streams, ' +
    'auf java streams, umstellen, lesbarer machen, mach diesen code, vereinfachen, refactorise*, ' +
    'refactoriza*, réécris avec, reescribe esto con, éviter la répétition, simplifier ce, reescribe, 重构, ' +
    '简化这段, 优化这段代码, 去掉重复, リファクタリング, 読みやすく, упрости, рефакторинг, не меняя поведен, упростить, ' +
    'magic numbers, decent structure, factoriser, away from globals, same thing but with, ' +
    'jquery to vanilla, to vanilla js, in modern, without raw pointers, remove the nested, nested loops, ' +
    'viel zu lang, refaktoriere, zu lang',
  words:
    'simplify, clean up, get rid of, duplication, duplicated code, extract method, extract a, ' +
    'smaller functions, vereinfache*, umschreiben, lesbarer, simplifie*, simplifica*, modernize, ' +
    'convert to typescript, to async await, less verbose, more functional, dry, cleaner, shorter, ' +
    'rewrite, nicer, dedupe, elegant, legible, split, pattern, unify, hate, structure, duplicate, ' +
    'duplicated, repetition, callbacks, nested, verbose, long function, smaller, dead code, inline, ' +
    'tidy, tidier, hooks, idioms, linear',
  weak: 'nobody can read',
});
