import type { Assumption, Decision } from '../domain/interpretation.ts'
import type { KeyEdge } from '../domain/key-graph.ts'
import type { TimeSpan, Understanding } from '../domain/question-context.ts'
import { splitName } from '../lib/fold-text.ts'
import { toSingular } from '../lib/stem-word.ts'
import type { DraftInterpretation } from './interpret-question.ts'
import { amountNouns, amountVerbs, functionWords } from './lexicon.ts'
import type { LinkedSpan } from './link/linked-span.ts'
import type { ColumnEntry, TableEntry } from './schema/schema-index.ts'
import type { ReadStep } from './search/state.ts'

/** The assumptions of an interpretation: days of periods, columns that were not named, units. */
export const listAssumptions = (
  draft: DraftInterpretation,
  understanding: Understanding,
): readonly Assumption[] => {
  const made: readonly Assumption[] = [
    ...draft.frame.conditions.flatMap(({ test, column }) =>
      test.kind === 'period' ? [assumedPeriod(test.span, column, understanding.timeZone)] : [],
    ),
    ...draft.steps.flatMap((step): Assumption[] => {
      const { item } = step
      if (item?.kind !== 'value') return []
      const named = draft.steps.some(
        other => other.item?.kind === 'column' && other.item.column === item.column,
      )
      const phrase = phraseOf(draft, step)
      return named
        ? []
        : [{ kind: 'value', phrase, column: columnLabel(item.column), value: String(item.value) }]
    }),
  ]
  return [...new Map(made.map(one => [JSON.stringify(one), one])).values()]
}

const assumedPeriod = (span: TimeSpan, column: ColumnEntry, timeZone: string): Assumption => ({
  kind: 'period',
  phrase: span.phrase,
  from: span.from,
  until: span.until,
  column: columnLabel(column),
  timeZone: column.column.kind === 'timestamp' ? timeZone : null,
})

const units: ReadonlySet<string> = new Set('cents eur usd km kg grams minutes seconds hours days'.split(' '))

/** Interpretations this far behind the best one (in score) are not worth asking a person about. */
const RIVAL_MARGIN = 3

/**
 * The decisions of an interpretation that its rivals made differently: words that near-equal interpretations
 * understand as other columns, tables, values or dates, and keys that join the same tables in different ways.
 */
export const listDecisions = (
  draft: DraftInterpretation,
  all: readonly DraftInterpretation[],
): readonly Decision[] => {
  const best = all[0]?.score ?? 0
  const rivals = all.filter(other => best - other.score <= RIVAL_MARGIN)
  const others = rivals.flatMap(allDecisions)
  return allDecisions(draft).filter(own =>
    others.some(
      other => other.phrase === own.phrase && other.kind === own.kind && other.choice !== own.choice,
    ),
  )
}

const allDecisions = (draft: DraftInterpretation): readonly Decision[] => {
  const made = [
    ...draft.steps.flatMap(step => decisionOf(draft, step)),
    ...draft.plan.choices.map(choice => joinDecision(choice.taken)),
  ]
  return made.filter(
    (one, index) => made.findIndex(other => other.phrase === one.phrase && other.kind === one.kind) === index,
  )
}

const decisionOf = (draft: DraftInterpretation, step: ReadStep): readonly Decision[] => {
  if (!step.item) return []
  const phrase = phraseOf(draft, step)
  const column = step.chosen
  if (column)
    return [
      {
        phrase,
        kind: step.item.kind === 'number' || !column.traits.moment ? 'column' : 'period',
        choice: nameOf(column),
        label: columnLabel(column),
      },
    ]
  return choiceOf(step.item, phrase)
}

const choiceOf = (item: LinkedSpan, phrase: string): readonly Decision[] => {
  switch (item.kind) {
    case 'column':
    case 'absence':
      return [{ phrase, kind: 'column', choice: nameOf(item.column), label: columnLabel(item.column) }]
    case 'table':
      return [{ phrase, kind: 'table', choice: item.table.table.name, label: tableLabel(item.table) }]
    case 'value':
      return [
        {
          phrase,
          kind: 'value',
          choice: `${nameOf(item.column)} = ${item.value}`,
          label:
            phrase.toLowerCase() === String(item.value).toLowerCase()
              ? columnLabel(item.column)
              : `${item.value} (${columnLabel(item.column)})`,
        },
      ]
    default:
      return []
  }
}

const joinDecision = (edge: KeyEdge<ColumnEntry>): Decision => {
  const [from] = edge.from.columns
  const [to] = edge.to.columns
  const other = to ? tableLabel(to.table) : ''
  return {
    phrase: other,
    kind: 'join',
    choice: from ? nameOf(from) : '',
    label: from ? `${other} by ${columnLabel(from)}` : other,
  }
}

const nameOf = (column: ColumnEntry): string => `${column.table.table.name}.${column.column.name}`

/** The words of a step, as written in the question. */
const phraseOf = (draft: DraftInterpretation, step: ReadStep): string =>
  draft.context.tokens
    .slice(step.at[0], step.at[1])
    .map(token => token.text)
    .join(' ')

/** Content words of the question that an interpretation left out, as written. */
export const listUnusedWords = (draft: DraftInterpretation): readonly string[] =>
  draft.steps.flatMap(step => {
    const token = draft.context.tokens[step.at[0]]
    if (step.role !== 'skip' || !token || token.kind === 'mark') return []
    return functionWords.has(token.folded) ? [] : [token.text]
  })

/** An interpretation that leaves out a number or an amount of the question cannot be more likely than this. */
const MOST_WITHOUT_AN_AMOUNT = 0.59

/** The confidence in an interpretation, from 0 to 1, held back when it leaves out what changes every figure. */
export const limitConfidence = (draft: DraftInterpretation, confidence: number): number => {
  const leavesOutAmount = draft.steps.some(({ role, at: [from] }) => {
    const token = draft.context.tokens[from]
    if (role !== 'skip' || token === undefined) return false
    return token.kind === 'number' || amountNouns.has(token.stem) || amountVerbs.has(token.stem)
  })
  return leavesOutAmount ? Math.min(confidence, MOST_WITHOUT_AN_AMOUNT) : confidence
}

/** A column in words: `billing country of the order`; a date by its comment if that says when. */
export const columnLabel = (column: ColumnEntry): string => {
  const { comment, name } = column.column
  if (column.traits.moment && comment && /^when\b/i.test(comment)) return firstClause(comment)
  const noun = column.traits.moment ? dateNoun(splitName(name)) : splitName(name).filter(isNoUnit)
  return `${noun.join(' ')} of the ${tableLabel(column.table)}`
}

/** `date placed` of `placed_at`. */
const dateNoun = (words: readonly string[]): readonly string[] => {
  const last = words.at(-1)
  const said = words.length > 1 && (last === 'at' || last === 'on') ? words.slice(0, -1) : words
  return /ed$|^(?:sent|paid|sold|built|left)$/.test(said.at(-1) ?? '') ? ['date', ...said] : said
}

/** What a number is measured in is shown with the number. */
const isNoUnit = (word: string, at: number): boolean => at === 0 || !units.has(word)

/** A table in words, in the singular: `order line`. */
export const tableLabel = (table: TableEntry): string => {
  const words = [...splitName(table.table.name)]
  const last = words.pop() ?? table.table.name
  return [...words, toSingular(last)].join(' ')
}

const firstClause = (comment: string): string => {
  const clause = (comment.split(/[.;]/)[0] ?? comment).trim()
  return clause.charAt(0).toLowerCase() + clause.slice(1)
}
