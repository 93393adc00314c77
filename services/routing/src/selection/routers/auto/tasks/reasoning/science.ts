import { task } from '../task.ts';

export const science = task('science', 'reasoning', {
  strong:
    'physics, chemistry, biology, molecule*, protein*, quantum, hypothesis, chemical reaction, genome, ' +
    'dna, rna, mitosis, meiosis, photosynth*, photoelectric, photoelektrisch*, black hole, orbit, ' +
    'gravity, relativity, entropy, enzyme*, cell membrane, evolution, thermodynam*, electron*, atom, ' +
    'atoms, isotope*, chromosome*, neutron, planet, planets, galaxy, pigments, oberstufe, physik, ' +
    'chemie, biologie, molekül*, photosynthèse, feuilles, célula*, átomo*, física, química, 物理, 化学, 生物, ' +
    '量子, 細胞, 相対性, физик*, хими*, speed of light, boiling point, tectonic, volcano*, ecosystem, ph value, ' +
    'catalyst, periodic table, wavelength, superconduct*, crispr, neurons, magnetic, sky blue, ' +
    'dna und rna, dark matter, northern lights, transistor*, ice cubes, nuclear, nucléaire, réacteur, ' +
    'mareas, gezeiten, tides, immune cells, immune system, fe2o3, balance the reaction, big bang, ' +
    'dinosaur*, earthquake*, rainbow, magnet*, gravitational, mass of, half-life, radioact*, ' +
    'semiconductor*, ozone, greenhouse, global warming, photosynthesis, respiration, osmosis, ribosom*, ' +
    'mitochondri*, stem cell, natural selection, fossil*, mutation*, supernova, comet*, asteroid*, ' +
    'redshift, spacetime, string theory, higgs, schwarzes loch, schwarzen löcher, licht, schwerkraft, ' +
    'trou noir, gravité, agujero negro, relatividad, fotosíntesis, 光合作用, 黑洞, 为什么天空, 空はなぜ, ブラックホール, чёрн, ' +
    'фотосинтез, почему небо, acids, titration, molar, moles, newton*, momentum, friction, voltage, ' +
    'resistor*, circuit, doppler, ultrasound, antimatter, vapor, evaporation, freezes, boils, ' +
    'virus and a bacterium, tides work, feel colder, relativité, relativitätstheorie, fossil, star when, ' +
    'hydrogen, rosten, inside a star, bacterium, plant cells, why do leaves, metabol*, nervous system, ' +
    'digest*, hormones, ecosystems, food chain, water cycle, plate, magma, crystals, polymer*, organic, ' +
    'inorganic, oxidation, buoyancy, pendulum, refraction, spectrum, galaxies, telescope, spacecraft, ' +
    'rocket, fission, why does metal, warum ist der himmel, himmel blau, wie entsteht, wie funktioniert, ' +
    'comment se forme, cómo se forma, light need, light travel, from the sun, sun to the earth, made of, ' +
    'how do spiders, how do whales, how do bats, how do fish, how do planes fly, peppered moth, ' +
    'carbon-14, balance, fe + o2, reaction of, ph of, strongest acid, diffusion, activation energy, ' +
    'neuron*, action potential, synapse*, gene editing, genom*, chromosom*, protein synthesis, ' +
    'vaccines train, immune system work, satellite, in orbit, forces act, thermodynamic*, entropía, ' +
    'entropie, entropia, quantum*, superposition, dark energy, neutron star, tectonic*, earthquakes, ' +
    'mountains form, make mountains, conduct electricity, conductor*, insulator, ice float, blue sky, ' +
    'regenbogen, aurora, eclipse, seasons change, greenhouse effect, dinosaurs, extinct*, species, ' +
    'symbiosis, plants feel, do plants, moon disappeared, disappear, thrown up, g 9.81, tabla periódica, ' +
    'gases nobles, noble gas, covalent, ionic, how do magnets, imanes, archimedes, warum schwimmt, ' +
    'la mer est salée, pourquoi la mer, comment fonctionne la, por qué los, 牛顿, 定律, 原子, 细胞, 引力, 进化, 地震, ' +
    '光合成, 仕組み, どうして, 宇宙, 重力, почему листья, листья, гравитаци*, атом*, клетк*, молекул*, explain nature, ' +
    'o que é entropia, what does research say, headphones work, leap seconds, magnetisch, evolve from, ' +
    'planets from, side of the moon, avogadro*, causes lightning, antibiotics kill, plattentektonik, 结冰, ' +
    '膨胀, 为什么会',
  words:
    'experiment, reaction, velocity, energy, bacteria, virus, climate, acid, oxygen, carbon, earth, ' +
    'earths, effekt, genetic, gene, cells, ice, water, sky, stars, how do birds, birds, organism*, ' +
    'chemical, reactor, physical, cause the, causes the, universe, iron, nitrogen, weather form, ocean, ' +
    'electric*, energie, лёд, star, explique la, fossils, eisen, role of, float, fusion, laser, lens, ' +
    'plasma, rust, lightning, migration, inheritance pattern, determined, colder, planet*, proton*, ' +
    'particle*, plastics, metals, conduct, whales, spiders, insects, fungi, evolve*, brain, nerve, ' +
    "oceans, salty, salée, steel, stahl, schwimmt, why can't we, faster than, what happens when, " +
    'what happens if, what would happen, how does a, structure of',
  weak:
    'sun, moon, light, why, explain, how does, erkläre, pourquoi, difference between, in terms of, ' +
    'what causes, por qué, por, wieso, unterschied, work on, weather, rain, tree, trees, wood, metal, ' +
    'glass, salt, animals, plants, heat, sound, wave, waves, space, wasser, agua, eau, mass, force, ' +
    'pressure, temperature',
});
