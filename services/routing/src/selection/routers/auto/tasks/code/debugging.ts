import { task } from '../task.ts';

export const codeDebugging = task('code:debugging', 'code', {
  strong:
    'traceback, stack trace, stacktrace, segfault, debug*, throws an, null pointer, ' +
    'nullpointerexception, memory leak, race condition, deadlock, why does this print, ' +
    "why does this return, undefined is not, cannot read properties, does not compile, won't compile, " +
    "doesn't compile, schlägt fehl, fehlermeldung, stürzt ab, ne marche pas, ne fonctionne pas, " +
    'no funciona, segmentation fault, white screen, stack overflow, infinite loop, never stops, ' +
    'se cuelga, blue screen, connection refused, econnrefused, etimedout, keyerror, typeerror, ' +
    'valueerror, nameerror, syntaxerror, 404 when, 500 when, returns undefined, is undefined, ' +
    'prints nothing, not defined, stürzt, cuelga, core dumped, permission denied, goes wrong, ' +
    "went wrong, doesn't update, does not update, not updating, runs twice, cors error, cors, setstate, " +
    "unsupported operand, error 403, deaktiviert, bleibt, keeps returning, keeps showing, doesn't show, " +
    "not showing, won't load, undefined variable, wrong value, recibo un error, reçois une erreur, " +
    'me sale error, bekomme den fehler, obtengo, any idea, still fails, null reference, ' +
    'index out of range, out of bounds, unhandled, any clue, where should i look, how do i find out why, ' +
    "don't see it, i don't see it, can't figure out, cannot figure out, no idea why, out of nowhere, " +
    'disconnects, gets killed, heap snapshot, heap dump, one day off, off by, is off, matches nothing, ' +
    'never called, not called, never fires, fires twice, is always false, is always true, always false, ' +
    'always true, in the console, in der konsole, logcat, uncaught, fatal exception, cannot borrow, ' +
    "borrowed as, nil map, nil pointer, does not exist, doesn't exist, stack smashing, double free, " +
    'use after free, heisenbug, 404 error, error 500, erreur 500, 401, 500 error, status 500, ' +
    'unresolved, access-control-allow-origin, cannot find, could not find, failed to, no such file, ' +
    'unable to resolve, exit code, regression since, only in prod, fails in prod, works on my machine, ' +
    'works locally, woran liegt, woran kann, hängt beim, hängt, weiß jemand, bringt nichts, ' +
    "passiert nichts, geht nicht, klappt nicht, läuft nicht, warum bekomme ich, pourquoi j'obtiens, " +
    "pourquoi est-ce que j'ai, plante, bloque, ça plante, me da error, me da, por qué me da, " +
    'por qué no funciona, no me funciona, se queda, o que pode ser, trava, não funciona, dá erro, ' +
    'erro ao, non funziona, mi dà errore, 报错, 哪里有问题, 哪里错了, 出错, 为什么不行, 不工作, 崩溃, 死循环, 无限循环, 运行的时候, 调试, 修复, ' +
    'エラーが, エラーに, 動かない, 動きません, 無限ループ, 落ちます, 原因を, バグ, デバッグ, なぜ動, ошибк*, падает, не работает, ' +
    'не запускается, вылетает, зависает, в чём проблема, почему программа, grey screen, white page, ' +
    'shows the old, still shows, keeps rebalancing, although i, although the, npm err, eresolve, obwohl, ' +
    'doch gesetzt, doppelt gespeichert, se salta',
  words:
    'bug, bugs, exception, crash*, fails, failing, broken, error message, where is the leak, ' +
    "not working, doesn't work, does not work, doesnt work, stopped working, hangs, wrong result, " +
    "what's wrong, whats wrong, what is wrong, getting this, since upgrading, fehler, " +
    'funktioniert nicht, warum gibt, erreur, fallo, falla, panic, returns none, returns null, flaky, ' +
    "s'arrête, nan, does nothing, no output, wrong output, está mal, off by one, leak, unexpectedly, " +
    'it worked, this worked, worked before, worked yesterday, breaks, freez*, timeout, times out, ' +
    "won't start, doesn't start, can't connect, cannot find module, mismatch, undefined, warum bekomme, " +
    'why am i getting, keeps failing, compile error, why is this, throws, but nothing happens, fix it, ' +
    "fix this, fix the bug, doesn't do anything, what am i doing wrong, doing wrong, expected, actual, " +
    'instead of, crashed, disconnected, killed, silently, wrong, problem, weird behavior, strange, ' +
    'not match, rejected, refused, stale, upgrade to, after the upgrade, nach dem update, pod is stuck, ' +
    "keeps, won't, although, exceeded, release mode",
  weak:
    'error, errors, fix, why does, warum, pourquoi, issue, unexpected, suddenly, always, empty, sees, ' +
    'reason, after upgrading, still, but it, but the, what am i missing, grund, null, twice, stuck, ' +
    'sometimes, though, nothing happens, hang',
});
