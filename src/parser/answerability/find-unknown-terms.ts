import type { Catalog } from '../../domain/catalog.ts'
import type { FindUnknownTerms } from '../../domain/interpretation.ts'
import { foldText } from '../../lib/fold-text.ts'
import { oncePerObject } from '../../lib/once.ts'
import { stemWord } from '../../lib/stem-word.ts'
import { cuePhrases, functionWords } from '../lexicon.ts'
import { matchStems } from '../link/match-names.ts'
import { indexSchema } from '../schema/index-schema.ts'
import { type Token, tokenize } from '../tokenize.ts'

/** Words that come before the name of a thing. */
const termOpeners: ReadonlySet<string> = new Set(
  `a an the any all each every per by of about many which what whose some no these those our my their its in from for
  without with list show count between number average total most least`.split(/\s+/),
)

/** Words behind the name of a thing that begins a question. */
const termClosers: ReadonlySet<string> = new Set(
  'split breakdown distribution mix share of by per'.split(' '),
)

/** Nouns for rows, columns or text in general, and adjectives that select nothing. */
const genericNouns: ReadonlySet<string> = new Set(
  `answer area available average case common complete corresponding current data date description different distinct
  existing field figure following format frequency full general given group history individual info information kind
  latest level line list long main major maximum measure minimum moment name new number object old order overall part
  pair particular pattern percentage people person place popular position possible present previous question range rank ratio
  reason recent record related report result row rule same series set share side single situation sort specific state
  string style subset substring sum system table term thing time top total turn type unique use usual value version way
  whole word work world year`
    .split(/\s+/)
    .map(stemWord),
)

/**
 * Things that a question names and that the database does not have: no name of the catalog, comment or value matches
 * them (`accounted`: phrases that values or periods match). Verbs and adjectives are skipped unless they belong to
 * such a thing: people say "bought" and "offered" about tables with other names, but a noun that no table has is
 * missing. English only.
 */
export const findUnknownTerms: FindUnknownTerms = (text, catalog, accounted = []) => {
  const tokens = tokenize(text)
  const statusOf = makeWordStatus(catalog, accounted)
  const isUnknown = (token: Token | undefined): token is Token =>
    token !== undefined &&
    statusOf(token) === 'unknown' &&
    !genericNouns.has(token.stem) &&
    !cueWords.has(token.folded)
  const found: string[] = []
  for (let at = 0; at < tokens.length; at++) {
    if (!isUnknown(tokens[at])) continue
    let end = at + 1
    while (isUnknown(tokens[end])) end += 1
    let run = tokens.slice(at, end)
    // "Elephants arriving": the verb is not part of the thing.
    while (run.length > 1 && isVerbal(run.at(-1))) run = run.slice(0, -1)
    if (isTerm(run, tokens[at - 1], tokens[at + run.length], statusOf))
      found.push(...run.map(token => token.text))
    at = end
  }
  return [...new Set(found)]
}

const isTerm = (
  run: readonly Token[],
  before: Token | undefined,
  after: Token | undefined,
  statusOf: (token: Token) => string,
): boolean => {
  const [first] = run
  const head = run.at(-1)
  if (!first || !head) return false
  // "In Atlantis": a name that is not in the database.
  if (before && run.every(isName)) return true
  // "Gender split of our customers": nothing stands before it.
  const isOpened = before
    ? termOpeners.has(before.folded)
    : after !== undefined && termClosers.has(after.folded)
  if (!isOpened) return false
  // "The major formats": a word before a known thing only describes it, unless it is a plural.
  if (after && statusOf(after) === 'named' && run.length === 1 && !/[^s]s$/.test(head.folded)) return false
  return !isVerbal(head)
}

const isName = (token: Token): boolean => /^\p{Lu}/u.test(token.text)

const isVerbal = (token: Token | undefined): boolean =>
  /(?:ed|ing|ly|est|ive|able|ible|ous|ful)$/.test(token?.folded ?? '')

/** Words that ask for counting, ordering and comparing. */
const cueWords: ReadonlySet<string> = new Set(
  [...cuePhrases.values()].flatMap(phrases => phrases.flatMap(({ words }) => words)),
)

/** What a word of a question is to a database. */
type WordStatus = 'function' | 'named' | 'described' | 'value' | 'unknown'

/** Makes a test of what each token is; punctuation, numbers and quoted spans are `function`. */
export const makeWordStatus = (
  catalog: Catalog,
  /** Phrases of the question that values or periods match. */
  accounted: readonly string[] = [],
): ((token: Token) => WordStatus) => {
  const schema = indexSchema(catalog)
  const described = commentStems(catalog)
  const values = new Set(accounted.flatMap(stemsOf))
  return token => {
    if (token.kind !== 'word' || token.number !== null || !/\p{L}{2}/u.test(token.folded)) return 'function'
    const stems = stemsOf(token.text)
    if (stems.some(stem => values.has(stem))) return 'value'
    if (functionWords.has(token.folded)) return 'function'
    if (stems.some(stem => matchStems(stem, schema.stems).length > 0)) return 'named'
    if (isCompound(token.folded, schema.stems)) return 'named'
    return stems.some(stem => described.has(stem)) ? 'described' : 'unknown'
  }
}

const stemsOf = (text: string): readonly string[] =>
  (foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []).map(stemWord)

/** "Hometown" for `home_town`, "zipcode" for `zip_code`, "townhouse" for `town`: a long word made of names. */
const isCompound = (word: string, names: readonly string[]): boolean =>
  names.some(
    name =>
      name.length >= 4 && word.length >= name.length + 3 && (word.startsWith(name) || word.endsWith(name)),
  )

const commentStems = oncePerObject(
  (catalog: Catalog): ReadonlySet<string> =>
    new Set(
      catalog.tables.flatMap(({ comment, synonyms = [], columns }) =>
        [
          comment,
          ...synonyms,
          ...columns.flatMap(column => [column.comment, ...(column.synonyms ?? [])]),
        ].flatMap(text => (text ? stemsOf(text) : [])),
      ),
    ),
)
