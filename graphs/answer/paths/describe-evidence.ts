import type { BusinessRule, GlossaryTerm, Knowledge } from '../../../src/core/knowledge.ts'
import type { LinkedSchema } from '../../../src/core/linked-schema.ts'
import { foldText } from '../../../src/lib/fold-text.ts'
import { toSingular } from '../../../src/lib/to-singular.ts'

const MOST_TERMS = 12
const MOST_RULES = 12
/** A rule is a sentence or two; whatever is longer was not written for a prompt. */
const LONGEST = 400

/**
 * What of the team's knowledge bears on a question, for a prompt: the terms that the question uses, and the rules
 * about the tables that are shown or about no table at all. Bounded, terms first.
 */
export const describeTeamKnowledge = (
  knowledge: Knowledge | undefined,
  { question, linked }: { readonly question: string; readonly linked: LinkedSchema },
): string => {
  if (knowledge === undefined) return nothing
  const terms = usedTerms(knowledge, question).slice(0, MOST_TERMS)
  const shown = new Set(linked.tables.map(({ table }) => table))
  const rules = knowledge.rules.filter(rule => concerns(rule, shown)).slice(0, MOST_RULES)
  const lines = [...terms.map(describeTerm), ...rules.map(({ text }) => onOneLine(text))]
  return lines.length === 0 ? nothing : lines.map(line => `- ${line}`).join('\n')
}

/** The team's terms that a question uses, whether under their name or a synonym. */
export const usedTerms = (knowledge: Knowledge, question: string): readonly GlossaryTerm[] => {
  const words = wordsOf(question)
  return knowledge.terms.filter(term => isUsed(term, words))
}

const nothing = 'Nothing is known beside the schema.'

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
