import { task } from '../task.ts';

export const math = task('math', 'reasoning', {
  strong:
    'solve the, solve for, equation*, integral, derivative, prove that, proof, theorem, matrix, ' +
    'eigenvalue*, probability of, probability that, how many ways, square root, prime number, geometry, ' +
    'algebra, calculus, average speed, sum of, area of, volume of, radius, triangle, polynomial, modulo, ' +
    'differential equation, gleichung, ableitung, beweise, wahrscheinlichkeit, wie viele möglichkeiten, ' +
    'ecuación, derivada, demuestra, équation, dérivée, démontre*, résous, resuelve, berechne, calcula, ' +
    'calcule, löse, factorial, 方程, 积分, 证明, 計算, 確率, 概率, 面积, уравнение, докажи, вычисли, ' +
    'what is the determinant, determinant, differentiate, integrate, log2, sin x, factor the, ' +
    'diagonalen, zwölfeck, twice as old, sum of their ages, how old are, fläche, flächeninhalt, ' +
    'périmètre, área, cercle, círculo, kreis, to a fraction, as a fraction, zeros, permutations, ' +
    'combinations, expected value, three dice, gcd, lcm, hexagon, rectangle, cylinder, hypotenuse, ' +
    'complex number, converges, compound interest, bruch, wurzel, racine, raíz, fracción, 解方程, 等于多少, ' +
    '三角形, 面積, 平方根, решите, найди x, сколько будет, widgets, hands at, prozent von, perimeter, ' +
    'one side is, limit of, heads in, coin flips, flips, raíz cuadrada, cuánto es, combien font, ' +
    'was ist die wurzel, wie viel sind, wie viel ist, workers, painters, how long for, consecutive, ' +
    'even number, odd number, divisible, ticket costs, per kilo, simple interest, exponent*, logarithm*, ' +
    'inequality, quadratic, parabola, mean of, standard form, step by step solution, binomial, sine, ' +
    'cosine, 1/n, tripled, doubled, derivative of, matrices, remainder, prime factor, factorize, ' +
    'factor x, fraction, decimal, cube root, logarithm, chain rule, product rule, taylor series, ' +
    'convergent, diverges, la limite, series sum, by induction, show that, let g be, abelian, ' +
    "group of order, lemma, vector space, equation, l'équation, résoudre, calculer, quanto é, " +
    'probability to, permutation*, combination*, long division, área de, das volumen, volumen, diameter, ' +
    'diámetro, rayon, angle, tangent, trigonom*, percent of, percentage is, what percentage, ' +
    'wie groß ist, velocidad media, how long do, workers need, confidence interval, variance of, 求函数, ' +
    '最小值, 最大值, 多少公里, 几小时, 导数, 積分, 連立方程式, 方程式, 微分, 証明, 解いて, найди производную, производн*, интеграл*, ' +
    'уравнени*, tutor of math, tutor of mathematics, cuánto mide, geometric, arithmetic, sequence of, ' +
    'sum of the, solve for x, simplify the expression, zeros does, ratio of, slope of, is prime, prime, ' +
    "through 1, wie groß ist die wahrscheinlichkeit, aire d'un, simplify a, evaluate, simplifica x",
  words:
    'calculate, compute, percent, percentage, divide, divided, multiply, km in, km/h, mph, interest on, ' +
    'ratio, limit, converge*, find x, find the value, value of x, find all, per cent, how long will, ' +
    'how many liters, shirt costs, discounted, half of, angle of, how many digits, units digit, ' +
    'number of ways, integers, integer, x 2, cos, tan, cube, vector, circle, expand, discount, aire, ' +
    'slope, umfang, dice, original price, pattern, induction, divisor*, chance that, machines make, ' +
    'liters fit, sphere, cone, kegel, per euro, formula for, square, sum, divided by, root of, ' +
    'cards drawn, coin tosses, digits, inverse of',
  weak:
    'solve, total, how many, how much, average, times, prozent, exact, number, speed, distance, remain, ' +
    'together, faster, twice, original, ages, arrange, mixture, hours, per hour, tank, pipe',
});
