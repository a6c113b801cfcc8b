import type { Outcome } from '../../../src/domain/answer.ts'
import type { Candidate } from '../../../src/domain/candidate.ts'
import type { Catalog } from '../../../src/domain/catalog.ts'
import type { QuestionContext, Understanding, ValueMatch } from '../../../src/domain/question-context.ts'
import { findBeyondData } from '../../../src/lib/beyond-data.ts'
import { foldText, splitName } from '../../../src/lib/fold-text.ts'
import { relatedTo } from '../../../src/lib/lexicon/synonyms.ts'
import { stemWord } from '../../../src/lib/stem-word.ts'
import type {
  DraftingDeps,
  NodeRun,
  OpenDatabase,
  StoringDeps,
  TalkingDeps,
  UnderstandingDeps,
} from '../deps.ts'
import { chosenOption } from '../options.ts'
import { makeIsFree } from '../rounds/tally.ts'
import type { State, Update } from '../state.ts'

interface RefuseDeps {
  readonly database: OpenDatabase
  readonly drafting: Pick<DraftingDeps, 'paths'>
  readonly understanding: Pick<UnderstandingDeps, 'findUnknownTerms' | 'rateFit'>
  readonly talking: Pick<TalkingDeps, 'exampleQuestions' | 'whoToAsk'>
  readonly storing: Pick<StoringDeps, 'runStore'>
}

type Refused = Extract<Outcome, { status: 'refused' }>

const MOST_EXAMPLES = 3

/**
 * Below this a text is not about the database, whatever was read into it: none of 1,635 questions of Spider lies there, nor
 * of 269 others that were held out, but a quarter of what cannot be answered (docs/evaluation.md, TriageSQL).
 */
const LEAST_FIT = 0.05

/**
 * Looks once more at what was decided: an answer that leaves out a word for which the database has nothing would answer
 * another question ("how many blue elephants signed?" is not how many signed), so it is refused. A refusal says what is
 * missing, what near it can be answered, and whom to ask.
 */
export const makeRefuseMissing =
  (deps: RefuseDeps) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    const { outcome } = state
    // A statement that was understood but not run lacks nothing.
    if (chosenOption(state)?.act !== undefined && outcome?.status === 'refused') return {}
    // Anyone who was asked back, and chose, has seen how the question was read.
    if (outcome?.status === 'answered' && state.reply !== null) return {}
    const context = await contextOf(state, deps)
    const { catalog } = await deps.database(state.question.database, run)
    const leading = await leadingCandidates(state, deps)
    const ignored = ignoredWords(leading)
    const missing = findMissing(ignored, { ...context, catalog }, deps.understanding)
    const isRead = isReadByParser(state, leading, deps.drafting.paths)
    const beyond = isRead ? beyondData(context, catalog) : null
    if (beyond !== null)
      return {
        clarification: null,
        outcome: { ...helpOn(state, context, catalog, [], deps.talking), ...beyond },
      }
    const isForeign =
      missing.length === 0 &&
      !isWhollyMeasured(leading) &&
      isRead &&
      isOffTopic(context, catalog, deps.understanding)
    if (outcome?.status !== 'refused' && missing.length === 0 && !isForeign) return {}
    const refusal =
      outcome?.status === 'refused' && (missing.length === 0 || outcome.why.code === 'cannot-answer')
        ? outcome
        : isForeign
          ? refuseOffTopic
          : refuseUnknownWords(missing)
    // What a refusal offers itself fits it better.
    return {
      clarification: null,
      outcome: { ...helpOn(state, context, catalog, missing, deps.talking), ...refusal },
    }
  }

const contextOf = ({ question }: State, { storing }: RefuseDeps): Promise<QuestionContext> =>
  storing.runStore.loadContext(question.id)

/** The candidate that answers, and those that agree with it; null if nothing was drafted. */
const leadingCandidates = async (
  { groups, question, outcome }: State,
  { storing }: RefuseDeps,
): Promise<readonly Candidate[] | null> => {
  const candidates = await storing.runStore.loadCandidates(question.id)
  if (candidates.length === 0) return null
  const id = outcome?.status === 'answered' ? outcome.candidateId : groups[0]?.representativeId
  const group = groups.find(({ candidateIds }) => id !== undefined && candidateIds.includes(id))
  return candidates
    .filter(candidate => candidate.id === id || group?.candidateIds.includes(candidate.id))
    .toSorted((a, b) => Number(b.id === id) - Number(a.id === id))
}

/** Words that the leading statement leaves out; none if a model wrote it, which may know more words than we do. */
const ignoredWords = (leading: readonly Candidate[] | null): readonly string[] | 'everything' => {
  if (leading === null) return 'everything'
  return leading.some(({ unused }) => unused === null) ? [] : (leading[0]?.unused ?? [])
}

/** A metric query that uses every word is about the database, however short the question: "revenue in Q3". */
const isWhollyMeasured = (leading: readonly Candidate[] | null): boolean =>
  leading?.some(({ meaning, unused }) => meaning != null && unused?.length === 0) === true

const refuseOffTopic: Refused = { status: 'refused', why: { code: 'off-topic' } }

/** A forecast, a cause or an opinion. */
const beyondData = ({ understanding }: QuestionContext, catalog: Catalog): Refused | null => {
  if (understanding.followUp !== undefined) return null
  const asks = findBeyondData(understanding.text, word =>
    catalog.tables.some(({ name, columns }) =>
      [name, ...columns.map(column => column.name)].some(one => splitName(one).includes(word)),
    ),
  )
  return asks === null ? null : { status: 'refused', why: { code: 'beyond-data', asks } }
}

/** Whether only the parser read the question: no model was asked, and no verified query leads. */
const isReadByParser = (
  { waves }: State,
  leading: readonly Candidate[] | null,
  paths: DraftingDeps['paths'],
): boolean => {
  const isFree = makeIsFree(paths)
  return (
    waves.every(({ drafts }) => drafts.every(isFree)) &&
    (leading ?? []).every(({ path }) => path === 'semantic-parser')
  )
}

const isOffTopic = (
  { understanding, matches }: QuestionContext,
  catalog: Catalog,
  { rateFit }: RefuseDeps['understanding'],
): boolean =>
  rateFit !== undefined &&
  understanding.followUp === undefined &&
  rateFit(understanding.text, catalog, explainedPhrases(understanding, matches)) < LEAST_FIT

const refuseUnknownWords = (words: readonly string[]): Refused => ({
  status: 'refused',
  why: { code: 'unknown-words', words },
})

const helpOn = (
  { question }: State,
  { understanding, matches }: QuestionContext,
  catalog: Catalog,
  missing: readonly string[],
  deps: RefuseDeps['talking'],
): Partial<Refused> => {
  const near = nearTables(understanding.text, { catalog, matches })
  const nearest = (deps.exampleQuestions?.(catalog, near) ?? []).slice(0, MOST_EXAMPLES)
  const who = deps.whoToAsk?.(question.database) ?? null
  return {
    ...(missing.length > 0 ? { missing } : {}),
    ...(nearest.length > 0 ? { nearest } : {}),
    ...(who === null ? {} : { whoToAsk: who }),
  }
}

/** A match at least so good says what its words are. */
const GOOD_MATCH = 0.8

/** Phrases of a question that good matches of values, or periods, account for. */
const explainedPhrases = (
  { spans }: Pick<Understanding, 'spans'>,
  matches: readonly ValueMatch[],
): readonly string[] => [
  ...matches.filter(({ score }) => score >= GOOD_MATCH).map(({ keyword }) => keyword),
  ...spans.map(({ phrase }) => phrase),
]

/**
 * Words of a question for which nothing in the database stands: the leading statement leaves them out (`unused`; everything
 * where there is no statement), and they name a thing that the database does not have.
 */
const findMissing = (
  unused: readonly string[] | 'everything',
  {
    understanding,
    matches,
    catalog,
  }: {
    readonly understanding: Understanding
    readonly matches: readonly ValueMatch[]
    readonly catalog: Catalog
  },
  { findUnknownTerms }: Pick<UnderstandingDeps, 'findUnknownTerms'>,
): readonly string[] => {
  if (unused.length === 0 || !findUnknownTerms) return []
  const accounted = explainedPhrases(understanding, matches)
  const unknown = findUnknownTerms(understanding.text, catalog, accounted)
  if (unused === 'everything') return unknown
  const left = new Set(unused.map(foldText))
  return unknown.filter(word => left.has(foldText(word)))
}

/**
 * Tables that a question is near to, nearest first: whose own name it says, whose columns it says, whose values it
 * names. Empty if it has no word in common with any.
 */
const nearTables = (
  text: string,
  { catalog, matches }: { readonly catalog: Catalog; readonly matches: readonly ValueMatch[] },
): readonly string[] => {
  const said = new Set((foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []).map(stemWord))
  const isSaid = (stem: string): boolean =>
    said.has(stem) || [...relatedTo(stem)].some(other => said.has(other))
  const share = (name: string): number => {
    const stems = splitName(name).map(stemWord)
    return stems.length === 0 ? 0 : stems.filter(isSaid).length / stems.length
  }
  return catalog.tables
    .map(({ name, columns }) => ({
      name,
      score:
        2 * share(name) +
        columns.reduce((sum, column) => sum + (share(column.name) > 0.5 ? 0.5 : 0), 0) +
        Math.max(
          0,
          ...matches.filter(({ table }) => table === name).map(({ score }) => (score > 0.8 ? score : 0)),
        ),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ name }) => name)
}
