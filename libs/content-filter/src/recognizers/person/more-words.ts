const words = (text: string): readonly string[] => text.trim().split(/\s+/u);

/** Given names that the lexicon lacks, by where they are common. */
export const givenNames: readonly string[] = words(`
  mark grace rose frank bill rob grant hope faith joy dawn eve jack jean pat chris robin drew dale dean glen gene
  priya rahul ananya arjun deepak divya kavya lakshmi manish meera neha nikhil pooja rajesh rohan sanjay shreya sunita
  suresh vikram aarav aditya amit anil anjali ashok bhavna gaurav ishaan karan kiran krishna mohan naveen nisha pranav
  ramesh ravi rekha rishi sandeep sneha swati tanvi uma varun vijay vivek
  chinedu ngozi adaeze amaka babatunde chidi chioma chukwuemeka ebele emeka femi folake funmilayo ifeoma ikechukwu
  kelechi kunle nneka nnamdi obinna olamide olufemi olumide oluwaseun segun seun temitope tunde uche yetunde zainab
  aisha musa ibrahim fatima abubakar bola bukola dayo ezinne
  wanjiru wambui njeri nyambura akinyi achieng atieno otieno odhiambo kamau kipchoge kiprono mwangi njoroge kariuki
  wangari muthoni wairimu chebet jepkosgei cheruiyot ochieng onyango makena mumbua mutua kimani
  sipho thandi thabo lerato nomsa themba zanele bongani ayanda busisiwe kagiso lindiwe mpho naledi nkosana
  nokuthula palesa sibusiso siyabonga tshepo tumelo xolani zodwa andile johan pieter hendrik annelie riaan
  hiroshi yuki takashi sakura haruto aiko akira daichi emi haruka hina kaito kazuki kenji keiko kenta koji mai makoto
  mei michiko miyu naoki naomi noriko ren riku ryo satoshi shinji sora takumi tomoko yoko yui yuko yusuke
  mehmet ayşe mustafa fatma ahmet emine hüseyin hatice ali zeynep elif emre burak cem deniz ebru gamze hakan kemal
  leyla merve murat nur osman özge pınar selin serkan sibel tolga ufuk volkan yusuf zehra ömer çiğdem gökhan şule
  joão maria josé antónio francisco inês mariana tiago rui nuno gonçalo beatriz catarina duarte filipa joana leonor
  luís margarida miguel rita sofia vasco thiago gabriela larissa letícia rafaela vinícius guilherme caio camila
  fernanda gustavo isabela juliana luana matheus rodrigo
  agnieszka katarzyna małgorzata krzysztof wojciech andrzej piotr paweł grzegorz tomasz michał łukasz jakub zofia
  zuzanna barbara ewa magdalena joanna aleksandra stanisław jerzy mateusz marcin bartosz dorota beata jolanta
  lars björn sven anders göran håkan ingrid astrid karin kerstin linnéa maja elin oskar nils gustav axel erik
  sigrid ulla birgitta jörgen åsa gunnar torsten
  jürgen günther heike ute uwe jens torsten thorsten sabine petra anke antje birgit dieter gerhard heinz holger
  jochen kerstin klaus lutz matthias mareike manfred rainer rüdiger silke sven ulrich wolfgang hannelore
  françois hélène céline jérôme rené mathilde chloé zoé léa inès maëlle noé théo hugo étienne gaëlle aurélie
  benoît cédric élodie émilie frédéric geneviève guillaume joël julien laëtitia loïc mélanie mickaël noémie océane
  pauline raphaël rémi sébastien solène stéphane sylvie thibault valérie véronique xavier yannick
  josé maría jesús álvaro andrés begoña concepción iñaki íñigo ignacio jaime javier joaquín lucía macarena martín
  mónica montserrat nerea óscar paloma pilar ramón raúl rocío rubén sergio sofía verónica víctor ximena guadalupe
  alejandra diego fernando guillermo héctor itzel jorge lourdes paola santiago valeria yolanda
  giuseppe giovanni alessandro alessia chiara francesca giulia federica martina matteo lorenzo luca davide gianluca
  ilaria elisa paolo silvia stefano simona valentina vincenzo salvatore raffaele rosaria mattia niccolò
  sanne daan sem lotte femke anouk bram floor thijs maud niels joost jeroen maarten marloes pieter ruud sjoerd
  wouter willem marieke annemiek esmée fleur jip
  wei ming xiu li jing yan hao chen mei ling hui jun lei fang xin yu zhang wang liu yang
  mohammed muhammad ahmed omar hassan hussein khalid layla maryam noor rania samir tariq yasmin youssef abdul bilal
  dmitri dmitry sergei sergey olga natasha tatiana svetlana ivan igor vladimir boris alexei yuri oksana
  liam noah oliver elijah mateo aiden jayden brayden kayden skyler harper avery riley quinn reagan piper sadie
`);

/** Words that are capitalized in titles, headings and products and are no names. */
export const commonNouns: readonly string[] = words(`
  data team project report account customer client user order invoice payment service support product manager director
  engineer developer engineering marketing sales finance legal office department division company group university
  college school institute hospital bank center centre street avenue road lane drive court square park city town
  county state country region north south east west central international national federal global general public
  private main first second third last next new old big small open free live best top daily weekly monthly annual
  january february march april may june july august september october november december monday tuesday wednesday
  thursday friday saturday sunday christmas easter spring summer autumn winter today tomorrow yesterday
  chapter section figure table appendix article page part step note warning error info debug notice release version
  update upgrade module function class method object array string number boolean null true false return import export
  const let var type interface enum default server client database query index schema request response header body
  message subject email phone address name date time status id url api http https json xml html css sql
  google amazon microsoft apple facebook meta twitter netflix oracle github gitlab docker kubernetes linux windows mac
  android chrome firefox safari python javascript typescript java rust go ruby swift kotlin react angular node postgres
  mysql redis kafka grafana prometheus terraform ansible jenkins slack zoom teams outlook excel word powerpoint jira
  confluence salesforce stripe paypal visa mastercard openai anthropic gemini claude llama mistral sluice cloud azure
  aws gcp lambda storage engine platform machine learning model models network security identity access policy
  san santa los las saint st
  calle rua avenida avda via viale piazza corso alameda travessa praça paseo plaza rue boulevard chemin ulica strasse
  straße allee platz weg são salai nagar col apto flat house plot shop block po
  dear hello hi hey thanks thank regards sincerely cheers best kind warm yours please welcome good morning afternoon
  evening night attention urgent important confirm confirmed pending closed resolved shipped delivered cancelled
  card credit debit bank routing social insurance passport license licence number code key token secret password
  red blue green black white golden silver royal grand great united kingdom states america europe asia africa
  inc ltd llc gmbh corp corporation limited plc co ag sa bv ab oy spa srl holdings partners associates solutions
  systems technologies technology consulting industries international foundation association committee council
  president minister senator governor mayor king queen prince princess doctor nurse teacher student patient employee
  employer applicant candidate contact owner author editor reviewer assignee reporter sender recipient
  battle museum library theater theatre stadium airport station bridge tower river lake mountain valley island beach
  ocean sea bay hotel restaurant cafe bar pizza coffee tea water wine beer bread cheese chicken salad
  english german french spanish italian dutch polish swedish portuguese turkish japanese chinese indian african american
  british european canadian australian mexican brazilian nigerian kenyan
  what when where which who whom whose why how this that these those there here then than with without within
  agile scrum sprint backlog roadmap milestone release candidate pull merge branch commit issue ticket bug feature
  summary overview introduction conclusion abstract background results discussion references contents agenda minutes
  action items attendees location budget forecast revenue profit loss quarter fiscal year
  star wars game thrones lord rings marvel disney
  bob's dashboard console admin root guest test sample example demo lorem ipsum foo bar baz
  pro max mini plus ultra air studio code visual basic core prime premium enterprise business personal family home
  black friday cyber labor memorial independence thanksgiving halloween
  tracking parcel package shipment delivery return refund warranty gift membership subscription plan trial
  latitude longitude north-east phone mobile fax tel zip postal suite apt floor building room unit block
  gold bronze platinum diamond crystal pearl ruby
`);
