import { task, type TaskType } from './task.ts';

/** Lists the tasks that make texts. */
export const writingTasks: readonly TaskType[] = [
  task('email', 'writing', {
    strong:
      'e-mail*, mail to, a mail, mail an, reply to, draft a reply, cover letter, subject line, ' +
      'letter to, thank you note, out of office, motivationsschreiben, anschreiben, ' +
      'lettre de motivation, carta de, correo, courriel, write back, answer this customer, ' +
      'customer mails, follow up with, follow-up to, brief an, resignation letter, メール, 邮件, письмо, ' +
      'complaint letter, letter of, write an email, an email to, email to, email for, email that, ' +
      'email asking, reply to the, antworte, an email, a polite follow up, polite follow, resignation, ' +
      'two weeks notice, notice period letter, mail pour, mail an den, mail an die, un mail, ' +
      'eine mail, un correo, un email, invite the team, apology to, condolence*, ask my professor, ' +
      'ask my boss, ask for a raise, extension of the deadline, vacation request, ' +
      'recommendation letter, write to my, letter of recommendation, dear hiring, hiring manager, ' +
      'sick note, meeting request, respond to this, reply politely, kündigungsschreiben, bewerbung, ' +
      'absage, einladung an, beschwerde, réponds, réponse à, respuesta a, responde a, queja formal, ' +
      '回信, 写一封, 写封, 返信, お礼, напиши письмо, ответь, message to my, note to the, write to airbnb, ' +
      'antwort auf, cold outreach, outreach, remind paul, remind him, remind her, remind them, ' +
      "une réponse, client mécontent, my son is sick, i'll be off, support that, message to a, " +
      'text to my, sms to, dm to, to my boss, to my landlord, an meinen, an meine, an den vermieter, ' +
      'an unseren, a mi jefe, al profesor, à mon, à ma, farewell message, goodbye message, ' +
      'out-of-office, ooo, introduce myself to, informing, let the customer know, wir laden ein',
    words:
      'mail, letter, reply, replies, reminder, decline politely, recipient, invitation, apolog*, ' +
      'schreib eine, cancel my subscription, email, follow up, colleague, apology, sign off, ' +
      'client who, sorry for, friendly but, neighbours, sick today, write to, write to the, ' +
      'respond to, request for, firm, carta, absence, referral, antwort, message to the, inform the, ' +
      'tell my, a note to, response to this, invitation to',
    weak:
      'draft, polite*, team, customer, invoice, message, note, write, ask my, late, ask, client, ' +
      'teacher, support, investor, professor, kunden, kollegen, cliente, invite, recruiter, hr, ' +
      'landlord, dear, regards',
  }),
  task('marketing', 'writing', {
    strong:
      'slogan*, tagline*, advert*, ad copy, google ads, facebook ad, landing page, meta title, ' +
      'meta description, tweet, linkedin post, blog post, newsletter, campaign, campaña, campagne, ' +
      'kampagne, product description, product page, call to action, value proposition, key messages, ' +
      'positioning, press release, werbetext, pressemitteilung, produktbeschreibung, fiche produit, ' +
      'descripción de producto, elevator pitch, brand voice, brand name, claim for, hashtag*, 广告, ' +
      'キャッチコピー, 文案, caption, about us, launch tweet, tagline for, win back, landing page copy, ' +
      'copy for, post linkedin, billboard, amazon listing, product bullets, churned, email sequence, ' +
      'drip campaign, welcome email series, unboxing, influencer*, brand story, mission statement, ' +
      'usp, value prop, cta, app store description, etsy, google business, kickstarter, flyer*, ' +
      'broschüre, radio spot, tv spot, jingle, podcast intro, youtube title, youtube description, ' +
      'thumbnail, pinterest, facebook post, social media post, go to market, gtm, buyer persona, ' +
      'keywords for, rédige un post, beschreibung für, descripción para, lema, eslogan, accroche, ' +
      'publicité, texte de vente, werbeslogan, 标语, 宣传, 小红书, 营销, 商品説明, 宣伝, slogan, реклам*, слоган, ' +
      'пост для, selling points, headline for, punchy, value proposition canvas, subject lines for, ' +
      'black friday, email subject lines, for etsy, handmade, post für, eröffnung, webinar, vegan, ' +
      'describe our, promote our, our brand, our new, target audience, appeal to, ads for, ad for, ' +
      'unser produkt, notre produit, nuestro producto, anzeige für, annonce pour, anuncio para, ' +
      'pitch deck, one-liner for, homepage text, website copy, web copy, faq for our, case study, ' +
      'customer stories, giveaway, promo*, loyalty',
    words:
      'marketing, target group, zielgruppe, brand, b2b, launch, promote, promotion, sell, ' +
      'social media, anuncio, werbung, conversion, pitch, announcement, eco friendly, launch of, ' +
      'open source database, testimonial*, followers, seo, kunden gewinnen, webshop, tienda, ' +
      'crypto webinar, standing desk, protein bars, opening of our, cafés, app that, listing, poster, ' +
      'brochure, our service, our company, our product, our app, our shop, our store, persona for, ' +
      'un post, headlines, instagram, tiktok, catchy, discount code',
    weak:
      'product, post, page for, tool that, store, coffee, gym, announce, shop, bakery, boutique, ' +
      'selling, seo title, audience, headline, candles, café',
  }),
  task('roleplay', 'writing', {
    strong:
      'pretend, act as, role-play, roleplay, role play, in character, dungeon master, game master, ' +
      'you are the, you play, spiel die rolle, spiele die rolle, du bist ein, stell dir vor du, ' +
      'interview practice, mock interview, play the role, juguemos, fais comme si, haz de, actúa como, ' +
      "companion app, stay in character, text adventure, let's play, lets play, 扮演, 演じて, なりきって, " +
      "притворись, ты —, you are a pirate, be my french, pretend you're, pretend you are, you be the, " +
      "you be my, tu es une, eres una, sei mein, i want to practice, let's do a, respond as, speak as, " +
      "talk to me as, talk like, you're a, you're the, imagine you're, stell dir vor, suppose you are, " +
      'quiz me as, i walk into, i enter the, i just boarded, sherlock, villain in my, jouons, ' +
      'imagine que tu, spiel einen, spiele einen, as if you were, haunted house, job interview with, ' +
      "你是一, 假装, 角色, あなたは, ふりをして, ты капитан, сыграй, представь, что ты, you're the bartender, " +
      'bartender, lass uns ein rollenspiel, rollenspiel, simulate a, receptionist, you are cleopatra, ' +
      "kommissar, negotiator, i come in, answer my questions, as a character, let's roleplay, " +
      'lets roleplay, scenario:, first date with, hostage, space station commander, tutor me as, ' +
      'you act, impersonate',
    words:
      'boyfriend, girlfriend, flirt*, character named, persona, adventure, i am the, ' +
      'ask me one question, scene begins, tavern, boarded, strenger, merchant, marchand, examine my, ' +
      'in role, npc, phone call with, commander, wizard, be my, play a, play an, you will be, ' +
      'answer as, imagine you are, du bist, you are my, eres un, tu es un, zombie, pirate, ' +
      'only answer in, interview me',
    weak:
      'play, cutie, practice, imagine, character, you are, be, your, teacher, grandma, boss, customer, ' +
      'detective, knight, captain, king, queen, quest, soaking, you are a',
  }),
  task('creative_writing', 'writing', {
    strong:
      'poem*, gedicht*, poema, poème, haiku, sonnet, limerick, short story, bedtime story, a story, ' +
      'novel, lyrics, screenplay, fan fiction, fanfiction, opening paragraph, opening line, ' +
      'plot twist, fairy tale, kurzgeschichte, geschichte über, märchen, cuento, conte, ballad, fable, ' +
      'monologue, rhym*, reim*, 首诗, 写一首, 现代诗, 俳句, 小説, 物語, 故事, рассказ, стихотворение, сказк*, ' +
      'song about, a scene, ghost story, story set, kurze geschichte, eine geschichte, un poème, ' +
      'un cuento, a poem, a limerick, in verse, song lyrics, lyrics about, as the beginning of, ' +
      'beginning of a novel, once upon a time, sci-fi, science fiction, thriller, romance novel, ' +
      'horror story, flash fiction, drabble, epic poem, free verse, elegy, lullaby, rap about, a rap, ' +
      'nursery rhyme, script for a short, stage play, sketch comedy, comedy sketch, une histoire, ' +
      'historia corta, una historia, un relato, racconto, poesia, weihnachtsgeschichte, liebesbrief, ' +
      'love letter, a prologue, epilogue, in the style of, write a story, short film, character who, ' +
      '诗, 编一个, 写一个故事, 小说, 童话, 短編, 詩を, 歌詞, стих*, рассказ*, сочини, придумай историю, a short tale, ' +
      'tale about, first chapter of, mystery on, lullaby for, légende, leyenda, legende, ' +
      'end this story, continue this story, finish this story, the letter and, fox who, haiku about, ' +
      'über den herbst, fanfic, a joke in the form, rewrite the ending, spooky, monolog, theaterstück, ' +
      'une chanson, una canción, ein lied, song text, invente, inventa, erfinde, erzähle, raconte, ' +
      'cuéntame un cuento, jabberwocky, tongue twister, acrostic, cinquain, tanka',
    words:
      'story, dialogue, fiction, plot, protagonist, noir, dragon, villain, verse, stanza, narrator, ' +
      'song, worldbuilding, backstory, first person, rivals, songtext, canción, chanson, toast for, ' +
      'speech for, lighthouse, mars at dawn, spies, wizard, clown, narrative, twist, poetic, ' +
      'metaphor*, tale, moon and the, cruise ship, continue, fantasy, satire, adventure story, fairy, ' +
      'ode to, parody, letter and, dialogue between, chapter',
    weak:
      'write, words, paragraph, scene, character, schreibe, escribe, écris, letter, twins, share, ' +
      'ghost, robot, roboter, setting, opened, kingdom, describe a, detective',
  }),
  task('brainstorming', 'writing', {
    strong:
      'brainstorm*, ideas for, ideas, ideen, idées, idee per, ideas de, names for, name for, ' +
      'come up with, suggestions for, think of, unusual angles, what could we, what can we do for, ' +
      'gift for, geschenk*, regalo*, give me 10, give me 20, give me ten, list of possible, ' +
      'creative ways, ways to use, vorschläge, propositions, nombres para, namen für, 点子, 想法, アイデア, ' +
      '创意, идеи, topics for, activities for, date ideas, cheap date, how could a, attract more, ' +
      'startup ideas, a few options, qué puedo regalar, puedo regalar, leftover, ten ways, ten ideas, ' +
      'five ideas, any ideas, more ideas, themes for, carnival, what else could, list 10, list 20, ' +
      'list ten, list some, fun things, things to do, side project*, business ideas, content ideas, ' +
      'video ideas, gift ideas, was könnte, wie könnten wir, namensideen, was schenke, que pourrais, ' +
      'idées de, noms pour, qué podría, propuestas, 10 nombres, 起名, 名字, 有哪些, 建议一些, 案を, ネタ, 名前を考え, ' +
      'придумай, предложи, варианты, how might we, out of the box, spitball, alternatives to a, ' +
      'what can we name, can we name, name our, blog topics, how else could, spiele für, low budget, ' +
      'objections, cosas para, things for, cosas que, actividades, activités, aktivitäten, ausflug, ' +
      'was könnten wir, puppy, 10 blog, ten blog, low-budget, appreciation ideas, games for, ' +
      'dinner ideas, costume, outfit ideas, lunch ideas, snacks for, trip ideas, date night, ' +
      'icebreaker*, challenges for, prompts for, use cases for, features could, feature ideas, ' +
      'what features, analogies for, metaphors for, how to use up, empty shop',
    words:
      'suggest*, propose, angles, alternatives to, what else, activit*, options for, unusual, themes, ' +
      'guest book, teenagers, cook with, possibilities, rainy, domingo, road trip, autofahrt, ' +
      'kids party, ways to, what are some, reasons to, pros and cons, arguments for, theme for, ' +
      'examples of ways, que faire, inspiration, some ideas, hobby, hobbies, was kann ich, ' +
      'questions to ask, what could i',
    weak:
      'give me, weirder, names, creative, some, different, party, options, theme, surprise, unique, ' +
      'ways, window, family, budget, retro, wedding, possible, titles for, questions for',
  }),
];
