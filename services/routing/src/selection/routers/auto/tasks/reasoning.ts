import { task, type TaskType } from './task.ts';

/** Lists the tasks that need thought. */
export const reasoningTasks: readonly TaskType[] = [
  task('data_analysis', 'reasoning', {
    strong:
      'a/b test, ab test, dataset, correlation, regression, outlier*, ausreißer, cohort*, churn, ' +
      'confidence interval, p-value, statistically significant, significant, stands out, which chart, ' +
      'standard deviation, histogram, time series, these figures, these numbers, the data, pivot, ' +
      'seasonal*, forecast*, conversion rate, analysiere die, analyze the data, analyse the data, ' +
      'analyze this data, analiza los, analyse ces, 数据, 數據, 异常, 異常, データ, данные, die daten, ' +
      'die zahlen, los datos, les données, last quarter, sales per, missing values, ' +
      'between these two groups, interpret this, interpret the, test statistique, statistical test, ' +
      'segment these, segment the, umsatzzahlen, diese zahlen, recency, which kpi, null hypothesis, ' +
      't-test, anova, chi-square, linear model, clustering, k-means, month over month, year over year, ' +
      'yoy, bounce rate, bar chart, pie chart, scatter plot, box plot, boxplot, normal distribution, ' +
      'bias in, sampling, n=30, trois moyennes, estos datos, ces données, analyse de, auswertung, ' +
      'werte aus, 分析这, 趋势, 图表, 平均值, 傾向, グラフ, проанализируй, выборк*, anomal*, drop in, drop-off, dip, ' +
      'paired samples, regression output, r2, umfrage, freitexte, auswerten, werte ich, ' +
      'test result real, users each, dip in, sessions on, look at first, answers from a survey, ' +
      'survey, likert, respondent*, effect size, sample of, tell about, skew*, growth rate, ' +
      'weekly active, daily active, mau, dau',
    words:
      'spreadsheet, statistics, trend*, distribution, percentile*, variance, sample size, metric*, ' +
      'kpi, visualiz*, visualis*, variant, control group, column b, excel, analys*, analyz*, figures, ' +
      'retention, revenue by, what happened on, conclude, ratio of, users per, survey results, ' +
      'respondents, umsatz, ventes, ventas, chart, plot, correlated, metrics, sessions, antworten, ' +
      'interpret, sample, data set, beta, median, sd, subjects, salaries, p =, funnel, dashboard, ' +
      'spike*',
    weak:
      'average, table, csv, increase, compare, month, data, numbers, cause, percent, orders, north, ' +
      'region, quarter, sales, visits, clicks, demand, groups, per user',
  }),
  task('math', 'reasoning', {
    strong:
      'solve the, solve for, equation*, integral, derivative, prove that, proof, theorem, matrix, ' +
      'eigenvalue*, probability of, probability that, how many ways, square root, prime number*, ' +
      'geometry, algebra, calculus, average speed, sum of, area of, volume of, radius, triangle, ' +
      'polynomial, modulo, differential equation, gleichung, ableitung, beweise, wahrscheinlichkeit, ' +
      'wie viele möglichkeiten, ecuación, derivada, demuestra, équation, dérivée, démontre*, résous, ' +
      'resuelve, berechne, calcula, calcule, löse, factorial, 方程, 积分, 证明, 求, 計算, 確率, 概率, 面积, ' +
      'уравнение, докажи, вычисли, what is the determinant, determinant, differentiate, integrate, ' +
      'log2, sin x, factor the, diagonalen, zwölfeck, twice as old, sum of their ages, how old are, ' +
      'fläche, flächeninhalt, périmètre, área, cercle, círculo, kreis, to a fraction, as a fraction, ' +
      'zeros, permutations, combinations, expected value, three dice, gcd, lcm, hexagon, rectangle, ' +
      'cylinder, hypotenuse, complex number, converges, compound interest, bruch, wurzel, racine, ' +
      'raíz, fracción, 解方程, 等于多少, 三角形, 面積, 平方根, решите, найди x, сколько будет, widgets, hands at, ' +
      'prozent von, perimeter, one side is, limit of, heads in, coin flips, flips, raíz cuadrada, ' +
      'cuánto es, combien font, was ist die wurzel, wie viel sind, wie viel ist, workers, painters, ' +
      'how long for, consecutive, even number*, odd number*, divisible, ticket costs, per kilo, ' +
      'simple interest, exponent*, logarithm*, inequality, quadratic, parabola, mean of, ' +
      'standard form, step by step solution, binomial, sine, cosine, 1/n, tripled, doubled',
    words:
      'calculate, compute, percent, percentage, fraction, divide, divided, multiply, remainder, km in, ' +
      'km/h, mph, interest on, ratio, simplify the expression, limit, converge*, geometric, ' +
      'arithmetic, find x, find the value, value of x, find all, decimal, per cent, how long will, ' +
      'how many liters, shirt costs, evaluate, percent of, discounted, half of, angle of, ' +
      'how many digits, units digit, number of ways, integers, integer, x^2, n!, cos, tan, cube, ' +
      'angle, vector, circle, expand, discount, aire, slope, umfang, dice, original price, pattern, ' +
      'induction, divisor*, chance that, machines make',
    weak:
      'solve, sum, total, how many, how much, average, times, prozent, exact, number, speed, distance, ' +
      'remain, together, faster, twice, original, ages, arrange, mixture, hours, per hour, tank, pipe',
  }),
  task('logic', 'reasoning', {
    strong:
      'puzzle, riddle, rätsel, acertijo, énigme, logic*, deduce, premise*, prämisse*, syllogism*, ' +
      'knights and knaves, does it follow, conclusion*, follows that, weighings, next in the sequence, ' +
      'truth-teller, liar, always lies, always tells the truth, who owns, sits next to, left of, ' +
      'fallacy, valid argument, all bloops, some are, 逻辑, 推理, 論理, сколько, sudoku, river crossing, ' +
      'what comes next, who tells the truth, tells the truth, both lie, cross a river, wolf, ' +
      "two doors, two guards, five houses, passt nicht, odd one out, doesn't belong, color first, " +
      'is this argument, are some, some pets, are no, no cats, all men are, mortal, socrates is, ' +
      'zebra puzzle, truth or lie, must be false, who is the tallest, immediately left, sits opposite, ' +
      'family puzzle, light bulb*, lügt, miente, ment, 谁在说谎, 下一个数字, 嘘つき, 谜题, загадка, лжец, ' +
      'counterfeit, balance scale, logical, who is the shortest, what am i, must be true, ' +
      'find the pattern, knaves, knight, über den fluss, switches and one, one bulb, if no, ' +
      'no artists, exactly one of, finished before, finishes before, came in, matchsticks, anagram, ' +
      'cipher, who am i, quién miente, qui ment, wer lügt, wer ist der',
    words:
      'therefore, if all, are all, true statement, exactly one, fake, heavier, lighter, coins, ' +
      'conclude, argument, islander*, next number, number comes, sees the, the red one, ' +
      'argument valid, implies, contrapositive, necessarily, possible that, shorter than, exactly two, ' +
      'at least one, race, bridge, pattern, taller than, lies, hats, guards, validity, paradox, ' +
      'oldest, youngest, older than, switches, torch, weigh, sequence, contradiction, prisoners, ' +
      'brothers and sisters, siblings, everyone who, nobody who',
    weak: 'only one, follow, houses, sits, who is, doors, boxes, statement, statements, true, valid, taller',
  }),
  task('science', 'reasoning', {
    strong:
      'physics, chemistry, biology, molecule*, protein*, quantum, hypothesis, chemical reaction, ' +
      'genome, dna, rna, mitosis, meiosis, photosynth*, photoelectric, photoelektrisch*, black hole, ' +
      'orbit, gravity, relativity, entropy, enzyme*, cell membrane, evolution, thermodynam*, ' +
      'electron*, atom, atoms, isotope*, chromosome*, neutron, planet, planets, galaxy, pigments, ' +
      'oberstufe, physik, chemie, biologie, molekül*, photosynthèse, feuilles, célula*, átomo*, ' +
      'física, química, 物理, 化学, 生物, 量子, 細胞, 相対性, физик*, хими*, speed of light, boiling point, ' +
      'tectonic, volcano*, ecosystem, ph value, catalyst, periodic table, wavelength, superconduct*, ' +
      'crispr, neurons, magnetic, sky blue, dna und rna, dark matter, northern lights, transistor*, ' +
      'ice cubes, nuclear, nucléaire, réacteur, mareas, gezeiten, tides, immune cells, immune system, ' +
      'fe2o3, balance the reaction, big bang, dinosaur*, earthquake*, rainbow, magnet*, gravitational, ' +
      'mass of, half-life, radioact*, semiconductor*, ozone, greenhouse, global warming, ' +
      'photosynthesis, respiration, osmosis, ribosom*, mitochondri*, stem cell*, natural selection, ' +
      'fossil*, mutation*, supernova, comet*, asteroid*, redshift, spacetime, string theory, higgs, ' +
      'schwarzes loch, schwarzen löcher, licht, schwerkraft, trou noir, gravité, agujero negro, ' +
      'relatividad, fotosíntesis, 光合作用, 黑洞, 为什么天空, 空はなぜ, ブラックホール, чёрн, фотосинтез, почему небо, ' +
      'acids, titration, molar, moles, newton*, momentum, friction, voltage, resistor*, circuit, ' +
      'doppler, ultrasound, antimatter, vapor, evaporation, freezes, boils, virus and a bacterium, ' +
      'tides work, feel colder, relativité, relativitätstheorie, fossil, star when, hydrogen, rosten, ' +
      'inside a star, bacterium, plant cells, why do leaves, metabol*, nervous system, digest*, ' +
      'hormones, ecosystems, food chain, water cycle, plate, magma, crystals, polymer*, organic, ' +
      'inorganic, oxidation, buoyancy, pendulum, refraction, spectrum, galaxies, telescope, ' +
      'spacecraft, rocket, fission, why does metal, warum ist der himmel, himmel blau, wie entsteht, ' +
      'wie funktioniert, comment se forme, cómo se forma',
    words:
      'experiment, reaction, velocity, energy, species, bacteria, virus, climate, acid, oxygen, ' +
      'carbon, earth, earths, sun, moon, effekt, genetic, gene, cells, ice, water, sky, stars, ' +
      'how do birds, birds, organism*, chemical, reactor, physical, cause the, causes the, universe, ' +
      'iron, nitrogen, weather form, ocean, electric*, energie, лёд, star, explique la, fossils, ' +
      'eisen, role of, float, fusion, laser, lens, plasma, rust, lightning, migration, ' +
      'inheritance pattern, determined, colder',
    weak:
      'why, explain, how does, erkläre, pourquoi, difference between, in terms of, what causes, ' +
      'por qué, por, wieso, unterschied, work on, weather, rain, tree, trees, wood, metal, glass, ' +
      'salt, animals, plants, heat, sound, light, wave, waves, space, wasser, agua, eau, mass, force, ' +
      'pressure, temperature',
  }),
];
