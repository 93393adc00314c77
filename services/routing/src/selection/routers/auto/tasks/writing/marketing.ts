import { task } from '../task.ts';

export const marketing = task('marketing', 'writing', {
  strong:
    'slogan*, tagline*, advert*, ad copy, google ads, facebook ad, landing page, meta title, ' +
    'meta description, tweet, linkedin post, blog post, newsletter, campaña, campagne, kampagne, ' +
    'product description, product page, call to action, value proposition, key messages, positioning, ' +
    'press release, werbetext, pressemitteilung, produktbeschreibung, fiche produit, ' +
    'descripción de producto, elevator pitch, brand voice, brand name, claim for, hashtag*, 广告, キャッチコピー, ' +
    '文案, caption, about us, launch tweet, tagline for, win back, landing page copy, copy for, ' +
    'post linkedin, billboard, amazon listing, product bullets, churned, email sequence, drip campaign, ' +
    'welcome email series, unboxing, influencer*, brand story, mission statement, usp, value prop, cta, ' +
    'app store description, etsy, google business, kickstarter, flyer*, broschüre, radio spot, tv spot, ' +
    'jingle, podcast intro, youtube title, youtube description, thumbnail, pinterest, facebook post, ' +
    'social media post, go to market, gtm, buyer persona, keywords for, rédige un post, ' +
    'beschreibung für, descripción para, lema, eslogan, accroche, publicité, texte de vente, ' +
    'werbeslogan, 标语, 宣传, 小红书, 营销, 商品説明, 宣伝, slogan, реклам*, слоган, пост для, selling points, ' +
    'headline for, punchy, value proposition canvas, subject lines for, black friday, ' +
    'email subject lines, for etsy, handmade, post für, eröffnung, webinar, vegan, describe our, ' +
    'promote our, our brand, our new, target audience, appeal to, ads for, ad for, unser produkt, ' +
    'notre produit, nuestro producto, anzeige für, annonce pour, anuncio para, pitch deck, ' +
    'one-liner for, homepage text, website copy, web copy, faq for our, case study, customer stories, ' +
    'giveaway, promo*, loyalty, product description for, slogan for, instagram caption, caption for, ' +
    'target group women, headline ideas, body copy, our company opens, subject lines for a, spring sale, ' +
    'announces our, seo meta, meta description for, elevator pitch for, go-to-market, copywriter, ' +
    'the copywriter, app store texts, app store, werbetext für, einen werbetext, ' +
    'produktbeschreibung für, linkedin-beitrag, wir suchen azubis, stellenanzeige, ' +
    'accroche publicitaire, post instagram, redacta un anuncio, eslogan para, 电商文案, 广告语, 紹介文, キャッチコピーを, ' +
    'рекламный текст, придумай рекламн, legenda para post, promoção, video script, win back customers, ' +
    'ideal customer, make a persona, name and claim, tweet thread, benefits not features, homepage hero, ' +
    'copy for a, campaign concept, concept for a, position our, how should we position, ads headlines, ' +
    'promo text, text for the new, listing for, ad for a, ad for our, poster text, banner text, ' +
    'tv commercial, brand slogan, value proposition for, unique selling, marketing plan, ' +
    'marketing strategy, content calendar, launch email, launch plan, social media calendar, job ad, ' +
    'radio ad, seo text, seo-text, seo article, produkttext, werbeanzeige, social-media-post, ' +
    'instagram-post, newsletter-text, texte publicitaire, annonce publicitaire, slogan pour, ' +
    'texto publicitario, publicación de instagram, descrizione prodotto, testo pubblicitario, ' +
    'descrição de produto, 朋友圈文案, 推广, 促销, 宣传语, 种草, 商品紹介, 広告文, インスタ, описание товара, рекламу, пост в, ' +
    'reasons to buy, claim für, sell this, texte pour une, affiche, catchy intro, catchy tagline, ' +
    'facebook post for, einen newsletter, launch announcement',
  words:
    'marketing, target group, zielgruppe, b2b, promote, promotion, sell, social media, anuncio, werbung, ' +
    'conversion, pitch, announcement, eco friendly, launch of, open source database, testimonial*, ' +
    'followers, seo, kunden gewinnen, webshop, tienda, crypto webinar, standing desk, protein bars, ' +
    'opening of our, cafés, app that, listing, poster, brochure, our service, our company, our product, ' +
    'our app, our shop, our store, persona for, un post, headlines, instagram, tiktok, catchy, ' +
    'discount code, hashtags, playful, opens a plant, series a, customers who, hotel against, airbnb, ' +
    'balcony, flea market, oat drink, meditation, dentist in, ergonomic',
  weak:
    'campaign, brand, launch, collection, sale, studio, apartment, headline, concept, product, post, ' +
    'page for, tool that, store, coffee, gym, announce, shop, bakery, boutique, selling, seo title, ' +
    'audience, candles, café',
});
