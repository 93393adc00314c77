import { task } from '../task.ts';

export const roleplay = task('roleplay', 'writing', {
  strong:
    'pretend, act as, role-play, roleplay, role play, in character, dungeon master, game master, ' +
    'you are the, you play, spiel die rolle, spiele die rolle, du bist ein, stell dir vor du, ' +
    'interview practice, mock interview, play the role, juguemos, fais comme si, haz de, actúa como, ' +
    "companion app, stay in character, text adventure, let's play, lets play, 扮演, 演じて, なりきって, " +
    "притворись, you are a pirate, be my french, pretend you're, pretend you are, you be the, you be my, " +
    "tu es une, eres una, sei mein, i want to practice, let's do a, respond as, speak as, talk to me as, " +
    "talk like, you're a, you're the, imagine you're, stell dir vor, suppose you are, quiz me as, " +
    'i walk into, i enter the, i just boarded, sherlock, villain in my, jouons, imagine que tu, ' +
    'spiel einen, spiele einen, as if you were, haunted house, job interview with, 你是一, 假装, 角色, あなたは, ' +
    "ふりをして, ты капитан, сыграй, представь, что ты, you're the bartender, bartender, " +
    'lass uns ein rollenspiel, rollenspiel, simulate a, receptionist, you are cleopatra, kommissar, ' +
    "negotiator, i come in, answer my questions, as a character, let's roleplay, lets roleplay, " +
    'scenario, first date with, hostage, space station commander, tutor me as, you act, impersonate, ' +
    'i walk in, you are my future, my future self, grumpy, answer my messages, speak french with me, ' +
    'only speak, correct my mistakes, job interviewer, i am the candidate, never leave your, ' +
    'in character as, character, setting, sits, draws, smiles, walks, looks, show yourself, i play a, ' +
    "i play an, i play, simulate a phone, you are the landlord, play my, devil's advocate, los geht's, " +
    'verkäufer auf, joue le rôle, fais semblant, je suis un, eres mi, yo soy, 你现在是, 我是你的, 假装你, 面试官, 扮演一, ' +
    '请你扮演, として話して, になって, начинай, я путник, finja que, você é um, what do you think of smartphones, ' +
    "don't decide for me, difficult patient, so i can train, last human, from now on you're, " +
    'from now on you are, training simulator, you are furious, mitbewohnerin, you be the judge, ' +
    "i'm the lawyer, space pirate, companion named, you are captain, du bist lena, freche, persona, " +
    "be a, i'm the customer, i am the customer, as sherlock, as a pirate, in the voice of, speak like, " +
    "answer like, talk as, debate me, my opponent, let's rp, ooc, gib dich als, tu dos como, tu es mon, " +
    'tu joues, sei il mio, fai finta, interpreta, faz de conta, 陪我演, 假如你是, 设定, 演じてください, 役を, 俺は, ' +
    'представь что ты, ты теперь, сыграем, отыгрыш, i have a reservation, tu so, als wärst du, ' +
    "i'm the suspect, you're the cop, interrogate, let's pretend, keep the suspense, drill sergeant, " +
    "tour guide in, spiel meinen, let's role play, cheerful elf, you are my manager, you are a strict",
  words:
    'boyfriend, girlfriend, flirt*, character named, adventure, i am the, ask me one question, ' +
    'scene begins, tavern, boarded, strenger, merchant, marchand, examine my, in role, npc, ' +
    'phone call with, commander, wizard, be my, play a, play an, you will be, answer as, ' +
    'imagine you are, du bist, you are my, eres un, tu es un, zombie, pirate, only answer in, ' +
    'interview me, innkeeper, landlord who, candidate, ranger, vampire, yoda, grandmother, lawyer of, ' +
    'hamlet, einstein, barista, interviewer, cleopatra, napoleon, samurai, 侍, 皇帝, furious',
  weak:
    'captain, elf, forest, judge, nurse, patient, play, cutie, practice, imagine, you are, be, your, ' +
    'teacher, grandma, boss, customer, detective, knight, king, queen, quest, soaking, you are a',
});
