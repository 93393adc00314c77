import { task } from '../task.ts';

export const codeGeneration = task('code:generation', 'code', {
  strong:
    'python function, python script, write a function, write a script, write a class, write a program, ' +
    'implement a, implement an, regex to, regex for, regular expression, endpoint, cli tool, ' +
    'command line tool, api client, chrome extension, discord bot, telegram bot, web scraper, ' +
    'google apps script, vba, arduino, schreibe eine funktion, schreib ein skript, ' +
    'schreib eine funktion, escribe una función, écris une fonction, escribe un script, écris un script, ' +
    'scrivi una funzione, binary search, linked list, hash map, a function in, a script that, ' +
    'script that, skript, escribe un programa, un script python, powershell, sheets formula, ' +
    'google sheets, excel formula, game in, pygame, in js, in python that, debounce, throttle function, ' +
    'convert hex, en c, python函数, 函数, 写一个python, in go that, bot that, en python, in bash, userscript, ' +
    'bookmarklet, write me a, generate code, i need a script, un programa, árbol binario, ' +
    'exponential backoff, rust macro, dockerfile for my, tic tac toe, snake game, game of life, ' +
    'todo app, クラスを書いて, 脚本, 代码实现, 関数, lru cache, token bucket, no libs, extension function, iso 8601, ' +
    'que borre los, script bash, kotlin, in go using, in kotlin, in swift, code for, a class that, ' +
    'a program that, algorithm to, recursive function, priority queue, dijkstra, quicksort, merge sort, ' +
    'hashmap, queue in, implement quicksort, bash script that, that answers, a function in typescript, ' +
    'deep merge, small cli, cli in, rest api with, a regex, regex that, apps script, ' +
    'rate limiting middleware, singleton, leetcode, solve this leetcode, given a string, given an array, ' +
    'given a list, return the length, python thing, a python, unity script, in unity, minecraft plugin, ' +
    'roblox, godot, grpc service, protobuf, protocol buffers, dataclass, one liner, one-liner to, ' +
    'rss feed, solidity, smart contract, escrow, decorator that, palindrome, anagram, factorial, ' +
    'prime number, primzahl, fizzbuzz, fibonacci function, hanoi, n-queens, sudoku solver, ' +
    'hash function in, in haskell, in elixir, in scala, in c++, in go, in perl, in lua, in r, in julia, ' +
    'in matlab, binary tree, min heap, graph search, breadth-first, depth-first, two sum, ' +
    'complete the code, complete this function, cursor, code only, return code, autocomplete the, ' +
    'vba-makro, makro, schreib mir ein programm, schreib ein python-skript, ein python-skript, ' +
    'python-skript, skript das, eine funktion, funktion in, écris une fonction python, fonction python, ' +
    'script powershell, script qui, haz un programa, programa en java, función en, función que, ' +
    'crea una función, crie uma função, uma função, script em python, funzione python, 写一个函数, 写一个程序, ' +
    '写一个脚本, 写个脚本, 写一个爬虫, 爬虫, 实现一个, 用python, 用java, 用go, 单例模式, 排序算法, スクリプトを, プログラムを, 関数を, 作って python, ' +
    'pythonで, javaで, напиши функцию, напиши скрипт, напиши программу, на python, на go, функцию на, ' +
    'скрипт*, связный список, телеграм-бот*, бот для, vim macro, sed command, awk, ' +
    'ein programm schreiben, roman numerals, any language, typescript type that, simulate a, ' +
    'нужна программа, bash-skript, programme en c, un programme, client for this api, java class, ' +
    'class for a, to shuffle, duration',
  words:
    'function, python, javascript, typescript, java, rust, golang, c++, c#, swift, ruby, php, perl, ' +
    'haskell, elixir, scala, matlab, node script, script, program, implement*, algorithm, algorithmus, ' +
    'regex, parser, express, fastapi, flask, django, spring boot, rest api, grpc, webhook*, generator, ' +
    'コード, funktion, función, fonction, makefile, middleware, rate limiter, sdk, function in, renames, ' +
    'downloads, télécharge, formula, generate a, count words, implementa, merge two, write a, async, ' +
    'cli, crawler, plugin for, extension that, in java, in python, in javascript, in rust, in c, in php, ' +
    'in ruby, in typescript, algorithm for, write code, stack in, trie, a method that, ' +
    'script that renames, camera that, esp32, raspberry, sensor, oled, oauth, jwt, websocket server, ' +
    'bot, tool that, helper that, utility, in-memory, from_dict, without allocations, allocations, slug, ' +
    'hex to rgb, todo list, timestamps, hash, merges, converts, validates, checks if, checks whether, ' +
    'logs the, duplicate files',
  weak:
    'code, class, api, method, write, build, app, library, file, parse, json, csv, command, reads, ' +
    'reading, prints, sort a, hex, unzip, socket',
});
