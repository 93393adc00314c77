import { task, type TaskType } from './task.ts';

/** Lists the tasks of agents, which have tools. */
export const agentTasks: readonly TaskType[] = [
  task('agent:multi_step_planning', 'agent', {
    strong:
      'plan my, step by step, all steps, break it into, complete release, end to end, ' +
      'from start to finish, roll back if, and start, mehrere schritte, allen schritten, paso a paso, ' +
      'étape par étape, make a plan, create a plan, organise the, organize the, organise my, ' +
      'organize my, set up everything, onboard*, migrate, prepare my, create accounts, and put all, ' +
      'tell me before, flights, prepare the, coordinate the, launch of, trip to, move to, from a to z, ' +
      'then send, then book, then tell, and then, finally send, und dann, y luego, et ensuite, 然后, ' +
      'その後, check the open issues, and publish, verschicken, bestellen, organisiere, ort finden',
    words:
      'plan, planen, schritte, then, afterwards, finally, after that, everything, compare three, ' +
      "organise, organize, and announce, zuerst, danach, primero, luego, después, d'abord, ensuite, " +
      'coordinate, for each of, museum, hotel, laptop, intro meetings, notion, before you, ' +
      'each of the, itinerary, arrange, einladungen, catering, owners',
    weak: 'first, steps, tasks, all, and put, set up, schedule, report, book, compare, next',
  }),
  task('agent:web_research', 'agent', {
    strong:
      'research, recherch*, investiga*, deep dive, cite sources, with sources, mit quellen, ' +
      'con fuentes, avec sources, latest news, look up, im internet, on the web, en internet, ' +
      'sur internet, busca en, find out, what are people saying, search the web, browse, search for, ' +
      'search reddit, fact check, current ceo, who is the current, with links, did the, decide today, ' +
      'opening hours, horaires, avis récents, right now, population of, as of today, stock price, ' +
      'score of, is it true that, what happened, headlines, price comparison, aktuelle, aktuell, ' +
      'actualmente, actuel, 検索, 搜索, 查一下, найди, studies on, open today, recent studies, limitations',
    words:
      'sources, news, latest, newest, current price, this week, reviews, quellen, fuentes, ' +
      'compare prices, market for, competitors, studies, papers, who won, release date, articles, 最新, ' +
      '调查, 調べて, who is, prices, links, biggest, cheapest, best rated, avis, kurs, last night, ' +
      'wikipedia, official site',
    weak: 'search, find, 2025, 2026, today, recent, price of, current, who, when, what, how many, which',
  }),
  task('agent:file_editing', 'agent', {
    strong:
      'in the repo, this repo, the codebase, package.json, readme, license header, every file, ' +
      'all files, in the file, in file, in the config, the tests fail, rename the, ' +
      'delete the function, all imports, add a field to, bump, dependencies, gitignore, changelog, ' +
      'commit the, in der datei, en el archivo, dans le fichier, in allen dateien, everywhere, ' +
      'type hints, in the readme, im readme, abschnitt, section to, models.py, utils.py, .py, main.go, ' +
      'index.js, tsconfig, docstring*, in the project, lint errors, unused imports, fix the test, ' +
      'failing test, all occurrences, the variable, jsdoc, helper functions, from index.ts, ' +
      'footer still, .ts, .js, .css, .html, still says, change it',
    words:
      'file, files, folder, directory, repo, repository, edit, commit, refactor, datei, dateien, ' +
      'archivo, fichier, function, import*, module, class, tests pass, codebase, replace all, typo, ' +
      'config, branch, src, variable, hinzu, füge, method, comments, indentation, merge conflict, ' +
      'version in, tests, json, yaml, component, footer, helpers',
    weak: 'delete, add, change, rename, move, update, fix, replace, line, remove',
  }),
  task('agent:tool_use', 'agent', {
    strong:
      'weather, wetter, tiempo en, météo, timer, alarm, turn on, turn off, remind me, book a table, ' +
      'play, reproduce, spiele, what time, order a, licht, temperature to, volume, cancel my, ' +
      'track my, my balance, erinnere mich, recuérdame, rappelle-moi, lights, reminder, exchange rate, ' +
      'usd in, in yen, transfer, call me, zahnarzt, find me a, add milk, to my list, my order, ' +
      'order status, my appointment, mute, next song, how much is, battery, thermostat, calculate the, ' +
      'who is on, log a, open a ticket, create an issue, what is my, pizza, taxi, musik, ' +
      'where is my order, shopping list, remind me to',
    words:
      'set, send, call, schedule, book, stell, convert, status of, create a ticket, add to my, ' +
      "my calendar, message to, move my, what's on, translate, balance, package, reminder*, order, " +
      'appointment, cancel, temperature, room, account, list',
    weak: 'create, get, fetch, show, tell, my, add, tomorrow',
  }),
];
