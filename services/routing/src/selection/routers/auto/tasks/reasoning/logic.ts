import { task } from '../task.ts';

export const logic = task('logic', 'reasoning', {
  strong:
    'puzzle, riddle, rätsel, acertijo, énigme, logic*, deduce, premise*, prämisse*, syllogism*, ' +
    'knights and knaves, does it follow, conclusion*, follows that, weighings, next in the sequence, ' +
    'truth-teller, liar, always lies, always tells the truth, who owns, sits next to, left of, fallacy, ' +
    'valid argument, all bloops, some are, 逻辑, 推理, 論理, сколько, sudoku, river crossing, what comes next, ' +
    'who tells the truth, tells the truth, both lie, cross a river, wolf, two doors, two guards, ' +
    "five houses, passt nicht, odd one out, doesn't belong, color first, is this argument, are some, " +
    'some pets, are no, no cats, all men are, mortal, socrates is, zebra puzzle, truth or lie, ' +
    'must be false, who is the tallest, immediately left, sits opposite, family puzzle, light bulb, ' +
    'lügt, miente, ment, 谁在说谎, 下一个数字, 嘘つき, 谜题, загадка, лжец, counterfeit, balance scale, logical, ' +
    'who is the shortest, what am i, must be true, find the pattern, knaves, knight, über den fluss, ' +
    'switches and one, one bulb, if no, no artists, exactly one of, finished before, finishes before, ' +
    'came in, matchsticks, anagram, cipher, who am i, quién miente, qui ment, wer lügt, wer ist der, ' +
    'lies, liar*, the truth, one is heavier, comes next, complete the pattern, the pattern, sits, ' +
    'sits left, in which order, who has the, goat and, across a river, cross the river, cross a bridge, ' +
    'doors, 100 closed doors, monty hall, prisoners, hats, pirates split, adivinanza, argument valid, ' +
    'premises, conclusion follows, which conclusion, propositional, satisfiab*, deduction, deductive, ' +
    'if all, kein b ein, alle a auch, syllogism, paradox, deux gardiens, ment toujours, ' +
    "boxes are labeled, labels are wrong, einstein's, fünf häuser, shake hands, handshakes, " +
    'brothers and sisters, how many sisters, older than, taller than, yesterday was, ' +
    'day before yesterday, day after tomorrow, two coins, farmer has, who is lying, 说真话, 说假话, 真话, 假话, ' +
    '三个人, 岛上, 帽子, パズル, なぞなぞ, より背が高, 一番低い, 正直者, загадк*, логическ*, кто из, у отца, отца, если все, ' +
    'лжец*, рыцар*, twice as old as, letter is missing, which color, cross a bridge at night, ' +
    'what can we conclude, si tous les, next number, who is the oldest, solve this riddle, logikrätsel, ' +
    'cómo es posible, is younger than, facing south, all bats',
  words:
    'therefore, are all, true statement, exactly one, fake, heavier, lighter, coins, conclude, argument, ' +
    'islander*, number comes, sees the, the red one, implies, contrapositive, necessarily, ' +
    'possible that, shorter than, exactly two, at least one, race, bridge, guards, validity, oldest, ' +
    'youngest, switches, torch, weigh, sequence, contradiction, siblings, everyone who, nobody who, ' +
    'reasoning, contents, nickel, conclusion, follows, valid, logically, next to, right of, cat owner, ' +
    'red house, by reasoning, toggles',
  weak: 'pattern, trick, truth, statement, only one, follow, houses, who is, boxes, statements, true, taller',
});
