import { task, type TaskType } from './task.ts';

/** Lists the tasks about programs. */
export const codeTasks: readonly TaskType[] = [
  task('code:debugging', 'code', {
    strong:
      'traceback, stack trace, stacktrace, segfault, debug*, throws an, null pointer, ' +
      'nullpointerexception, memory leak, race condition, deadlock, why does this print, ' +
      'why does this return, undefined is not, cannot read properties, does not compile, ' +
      "won't compile, doesn't compile, schlägt fehl, fehlermeldung, stürzt ab, ne marche pas, " +
      'ne fonctionne pas, no funciona, segmentation fault, white screen, stack overflow, ' +
      'infinite loop, never stops, se cuelga, blue screen, connection refused, econnrefused, ' +
      'etimedout, keyerror, typeerror, valueerror, nameerror, syntaxerror, 404 when, 500 when, ' +
      'returns undefined, is undefined, prints nothing, not defined, stürzt, cuelga, core dumped, ' +
      "permission denied, goes wrong, went wrong, doesn't update, does not update, not updating, " +
      'runs twice, cors error, cors, setstate, unsupported operand, error 403, deaktiviert, bleibt, ' +
      "keeps returning, keeps showing, doesn't show, not showing, won't load, undefined variable, " +
      'wrong value, recibo un error, reçois une erreur, me sale error, bekomme den fehler, obtengo, ' +
      'any idea, still fails, null reference, index out of range, out of bounds, unhandled',
    words:
      'bug, bugs, exception, crash*, fails, failing, broken, error message, where is the leak, ' +
      "not working, doesn't work, does not work, doesnt work, stopped working, hangs, wrong result, " +
      "what's wrong, whats wrong, what is wrong, getting this, since upgrading, fehler, " +
      'funktioniert nicht, warum gibt, erreur, fallo, falla, panic, returns none, returns null, flaky, ' +
      "s'arrête, nan, does nothing, no output, wrong output, está mal, off by one, leak, unexpectedly, " +
      'it worked, this worked, worked before, worked yesterday, breaks, freez*, timeout, times out, ' +
      "won't start, doesn't start, can't connect, cannot find module, mismatch, undefined, " +
      'warum bekomme, why am i getting, keeps failing, compile error, why is this, throws, ' +
      'but nothing happens',
    weak:
      'error, errors, fix, why does, warum, pourquoi, issue, unexpected, suddenly, always, empty, ' +
      'sees, reason, after upgrading, still, but it, but the, what am i missing, grund, null, twice, ' +
      'stuck, sometimes, though, although, nothing happens, hang',
  }),
  task('code:review', 'code', {
    strong:
      'code review, review this, review my, review the, pull request, code smell*, idiomatic, lgtm, ' +
      'security hole*, merge this, leave inline comments, revisar este código, revisar el código, ' +
      'rezensiere, überprüfe den code, relis ce code, revue de code, schau dir den code, review von, ' +
      'have a look at my, my pr, a pr, issues with this, any issues, critique, rate this code, ' +
      'kritisieren, would this pass, look over, what do you think of this code, is this good, ' +
      'is this ok, is this a good way, any problems with this, roast my code, what could be better, ' +
      'what would you change, senior engineer, comments?, diff below, security problems, ' +
      'check this for, pr description, any comments',
    words:
      'best practices, best practice, review*, reviewer, findings, would you approve, any concerns, ' +
      'revisar, anything wrong with, what would you improve, mejorarías, verbessern würdest, ' +
      'feedback on this code, vulnerabilit*, is this safe, thread safe, thread-safe, production ready, ' +
      'implementation, opinion, tell me what you think, feedback, smells, bewerte, qué opinas, ' +
      'que penses-tu',
    weak: 'concerns, security, naming, diff, approve, improve, rate, problems',
  }),
  task('code:refactoring', 'code', {
    strong:
      'refactor*, refaktor*, clean this up, clean up this, deduplicat*, too much duplication, ' +
      'nested ifs, keep the behavior, keep the behaviour, same behavior, same behaviour, ' +
      'simplify this function, rewrite this function, rewrite this class, rewrite this code, ' +
      'rewrite this in, convert this class, convert this function, more readable, callback hell, ' +
      'split this class, split this function, pythonic, written shorter, be shorter, ' +
      'turn this callback, into async, to hooks, convert this, schöner, common part, god class, ' +
      'smaller ones, smaller classes, eliminate, without the loop, list comprehension, ' +
      'make this cleaner, cleaner way, more idiomatic, reduce the, use early return*, early returns, ' +
      'simplifier, hacer más legible, more elegant, elegantly, umbauen, aufräumen, split this, ' +
      'restructure, make this dry, six parameters, parameters and i hate, too many parameters, ' +
      'too long and, hard to read, spaghetti, lesbar',
    words:
      'simplify, clean up, get rid of, duplication, duplicated code, extract method, extract a, ' +
      'smaller functions, vereinfache*, umschreiben, lesbarer, simplifie*, simplifica*, modernize, ' +
      'port this, convert to typescript, to async await, less verbose, more functional, dry, cleaner, ' +
      'shorter, rewrite, nicer, dedupe, elegant, legible, split, pattern, unify, hate, structure',
    weak: 'nobody can read',
  }),
  task('code:testing', 'code', {
    strong:
      'unit test*, unittest*, test case*, testfälle, pytest, vitest, junit, phpunit, rspec, mocha, ' +
      'cypress, playwright, integration test*, property test*, property-based, test coverage, ' +
      'write tests, pruebas unitarias, tests unitaires, komponententest*, edge cases should, ' +
      'what should i test, test plan, e2e test*, jest, mock the, mock a, increase the coverage, ' +
      'tests pour, tests für, test fälle, cases should i test, how to test, test a, tests in, ' +
      'fake timers, test double*, login flow test, generate tests, add tests, tests for, a test for, ' +
      'test suite, testing library, test this, load test, regression test*, selenium, mutation test*, ' +
      'escribe tests, schreib tests, schreibe tests, table-driven test, test here, would you test, ' +
      'in pytest, in vitest, in jest, in junit, raises an exception, check that a function, ' +
      'pytest.raises',
    words:
      'mock, mocks, mocking, stub, coverage, fixture*, test for, assertions, snapshot test, tests, ' +
      'assert, spy, cases, test',
    weak: 'pruebas, testen, edge cases',
  }),
  task('code:explanation', 'code', {
    strong:
      'explain this code, explain the code, explain what this, what does this code, ' +
      'what does this function, what does this regex, what does this query, what does this script, ' +
      'what does this line, what does this do, what does the following, how does this code, ' +
      'how does this work, walk me through, line by line, time complexity, space complexity, ' +
      'was macht dieser, was macht diese, was macht dieses, que fait ce, que fait cette, ' +
      'qué hace este, qué hace esta, erkläre diesen code, erkläre mir den code, explique ce code, ' +
      "explica este código, что делает, what happens here, what does the &, what is 'self', " +
      'erklär mir, erkläre mir, erklär diesen, explain like, comment this code, so a junior, ' +
      'difference between let, what is self, what does this mean in, why does [], what is a closure, ' +
      "what is a pointer, what does this command, step through, one-liner, what's it doing, " +
      'what is it doing, virtual dom, in most languages, stern vor, bedeutet der, work under the hood, ' +
      'under the hood, floating point, i inherited this',
    words:
      'in plain words, what is going on here, what happens in, big o, how does javascript, ' +
      'how does python, how does rust, in python what, in javascript what, decorator, closure*, ' +
      'event loop, borrow checker, garbage collect*, why is it written, what is the purpose of this, ' +
      "what's the difference between, signature, befehl, keyword, what is the point of, understands, " +
      'what does it do, how come, mean in, argument in, work in react, how does',
    weak: 'explain, what does, why, understand, difference between, erkläre, explique, mean, what is, when',
  }),
  task('code:sql', 'code', {
    strong:
      'sql, mysql, postgres*, sqlite, mariadb, sql server, snowflake, bigquery, t-sql, plpgsql, ' +
      'left join, inner join, window function*, foreign key*, group by, create table, ' +
      'materialized view, select query, query plan, explain analyze, execution plan, upsert, ' +
      'duplicate emails, find duplicates, second highest, write a query, a query that, ' +
      'query that returns, running total, partition by, last order, letzte bestellung, pro kunde, ' +
      'clients sans commande, older than 30 days, left outer, cte, common table, foreign key, ' +
      'tabellen, tables orders, requête sql, what index, pedidos por mes, consulta para, ' +
      'per category by',
    words:
      'query, queries, join, database, datenbank, indexes, indices, schema, primary key, ' +
      'stored procedure, table for, abfrage, requête, consulta, clickhouse, duckdb, orm, index to, ' +
      'add an index, lookups, per account, ordered by, jointure, per user, timestamp column, distinct, ' +
      'pivot, rows where, in batches, order by, normalize the, per customer',
    weak:
      'select, table, column, row, migration, duplicates, rows, columns, index, batches, having, ' +
      'aggregate, orders and, tabelle',
  }),
  task('code:frontend', 'code', {
    strong:
      'css, html, react, vue, svelte, tailwind, angular, flexbox, css grid, jsx, tsx, dom, navbar, ' +
      'hamburger menu, web page, webpage, media query, responsive, next.js, nuxt, stylesheet, ' +
      'sticky header, dark mode, tooltip, center a div, webseite, page web, página web, ' +
      'user interface, frontend, front-end, svg, usestate, useeffect, z-index, sticky, font-display, ' +
      'dark mode toggle, pagination, floating labels, menú desplegable, dropdown menu, auf dem handy, ' +
      'volle breite, login form, hamburger, css animation, web font, breakpoint*, react component, ' +
      'styled-components, bootstrap, material ui, hydration, event handler, drag and drop, datepicker, ' +
      'date picker, infinite scroll, checkbox, lazy load*, small screens, cards in a row, wrap on, ' +
      'zentriere ich, localstorage, on hover, without a library, screen size*, svelte store, ' +
      'on the phone',
    words:
      'component, button, bouton, botón, dropdown, modal, animation, animated, hover, survol, ' +
      'viewport, layout, sortable, scroll, carousel, form validation, accessib*, aria, placeholder, ' +
      'spalte, kopfzeile, klick, sidebar, landing page in, gradient, toggle, flickers, on load, handy, ' +
      'desplegable, table with sorting, navigation, render, input field, tabs, margin, padding, flex, ' +
      'follows the mouse',
    weak: 'page, mobile, style, click, menu, font, below, breite, the ui',
  }),
  task('code:devops', 'code', {
    strong:
      'docker*, kubernetes, kubectl, k8s, terraform, ansible, nginx, helm, github actions, gitlab ci, ' +
      'jenkins, prometheus, grafana, systemd, crashloopbackoff, oomkilled, ci pipeline, ci/cd, ' +
      'load balancer, reverse proxy, argocd, cloudformation, bash script, shell script, cron job, ' +
      "cronjob, crontab, iptables, ssh, dns record, certbot, let's encrypt, rolling update, " +
      'blue green, ingress, haproxy, traefik, pulumi, vagrant, aws, gcp, azure, k3s, tls, gitlab, ' +
      'log rotation, logrotate, aws s3, s3, vm, downtime, systemd unit, ssh keeps, firewall, ec2, ' +
      'lambda, deployment, docker-compose, compose file, self-hosted, vpn, dockerize, ci job, ' +
      'build only when, ssl certificate, sonarqube, kafka cluster, autoscal*, rolling, healthcheck, ' +
      'health check, liveness, readiness, proxmox, wireguard, sichere ich, on linux, secrets into, ' +
      'server is full, disk on the, backup mit, rolling update hangs, on the server, ' +
      "can't reach the host, docker network, load test our, cloudflare",
    words:
      'deploy*, pipeline, container*, pod, pods, cluster, node pool, rollback, roll back, alert rule, ' +
      'monitoring, cron, backup, s3 bucket, iam, vpc, namespace, image size, multi stage, rsync, ' +
      'ubuntu, debian, linux, expose, ops, restart, restarts, provision, observability, on call, ' +
      'staging, vault, raid, secrets manager',
    weak:
      'logs, restart*, config, configuration, port, production, uptime, certificate, disk, server, ' +
      'servers, nacht',
  }),
  task('code:generation', 'code', {
    strong:
      'python function, python script, write a function, write a script, write a class, ' +
      'write a program, implement a, implement an, regex to, regex for, regular expression, endpoint, ' +
      'cli tool, command line tool, api client, chrome extension, discord bot, telegram bot, ' +
      'web scraper, google apps script, vba, arduino, schreibe eine funktion, schreib ein skript, ' +
      'schreib eine funktion, escribe una función, écris une fonction, escribe un script, ' +
      'écris un script, scrivi una funzione, binary search, linked list, hash map, a function in, ' +
      'a script that, script that, skript, escribe un programa, un script python, powershell, ' +
      'sheets formula, google sheets, excel formula, game in, pygame, in js, in python that, debounce, ' +
      'throttle function, convert hex, en c, python函数, 函数, 写一个python, in go that, bot that, en python, ' +
      'in bash, userscript, bookmarklet, write me a, generate code, i need a script, un programa, ' +
      'árbol binario, exponential backoff, rust macro, dockerfile for my, tic tac toe, snake game, ' +
      'game of life, todo app, クラスを書いて, 脚本, 代码实现, 関数, lru cache, token bucket, no libs, ' +
      'extension function, iso 8601, que borre los, script bash, kotlin, in go using, in kotlin, ' +
      'in swift, code for, a class that, a program that, algorithm to, recursive function, ' +
      'priority queue, dijkstra, quicksort, merge sort, hashmap, queue in',
    words:
      'function, python, javascript, typescript, java, rust, golang, c++, c#, swift, ruby, php, perl, ' +
      'haskell, elixir, scala, matlab, node script, script, program, implement*, algorithm, ' +
      'algorithmus, regex, parser, express, fastapi, flask, django, spring boot, rest api, grpc, ' +
      'webhook*, decorator that, generator, コード, funktion, función, fonction, makefile, middleware, ' +
      'rate limiter, sdk, function in, renames, downloads, télécharge, formula, generate a, ' +
      'count words, implementa, merge two, write a, async, cli, crawler, plugin for, extension that, ' +
      'in java, in python, in javascript, in rust, in go, in c, in c++, in php, in ruby, ' +
      'in typescript, algorithm for, write code, stack in, trie, a method that',
    weak:
      'code, class, api, method, write, build, app, library, file, parse, json, csv, command, reads, ' +
      'reading, prints, sort a, hex, unzip, socket',
  }),
];
