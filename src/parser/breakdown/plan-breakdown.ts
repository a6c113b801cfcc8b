import type { BreakdownDimension, BreakdownPlan, ChainLink, Contrast } from '../../domain/conversation.ts'
import type { BreakdownAssumption, ChangeProblem } from '../../domain/interpretation.ts'
import type { TimeSpan } from '../../domain/question-context.ts'
import { splitName } from '../../lib/fold-text.ts'
import { renderQuery } from '../../sql/render/render-query.ts'
import type { JoinedSource, SelectTree } from '../../sql/tree/query-tree.ts'
import { buildPlans, findEntity, neededTables } from '../build/build-plans.ts'
import { conditionExpression } from '../build/conditions.ts'
import { columnLabel } from '../explain.ts'
import { measuresOf, suggestEdits } from '../follow-up/edited-frame.ts'
import type { EditContext } from '../follow-up/interpret-edit.ts'
import type { ImpossibleEdit } from '../follow-up/plain-edit.ts'
import type { Condition, Frame, Measure } from '../frame.ts'
import { type DraftInterpretation, preferMentionedKeys } from '../interpret-question.ts'
import { weightedScore } from '../rank/model.ts'
import type { ColumnEntry, TableEntry } from '../schema/schema-index.ts'
import { type ContrastSides, contrastQuery, shownAggregate } from './contrast-query.ts'
import { findDimensions } from './find-dimensions.ts'
import {
  type BreakdownSubject,
  type DayRange,
  findSubject,
  formatPeriod,
  suggestWhyQuestion,
} from './find-subject.ts'

/**
 * Plans how to break down one number of an answer: what it is compared with, and the statements that split both by
 * one column each. Only numbers that add up can be split; for others it says so.
 */
export const planBreakdown = (
  base: DraftInterpretation,
  link: Pick<ChainLink, 'text' | 'askedAt'>,
  parts: EditContext,
): BreakdownPlan | ImpossibleEdit => {
  const { frame } = base
  const [measure] = measuresOf(frame)
  const entity = findEntity(frame)
  if (!measure || !entity || frame.both || base.plan.query.kind !== 'select') {
    return impossible({ code: 'no-number' }, frame)
  }
  if (measure.fn !== 'sum' && measure.fn !== 'count') {
    return impossible({ code: 'not-additive' }, frame)
  }
  const found = findSubject(frame, link, parts)
  switch (found.kind) {
    case 'unnamed':
      return {
        problem: { code: 'number-not-named' },
        examples: [...suggestWhyQuestion(frame, link, parts), ...suggestEdits(frame)].slice(0, 3),
      }
    case 'unknown':
      return {
        problem: { code: 'unknown-number', words: found.words },
        examples: [...suggestWhyQuestion(frame, link, parts), ...suggestEdits(frame)].slice(0, 3),
      }
    case 'period':
    case 'group':
      break
    default: {
      const never: never = found
      return never
    }
  }
  const counted: Measure =
    measure.column === null && measure.table === null ? { ...measure, table: entity } : measure
  const asked = found.kind === 'period' ? periodContrast(found, frame, entity) : groupContrast(found, frame)
  if (!asked) return impossible({ code: 'no-date' }, frame)
  const build = makeBuild(base, counted, asked, parts)
  const totals = build(null)
  if (!totals) return impossible({ code: 'not-comparable' }, frame)
  const measured = counted.column?.table ?? counted.table ?? entity
  const except = found.kind === 'group' ? columnsOfGroupTable(found.column, measured) : []
  const prefer = preferMentionedKeys(base.context)
  const dimensions = findDimensions(frame, measured, parts.schema, { except, prefer }).flatMap(
    (column): readonly BreakdownDimension[] => {
      const sql = build(column)
      return sql ? [{ label: columnLabel(column), sql }] : []
    },
  )
  return {
    contrast: asked.contrast,
    totals: totals.falling,
    dimensions,
    assumptions: [...asked.assumptions, ...(frame.outputs.length > 2 ? oneOfSeveral(measuresOf(frame)) : [])],
  }
}

/** The frame's conditions without those that the contrast replaces, and the two sides of the contrast. */
interface ContrastFrame {
  readonly contrast: Contrast
  readonly conditions: readonly Condition[]
  readonly sides: (qualified: boolean, timeZone: string) => ContrastSides
  readonly assumptions: readonly BreakdownAssumption[]
}

const periodContrast = (
  { subject, beside, understanding }: Extract<BreakdownSubject, { kind: 'period' }>,
  frame: Frame,
  entity: TableEntry,
): ContrastFrame | null => {
  const column = momentOf(frame, entity)
  if (!column) return null
  const [kept, replaced] = [
    frame.conditions.filter(one => !isPeriodOn(one, column)),
    frame.conditions.filter(one => isPeriodOn(one, column)),
  ]
  // Replacing a part of an OR would change the other part.
  if (replaced.length > 0 && frame.conditions.some(({ or }) => or)) return null
  const on = (days: DayRange): Condition => ({
    column,
    test: { kind: 'period', span: spanOf(days) },
    negated: false,
    or: false,
  })
  const contrast: Contrast = {
    kind: 'period',
    subject: formatPeriod(subject),
    beside: formatPeriod(beside),
  }
  const both: DayRange = {
    from: subject.from < beside.from ? subject.from : beside.from,
    until: subject.until > beside.until ? subject.until : beside.until,
  }
  const isOpen = subject.until > understanding.today && subject.from <= understanding.today
  return {
    contrast,
    conditions: [...kept, on(both)],
    sides: (qualified, timeZone) => ({
      subject: {
        when: conditionExpression(on(subject), qualified, timeZone),
        alias: aliasOf(contrast.subject),
      },
      beside: { when: conditionExpression(on(beside), qualified, timeZone), alias: aliasOf(contrast.beside) },
    }),
    assumptions: [
      {
        kind: 'compared-periods',
        subject: contrast.subject,
        beside: contrast.beside,
        column: columnLabel(column),
      },
      ...(isOpen ? [{ kind: 'unfinished-period', period: contrast.subject } as const] : []),
    ],
  }
}

const groupContrast = (
  { column, value }: Extract<BreakdownSubject, { kind: 'group' }>,
  { conditions }: Frame,
): ContrastFrame => {
  const same: Condition = {
    column,
    test: { kind: 'compare', operator: '=', value },
    negated: false,
    or: false,
  }
  const contrast: Contrast = { kind: 'group', subject: value, beside: 'all' }
  return {
    contrast,
    conditions,
    sides: (qualified, timeZone) => ({
      subject: { when: conditionExpression(same, qualified, timeZone), alias: aliasOf(value) },
      beside: { when: null, alias: 'in_all' },
    }),
    assumptions: [{ kind: 'compared-with-all', value, column: columnLabel(column) }],
  }
}

/** The date that the answer is grouped or limited by; else the only date of the measured rows. */
const momentOf = (frame: Frame, entity: TableEntry): ColumnEntry | null => {
  const grouped = frame.groups.find(({ unit }) => unit !== null)?.column
  const cut = frame.conditions.find(({ test }) => test.kind === 'period')?.column
  const [only, ...others] = entity.columns.filter(({ traits }) => traits.moment)
  return grouped ?? cut ?? (only && others.length === 0 ? only : null)
}

const isPeriodOn = ({ column, test }: Condition, moment: ColumnEntry): boolean =>
  column === moment && test.kind === 'period'

const spanOf = ({ from, until }: DayRange): TimeSpan => ({ phrase: '', at: [0, 0], from, until })

/** Columns of the table of the group's own column change with it, row by row. */
const columnsOfGroupTable = (column: ColumnEntry, measured: TableEntry): readonly ColumnEntry[] =>
  column.table === measured ? [column] : column.table.columns

/** Builds the statements for a dimension, or for the totals without one. Null if they would read other rows. */
const makeBuild = (base: DraftInterpretation, measure: Measure, asked: ContrastFrame, parts: EditContext) => {
  const { schema, timeZone, dialect, weights } = parts
  const named = (table: { id: number }) => base.context.lattice.mentions[table.id]?.strength ?? 0
  const entity = findEntity(base.frame)
  // The answer's joins decide which rows it counted.
  const also = entity ? joinedTables(base.frame, entity) : []
  const context = { schema, timeZone, prefer: preferMentionedKeys(base.context), named, also }
  return (column: ColumnEntry | null): { falling: string; rising: string } | null => {
    const frame: Frame = {
      ...base.frame,
      outputs: [
        ...(column ? [{ kind: 'column', column, grouped: true } as const] : []),
        { kind: 'measure', measure },
      ],
      conditions: asked.conditions,
      groups: column ? [{ column, entity: null, unit: null }] : [],
      havings: [],
      orders: [],
      limit: null,
      distinct: false,
    }
    const [best] = buildPlans(frame, context)
      .flatMap(({ query, features }) => {
        const same = query.kind === 'select' ? sameRows(query, base.plan.query) : null
        return same ? [{ query: same, score: weightedScore(features, weights) }] : []
      })
      .toSorted((a, b) => b.score - a.score)
    if (!best) return null
    const sides = asked.sides(best.query.from.length > 1, timeZone)
    const write = (falling: boolean): string | null => {
      const query = contrastQuery(best.query, sides, { kind: asked.contrast.kind, falling })
      return query && renderQuery(query, dialect)
    }
    const [falling, rising] = [write(true), write(false)]
    return falling === null || rising === null ? null : { falling, rising }
  }
}

/**
 * The query over the same rows as the answer, counted in the same way: tables that only the split needs are joined
 * without losing rows. Null if it joins or counts differently.
 */
const sameRows = (query: SelectTree, answer: DraftInterpretation['plan']['query']): SelectTree | null => {
  if (answer.kind !== 'select' || rootOf(query) !== rootOf(answer)) return null
  const [own, before] = [shownAggregate(query), shownAggregate(answer)]
  if (!own || !before || own.fn !== before.fn || own.distinct !== before.distinct) return null
  const keyOf = ({ on }: JoinedSource): string => JSON.stringify(on)
  const [now, known] = [query, answer].map(({ from }) => new Set(from.map(keyOf)))
  if (![...(known ?? [])].every(on => now?.has(on))) return null
  return {
    ...query,
    from: query.from.map(one => (known?.has(keyOf(one)) ? one : { ...one, join: 'left' })),
  }
}

const rootOf = ({ from }: SelectTree): string | null => {
  const source = from[0]?.source
  return source?.kind === 'table' ? source.name : null
}

/** Tables that a frame joins. Tables of negated conditions are not joined. */
const joinedTables = (frame: Frame, entity: TableEntry): readonly TableEntry[] =>
  neededTables({ ...frame, conditions: frame.conditions.filter(({ negated }) => !negated) }, entity)

const aliasOf = (label: string): string => splitName(label).join('_') || 'subject'

const oneOfSeveral = ([first, ...others]: readonly Measure[]): readonly BreakdownAssumption[] =>
  first && others.length > 0
    ? [{ kind: 'one-measure', column: first.column ? columnLabel(first.column) : null }]
    : []

const impossible = (problem: ChangeProblem, frame: Frame): ImpossibleEdit => ({
  problem,
  examples: suggestEdits(frame),
})
