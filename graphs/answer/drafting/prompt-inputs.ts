import type { ExampleQuery } from '../../../src/domain/candidate.ts'
import type { BusinessRule, GlossaryTerm, Knowledge } from '../../../src/domain/knowledge.ts'
import type { LinkedSchema, TimeSpan, Understanding } from '../../../src/domain/question-context.ts'
import { foldText } from '../../../src/lib/fold-text.ts'
import { toSingular } from '../../../src/lib/stem-word.ts'
import type { NodeRun, OpenDatabase } from '../deps.ts'
import { questionText, type State } from '../state.ts'

const MOST_TERMS = 12

const MOST_RULES = 12

/** A rule is a sentence or two; whatever is longer was not written for a prompt. */
const LONGEST = 400

/** External evidence on one question is a few sentences. */
const LONGEST_EVIDENCE = 2_000

/**
 * What is known beside the schema, for a prompt: the team's rules about the tables that are shown or about no table at
 * all, what was given with the question, and the terms that it uses. Bounded. The rules come first: they are
 * the same for all questions that see the same tables, so that endpoints can cache them with the schema.
 */
export const describeEvidence = (
  knowledge: Knowledge | undefined,
  {
    understanding: { text, evidence = '' },
    linked,
  }: {
    readonly understanding: Pick<Understanding, 'text' | 'evidence'>
    readonly linked: LinkedSchema
  },
): string => {
  const shown = new Set(linked.tables.map(({ table }) => table))
  const rules = (knowledge?.rules ?? []).filter(rule => concerns(rule, shown)).slice(0, MOST_RULES)
  const terms = knowledge === undefined ? [] : usedTerms(knowledge, text).slice(0, MOST_TERMS)
  const given = evidence.replace(/\s+/g, ' ').trim().slice(0, LONGEST_EVIDENCE)
  const lines = [
    ...rules.map(rule => onOneLine(rule.text)),
    ...(given === '' ? [] : [`About this question: ${given}`]),
    ...terms.map(describeTerm),
  ]
  return lines.map(line => `- ${line}`).join('\n')
}

/** The team's terms that a question uses, whether under their name or a synonym. */
const usedTerms = (knowledge: Knowledge, question: string): readonly GlossaryTerm[] => {
  const words = wordsOf(question)
  return knowledge.terms.filter(term => isUsed(term, words))
}

const describeTerm = ({ name, synonyms, meaning, sql, columns }: GlossaryTerm): string => {
  const also = synonyms.length === 0 ? '' : ` (also: ${synonyms.join(', ')})`
  const parts = [
    ...(meaning === '' ? [] : [meaning]),
    ...(sql === null ? [] : [`In SQL: ${sql}`]),
    ...(columns.length === 0 ? [] : [`See ${columns.join(', ')}.`]),
  ]
  return onOneLine(`"${name}"${also}: ${parts.join(' ')}`)
}

const isUsed = ({ name, synonyms }: GlossaryTerm, question: readonly string[]): boolean =>
  [name, ...synonyms].some(phrase => {
    const words = wordsOf(phrase)
    return (
      words.length > 0 &&
      question.some((_, at) => words.every((word, offset) => question[at + offset] === word))
    )
  })

/** A rule names tables as `orders.placed_at` or `orders`; one that names none holds everywhere. */
const concerns = ({ text }: BusinessRule, shown: ReadonlySet<string>): boolean => {
  const named = [...text.matchAll(/`([\w.]+)`/g)].flatMap(([, name = '']) => {
    const table = name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : null
    return table === null ? [] : [table]
  })
  return named.length === 0 || named.some(table => shown.has(table))
}

const wordsOf = (text: string): readonly string[] =>
  (foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []).map(toSingular)

const onOneLine = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
}

/**
 * Whether a question uses a term that the team gave a meaning. Models are told of it; the rules of the semantic parser
 * and the measures of the selector are not, so there they are no judges of what is meant.
 */
export const usesTeamTerm = async (
  { question }: Pick<State, 'question'>,
  deps: { readonly database: OpenDatabase },
  { signal }: NodeRun,
): Promise<boolean> => {
  const { knowledge } = await deps.database(question.database, signal ? { signal } : {})
  return (
    knowledge !== undefined &&
    usedTerms(knowledge, questionText(question)).some(({ meaning, sql }) => meaning !== '' || sql !== null)
  )
}

/** The day a question is asked on and the bounds of its periods, for a prompt: nothing is left to a model's calendar. */
export const describeTime = ({
  spans,
  today,
  timeZone,
}: Pick<Understanding, 'spans' | 'today' | 'timeZone'>): string => {
  const bounded = spans.filter(span => span.from !== null || span.until !== null)
  return [`Today is ${today} in ${timeZone}.`, ...bounded.map(describeSpan)].join('\n')
}

const describeSpan = ({ phrase, from, until }: TimeSpan): string => {
  const bounds = [from && `from ${from}`, until && `until ${until}, the end excluded`].filter(Boolean)
  return `"${phrase}" is ${bounds.join(' ')}.`
}

/** Long statements of a thread are cut; what they begin with says which tables they are about. */
const LONGEST_THREAD_SQL = 2_000

/** The question that this one goes on from, its SQL and its columns, for a prompt; empty if it does not. */
export const describeThread = ({
  followUp,
  previous,
}: Pick<Understanding, 'followUp' | 'previous'>): string => {
  // What was stored before there was `previous` has the changes alone.
  const question = previous?.question ?? followUp?.before
  const sql = (previous?.sql ?? followUp?.chain.at(-1)?.sql ?? '').trim()
  if (question === undefined || sql === '') return ''
  const columns = previous?.columns ?? []
  return [
    `Asked before: ${onOneLine(question)}`,
    `Its SQL: ${sql.length > LONGEST_THREAD_SQL ? `${sql.slice(0, LONGEST_THREAD_SQL)}…` : sql}`,
    ...(columns.length === 0 ? [] : [`Its columns: ${columns.join(', ')}`]),
    ...(followUp === undefined ? [] : [`Then: ${onOneLine(followUp.said)}`]),
  ].join('\n')
}

/** A question is a sentence or two, and a statement that is longer than this shows too little for its length. */
const LONGEST_QUESTION = 400

const LONGEST_SQL = 1_500

const MOST_CHARACTERS = 6_000

/**
 * Questions with their SQL, for a prompt: whole ones only, within a bound. Given the most telling first; they stand the
 * other way round, so that the most telling is nearest to the question.
 */
export const describeExamples = (examples: readonly ExampleQuery[]): string => {
  const lines: string[] = []
  let characters = 0
  for (const { question, sql } of examples) {
    if (question.length > LONGEST_QUESTION || sql.length > LONGEST_SQL) continue
    const text = `Question: ${question.replace(/\s+/g, ' ').trim()}\nSQL: ${sql.trim()}`
    characters += text.length
    if (characters > MOST_CHARACTERS) break
    lines.push(text)
  }
  return lines.reverse().join('\n\n')
}
