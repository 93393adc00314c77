/** Names the speaker. */
export const self = 'i im ill id we well gonna lets';
/** Names the reader. */
export const you = 'you your youre u ur yourself';
/** Names people as targets. */
export const anybody = `someone somebody anyone person people man woman him her them you u everyone everybody wife
  husband girlfriend boyfriend ex neighbor neighbour coworker colleague classmate teacher mother mom father dad
  brother sister roommate family parents cop police president politician senator employee student kid child
  baby boss daughter son neighbors stepfather stepdad stepmother stepmom uncle`;
/** Asks for instructions. */
export const ask = `
  how way ways instructions instruction guide recipe tutorial steps step teach tell show give explain
  list write help tips method methods manual where best what`;
/** Excuses words of computing. */
export const computing = `
  process processes thread zombie pid unix linux bash python node server container docker job task
  port signal subprocess daemon application timeout script code function api`;
/** Excuses games and fiction. */
export const play = `
  game games gaming level elden raid npc player minecraft fortnite chess movie film novel mystery plot
  fiction fictional scene screenplay character thriller joke kidding`;
/** Excuses texts about prevention, law and news. */
export const safety = `
  prevent prevention protect protection protecting avoid detect detection detector filter moderation
  classifier classify defend defense defuse victim victims law laws illegal forbid report reporting police history
  historical statistics awareness research researchers news article study charged convicted arrested sentenced`;
