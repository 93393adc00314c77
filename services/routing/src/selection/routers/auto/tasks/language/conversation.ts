import { task } from '../task.ts';

export const conversation = task('conversation', 'language', {
  strong:
    'hello, hi, hey, thanks, thank you, how are you, good morning, good night, good evening, ' +
    "how's it going, what's up, guten morgen, hallo, danke, wie geht, hola, gracias, buenos días, " +
    'bonjour, salut, merci, ciao, grazie, olá, obrigad*, привет, спасибо, 你好, 谢谢, こんにちは, ありがとう, おはよう, ' +
    "안녕, do you ever, are you real, are you human, do you like, do you have feelings, i'm bored, " +
    "im bored, lol, haha, i feel, i'm so, what do you think, friendly companion, chat with, that helped, " +
    "do you dream, rough day, your favorite, your favourite, i'm back, im back, ça va, you're funny, " +
    "youre funny, who are you, what's your name, whats your name, wie geht's, wie gehts, schönen tag, " +
    'gute nacht, bis später, bis morgen, bye, goodbye, nobody remembered, my birthday, guess what, ' +
    'tell me a joke, a joke, erzähl, witz, cheer me up, what are you doing, are you there, you ok, ' +
    'are you ok, how was your day, nice to meet, yay, omg, got it, cómo estás, qué tal, buenas noches, ' +
    'comment vas, bonne nuit, come stai, tudo bem, как дела, спокойной, доброе утро, 早上好, 晚安, 最近怎么样, 哈哈, ' +
    '元気, おやすみ, 疲れた, 好累, 잘 지내, just wanted to talk, talk to you, can we talk, i miss, my girlfriend, ' +
    "my boyfriend, my mom, i hate mondays, i'm tired, so tired, i'm sad, i'm happy, haha good, " +
    'are you a robot, raining, langweile, tell me something, what do you do, i passed, merci beaucoup, ' +
    "passed my, guess who, i'm home, hi there, hey there, hello there, what are your hobbies, " +
    'how old are you, where are you from, do you know me, are you happy, can you hear me, you awake, ' +
    "i love you, i hate you, i can't sleep, cant sleep, so bored, mir ist langweilig, ich bin müde, " +
    "ich bin traurig, estoy triste, estoy aburrido, je m'ennuie, je suis triste, fatigué, me siento, " +
    'sono stanco, 我很, 无聊, 想你, ひま, 寂しい, скучно, грустно, how are you today, really helpful, terrible day, ' +
    'lol ok, your favorite color, do you remember, feeling great, who made you, a real person, ' +
    "broke up with, broke up, don't know what to do with myself, nothing much, just talk, " +
    'talk for a bit, danke dir, so langweilig, langweilig, bonne soirée, un poco triste, triste hoy, ' +
    '你好呀, 好累啊, 不想上班, 你叫什么, 你是谁, 在吗, 早安, 开心, 难过, 助かりました, 元気？, warm companion, companion who, ' +
    "chat casually, do you like rain, my cat just, knocked over, think i'm going to, " +
    "what do you think about, not what i meant, i was rude, it's my birthday, birthday, keep a secret, " +
    "ugh, have feelings, how do you feel, i'm nervous, i am nervous, so nervous, i'm so happy, so happy, " +
    "can't stop, wish me luck, long day, finally friday, friday, tgif, nevermind, never mind, see ya, " +
    'cya, brb, thx, np, yep, nope, yeah, nah, sup, yo, heya, good afternoon, howdy, was machst du, ' +
    "schön dich, mir geht's, mir geht es, ich freue mich, ich hab, quoi de neuf, tu fais quoi, " +
    'je suis content, coucou, bisous, qué haces, buenas, buenas tardes, estoy feliz, adiós, hasta luego, ' +
    'buongiorno, buonasera, come va, bom dia, boa noite, valeu, 再见, 拜拜, 嗯嗯, 好的, 心情, すごい, じゃあね, おつかれ, ' +
    '嬉しい, 悲しい, пока, здравствуй*, хорошо, устал*, как ты, скучаю, that was fun, endlich wochenende, ' +
    "hates me, pretty smart, 周末, what now, how's your day, thank you so much, nervous about, " +
    'du bist lustig, something nice, for a machine',
  words:
    'bored, my day, my cat, my dog, slept, tired today, weekend, miss you, love you, lonely, nice to, ' +
    'you there, my team, favourite, favorite, weather today, sunday, vacation was, good one, ' +
    'coffee again, countryside, the city is, best friend, family dinner, my son, my daughter, my wife, ' +
    'my husband, my sister, my brother, my job, at work, lonely tonight',
  weak:
    'ty, rough, love, rude, gym, listens, talk, secret, today, again, just, feel, really, day, no, yes, ' +
    'sure, great, perfect, nice, cool, ok, okay, sorry, feeling, dream, funny, friend, yesterday, ' +
    'coffee, lunch, movie, mood, finally, weird, remembered, alone, robot, exam, all day, hmm, wow, ' +
    'awesome, happy, sad, guess, see you, congrat*',
});
