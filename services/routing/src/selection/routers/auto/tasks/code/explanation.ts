import { task } from '../task.ts';

export const codeExplanation = task('code:explanation', 'code', {
  strong:
    'explain this code, explain the code, explain what this, what does this code, ' +
    'what does this function, what does this regex, what does this query, what does this script, ' +
    'what does this line, what does this do, what does the following, how does this code, ' +
    'how does this work, walk me through, line by line, time complexity, space complexity, ' +
    'was macht dieser, was macht diese, was macht dieses, que fait ce, que fait cette, qué hace este, ' +
    'qué hace esta, erkläre diesen code, erkläre mir den code, explique ce code, explica este código, ' +
    'что делает, what happens here, what does the, what is self, erklär mir, erkläre mir, erklär diesen, ' +
    'explain like, comment this code, so a junior, difference between let, what does this mean in, ' +
    'why does, what is a closure, what is a pointer, what does this command, step through, one-liner, ' +
    "what's it doing, what is it doing, virtual dom, in most languages, stern vor, bedeutet der, " +
    'work under the hood, under the hood, floating point, i inherited this, what does this, ' +
    'what does it mean, explain line, explain the difference between a stack, what is the output of, ' +
    "output of this program, purpose of the, what's the purpose, how does garbage collection, " +
    'garbage collection, how do pointers, pointers in c, pointers, gil, closures, a closure, monad*, ' +
    'lifetimes, the event loop, microtask*, macrotask*, promises work, async await work, ' +
    'how do decorators, yield keyword, the yield, this decorator, bit trick, bitwise, big o of, ' +
    'amortized, tail recursi, tail call, type erasure, covarian*, contravarian*, vtable, mutex vs, ' +
    'struct rather, abstract class, abstrakten klasse, interface und, interface and, let and const, ' +
    'hoisting, pass by reference, by value, in simple terms what this code, document this function, ' +
    'document this code, add comments that, que fait cette fonction, explique-moi ce que, ' +
    'que fait ce code, qué hace este comando, qué hace, explica este, explica la diferencia entre var, ' +
    'o que esse código, o que este código faz, was macht der, was bedeutet dieser code, ' +
    'was passiert hier, wie funktioniert dieser, 这段代码, 代码的作用, 代码是什么意思, 解释这段代码, 解释一下这段, 这段代码的作用, 什么作用, ' +
    'このコードは, 何をしていますか, 何をして, コードを説明, コードの意味, что делает этот, что делает эта, объясни код, ' +
    'как работает этот, what exactly happens, explain why 0.1, the following makefile does, ' +
    'dependency injection, explain this regex, what does this perl, entre une liste et, tuple, 正则表达式, ' +
    '所有权, 説明して, ownership, doppelpunkt in, in code terms',
  words:
    'in plain words, what is going on here, what happens in, big o, how does javascript, ' +
    'how does python, how does rust, in python what, in javascript what, decorator, closure*, ' +
    'event loop, borrow checker, garbage collect, why is it written, what is the purpose of this, ' +
    "what's the difference between, signature, befehl, keyword, what is the point of, understands, " +
    'what does it do, how come, mean in, argument in, work in react, how does, this snippet, ' +
    "this function work, this regex mean, operators here, operator, confuses me, i don't understand, " +
    "don't get, no idea what it is for, what it is for, in python, in javascript, in rust, in c, " +
    'in bash mean, lambda, generators, iterators, generics, polymorphism, inheritance in, recursion, ' +
    'concurrency vs, thread vs, process vs, heap and stack, compiled, interpreted, interpreter, ' +
    'compiler, runtime, practical terms',
  weak: 'explain, what does, why, understand, difference between, erkläre, explique, mean, what is, when',
});
