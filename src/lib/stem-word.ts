import { stemmer } from 'stemmer'

const stemCache = new Map<string, string>()

const maxCachedStems = 20_000

/** Words that Porter's rules take for another: nobody departs in a department, and occupancy is no occupation. */
const ownStems: ReadonlyMap<string, string> = new Map(
  ['department', 'occupancy'].map(word => [word, word] as const),
)

/** Singular, then Porter stem, of a folded word. Cached, because schemas and questions repeat words. */
export const stemWord = (folded: string): string => {
  const remembered = stemCache.get(folded)
  if (remembered !== undefined) return remembered
  const singular = toSingular(folded)
  const stem = ownStems.get(singular) ?? (/^[a-z]+$/.test(folded) ? stemmer(singular) : folded)
  if (stemCache.size >= maxCachedStems) stemCache.clear()
  stemCache.set(folded, stem)
  return stem
}

/** Words that end in "s" in the singular, or that the plural rule would break. */
const sameInPlural = /(ss|us|is|ics|^news|series|species|^alias|^atlas|^canvas)$/

/** Irregular plurals that are common in names and questions. */
const irregular: ReadonlyMap<string, string> = new Map([
  ['people', 'person'],
  ['men', 'man'],
  ['women', 'woman'],
  ['children', 'child'],
  ['feet', 'foot'],
  ['teeth', 'tooth'],
  ['mice', 'mouse'],
  ['geese', 'goose'],
  ['criteria', 'criterion'],
  ['analyses', 'analysis'],
  ['buses', 'bus'],
  ['movies', 'movie'],
  ['cookies', 'cookie'],
  ['leaves', 'leaf'],
  ['shelves', 'shelf'],
  ['lives', 'life'],
  ['wives', 'wife'],
  ['statuses', 'status'],
  ['campuses', 'campus'],
  ['bonuses', 'bonus'],
  ['viruses', 'virus'],
  ['indices', 'index'],
  ['aliases', 'alias'],
  ['quizzes', 'quiz'],
  ['heroes', 'hero'],
  ['potatoes', 'potato'],
  ['tomatoes', 'tomato'],
])

/**
 * The singular of one folded English word: `countries` gives `country`, `boxes` gives `box`. Words of up to three
 * letters and singular words are returned as they are. Only for comparing: both sides are processed, so a wrong guess
 * does little harm.
 */
export const toSingular = (word: string): string => {
  if (word.length <= 3) return word
  const known = irregular.get(word)
  if (known !== undefined) return known
  if (!word.endsWith('s') || sameInPlural.test(word)) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, /(?:ss|x|zz|ch|sh)es$/.test(word) ? -2 : -1)
  return word.slice(0, -1)
}
