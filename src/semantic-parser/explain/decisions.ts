import type { Decision } from '../../core/reading.ts'
import type { LinkedSpan } from '../link/item.ts'
import type { DraftInterpretation } from '../read-question.ts'
import type { ColumnEntry, ForeignKeyEdge } from '../schema/schema-index.ts'
import type { ReadStep } from '../search/state.ts'
import { columnLabel, tableLabel } from './column-label.ts'

/** Readings further behind the best than this (in score) are no rivals that a person should be asked about. */
const RIVAL_MARGIN = 3

/**
 * What a reading decided where its rivals decided otherwise: words that near-equal readings take for different
 * columns, tables, values or moments, and keys that join the same tables in different ways.
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
          label: `${columnLabel(item.column)} is ${item.value}`,
        },
      ]
    default:
      return []
  }
}

const joinDecision = (edge: ForeignKeyEdge): Decision => {
  const [from] = edge.from
  const [to] = edge.to
  const other = to ? tableLabel(to.table) : ''
  return {
    phrase: other,
    kind: 'join',
    choice: from ? nameOf(from) : '',
    label: from ? `${other} by ${columnLabel(from)}` : other,
  }
}

const nameOf = (column: ColumnEntry): string => `${column.table.table.name}.${column.column.name}`

/** The words of a step as the question has them. */
export const phraseOf = (draft: DraftInterpretation, step: ReadStep): string =>
  draft.context.tokens
    .slice(step.at[0], step.at[1])
    .map(token => token.text)
    .join(' ')
