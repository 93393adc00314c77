import { task } from '../task.ts';

export const agentToolUse = task('agent:tool_use', 'agent', {
  strong:
    'weather, wetter, tiempo en, météo, timer, turn on, turn off, remind me, book a table, play, ' +
    'reproduce, spiele, what time, order a, licht, temperature to, volume, cancel my, track my, ' +
    'my balance, erinnere mich, recuérdame, rappelle-moi, lights, reminder, exchange rate, usd in, ' +
    'in yen, transfer, call me, zahnarzt, find me a, add milk, to my list, my order, order status, ' +
    'my appointment, mute, next song, how much is, battery, thermostat, calculate the, who is on, log a, ' +
    'open a ticket, create an issue, what is my, pizza, taxi, musik, where is my order, shopping list, ' +
    'remind me to, put dentist, in my calendar, to my calendar, meeting room, take out the, tell mom, ' +
    'tell dad, text mom, call peter, louder, quieter, too hot in here, too cold, window seat, ' +
    'has landed, landed, track flight, is reachable, reachable, ping, my last invoice, last invoice, ' +
    'phone number of, how many rows, status of my, translate with, mach die, mach das, stell den, ' +
    'schalte, heizung, wie warm, wie wird das wetter, wann kommt mein, paket, mets un, minuteur, ' +
    'il va pleuvoir, pleuvoir, manda un mensaje, mi saldo, saldo, enciende, apaga, 叫我起床, 天气, 起床, 打开, 关掉, ' +
    '闹钟, 播放, をかけて, 天気, アラーム, つけて, 消して, какой сейчас, курс, погода, включи, выключи, позвони, поставь, ' +
    'degrees, what is aapl, stock price of, compute the, roll a dice, flip a coin, skip, next track, ' +
    'pause',
  words:
    'set, send, call, schedule, book, stell, convert, status of, create a ticket, add to my, ' +
    "my calendar, message to, move my, what's on, translate, balance, package, reminder*, order, " +
    'appointment, cancel, temperature, room, account, list, invoice, euros in, seat, room for, jazz, ' +
    'at 7, at 9am, on friday, kitchen, living room',
  weak:
    'alarm, calendar, dentist, message, status, usd, eur, booking, flight, song, tonight, create, get, ' +
    'fetch, show, tell, my, add, tomorrow',
});
