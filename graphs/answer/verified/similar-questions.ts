import { seesEveryValue, seesValuesOf } from '../../../src/domain/access/sees-value.ts'
import type { DraftInput, ExampleQuery, FindExampleQueries } from '../../../src/domain/candidate.ts'
import type { Catalog } from '../../../src/domain/catalog.ts'
import type { Database } from '../../../src/domain/database.ts'
import type { ParseQuestion } from '../../../src/domain/interpretation.ts'
import type { Understanding } from '../../../src/domain/question-context.ts'
import type {
  FindSimilarVerified,
  ListVerified,
  SimilarVerifiedQuery,
  VerifiedQuery,
} from '../../../src/domain/verified-query.ts'
import { diceSimilarityTo } from '../../../src/lib/dice-similarity.ts'
import { splitName } from '../../../src/lib/fold-text.ts'
import { stemWord } from '../../../src/lib/stem-word.ts'
import { skeletonSimilarityTo, sqlSkeleton } from '../../../src/sql/analyze/sql-skeleton.ts'
import { hideValues } from '../../../src/sql/rewrite/hide-values.ts'
import { findQuestionLiterals, type QuestionLiteral, questionTokens } from './question-literals.ts'

/** Examples of one prompt. DAIL-SQL shows up to nine; each costs what a table of the schema does. */
const MOST = 3

/** Less alike than this, an example is about something else. */
const LEAST = 0.35

/**
 * Finds verified questions to show as examples (DAIL-SQL 3.2): by how they ask (masked questions), by what they are
 * about (the questions as they are, since all are of one database), and by the skeleton of their SQL against that of
 * the semantic parser's best reading, if it has one. Found once for all drafts of a question.
 */
export const makeFindExamples = (deps: {
  readonly listVerified: ListVerified
  readonly parse: ParseQuestion
}): FindExampleQueries => {
  const found = new WeakMap<Understanding, ReturnType<FindExampleQueries>>()
  return input => {
    const examples = found.get(input.understanding) ?? findAlike(input, deps)
    found.set(input.understanding, examples)
    return examples
  }
}

const findAlike = async (
  input: Parameters<FindExampleQueries>[0],
  deps: { readonly listVerified: ListVerified; readonly parse: ParseQuestion },
): Promise<readonly ExampleQuery[]> => {
  const near = await makeFindSimilarVerified(deps)(input)
  if (near.length === 0) return []
  const sketched = sketchSkeleton(input, deps.parse)
  const asSketched = sketched === null ? null : skeletonSimilarityTo(sketched)
  const likeness = ({ query: { skeleton }, likeness: words }: SimilarVerifiedQuery): number =>
    asSketched === null || skeleton === null ? words : 0.7 * words + 0.3 * asSketched(skeleton)
  const alike = near
    .map(one => ({ query: one.query, likeness: likeness(one) }))
    .filter(({ likeness }) => likeness >= LEAST)
    .sort((a, b) => b.likeness - a.likeness)
  const examples: ExampleQuery[] = []
  for (const { query } of alike) {
    if (examples.length === MOST) break
    const { question, sql } = query
    // What has since been kept from everybody is not shown to a model either.
    if (input.database.guard(sql).verdict === 'allow') examples.push({ question, sql })
  }
  return examples
}

/**
 * Finds them by how they ask (masked questions, DAIL-SQL 3.2) and by what they are about (the questions as they are,
 * since all are of one database), half and half. What candidates look like does not enter: they are held against these.
 */
export const makeFindSimilarVerified =
  (deps: { readonly listVerified: ListVerified }): FindSimilarVerified =>
  async input => {
    const { spoken, queries } = await findVerified(input, deps.listVerified)
    if (queries.length === 0) return []
    const { text } = input.understanding
    const asMasked = likenessTo(maskQuestion(text, { spoken, catalog: input.database.catalog }))
    const asSaid = likenessTo(text)
    return queries
      .map(query => ({ query, likeness: (asMasked(query.maskedQuestion) + asSaid(query.question)) / 2 }))
      .sort((a, b) => b.likeness - a.likeness)
  }

/** What a new question names, and the verified queries of its database. */
interface FoundVerified {
  readonly spoken: readonly QuestionLiteral[]
  readonly queries: readonly VerifiedQuery[]
}

/** Finds both. No queries where they cannot be read: they are a help, no more. Rejects when the signal fired. */
export const findVerified = async (
  {
    understanding,
    database,
    matches,
    signal,
  }: Pick<DraftInput, 'understanding' | 'database' | 'matches' | 'signal'>,
  listVerified: ListVerified,
): Promise<FoundVerified> => {
  const queries = await listReadableVerified(database, listVerified, signal ? { signal } : {}).catch(() => [])
  signal?.throwIfAborted()
  return {
    spoken: findQuestionLiterals(understanding.text, { matches, spans: understanding.spans }),
    queries,
  }
}

/**
 * Skeleton of the semantic parser's best reading of a question, null without one. DAIL-SQL has a model write a first
 * draft for this; ours costs nothing.
 */
export const sketchSkeleton = (
  { understanding, database }: Pick<DraftInput, 'understanding' | 'database'>,
  parse: ParseQuestion,
): string | null => {
  const { catalog, findValues, dialect } = database
  const [reading] = parse({ understanding, catalog, findValues }, { limit: 1 })
  return reading === undefined ? null : sqlSkeleton(reading.sql, dialect)
}

/**
 * A question without what it is about (DAIL-SQL 3.2): values, numbers and periods as `<value>`, `<number>` and
 * `<period>`, words of the schema as `<name>`. What is left is how it asks.
 */
export const maskQuestion = (
  text: string,
  { spoken, catalog }: { readonly spoken: readonly QuestionLiteral[]; readonly catalog: Catalog },
): string => {
  const names = nameStems(catalog)
  const tokens = questionTokens(text)
  const masks = new Map<number, { readonly mask: string; readonly end: number }>()
  for (const { kind, first, end } of [...spoken].sort((a, b) => a.end - a.first - (b.end - b.first)))
    masks.set(first, { mask: `<${kind}>`, end })
  const masked: string[] = []
  for (let at = 0; at < tokens.length; ) {
    const found = masks.get(at)
    const word = tokens[at]?.folded ?? ''
    masked.push(found?.mask ?? (names.has(stemWord(word)) ? '<name>' : word))
    at = found?.end ?? at + 1
  }
  return masked.filter((mask, at) => mask !== '<name>' || masked[at - 1] !== '<name>').join(' ')
}

/** Words of one or two letters in names are rarely the question's. */
const SHORTEST = 3

const known = new WeakMap<Catalog, ReadonlySet<string>>()

const nameStems = (catalog: Catalog): ReadonlySet<string> => {
  const stems =
    known.get(catalog) ??
    new Set(
      catalog.tables
        .flatMap(({ name, columns }) => [name, ...columns.map(column => column.name)])
        .flatMap(splitName)
        .filter(word => word.length >= SHORTEST)
        .map(stemWord),
    )
  known.set(catalog, stems)
  return stems
}

/** How alike another text is to a given one, from 0 to 1. */
type Likeness = (other: string) => number

/**
 * Half by their words, half by the trigrams of their letters, so that other forms of a word count in part. The text is
 * taken apart once, for all that it is held against.
 */
const likenessTo = (text: string): Likeness => {
  const [byWords, byLetters] = [diceSimilarityTo(words(text)), diceSimilarityTo(trigrams(text))]
  return other => (byWords(words(other)) + byLetters(trigrams(other))) / 2
}

const words = (text: string): readonly string[] =>
  text.toLowerCase().match(/<\w+>|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}]/gu) ?? []

const trigrams = (text: string): readonly string[] => {
  const padded = `  ${text.toLowerCase()} `
  return Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3))
}

/**
 * The verified queries that a question can be answered from: for a person who does not see all rows, those that name no
 * value but of rows they see. What others were answered with is shown with the answer, as SQL and in its assumptions.
 */
const listReadableVerified = async (
  database: Pick<Database, 'name' | 'dialect' | 'rights' | 'findValues'>,
  listVerified: ListVerified,
  options: Parameters<ListVerified>[1] = {},
): Promise<readonly VerifiedQuery[]> => {
  const queries = await listVerified(database.name, options)
  const sees = seesValuesOf(database)
  if (sees === seesEveryValue) return queries
  const { dialect } = database
  return queries.filter(
    ({ sql, question, slots }) => hideValues({ sql, dialect, words: question, slots }, sees).isOpen,
  )
}
