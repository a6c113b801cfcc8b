import type { ClarificationTopic, ClarifiedPart } from '../domain/answer-wording/clarifications.ts'
import type { Catalog } from '../domain/catalog.ts'
import type { RuleMeaning } from '../domain/knowledge.ts'
import { foldText } from '../lib/fold-text.ts'
import type { Expression } from '../sql/tree/query-tree.ts'
import type { DecisionVariable, KnownContender } from './contenders.ts'
import type { LabelledBlock } from './labels.ts'
import type { Slot } from './query-parts.ts'

/** Differences that have a question of their own. */
const partOfSlot: Readonly<Partial<Record<Slot, ClarifiedPart>>> = {
  output: 'output',
  condition: 'filter',
  having: 'filter',
  group: 'group',
  ranking: 'ranking',
  distinct: 'distinct',
  partner: 'match',
}

/** What to ask about: the phrase that is taken differently if there is one, otherwise what differs. */
export const topicOf = ({
  variable: { about, blocks },
  labelled,
  contenders,
  question,
}: {
  readonly variable: DecisionVariable
  readonly labelled: readonly LabelledBlock[]
  readonly contenders: readonly KnownContender[]
  readonly question: string
}): ClarificationTopic => {
  if (labelled.some(({ isResult }) => isResult)) return { kind: 'results' }
  const phrase = about.kind === 'phrase' ? about.phrase : phraseOfValue({ blocks, contenders, question })
  if (phrase !== null) return { kind: 'phrase', phrase, isGroup: isGroupedBy(phrase, question) }
  return { kind: 'part', part: about.kind === 'slot' ? (partOfSlot[about.slot] ?? null) : null }
}

/** "Orders by country", "orders per country". */
export const isGroupedBy = (phrase: string, question: string): boolean =>
  /\b(?:by|per|each)\s+$/i.test(question.slice(0, Math.max(0, question.indexOf(phrase))))

interface Given {
  readonly variable: DecisionVariable
  readonly label: string
  readonly contender: KnownContender
  readonly question: string
  readonly contenders: readonly KnownContender[]
  readonly catalog: Catalog
}

/** What a choice says of the team's words: of the phrase that was taken differently, else of the question as a whole. */
export const meaningOf = (given: Given): RuleMeaning => {
  const { variable, label, contender, question, contenders, catalog } = given
  const { about, blocks } = variable
  if (about.kind === 'phrase') {
    const decision = contender.decisions.find(
      one => one.phrase === about.phrase && one.kind === about.decisionKind,
    )
    const [column, value] = splitChoice(decision?.choice ?? '')
    return {
      phrase: about.phrase,
      // A rule is read without the other options beside it.
      meaning: decision?.label ?? label,
      sql: decision?.kind === 'value' && value !== null ? equals(column, value) : null,
      columns: /^[^.]+\.[^.]+$/.test(column) ? [column] : [],
    }
  }
  const phrase = phraseOfValue({ blocks, contenders, question })
  const filter = phrase === null ? null : asSpelled(filterOn(phrase, contender) ?? '', catalog)
  if (phrase === null || filter === null) return { phrase: null, meaning: label, sql: null, columns: [] }
  return { phrase, meaning: label, sql: equals(filter, phrase), columns: [filter] }
}

/**
 * A value that the question names and that every contender looks for, but in different columns: `Fresno`, which may be
 * a city or a county. As the question has it; null where there is none.
 */
const phraseOfValue = ({
  blocks,
  contenders,
  question,
}: {
  readonly blocks: readonly (readonly number[])[]
  readonly contenders: readonly KnownContender[]
  readonly question: string
}): string | null => {
  const [leader, ...others] = blocks.flatMap(block => contenders[block[0] ?? 0] ?? [])
  const asked = foldText(question)
  for (const [value, column] of leader ? filtersOf(leader) : []) {
    const at = asked.indexOf(foldText(value))
    if (at < 0 || value.length < 2) continue
    const elsewhere = others.map(other => filtersOf(other).get(value))
    if (elsewhere.every(other => other !== undefined && other !== column)) return value
  }
  return null
}

/** Columns by the text that they are compared to. */
const filtersOf = ({ parts }: KnownContender): ReadonlyMap<string, string> =>
  new Map((parts ?? []).flatMap(({ condition }) => (condition === undefined ? [] : filterOf(condition))))

const filterOf = (condition: Expression): readonly (readonly [string, string])[] => {
  if (condition.kind !== 'compare' || condition.operator !== '=') return []
  const { left, right } = condition
  if (left.kind !== 'column' || left.qualifier === null || right.kind !== 'text') return []
  return [[right.value, `${left.qualifier}.${left.name}`]]
}

const filterOn = (phrase: string, contender: KnownContender): string | null =>
  filtersOf(contender).get(phrase) ?? null

/** `orders.country = Norway` as the parser names a choice, or `orders.country`. */
const splitChoice = (choice: string): readonly [string, string | null] => {
  const [column = '', ...value] = choice.split(' = ')
  return [column, value.length === 0 ? null : value.join(' = ')]
}

const equals = (column: string, value: string): string => `${column} = '${value.replaceAll("'", "''")}'`

/** `table.column` with the letters that the catalog has; null where there is no such column. */
const asSpelled = (column: string, { tables }: Catalog): string | null => {
  for (const table of tables)
    for (const { name } of table.columns)
      if (`${table.name}.${name}`.toLowerCase() === column) return `${table.name}.${name}`
  return null
}
