import type { Catalog } from '../domain/catalog.ts'
import type { RuleMeaning } from '../domain/knowledge.ts'
import { foldText } from '../lib/fold-text.ts'
import type { Expression } from '../sql/tree/query-tree.ts'
import type { DecisionVariable, KnownContender } from './contenders.ts'
import type { LabelledBlock } from './labels.ts'
import type { Slot } from './query-parts.ts'

const aboutSlot: Readonly<Partial<Record<Slot, string>>> = {
  output: 'What should the answer show?',
  condition: 'Which of them do you mean?',
  having: 'Which of them do you mean?',
  group: 'How should I sum it up?',
  ranking: 'Which of them do you want to see?',
  distinct: 'Should each be there once, or as often as it occurs?',
  partner: 'Which of them should be there?',
}

/** Asks about the phrase that is taken differently where there is one, else about what differs. */
export const writeQuestion = ({
  variable: { about, blocks },
  labelled,
  contenders,
  question,
}: {
  readonly variable: DecisionVariable
  readonly labelled: readonly LabelledBlock[]
  readonly contenders: readonly KnownContender[]
  readonly question: string
}): string => {
  if (labelled.some(({ isResult }) => isResult)) return 'Which of these results do you mean?'
  const phrase = about.kind === 'phrase' ? about.phrase : phraseOfValue({ blocks, contenders, question })
  if (phrase !== null) return `What do you mean by “${phrase}”?`
  return (about.kind === 'slot' && aboutSlot[about.slot]) || 'Which of these do you mean?'
}

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
      meaning: label,
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
